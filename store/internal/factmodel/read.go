package factmodel

import (
	"maps"
	"slices"
	"time"

	"memory-graph/internal/memory"
)

// Facts gives the number of facts that were ever stored; their ids are 1 to it.
func (m *Model) Facts() int64 { return int64(len(m.facts)) }

// Fact gives what is believed of a fact.
func (m *Model) Fact(id int64) Fact { return m.fact(id).now() }

// Evidence gives the episodes that a fact was taken from, by the numbers they came with.
func (m *Model) Evidence(id int64) []int { return slices.Sorted(maps.Keys(m.fact(id).evidence)) }

// Observed is when an active fact was given last.
func (m *Model) Observed(id int64) time.Time { return m.fact(id).observed }

// Live says whether a fact is active at an instant of now.
func (m *Model) Live(id int64, now time.Time) bool { return m.fact(id).now().live(now) }

// History gives what was believed of a fact, first to last.
func (m *Model) History(id int64) []Version[Fact] { return m.fact(id).versions }

// Called says whether a call changed the meaning of anything.
func (m *Model) Called(call string) bool {
	return slices.ContainsFunc(m.facts, func(r *relationship) bool { return r.wrote(call) }) ||
		slices.ContainsFunc(m.entities, func(e *entity) bool { return e.wrote(call) })
}

// At gives the facts that a read at a place on the two axes takes, by id (docs/facts.md, "Two axes of time").
func (m *Model) At(at memory.AsOf, now time.Time) map[int64]Fact {
	out := map[int64]Fact{}
	for _, r := range m.facts {
		f, known := r.now(), true
		if k := at.KnownAt; !k.IsZero() {
			f, known = r.at(k)
		}
		if !known {
			continue
		}
		v := at.Valid()
		if at.Now() && f.live(now) || !at.Now() && !f.From.IsZero() && !f.From.After(v) &&
			(f.End.IsZero() || f.End.After(v)) {
			out[r.id] = f
		}
	}
	return out
}

// at gives what was believed at an instant.
func (r *record[T]) at(k time.Time) (T, bool) {
	for _, v := range r.versions {
		if !v.Created.After(k) && (v.Expired.IsZero() || v.Expired.After(k)) {
			return v.Meaning, true
		}
	}
	var none T
	return none, false
}

// EntityAt gives the entity that answered for an id at an instant, and what was believed of it; false where it was not
// known, or as a mere name. The zero time is now.
func (m *Model) EntityAt(id int64, k time.Time) (int64, Entity, bool) {
	for {
		e := m.entity(id)
		v, known := e.now(), true
		if !k.IsZero() {
			v, known = e.at(k)
		}
		if !known || v.MergedInto == 0 {
			return id, v, known && !v.Mention
		}
		id = v.MergedInto
	}
}

// Clone gives a copy that goes its own way: a call that is refused leaves nothing behind, so tests play it to a copy.
func (m *Model) Clone() *Model {
	c := &Model{at: m.at, call: m.call, lent: slices.Clone(m.lent), undone: maps.Clone(m.undone)}
	for _, e := range m.entities {
		n := *e
		n.versions = slices.Clone(e.versions)
		c.entities = append(c.entities, &n)
	}
	for _, r := range m.facts {
		n := *r
		n.versions, n.evidence = slices.Clone(r.versions), maps.Clone(r.evidence)
		c.facts = append(c.facts, &n)
	}
	return c
}
