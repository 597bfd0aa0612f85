package factmodel

import (
	"maps"
	"slices"
	"time"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// Facts returns the number of facts ever stored. Their ids are 1 to this number.
func (m *Model) Facts() int64 { return int64(len(m.facts)) }

// Fact returns the current meaning of a fact.
func (m *Model) Fact(id int64) Fact { return m.fact(id).now() }

// Evidence returns the episodes of a fact's evidence, by the test's own numbers.
func (m *Model) Evidence(id int64) []int { return slices.Sorted(maps.Keys(m.fact(id).evidence)) }

// Observed returns when an active fact was last given.
func (m *Model) Observed(id int64) time.Time { return m.fact(id).observed }

// Live reports whether a fact is active at now.
func (m *Model) Live(id int64, now time.Time) bool { return m.fact(id).now().live(now) }

// History returns the versions of a fact, oldest first.
func (m *Model) History(id int64) []Version[Fact] { return m.fact(id).versions }

// Called reports whether a call changed any meaning.
func (m *Model) Called(call string) bool {
	return slices.ContainsFunc(m.facts, func(r *relationship) bool { return r.wrote(call) }) ||
		slices.ContainsFunc(m.entities, func(e *entity) bool { return e.wrote(call) })
}

// At returns the facts that a read at a point of both axes returns, by id (docs/facts.md, "Two axes of time").
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
		if at.Now() && f.live(now) && (!f.From.After(now) || f.Relation == graph.ScheduledFor) ||
			!at.Now() && !f.From.IsZero() && !f.From.After(v) &&
				(f.End.IsZero() || f.End.After(v)) {
			out[r.id] = f
		}
	}
	return out
}

// at returns the meaning that was believed at an instant.
func (r *record[T]) at(k time.Time) (T, bool) {
	for _, v := range r.versions {
		if !v.Created.After(k) && (v.Expired.IsZero() || v.Expired.After(k)) {
			return v.Meaning, true
		}
	}
	var none T
	return none, false
}

// EntityAt returns the entity that answered for an id at an instant, and its meaning then. It reports false for an
// entity that was unknown or only a mention node. The zero time means now.
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

// Clone returns an independent copy. Tests play calls on a copy, because a refused call must leave nothing behind.
func (m *Model) Clone() *Model {
	c := &Model{at: m.at, call: m.call, lent: slices.Clone(m.lent), undone: maps.Clone(m.undone),
		heard: maps.Clone(m.heard)}
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
