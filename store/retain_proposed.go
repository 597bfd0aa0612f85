package store

import (
	"context"
	"strings"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// supersedes is the relation from a memory to the one of which it may be a new version. By similarity it only proposes.
const supersedes = "supersedes"

// Proposed is an older memory of which a new one may be the next version.
type Proposed struct {
	Memory     memory.Entity // its current version
	Similarity float64       // of the two texts, 0..1
}

// propose notes that a new memory may be the next version of others on its layer, as supersedes facts that nobody
// stated. They end nothing.
func (w *writing) propose(ctx context.Context, id int64, in NewMemory) ([]Proposed, error) {
	is, err := w.entity(ctx, id)
	if err != nil {
		return nil, err
	}
	var out []Proposed
	for _, hit := range in.MayUpdate {
		old, err := w.entity(ctx, hit.ID)
		if err != nil {
			return nil, err
		}
		if hit.ID == id || old.Kind != memory.NodeMemory || old.MergedInto != 0 || !sameLayer(is.Layer, old.Layer) {
			continue
		}
		origin := memory.LeastTrusted(is.Origin, old.Origin)
		a := assertion{label: supersedes, class: graph.Lookup(supersedes).Class, strength: &hit.Score,
			fact: fact{head: id, tail: old.ID, relation: supersedes, origin: origin, method: memory.MethodSimilarity,
				confidence: memory.Capped(&hit.Score, origin, memory.MethodSimilarity), validFrom: memory.Seconds(w.now)}}
		if err := w.derived(ctx, a); err != nil {
			return nil, err
		}
		out = append(out, Proposed{Memory: old, Similarity: hit.Score})
	}
	return out, nil
}

func sameLayer(a, b *int) bool { return a == b || a != nil && b != nil && *a == *b }

// accept ends the memories that were proposed as the new version of a memory that now has their content.
func (w *writing) accept(ctx context.Context, id int64, content string) error {
	proposals, err := w.activeOn(ctx, `r.namespace = ? AND r.tail_id = ? AND r.relation = ? AND r.method = ?`,
		w.scope.Namespace, id, supersedes, string(memory.MethodSimilarity))
	if err != nil {
		return err
	}
	for _, f := range proposals {
		before, is, err := w.snapshots(ctx, f.head)
		if err != nil {
			return err
		}
		if strings.TrimSpace(is.Desc) != strings.TrimSpace(content) {
			continue
		}
		if err := w.unlink(ctx, f.id); err != nil {
			return err
		}
		if _, err := w.c.exec(ctx, `UPDATE mg_entities SET valid_until = max(?2, coalesce(valid_from, ?2)), updated_at = ?3
			WHERE id = ?1`, f.head, memory.Seconds(w.now), memory.Millis(w.now)); err != nil {
			return err
		}
		if err := w.entityChanged(ctx, f.head, causeSuperseded, before); err != nil {
			return err
		}
	}
	return nil
}
