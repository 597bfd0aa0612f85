package secrets

import "memory-graph/internal/memory"

// Scope masks the names of a scope (Identifier), of which hosts and agents build some from URLs and keys. The namespace
// is the operator's and stays as it is.
func Scope(s memory.Scope) memory.Scope {
	s.Project, s.User, s.SessionID = Identifier(s.Project), Identifier(s.User), Identifier(s.SessionID)
	return s
}
