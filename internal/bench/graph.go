package bench

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
	"time"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/store"
)

// Traverser is the part of the engine that Traversals needs.
type Traverser interface {
	Memory
	Traverse(ctx context.Context, req retrieval.TraverseRequest) (retrieval.Traversal, error)
}

// The shape of the graph for Traversals: one entity per five relationships. The number of an entity's relationships
// falls with its rank (Zipf's law), so there are hubs.
const (
	relationshipsPerEntity = 5
	zipfExponent           = .8
	factsPerCall           = 100
)

// Traversals stores a graph of n relationships, and measures the time of traversals of two hops from entities drawn by
// the same law.
func Traversals(ctx context.Context, mem Traverser, n int, progress func(done, total int)) (Quantiles, error) {
	const namespace = "bench-graph"
	rnd := rand.New(rand.NewPCG(5, 9))
	draw := zipf(max(10, n/relationshipsPerEntity), rnd)
	name := func(i int) string { return fmt.Sprintf("Station %d", i) }
	relations := []string{"uses", "knows", "depends_on", "related_to", "caused_by", "works_on"}
	for done := 0; done < n; done += factsPerCall {
		in := store.NewEpisode{Episode: memory.Episode{Scope: memory.Scope{Namespace: namespace},
			Content: fmt.Sprintf("Timetable number %d.", done)}, Caller: memory.Caller{Actor: "bench"}}
		for range min(factsPerCall, n-done) {
			head, tail := draw(), draw()
			if head == tail {
				tail++
			}
			in.Relations = append(in.Relations, memory.RelationDraft{Head: name(head),
				Relation: relations[rnd.IntN(len(relations))], Tail: name(tail)})
		}
		if _, err := mem.StoreEpisode(ctx, in); err != nil {
			return Quantiles{}, err
		}
		if progress != nil {
			progress(done, n)
		}
	}
	var took []float64
	for range speedQueries {
		begin := time.Now()
		_, err := mem.Traverse(ctx, retrieval.TraverseRequest{Scope: memory.Scope{Namespace: namespace}, Start: name(draw()),
			MaxHops: 2, Limit: 20})
		if e := memory.AsError(err); e != nil && e.Code == memory.NotFound {
			continue // an entity without relationships
		} else if e != nil {
			return Quantiles{}, err
		}
		took = append(took, milliseconds(begin))
	}
	return quantiles(took), nil
}

// zipf returns a function that draws ranks from 0 to n-1 with weights 1/(rank+1)^zipfExponent.
func zipf(n int, rnd *rand.Rand) func() int {
	sums := make([]float64, n)
	total := 0.0
	for i := range sums {
		total += math.Pow(float64(i+1), -zipfExponent)
		sums[i] = total
	}
	return func() int { return min(n-1, sort.SearchFloat64s(sums, rnd.Float64()*total)) }
}
