package tools

import (
	"context"
	_ "embed"
	"strings"
	"time"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
)

//go:embed rollout.md
var rolloutText string

type rolloutArgs struct {
	Mode string `json:"mode,omitempty" enum:"off,shadow,canary" jsonschema_description:"Set this mode"`
	scopeArgs
}

func newRollout(mem Memory, o Options) (Tool, error) {
	s := spec{name: "rollout", title: "Roll out graph expansion", description: rolloutText, idempotent: true}
	return define(o, s, func(ctx context.Context, in rolloutArgs) (retrieval.RolloutState, error) {
		sc, err := in.scope(o)
		if err != nil {
			return retrieval.RolloutState{}, err
		}
		namespace := o.withDefaults(sc).Namespace
		records, err := mem.Records(ctx)
		if err != nil {
			return retrieval.RolloutState{}, err
		}
		if mode := strings.TrimSpace(in.Mode); mode != "" {
			if err := records.SetRolloutMode(ctx, namespace, memory.RolloutMode(mode), caller(ctx)); err != nil {
				return retrieval.RolloutState{}, err
			}
		}
		return retrieval.ReadRollout(ctx, records, namespace, time.Time{})
	})
}
