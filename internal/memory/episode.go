package memory

import (
	"slices"
	"time"
)

// Scope says whose memory a call is about. Namespace is a hard border; the others are stored on writes and filter
// reads, "" meaning none given.
type Scope struct {
	Namespace string
	Project   string
	User      string
	SessionID string
}

// Role says who spoke an episode.
type Role string

// The roles of the tool contract.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
	RoleSystem    Role = "system"
)

// Origin ranks how far a fact is trusted: user > agent > assistant > tool. It is set by the server, never read from
// text.
type Origin string

// The origins, from the most trusted to the least; a system turn states no facts.
const (
	OriginUser      Origin = "user"
	OriginAgent     Origin = "agent"
	OriginAssistant Origin = "assistant"
	OriginTool      Origin = "tool"
	OriginSystem    Origin = "system"
)

// Episode statuses: how far extraction has come.
const (
	StatusPending     = "pending"
	StatusDone        = "done"
	StatusFailed      = "failed"
	StatusSkipped     = "skipped"
	StatusQuarantined = "quarantined"
	StatusWithdrawn   = "withdrawn" // its import was taken back: nothing finds it, and its row is history
)

// Episode is one stored turn of a conversation, or one passage.
type Episode struct {
	ID         int64
	Scope      Scope
	Seq        int64 // place in the session, from 1; meaningless without a session
	Role       Role
	Speaker    string // a name, in conversations of several people
	Source     string
	Content    string // masked UTF-8
	OccurredAt time.Time
	CreatedAt  time.Time
	Origin     Origin
	Status     string
}

// Rankable is an episode as ranking reads it: hundreds are read to find ten.
type Rankable struct {
	ID        int64
	SessionID string // "" for a passage
	Seq       int64  // place in the session, from 1
	Role      Role
	Speaker   string
	Content   string

	OccurredAt  time.Time // when it was said, whole seconds
	Quarantined bool      // it looks like an attack: it ends and replaces nothing
	Unvouched   bool      // nobody vouches for who said it: it replaces nothing that somebody does
}

// Filter narrows a read. Namespace is required; a zero value elsewhere does not narrow.
type Filter struct {
	Namespace string
	Project   string
	User      string
	SessionID string
	Roles     []Role
	Since     time.Time // occurred_at >= Since
	Until     time.Time // occurred_at < Until

	// Unassigned lets what belongs to no project pass beside Project's, since it is of every project; without a Project
	// nothing else passes.
	Unassigned bool
}

// Narrow says whether the filter asks for more than its namespace.
func (f Filter) Narrow() bool {
	return f.Project != "" || f.Unassigned || f.User != "" || f.SessionID != "" || len(f.Roles) > 0 || !f.Since.IsZero() ||
		!f.Until.IsZero()
}

// Hit is one row found by a search and how well it matched: BM25 (higher is better) from text, cosine from vectors.
type Hit struct {
	ID    int64
	Score float64
}

// State is the `memory_state` of an answer: what is not finished yet in the namespace.
type State struct {
	Pending  int      `json:"pending"`  // open jobs
	Failed   int      `json:"failed"`   // jobs that gave up until their next retry or for good
	Degraded []string `json:"degraded"` // codes of what works less well than configured; never null
}

// KindState tells of the open jobs of one kind.
type KindState struct {
	Kind      string `json:"kind"`
	Pending   int    `json:"pending"`              // waiting or running
	Failed    int    `json:"failed"`               // gave up until their next retry
	LastError string `json:"last_error,omitempty"` // why one of them is not done yet
}

// Matches says whether an episode passes the filter.
func (f Filter) Matches(e Episode) bool {
	return f.Namespace == e.Scope.Namespace &&
		(f.Project == "" && !f.Unassigned || f.Project == e.Scope.Project || f.Unassigned && e.Scope.Project == "") &&
		(f.User == "" || f.User == e.Scope.User) &&
		(f.SessionID == "" || f.SessionID == e.Scope.SessionID) &&
		(len(f.Roles) == 0 || slices.Contains(f.Roles, e.Role)) &&
		(f.Since.IsZero() || !e.OccurredAt.Before(f.Since)) &&
		(f.Until.IsZero() || e.OccurredAt.Before(f.Until))
}
