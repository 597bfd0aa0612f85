package tools

import (
	"strings"
	"time"
	"unicode"

	"memory-graph/internal/memory"
	"memory-graph/internal/safety/secrets"
)

// scopeArgs are the arguments that say whose memory a call uses.
type scopeArgs struct {
	Namespace string `json:"namespace,omitempty" unlisted:"true" jsonschema_description:"Separate memory; nothing crosses from one to another"`
	Project   string `json:"project,omitempty" unlisted:"true" jsonschema_description:"Project the turn belongs to"`
	User      string `json:"user,omitempty" unlisted:"true" jsonschema_description:"User the turn belongs to"`
	SessionID string `json:"session_id,omitempty" unlisted:"true" jsonschema_description:"Conversation the turn belongs to"`
}

// scope checks the arguments. It does not trim them: " a" and "a" are two namespaces.
func (a scopeArgs) scope(o Options) (memory.Scope, error) {
	for _, part := range []struct{ name, value string }{
		{"namespace", a.Namespace}, {"project", a.Project}, {"user", a.User}, {"session_id", a.SessionID},
	} {
		if err := checkText(part.name, part.value, o.MaxScopeBytes); err != nil {
			return memory.Scope{}, err
		}
	}
	return memory.Scope{Namespace: a.Namespace, Project: a.Project, User: a.User, SessionID: a.SessionID}, nil
}

// withDefaults fills missing fields from the configuration. A project that the call names may have a namespace of its
// own. withDefaults masks secrets in names, as the store does.
func (o Options) withDefaults(s memory.Scope) memory.Scope {
	if s.Namespace == "" && s.Project != "" && o.Route != nil {
		s.Namespace, _ = o.Route(s.Project)
	}
	if s.Namespace == "" {
		s.Namespace = o.Namespace
	}
	if s.Project == "" {
		s.Project = o.Project
	}
	if s.User == "" {
		s.User = o.User
	}
	return secrets.Scope(s)
}

// InSession returns a scope with the host's conversation, if the call names none.
func (o Options) InSession(s memory.Scope) memory.Scope {
	if s.SessionID == "" && o.Session != nil {
		s.SessionID = o.Session()
	}
	return s
}

// checkText returns an error for a name that is too long or contains control characters. The empty string passes.
func checkText(argument, s string, most int) error {
	if len(s) > most {
		return memory.Errorf(memory.InvalidArgument, "%s is %d bytes long.", argument,
			len(s)).WithHint("At most %d are allowed.", most)
	}
	if i := strings.IndexFunc(s, unicode.IsControl); i >= 0 {
		return memory.Errorf(memory.InvalidArgument, "%s has a control character at byte %d.", argument, i).
			WithHint("Use text without control characters.")
	}
	return nil
}

// parseTime parses a time argument. A blank argument becomes the zero time.
func parseTime(argument, s string) (time.Time, error) {
	t, _, err := parsePeriod(argument, s)
	return t, err
}

// longestTime is the maximum length of a time in bytes. The error repeats the value.
const longestTime = 64

// parsePeriod is parseTime with the precision of the time.
func parsePeriod(argument, s string) (time.Time, memory.Unit, error) {
	if strings.TrimSpace(s) == "" {
		return time.Time{}, "", nil
	}
	if err := checkText(argument, s, longestTime); err != nil {
		return time.Time{}, "", err
	}
	return memory.ParsePeriod(argument, s)
}
