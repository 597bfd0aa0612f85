package facts

import (
	"context"
	"slices"
	"time"

	"memory-graph/internal/embedding"
	"memory-graph/internal/memory"
)

// Text returns the text of an entity or a memory that is embedded: its name and its description.
func Text(name, description string) string {
	if description == "" {
		return name
	}
	return name + ": " + description
}

// Entities is the part of the store that resolving by vectors needs.
type Entities interface {
	EntitiesByID(ctx context.Context, namespace string, ids []int64, at memory.AsOf) ([]memory.Entity, error)
	EntitiesNamed(ctx context.Context, namespace string, canonical []string, at memory.AsOf) ([]memory.Entity, error)
}

// Nearest finds entities by the similarity of their vectors.
type Nearest interface {
	// RankEntities returns the k most similar entities of the namespace with their cosines, the most similar first. They
	// are on the scale of the built-in embedder (embedding.Scale).
	RankEntities(ctx context.Context, vec []int8, namespace string, k int) ([]memory.Hit, error)
}

// Thresholds are cosines, 0..1, with Ambiguous <= Same.
type Thresholds struct {
	Same      float64 // from this cosine on, two names are one entity
	Ambiguous float64 // from this cosine on, two names may be one entity
}

// nearestRead is the number of nearest entities that are read. Entities of other types are among them, so it is higher
// than the number ever expected within the thresholds.
const nearestRead = 32

// maxSimilar is the maximum number of proposals for one entity.
const maxSimilar = 3

// patience is how long a write waits for the comparison. A slower model is treated as unavailable.
const patience = 3 * time.Second

// ByMeaning is the Resolver for the setting use_embedding_resolution.
type ByMeaning struct {
	Entities   Entities
	Nearest    Nearest
	Embedder   embedding.Embedder
	Thresholds Thresholds
	// Decide asks which of the entities a name within the thresholds means; nil: nobody is asked. It returns the index,
	// -1 for none. asked is false if nobody could be asked about such a draft.
	Decide func(ctx context.Context, d memory.EntityDraft, of []memory.Entity) (i int, asked bool, err error)
}

// Resolve implements Resolver. It compares nothing for a name that is found exactly, for one with a
// qualifier in parentheses, or for a memory. Otherwise it compares entities of the draft's type family, or all entities
// if the draft has no type. The nearest with a cosine of at least Same is the entity. Of those with at least Ambiguous,
// Decide names the one or none; if it cannot be asked or fails, they are returned as similar.
func (r *ByMeaning) Resolve(ctx context.Context, namespace string, d memory.EntityDraft) (same int64,
	similar []memory.Hit, err error) {
	if _, _, ok := memory.Qualified(d.Name); ok || d.KindOr() != memory.NodeEntity {
		return 0, nil, nil // "Tom (support)" says which Tom it is
	}
	fits := func(e memory.Entity) bool {
		return e.Kind == memory.NodeEntity && (d.Type == "" || slices.Contains(memory.TypeFamily(d.Type), e.Type))
	}
	named, err := r.Entities.EntitiesNamed(ctx, namespace, []string{memory.Canonical(d.Name)}, memory.AsOf{})
	known := func(e memory.Entity) bool { // the store knows which of them it is
		return e.Kind == memory.NodeEntity && (fits(e) || d.Method.Extracted() || memory.MayBeOne(d.Type, e.Type))
	}
	if err != nil || slices.ContainsFunc(named, known) {
		return 0, nil, err
	}
	asking := ctx
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
	alike := map[int64]memory.Entity{}
	for _, e := range entities {
		if fits(e) {
			alike[e.ID] = e
		}
	}
	hits = slices.DeleteFunc(hits, func(h memory.Hit) bool { return alike[h.ID].ID == 0 })
	if len(hits) > 0 && hits[0].Score >= r.Thresholds.Same {
		return hits[0].ID, nil, nil
	}
	hits = hits[:min(len(hits), maxSimilar)]
	if len(hits) == 0 || r.Decide == nil {
		return 0, hits, nil
	}
	of := make([]memory.Entity, len(hits))
	for i, h := range hits {
		of[i] = alike[h.ID]
	}
	switch i, asked, err := r.Decide(asking, d, of); {
	case !asked || err != nil:
		return 0, hits, nil
	case i < 0:
		return 0, nil, nil
	default:
		return hits[i].ID, nil, nil
	}
}
