package hierarchy

import (
	"context"
	"slices"

	"memory-graph/internal/embedding"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/store"
)

// Around is the maximum number of siblings, of children and of relationships shown with a memory.
const Around = 10

// CodeNoVectors is the degraded code for a search by words alone although an embedder is configured.
const CodeNoVectors = "vectors_unavailable"

// RecallQuery selects the memories that recall finds.
type RecallQuery struct {
	Scope memory.Scope // Namespace required; the others restrict relationships to those with evidence there
	Query string
	Under string // an id, a name or an alias: only its descendants, all of them if Query is ""
	At    memory.AsOf
	Limit int // maximum number of memories, at least 1
}

// Recalled is a memory with its surroundings.
type Recalled struct {
	Memory    memory.Entity
	Score     float64
	MatchedBy []string       // "text", "vector"
	Parent    *memory.Entity // the broader concept; nil for none
	Siblings  store.Family   // related facts under the same parent
	Children  store.Family   // more specific memories under this one
	Links     []retrieval.FoundRelation
	MoreLinks bool
}

// Recollection is the answer of Recall.
type Recollection struct {
	Memories []Recalled // best first; without a query, those closest to Under first; never nil
	More     bool       // there are more memories
	State    memory.State
}

// maxUnder is the maximum number of descendants that are read.
const maxUnder = 10_000

// Recall finds memories by their words and vectors, and reads for each its parent, siblings, children and
// relationships. With q.At it returns memories as they were then, but still finds them by their present text.
func (h *Hierarchy) Recall(ctx context.Context, q RecallQuery) (Recollection, error) {
	found, meaning, err := h.candidatesFor(ctx, q)
	if err != nil {
		return Recollection{}, err
	}
	out := Recollection{Memories: []Recalled{}}
	if out.State, err = h.state(ctx, q.Scope.Namespace, meaning); err != nil {
		return Recollection{}, err
	}
	memories, err := h.memories(ctx, q.Scope.Namespace, ids(found), q.At)
	if err != nil {
		return Recollection{}, err
	}
	scores := map[int64]score{}
	for _, s := range found {
		scores[s.id] = s
	}
	for _, m := range memories {
		if len(out.Memories) == q.Limit {
			out.More = true
			break
		}
		out.Memories = append(out.Memories, Recalled{Memory: m, Score: scores[m.ID].value, MatchedBy: scores[m.ID].matched})
	}
	return out, h.surround(ctx, q, out.Memories)
}

// candidatesFor ranks the memories that may match the query.
func (h *Hierarchy) candidatesFor(ctx context.Context, q RecallQuery) (found []score, meaning bool, err error) {
	if q.Query != "" {
		all, compared, err := h.find(ctx, q.Scope.Namespace, embedding.Query, minCosine, []string{q.Query})
		if err != nil {
			return nil, false, err
		}
		found, meaning = all[0], compared
	}
	if q.Under == "" {
		return found, meaning, nil
	}
	node, err := h.Store.ResolveEntity(ctx, q.Scope.Namespace, q.Under, "", memory.AsOf{})
	if err != nil {
		return nil, false, err
	}
	list, _, err := h.Store.Descendants(ctx, q.Scope.Namespace, node.ID, 0, maxUnder)
	if err != nil {
		return nil, false, err
	}
	if q.Query == "" {
		for _, d := range list {
			found = append(found, score{id: d.ID})
		}
		return found, true, nil
	}
	under := map[int64]bool{}
	for _, d := range list {
		under[d.ID] = true
	}
	return slices.DeleteFunc(found, func(s score) bool { return !under[s.id] }), meaning, nil
}

// memories reads those of the ids that are memories and hold at an instant, in order.
func (h *Hierarchy) memories(ctx context.Context, namespace string, list []int64, at memory.AsOf) ([]memory.Entity,
	error) {
	read := h.Store.EntitiesByID
	if !at.Now() {
		read = h.Store.MemoriesAt
	}
	all, err := read(ctx, namespace, list, at)
	if err != nil {
		return nil, err
	}
	now := h.now()
	out := all[:0]
	for _, e := range all {
		if e.Kind == memory.NodeMemory && (!at.Now() || e.ValidUntil.IsZero() || e.ValidUntil.After(now)) {
			out = append(out, e)
		}
	}
	return out, nil
}

// surround adds the surroundings of memories: three statements for all of them, and those of their relationships.
func (h *Hierarchy) surround(ctx context.Context, q RecallQuery, list []Recalled) error {
	var nodes, parents []int64
	for _, r := range list {
		nodes = append(nodes, r.Memory.ID)
		if r.Memory.ParentID != 0 {
			parents = append(parents, r.Memory.ParentID)
		}
	}
	ns := q.Scope.Namespace
	children, err := h.Store.Children(ctx, ns, nodes, q.At, Around)
	if err != nil {
		return err
	}
	siblings, err := h.Store.Siblings(ctx, ns, nodes, q.At, Around)
	if err != nil {
		return err
	}
	above, err := h.Store.EntitiesByID(ctx, ns, parents, memory.AsOf{KnownAt: q.At.KnownAt})
	if err != nil {
		return err
	}
	byID := map[int64]*memory.Entity{}
	for i := range above {
		byID[above[i].ID] = &above[i]
	}
	for i := range list {
		r := &list[i]
		r.Parent, r.Children, r.Siblings = byID[r.Memory.ParentID], children[r.Memory.ID], siblings[r.Memory.ID]
		links, err := h.Links.Links(ctx, retrieval.LinksRequest{Scope: q.Scope, Entity: r.Memory.Ref().String(), At: q.At,
			Limit: Around})
		if err != nil {
			return err
		}
		r.Links, r.MoreLinks = links.Links, links.More
	}
	return nil
}

// state returns the memory_state of the store, with CodeNoVectors if vectors were not compared.
func (h *Hierarchy) state(ctx context.Context, namespace string, meaning bool) (memory.State, error) {
	s, err := h.Store.State(ctx, namespace)
	if err == nil && !meaning && h.Nearest != nil && h.Embedder != nil && h.Embedder.Identity().Enabled() {
		s.Degraded = append(s.Degraded, CodeNoVectors)
	}
	return s, err
}
