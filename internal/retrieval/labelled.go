package retrieval

import (
	"context"
	"slices"
)

// The limits for memories that a plain question finds over the labels of turns. search_graph finds more of them, with
// the facts of the turns (addLabelled).
const (
	labellingTurns = 3  // first turns of the ranking whose labels are read
	labellingScore = .5 // their least score / the best turn's
	sharingLabels  = 5
)

// addSharing adds the memories that share a label with the best turns of a plain question to the first page of
// entities. Turns of another time or scope are not among them, but a memory belongs to the namespace.
func (r *Retriever) addSharing(ctx context.Context, req Request, a *Answer) error {
	room := req.Limit - len(a.Entities)
	if req.Graph != nil || room <= 0 || req.Offset > 0 || !req.At.Now() {
		return nil
	}
	var turns []int64
	for _, l := range a.leads[:min(len(a.leads), labellingTurns)] {
		if l.score >= labellingScore {
			turns = append(turns, l.id)
		}
	}
	if len(turns) == 0 {
		return nil
	}
	ids, err := r.Graph.MemoriesSharingLabels(ctx, req.Scope.Namespace, turns, sharingLabels)
	if err != nil {
		return err
	}
	ids = slices.DeleteFunc(ids, func(id int64) bool {
		return slices.ContainsFunc(a.Entities, func(f FoundEntity) bool { return f.Entity.ID == id })
	})
	if len(ids) == 0 {
		return nil
	}
	list, err := r.Graph.EntitiesByID(ctx, req.Scope.Namespace, ids[:min(len(ids), room)], req.At)
	if err != nil {
		return err
	}
	w, err := r.scale(ctx, req.Scope.Namespace, req.At)
	for _, e := range list {
		if len(req.Types) > 0 && !slices.Contains(req.Types, e.Type) {
			continue
		}
		found := FoundEntity{Entity: e, Confidence: w.entity(e), Depth: labelDepth}
		if req.Explain {
			found.Why = &Why{Strategy: a.Strategy, MatchedBy: []string{"metadata"}, Features: []Feature{}}
		}
		a.Entities = append(a.Entities, found)
	}
	return err
}
