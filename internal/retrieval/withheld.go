package retrieval

import (
	"context"
	"slices"

	"memory-graph/internal/memory"
)

// Holder tells what must not be rendered.
type Holder interface {
	// Withheld returns which of these entities and facts came only from turns in quarantine.
	Withheld(ctx context.Context, namespace string, entities, facts []int64) (memory.Withheld, error)
}

// Showable returns an answer without the entities and facts that must not be rendered. The rendering itself leaves out
// turns in quarantine.
func (r *Retriever) Showable(ctx context.Context, namespace string, a Answer) (Answer, error) {
	if r.Holder == nil || len(a.Entities)+len(a.Relations)+len(a.Seeds) == 0 {
		return a, nil
	}
	var nodes, facts []int64
	for _, f := range slices.Concat(a.Entities, a.Seeds) {
		nodes = append(nodes, f.Entity.ID)
	}
	for _, f := range a.Relations {
		facts = append(facts, f.Relationship.ID)
		nodes = append(nodes, f.Relationship.Head.ID, f.Relationship.Tail.ID)
	}
	slices.Sort(nodes)
	held, err := r.Holder.Withheld(ctx, namespace, slices.Compact(nodes), facts)
	if err != nil || len(held.Entities)+len(held.Facts) == 0 {
		return a, err
	}
	entity := func(f FoundEntity) bool { return held.Entities[f.Entity.ID] }
	a.Entities, a.Seeds = slices.DeleteFunc(slices.Clone(a.Entities), entity), slices.DeleteFunc(slices.Clone(a.Seeds),
		entity)
	a.Relations = slices.DeleteFunc(slices.Clone(a.Relations), func(f FoundRelation) bool {
		r := f.Relationship
		return held.Facts[r.ID] || held.Names[r.Head.ID] || held.Names[r.Tail.ID]
	})
	return a, nil
}
