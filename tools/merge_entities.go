package tools

import (
	"context"
	_ "embed"

	"memory-graph/internal/memory"
)

//go:embed merge_entities.md
var mergeEntitiesText string

type mergeEntitiesArgs struct {
	Into string `json:"into" jsonschema_description:"The one that stays: id, name or alias"`
	From string `json:"from" jsonschema_description:"The one that is merged into it: id, name or alias"`
	scopeArgs
}

type mergeEntitiesResult struct {
	Entity    entityItem     `json:"entity"`
	Merged    string         `json:"merged"`
	Moved     int            `json:"moved"`
	Joined    []string       `json:"joined"`
	Retracted []string       `json:"retracted"`
	Conflicts []conflictItem `json:"conflicts"`
	CallID    string         `json:"call_id"`
}

func newMergeEntities(mem Memory, o Options) (Tool, error) {
	s := spec{name: "merge_entities", title: "Merge two entities", description: mergeEntitiesText, destructive: true,
		idempotent: true}
	return define(o, s, func(ctx context.Context, in mergeEntitiesArgs) (mergeEntitiesResult, error) {
		sc, err := in.scope(o)
		if err != nil {
			return mergeEntitiesResult{}, err
		}
		into, err := o.reference("into", in.Into)
		if err != nil {
			return mergeEntitiesResult{}, err
		}
		from, err := o.reference("from", in.From)
		if err != nil {
			return mergeEntitiesResult{}, err
		}
		records, err := mem.Records(ctx)
		if err != nil {
			return mergeEntitiesResult{}, err
		}
		m, err := records.MergeEntities(ctx, o.withDefaults(sc).Namespace, into, from, caller(ctx))
		if err != nil {
			return mergeEntitiesResult{}, err
		}
		return mergeEntitiesResult{
			Entity: storedEntity(m.Into,
				o.SummaryRunes), Merged: m.From.Ref().String(), Moved: m.Moved, Joined: ids(memory.KindRelationship, m.Joined),
			Retracted: ids(memory.KindRelationship, m.Retracted), Conflicts: conflictItems(m.Conflicts), CallID: m.CallID,
		}, nil
	})
}
