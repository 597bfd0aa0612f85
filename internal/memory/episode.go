package memory

import (
	"slices"
	"time"
)

// Scope says whose memory a call uses. Namespace is a hard border. Writes store the other fields, and reads filter by
// them; "" means not given.
type Scope struct {
	Namespace string
	Project   string
	User      string
	SessionID string
}

// Role is the role of an episode's speaker.
type Role string

// The roles.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
	RoleSystem    Role = "system"
)

// Origin is who a fact or an episode comes from. It decides trust: user > agent > assistant > tool. The server sets it
// and never reads it from text.
type Origin string

// The origins. See docs/decisions.md, "Trust".
const (
	OriginUser      Origin = "user"
	OriginAgent     Origin = "agent"
	OriginAssistant Origin = "assistant"
	OriginTool      Origin = "tool"
	OriginSystem    Origin = "system"
)

// Episode statuses: the progress of extraction.
const (
	StatusPending     = "pending"
	StatusDone        = "done"
	StatusFailed      = "failed"
	StatusSkipped     = "skipped"
	StatusQuarantined = "quarantined"
	StatusWithdrawn   = "withdrawn" // its import was undone: the row stays, and no read finds it
	StatusNote        = "note"      // nobody said it: it is the evidence of links, and no read finds it
)

// Episode is one stored turn of a conversation, or one passage.
type Episode struct {
	ID         int64
	Scope      Scope
	Seq        int64 // position in the session, from 1; meaningless without a session
	Role       Role
	Speaker    string // a name, for conversations of several people
	Source     string
	Content    string // masked UTF-8
	OccurredAt time.Time
	CreatedAt  time.Time
	Origin     Origin
	Status     string
	TextOf     int64 // the memory whose text it is; 0 if it is none
}

// Rankable holds the columns of an episode that ranking reads. Ranking reads hundreds of episodes to return ten.
type Rankable struct {
	ID        int64
	SessionID string // "" for a passage
	Seq       int64  // position in the session, from 1
	Role      Role
	Speaker   string
	Content   string

	OccurredAt  time.Time // when it was said, whole seconds
	Quarantined bool      // it looks like an attack, so it ends and replaces no fact
	Unvouched   bool      // its origin is tool or less trusted, such as an import: it replaces nothing more trusted
}

// Filter narrows a read. Namespace is required. The zero value of another field does not narrow.
type Filter struct {
	Namespace string
	Project   string
	User      string
	SessionID string
	Roles     []Role
	Since     time.Time // occurred_at >= Since
	Until     time.Time // occurred_at < Until

	// Unassigned also admits episodes without a project, which belong to all projects. If Project is "", only those pass.
	Unassigned bool
}

// Narrow reports whether the filter restricts more than the namespace.
func (f Filter) Narrow() bool {
	return f.Project != "" || f.Unassigned || f.User != "" || f.SessionID != "" || len(f.Roles) > 0 || !f.Since.IsZero() ||
		!f.Until.IsZero()
}

// Hit is one row that a search found, and its score: BM25 (higher is better) for text, cosine for vectors.
type Hit struct {
	ID    int64
	Score float64
}

// State is the `memory_state` of an answer: the unfinished work in the namespace.
type State struct {
	Pending  int      `json:"pending"`  // open jobs
	Failed   int      `json:"failed"`   // jobs that failed too often, until their next retry or for good
	Degraded []string `json:"degraded"` // codes of features that work less well than configured; never null
}

// KindState counts the open jobs of one kind.
type KindState struct {
	Kind      string `json:"kind"`
	Pending   int    `json:"pending"`              // waiting or running
	Failed    int    `json:"failed"`               // failed too often, until their next retry
	LastError string `json:"last_error,omitempty"` // the latest error of one of them
}

// Matches reports whether an episode passes the filter, and is one that a search may find.
func (f Filter) Matches(e Episode) bool {
	return e.Status != StatusWithdrawn && e.Status != StatusNote && f.Namespace == e.Scope.Namespace &&
		(f.Project == "" && !f.Unassigned || f.Project == e.Scope.Project || f.Unassigned && e.Scope.Project == "") &&
		(f.User == "" || f.User == e.Scope.User) &&
		(f.SessionID == "" || f.SessionID == e.Scope.SessionID) &&
		(len(f.Roles) == 0 || slices.Contains(f.Roles, e.Role)) &&
		(f.Since.IsZero() || !e.OccurredAt.Before(f.Since)) &&
		(f.Until.IsZero() || e.OccurredAt.Before(f.Until))
}
