package engine

import (
	"context"
	"fmt"
	"slices"

	"memory-graph/internal/memory"
	"memory-graph/internal/transfer"
	"memory-graph/store"
)

// waiting is what is written next, each with its line.
type waiting struct {
	bytes         int
	entities      []memory.Observed
	entityLines   []int
	relations     []memory.ObservedRelation
	relationLines []int
}

func (w *waiting) add(texts ...string) {
	for _, t := range texts {
		w.bytes += len(t)
	}
}

// full says that it is enough for a transaction.
func (w *waiting) full() bool {
	return len(w.entities) >= importItems || len(w.relations) >= importItems || w.bytes >= importBytes
}

// foreign reads what another program has kept.
func (m *importing) foreign(ctx context.Context) error {
	if m.req.DryRun {
		ctx, m.before = store.Rehearse(ctx), newRehearsal()
	}
	err := transfer.Read(ctx, m.req.Format, m.req.From, transfer.Sink{
		Entity:   func(line int, e memory.Observed) error { return m.entity(ctx, line, e) },
		Relation: func(line int, r memory.ObservedRelation) error { return m.relation(ctx, line, r) },
		Turn:     func(t transfer.Message) error { return m.write(m.turn(ctx, t)) },
		Problem:  m.fail,
		Note:     m.note,
		Passed:   func(_ int, why transfer.Passed) { m.out.Passed[why]++ },
	})
	return m.finish(ctx, err, m.flush)
}

func (m *importing) entity(ctx context.Context, line int, e memory.Observed) error {
	if !m.fits(line, "name", e.Name, m.limits.NameBytes) || !m.fits(line, "entityType", e.Type, m.limits.ContentBytes) {
		return nil
	}
	for _, o := range e.Observations {
		if !m.fits(line, "an observation", o, m.limits.ContentBytes) {
			return nil
		}
	}
	w := &m.waiting
	w.entities, w.entityLines = append(w.entities, e), append(w.entityLines, line)
	w.add(e.Name, e.Type)
	w.add(e.Observations...)
	return m.flushFull(ctx)
}

func (m *importing) relation(ctx context.Context, line int, r memory.ObservedRelation) error {
	if !m.fits(line, "from", r.From, m.limits.NameBytes) || !m.fits(line, "to", r.To, m.limits.NameBytes) ||
		!m.fits(line, "relationType", r.Type, m.limits.ContentBytes) {
		return nil
	}
	w := &m.waiting
	w.relations, w.relationLines = append(w.relations, r), append(w.relationLines, line)
	w.add(r.From, r.To, r.Type)
	return m.flushFull(ctx)
}

// fits holds what a file says to the limits of the tools, and fails the line where it is longer.
func (m *importing) fits(line int, what, text string, most int) bool {
	if len(text) <= most {
		return true
	}
	m.fail(line, fmt.Sprintf("%s is %d bytes long, more than the %d allowed: %.40q…", what, len(text), most, text))
	return false
}

func (m *importing) flushFull(ctx context.Context) error {
	if !m.waiting.full() {
		return nil
	}
	return m.write(m.flush(ctx))
}

// flush writes what waits: entities first, so that relations find them whatever the order in the file is.
func (m *importing) flush(ctx context.Context) error {
	o := store.Observing{Action: "import", Source: "import:" + string(m.req.Format), Merge: true, Each: true}
	if m.req.Trusted {
		o.Origin, o.Raise = memory.OriginAgent, true // whoever kept it was an agent
	}
	if err := m.observe(ctx, o); err != nil {
		return err
	}
	if err := m.relate(ctx, o); err != nil {
		return err
	}
	for _, line := range slices.Concat(m.waiting.entityLines, m.waiting.relationLines) {
		m.out.Lines = max(m.out.Lines, line)
	}
	m.waiting = waiting{}
	m.at(m.out.Lines)
	return nil
}

// count adds to what is new; a kind of which there is nothing is left out.
func (m *importing) count(kind string, n int) {
	if n > 0 {
		m.out.New[kind] += n
	}
}

func (m *importing) observe(ctx context.Context, o store.Observing) error {
	if len(m.waiting.entities) == 0 {
		return nil
	}
	done, err := m.s.facts.Observe(ctx, m.req.Scope, m.waiting.entities, o, m.by)
	if err != nil {
		return err
	}
	m.before.entities(m.waiting.entities, done)
	for i, w := range done {
		switch {
		case w.Mistake != nil:
			m.fail(m.waiting.entityLines[i], w.Mistake.Error())
		case w.Created:
			m.count("entity", 1)
		default:
			m.known(m.waiting.entityLines[i], m.waiting.entities[i], w)
		}
	}
	return nil
}

// known says what became of an entity that was there.
func (m *importing) known(line int, e memory.Observed, w memory.ObservedWrite) {
	m.count("observation", len(w.Added))
	merged, typed := store.SameName(e, w), store.OtherType(e, w)
	switch {
	case merged != "":
		m.out.Merged++
		m.remark(line, merged)
	case len(w.Added) > 0:
		m.out.Grown++
		m.remark(line, fmt.Sprintf("%q was there: it has these observations too now", e.Name))
	case w.Raised:
		m.out.Raised++
	default:
		m.out.Known++
	}
	if typed != "" {
		m.remark(line, typed)
	}
}

func (m *importing) relate(ctx context.Context, o store.Observing) error {
	if len(m.waiting.relations) == 0 {
		return nil
	}
	done, err := m.s.facts.Relate(ctx, m.req.Scope, m.waiting.relations, o, m.by)
	if err != nil {
		return err
	}
	for i, w := range done {
		m.before.relation(m.waiting.relations[i], &w)
		switch {
		case w.Mistake != nil:
			m.fail(m.waiting.relationLines[i], w.Mistake.Error())
		case w.Created:
			m.count("relation", 1)
		case w.Raised:
			m.out.Raised++
		default:
			m.out.Known++
		}
	}
	return nil
}
