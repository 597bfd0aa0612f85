package store

import (
	"strings"

	"memory-graph/internal/memory"
	"memory-graph/internal/text"
)

// The kinds of scope tokens in the text index.
const (
	scopeNamespace = 'n'
	scopeProject   = 'p'
	scopeUser      = 'u'
	scopeSession   = 's'
	scopeRole      = 'r'
)

// scopeText returns the text of the index's scope column for an episode: one token for each exact value.
func scopeText(scope memory.Scope, role memory.Role) string {
	tokens := []string{text.ScopeToken(scopeNamespace, scope.Namespace), text.ScopeToken(scopeRole, string(role))}
	add := func(kind byte, value string) {
		if value != "" {
			tokens = append(tokens, text.ScopeToken(kind, value))
		}
	}
	add(scopeProject, scope.Project)
	add(scopeUser, scope.User)
	add(scopeSession, scope.SessionID)
	return strings.Join(tokens, " ")
}

// where is a condition with its parameters. The SQL depends only on the shape of a filter, so its statement is prepared
// once.
type where struct {
	sql  strings.Builder
	args []any
}

func (w *where) and(condition string, args ...any) {
	if w.sql.Len() > 0 {
		w.sql.WriteString(" AND ")
	}
	w.sql.WriteString(condition)
	w.args = append(w.args, args...)
}

// readable is the condition under which reads find a row of mg_episodes as e.
const readable = `e.status NOT IN ('` + memory.StatusWithdrawn + `', '` + memory.StatusNote + `')`

// filterWhere writes a filter over mg_episodes as e.
func filterWhere(f memory.Filter) *where {
	w := new(where)
	w.and("e.namespace = ?", f.Namespace)
	w.and(readable)
	w.project(f)
	if f.User != "" {
		w.and("e.user = ?", f.User)
	}
	if f.SessionID != "" {
		w.and("e.session_id = ?", f.SessionID)
	}
	if len(f.Roles) > 0 {
		roles := make([]any, len(f.Roles))
		for i, r := range f.Roles {
			roles[i] = string(r)
		}
		w.and("e.role IN (?"+strings.Repeat(", ?", len(roles)-1)+")", roles...)
	}
	w.times(f)
	return w
}

// project adds the condition on the project.
func (w *where) project(f memory.Filter) {
	switch {
	case f.Project == "" && f.Unassigned:
		w.and("e.project IS NULL")
	case f.Project == "":
	case f.Unassigned:
		w.and("(e.project = ? OR e.project IS NULL)", f.Project)
	default:
		w.and("e.project = ?", f.Project)
	}
}

// times adds the bounds in time, which the text index cannot express.
func (w *where) times(f memory.Filter) {
	if !f.Since.IsZero() {
		w.and("e.occurred_at >= ?", memory.Seconds(f.Since))
	}
	if !f.Until.IsZero() {
		w.and("e.occurred_at < ?", memory.Seconds(f.Until))
	}
}
