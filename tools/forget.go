package tools

import (
	"context"
	_ "embed"

	"memory-graph/internal/memory"
)

//go:embed forget.md
var forgetText string

type forgetArgs struct {
	IDs     []string `json:"ids" jsonschema_description:"What to forget: t56, e12, r34, m7"`
	Confirm bool     `json:"confirm,omitempty" jsonschema_description:"true deletes for good; without it the call only counts"`
	scopeArgs
}

type forgetResult struct {
	DryRun    bool     `json:"dry_run"`
	Episodes  int      `json:"episodes"`
	Relations int      `json:"relations"`
	Entities  int      `json:"entities"`
	Objects   []string `json:"objects"`
}

func newForget(mem Memory, o Options) (Tool, error) {
	s := spec{name: "forget", title: "Forget for good", description: forgetText, destructive: true, idempotent: true}
	return define(o, s, func(ctx context.Context, in forgetArgs) (forgetResult, error) {
		sc, err := in.scope(o)
		if err != nil {
			return forgetResult{}, err
		}
		list, err := parseIDs(in.IDs, o.MaxResults)
		if err == nil && len(list) == 0 {
			err = memory.Errorf(memory.InvalidArgument, "ids is empty.").WithHint("Name what to forget: t56, e12, r34, m7.")
		}
		if err != nil {
			return forgetResult{}, err
		}
		records, err := mem.Records(ctx)
		if err != nil {
			return forgetResult{}, err
		}
		f, err := records.Forget(ctx, o.withDefaults(sc).Namespace, list, in.Confirm, caller(ctx))
		return forgetResult{f.DryRun, f.Episodes, f.Relationships, f.Entities, idStrings(f.Objects)}, err
	})
}
