package tools

import (
	"context"
)

const sessionText = "What the page of explore may do, and the namespaces of the file."

type sessionArgs struct {
	scopeArgs
}

type sessionResult struct {
	Namespace  string   `json:"namespace"` // the default of every call
	Namespaces []string `json:"namespaces"`
	Writes     bool     `json:"writes"`                                         // the caller may correct the memory
	As         string   `json:"as,omitempty" jsonschema:"enum=user,enum=agent"` // whose corrections they are
}

// newSession returns the tool that tells the page who it acts for.
func newSession(mem Memory, o Options) (Tool, error) {
	s := spec{name: "session", title: "What the page may do", description: sessionText, readOnly: true, idempotent: true}
	return define(o, s, func(ctx context.Context, in sessionArgs) (sessionResult, error) {
		sc, err := in.scope(o)
		if err != nil {
			return sessionResult{}, err
		}
		records, err := mem.Records(ctx)
		if err != nil {
			return sessionResult{}, err
		}
		names, err := records.Namespaces(ctx)
		res := sessionResult{Namespace: o.withDefaults(sc).Namespace, Namespaces: noNil(names)}
		if _, person := byPerson(ctx); person {
			res.As = "user"
		} else if ctx.Value(agentKey{}) != nil {
			res.As = "agent"
		}
		if o.ReadOnly {
			res.As = ""
		}
		res.Writes = res.As != ""
		return res, err
	})
}
