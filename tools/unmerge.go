package tools

import (
	"context"
	_ "embed"
)

//go:embed unmerge.md
var unmergeText string

type unmergeArgs struct {
	Entity string `json:"entity" alias:"entity_id,entityId" jsonschema_description:"The one that was merged, by the id it had: e12"`
	scopeArgs
}

func newUnmerge(mem Memory, o Options) (Tool, error) {
	s := spec{name: "unmerge", title: "Undo a merge", description: unmergeText}
	return define(o, s, func(ctx context.Context, in unmergeArgs) (undoneResult, error) {
		sc, err := in.scope(o)
		if err != nil {
			return undoneResult{}, err
		}
		ref, err := o.reference("entity", in.Entity)
		if err != nil {
			return undoneResult{}, err
		}
		records, err := mem.Records(ctx)
		if err != nil {
			return undoneResult{}, err
		}
		u, err := records.Unmerge(ctx, o.withDefaults(sc).Namespace, ref, caller(ctx))
		return newUndoneResult(u), err
	})
}
