package engine

import (
	"hash/maphash"
	"slices"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// rehearsal remembers the contents of a file during a dry run. Each part is written and rolled back at once, so the
// store cannot know the parts before it. It keeps only digests of names and texts, which are small compared to the
// file. The zero value is for a real import, and remembers nothing.
type rehearsal struct {
	seed  maphash.Seed
	named map[uint64]named    // first entity of each name, by canonical name
	seen  map[uint64]struct{} // entity observations, relations, keys of turns
}

type named struct{ name, typ string }

func newRehearsal() rehearsal {
	return rehearsal{maphash.MakeSeed(), map[uint64]named{}, map[uint64]struct{}{}}
}

// entities corrects the results of a list for the parts before it, and remembers the list.
func (r rehearsal) entities(list []memory.ReferenceEntity, done []memory.ReferenceWrite) {
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
	for _, e := range list { // afterwards, because the store finds duplicates within a part
		for _, o := range e.Observations {
			r.learn("observation", memory.Canonical(e.Name), o)
		}
	}
}

// relation corrects the result of a relation for the parts before it, and remembers the relation.
func (r rehearsal) relation(d memory.ReferenceRelation, w *memory.ReferenceWrite) {
	if r.named != nil && r.learn("relation", memory.Canonical(d.From), graph.Snake(d.Type), memory.Canonical(d.To)) {
		w.Created, w.Raised = false, false
	}
}

// turn reports whether a turn with the key came before, and remembers the key.
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
