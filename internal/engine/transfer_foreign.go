package engine

import (
	"context"
	"fmt"
	"slices"

	"memory-graph/internal/memory"
	"memory-graph/internal/transfer"
	"memory-graph/store"
)

// waiting collects the contents of the next transaction, with their line numbers.
type waiting struct {
	bytes         int
	entities      []memory.ReferenceEntity
	entityLines   []int
	relations     []memory.ReferenceRelation
	relationLines []int
}

func (w *waiting) add(texts ...string) {
	for _, t := range texts {
		w.bytes += len(t)
	}
}

// full reports whether the contents fill a transaction.
func (w *waiting) full() bool {
	return len(w.entities) >= importItems || len(w.relations) >= importItems || w.bytes >= importBytes
}

// foreign imports the file of another program.
func (m *importing) foreign(ctx context.Context) error {
	read := m.req.Read
	if read == nil {
		read = func(ctx context.Context, to transfer.Sink) error {
			return transfer.Read(ctx, m.req.Format, m.req.From, to)
		}
	}
	err := read(ctx, transfer.Sink{
		Entity:   func(line int, e memory.ReferenceEntity) error { return m.entity(ctx, line, e) },
		Relation: func(line int, r memory.ReferenceRelation) error { return m.relation(ctx, line, r) },
		Turn:     func(t transfer.Message) error { return m.write(m.turn(ctx, t)) },
		Gone:     func(_ int, key string) error { return m.write(m.gone(ctx, key)) },
		Problem:  func(line int, reason string) { m.unread++; m.fail(line, reason) },
		Note:     m.note,
		Passed:   func(_ int, why transfer.Passed) { m.out.Passed[why]++ },
		Left:     func(n int, why transfer.Passed) { m.out.Passed[why] += n },
	})
	if err == nil {
		return m.finish(ctx, nil, m.flush, m.absent)
	}
	return m.finish(ctx, err, m.flush)
}

func (m *importing) entity(ctx context.Context, line int, e memory.ReferenceEntity) error {
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

func (m *importing) relation(ctx context.Context, line int, r memory.ReferenceRelation) error {
	if !m.fits(line, "from", r.From, m.limits.NameBytes) || !m.fits(line, "to", r.To, m.limits.NameBytes) ||
		!m.fits(line, "relationType", r.Type, m.limits.ContentBytes) {
		return nil
	}
	w := &m.waiting
	w.relations, w.relationLines = append(w.relations, r), append(w.relationLines, line)
	w.add(r.From, r.To, r.Type)
	return m.flushFull(ctx)
}

// fits reports whether a text is within the limits of the tools, and reports the line as failed if not.
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

// flush writes the collected contents. It writes entities first, so relations find them in any order of the file.
func (m *importing) flush(ctx context.Context) error {
	o := store.ReferenceCall{Action: "import", Source: "import:" + string(m.req.Format), Merge: true, Each: true}
	if m.req.Trusted {
		o.Origin, o.Raise = memory.OriginAgent, true // an agent wrote the file
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

// count adds n new items of a kind. Kinds without new items are left out.
func (m *importing) count(kind string, n int) {
	if n > 0 {
		m.out.New[kind] += n
	}
}

func (m *importing) observe(ctx context.Context, o store.ReferenceCall) error {
	if len(m.waiting.entities) == 0 {
		return nil
	}
	done, err := m.s.facts.CreateReferenceEntities(ctx, m.req.Scope, m.waiting.entities, o, m.by)
	if err != nil {
		return err
	}
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

// known counts and reports what happened to a known entity.
func (m *importing) known(line int, e memory.ReferenceEntity, w memory.ReferenceWrite) {
	m.count("observation", len(w.Added))
	merged, typed := store.SameName(e, w), store.OtherType(e, w)
	switch {
	case merged != "":
		m.out.Merged++
		m.remark(line, merged)
	case len(w.Added) > 0:
		m.out.Grown++
		m.remark(line, fmt.Sprintf("%q is already known: these observations were added to it", e.Name))
	case w.Raised:
		m.out.Raised++
	default:
		m.out.Known++
	}
	if typed != "" {
		m.remark(line, typed)
	}
}

func (m *importing) relate(ctx context.Context, o store.ReferenceCall) error {
	if len(m.waiting.relations) == 0 {
		return nil
	}
	done, err := m.s.facts.Relate(ctx, m.req.Scope, m.waiting.relations, o, m.by)
	if err != nil {
		return err
	}
	for i, w := range done {
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
