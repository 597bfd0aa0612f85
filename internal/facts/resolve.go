package facts

import (
	"context"
	"slices"
	"time"

	"memory-graph/internal/embedding"
	"memory-graph/internal/memory"
)

// Text is what of an entity or a memory is embedded: what it is called, and what it is.
func Text(name, description string) string {
	if description == "" {
		return name
	}
	return name + ": " + description
}

// Entities is what resolving by meaning needs of the store.
type Entities interface {
	EntitiesByID(ctx context.Context, namespace string, ids []int64, at memory.AsOf) ([]memory.Entity, error)
	EntitiesNamed(ctx context.Context, namespace string, canonical []string, at memory.AsOf) ([]memory.Entity, error)
}

// Nearest finds entities by the likeness of their vectors.
type Nearest interface {
	// RankEntities gives the k entities of the namespace nearest to the vector with their cosines, the nearest first.
	RankEntities(ctx context.Context, vec []int8, namespace string, k int) ([]memory.Hit, error)
}

// Thresholds are cosines, 0–1, Ambiguous <= Same.
type Thresholds struct {
	Same      float64 // from here on two names are one entity
	Ambiguous float64 // from here on they may be
}

// nearestRead is how many of the nearest entities are looked at: more than there ever are within the thresholds, but
// for those of other types.
const nearestRead = 32

// maxSimilar is how many proposals one entity is given.
const maxSimilar = 3

// patience is how long a write waits for the comparison. A model that takes longer is one that does not answer.
const patience = 3 * time.Second

// ByMeaning is the Resolver of use_embedding_resolution.
type ByMeaning struct {
	Entities   Entities
	Nearest    Nearest
	Embedder   embedding.Embedder
	Thresholds Thresholds
}

// Resolve implements Resolver. A name that is found as it is needs no comparing, and a memory is only ever itself. Else
// the entities of the draft's type and its family are compared, all where it has none: the nearest from Same on is the
// one, and those from Ambiguous on may be.
func (r *ByMeaning) Resolve(ctx context.Context, namespace string, d memory.EntityDraft) (same int64,
	similar []memory.Hit, err error) {
	if d.KindOr() != memory.NodeEntity {
		return 0, nil, nil
	}
	fits := func(e memory.Entity) bool {
		return e.Kind == memory.NodeEntity && (d.Type == "" || slices.Contains(memory.TypeFamily(d.Type), e.Type))
	}
	named, err := r.Entities.EntitiesNamed(ctx, namespace, []string{memory.Canonical(d.Name)}, memory.AsOf{})
	if err != nil || slices.ContainsFunc(named, fits) {
		return 0, nil, err
	}
	ctx, done := context.WithTimeout(ctx, patience)
	defer done()
	vecs, err := r.Embedder.Embed(ctx, embedding.Document, []string{Text(d.Name, d.Description)})
	if err != nil {
		return 0, nil, err
	}
	hits, err := r.Nearest.RankEntities(ctx, embedding.Quantize(vecs[0]), namespace, nearestRead)
	if err != nil {
		return 0, nil, err
	}
	hits = slices.DeleteFunc(hits, func(h memory.Hit) bool { return h.Score < r.Thresholds.Ambiguous })
	if len(hits) == 0 {
		return 0, nil, nil
	}
	ids := make([]int64, len(hits))
	for i, h := range hits {
		ids[i] = h.ID
	}
	entities, err := r.Entities.EntitiesByID(ctx, namespace, ids, memory.AsOf{})
	if err != nil {
		return 0, nil, err
	}
	alike := map[int64]bool{}
	for _, e := range entities {
		alike[e.ID] = fits(e)
	}
	hits = slices.DeleteFunc(hits, func(h memory.Hit) bool { return !alike[h.ID] })
	if len(hits) > 0 && hits[0].Score >= r.Thresholds.Same {
		return hits[0].ID, nil, nil
	}
	return 0, hits[:min(len(hits), maxSimilar)], nil
}
