package secrets

import "memory-graph/internal/memory"

// Scope masks the names in a scope (see Identifier), because hosts and agents may build them from URLs and keys. The
// operator chooses the namespace, so it stays unchanged.
func Scope(s memory.Scope) memory.Scope {
	s.Project, s.User, s.SessionID = Identifier(s.Project), Identifier(s.User), Identifier(s.SessionID)
	return s
}
