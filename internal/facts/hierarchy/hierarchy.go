// Package hierarchy keeps knowledge as memories on layers (domain, concept, fact, episode) that form a tree. It offers
// three verbs: retain stores a memory or a new version of one, recall finds memories with their neighbours in the tree,
// and reflect finds memories without a parent and assigns parents.
package hierarchy

import (
	"context"
	"time"

	"memory-graph/internal/embedding"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/store"
)

// Store is the part of the store that the hierarchy needs.
type Store interface {
	Retain(ctx context.Context, scope memory.Scope, in store.NewMemory, by memory.Caller) (store.Retained, error)
	AssignParents(ctx context.Context, scope memory.Scope, list []store.Assignment, by memory.Caller) ([]store.Assigned,
		[]memory.ItemError, error)
	SearchEntities(ctx context.Context, namespace string, words, types []string, k int) ([]memory.Hit, error)
	EntitiesByID(ctx context.Context, namespace string, ids []int64, at memory.AsOf) ([]memory.Entity, error)
	MemoriesAt(ctx context.Context, namespace string, ids []int64, at memory.AsOf) ([]memory.Entity, error)
	ResolveEntity(ctx context.Context, namespace, ref, typ string, at memory.AsOf) (memory.Entity, error)
	Descendants(ctx context.Context, namespace string, node int64, offset, limit int) (list []store.Descendant, more bool,
		err error)
	Children(ctx context.Context, namespace string, ids []int64, at memory.AsOf, most int) (map[int64]store.Family, error)
	Siblings(ctx context.Context, namespace string, ids []int64, at memory.AsOf, most int) (map[int64]store.Family, error)
	Orphans(ctx context.Context, namespace string, layer *int, offset, limit int) (list []memory.Entity, more bool,
		err error)
	State(ctx context.Context, namespace string) (memory.State, error)
}

// Links reads the facts of one memory.
type Links interface {
	Links(ctx context.Context, req retrieval.LinksRequest) (retrieval.Links, error)
}

// Nearest finds entities and memories by the similarity of their vectors. An Unavailable error means that there are no
// vectors to compare with now. Cosines are on the scale of the built-in embedder (embedding.Scale).
type Nearest interface {
	RankEntities(ctx context.Context, vec []int8, namespace string, k int) ([]memory.Hit, error)
}

// Drafts prepares what a caller supplies for the store: it masks secrets and sets the origin.
type Drafts interface {
	Entity(ctx context.Context, namespace string, d memory.EntityDraft, by memory.Caller) (memory.EntityDraft, error)
	Relation(d memory.RelationDraft, by memory.Caller) (memory.RelationDraft, error)
}

// Hierarchy implements retain, recall and reflect. It is safe for concurrent use.
type Hierarchy struct {
	Store    Store
	Links    Links
	Drafts   Drafts
	Embedder embedding.Embedder // embedding.None: memories are only found by their words
	Nearest  Nearest            // nil: memories are only found by their words
	Now      func() time.Time   // nil: the system's clock
	// Read reads the text of a memory as a turn of a call. nil: the text is not read for facts.
	Read func(ctx context.Context, text memory.Episode) store.NewEpisode
}

func (h *Hierarchy) now() time.Time {
	if h.Now == nil {
		return time.Now()
	}
	return h.Now()
}
