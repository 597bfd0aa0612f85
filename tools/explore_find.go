package tools

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
)

const findText = "Entities whose name, alias or description has a word that begins with the words of the query."

type findArgs struct {
	Query string `json:"query" jsonschema_description:"The beginning of a name, or words"`
	Limit *int   `json:"limit,omitempty" jsonschema_description:"Most entities"`
	scopeArgs
}

type findResult struct {
	Entities []foundEntity `json:"entities"`
}

// foundEntity is an entity with the number of its active facts.
type foundEntity struct {
	entityItem
	Facts int64 `json:"facts"`
}

// newFind returns the tool that finds entities while their name is being typed.
func newFind(mem Memory, o Options) (Tool, error) {
	s := spec{name: "find", title: "Find entities by name", description: findText, readOnly: true, idempotent: true,
		bounds: bounds{ranges: map[string]span{"limit": {1, o.MaxResults, o.DefaultLimit}}}}
	return define(o, s, func(ctx context.Context, in findArgs) (findResult, error) {
		sc, err := in.scope(o)
		if err != nil {
			return findResult{}, err
		}
		query, err := o.query(in.Query)
		if err != nil {
			return findResult{}, err
		}
		limit := o.DefaultLimit
		if in.Limit != nil {
			limit = *in.Limit
		}
		records, err := mem.Records(ctx)
		if err != nil {
			return findResult{}, err
		}
		namespace := o.withDefaults(sc).Namespace
		hits, err := records.SearchEntities(ctx, namespace, strings.Fields(query), nil, limit)
		if err != nil {
			return findResult{}, err
		}
		ids := make([]int64, len(hits))
		for i, h := range hits {
			ids[i] = h.ID
		}
		list, err := records.EntitiesByID(ctx, namespace, ids, memory.AsOf{})
		if err != nil {
			return findResult{}, err
		}
		items, err := countedEntities(ctx, records, o, namespace, list)
		begun := memory.Canonical(query)
		slices.SortStableFunc(items, func(a, b foundEntity) int {
			return cmp.Or(a.far(begun)-b.far(begun), cmp.Compare(b.Facts, a.Facts))
		})
		return findResult{items}, err
	})
}

// far returns how far a name is from what was typed, in canonical form: 0 the same, 1 it begins so, 2 neither.
func (e foundEntity) far(typed string) int {
	best := 2
	for _, name := range append([]string{memory.Canonical(e.Name)}, *e.Aliases...) {
		switch {
		case name == typed:
			return 0
		case strings.HasPrefix(name, typed):
			best = 1
		}
	}
	return best
}

// countedEntities returns entities with the number of their active facts.
func countedEntities(ctx context.Context, records Records, o Options, namespace string,
	list []memory.Entity) ([]foundEntity, error) {
	ids := make([]int64, len(list))
	for i, e := range list {
		ids[i] = e.ID
	}
	facts, err := records.FactCounts(ctx, namespace, ids)
	items := make([]foundEntity, len(list))
	for i, e := range list {
		it := newEntityItem(retrieval.FoundEntity{Entity: e, Confidence: e.Confidence}, shape{runes: o.SummaryRunes})
		items[i] = foundEntity{it, facts[e.ID]}
	}
	return items, err
}
