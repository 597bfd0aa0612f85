package engine

import (
	"hash/maphash"
	"slices"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// rehearsal remembers what a file said so far while it is only looked at. Each part of it is written and taken back at
// once, so that the store cannot tell the next part what stood in those before. Of names and texts it keeps digests, so
// that it stays small beside the file. The zero value, for a file that is brought in, remembers nothing.
type rehearsal struct {
	seed  maphash.Seed
	named map[uint64]named    // what stood under a name first, by the canonical one
	seen  map[uint64]struct{} // observations of a name, relations, keys of turns
}

type named struct{ name, typ string }

func newRehearsal() rehearsal {
	return rehearsal{maphash.MakeSeed(), map[uint64]named{}, map[uint64]struct{}{}}
}

// entities brings what stood before into what became of a list, and learns the list.
func (r rehearsal) entities(list []memory.Observed, done []memory.ObservedWrite) {
	if r.named == nil {
		return
	}
	for i, e := range list {
		canonical, w := memory.Canonical(e.Name), &done[i]
		before, known := r.named[r.digest(canonical)]
		if known && w.Created {
			w.Created, w.Known, w.Type, w.Added = false, before.name, before.typ, store.WithOtherType(e, before.typ)
		}
		if known {
			w.Added = slices.DeleteFunc(slices.Clone(w.Added), func(o string) bool { return r.has("observation", canonical, o) })
			w.Raised = false
		} else if w.Mistake == nil {
			r.named[r.digest(canonical)] = named{memory.Shown(e.Name), e.Type}
		}
	}
	for _, e := range list { // behind: what stands in one part of the file twice, the store has found
		for _, o := range e.Observations {
			r.learn("observation", memory.Canonical(e.Name), o)
		}
	}
}

// relation brings what stood before into what became of a relation, and learns it.
func (r rehearsal) relation(d memory.ObservedRelation, w *memory.ObservedWrite) {
	if r.named != nil && r.learn("relation", memory.Canonical(d.From), graph.Snake(d.Type), memory.Canonical(d.To)) {
		w.Created, w.Raised = false, false
	}
}

// turn says whether the turn of a key stood before, and learns it.
func (r rehearsal) turn(key string) bool { return r.named != nil && r.learn("turn", key) }

func (r rehearsal) digest(words ...string) uint64 {
	var h maphash.Hash
	h.SetSeed(r.seed)
	for _, word := range words {
		_, _ = h.WriteString(word) // never fails
		_ = h.WriteByte(0)
	}
	return h.Sum64()
}

func (r rehearsal) has(words ...string) bool {
	_, known := r.seen[r.digest(words...)]
	return known
}

func (r rehearsal) learn(words ...string) (before bool) {
	digest := r.digest(words...)
	_, before = r.seen[digest]
	r.seen[digest] = struct{}{}
	return before
}
