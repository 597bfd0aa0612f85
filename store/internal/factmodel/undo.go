package factmodel

import "memory-graph/internal/memory"

// Undo undoes a call, or refuses if something has changed since. Open: a change that was itself undone does not count,
// so calls can be undone one by one.
func (m *Model) Undo(call string) memory.Code {
	var facts []*relationship
	for _, r := range m.facts {
		if r.wrote(call) {
			facts = append(facts, r)
		}
	}
	var entities []*entity
	for _, e := range m.entities {
		if e.wrote(call) {
			entities = append(entities, e)
		}
	}
	if len(facts)+len(entities) == 0 {
		return memory.NotFound
	}
	if !m.InForce(call) {
		return memory.Conflict
	}
	for _, r := range facts {
		if r.now() != r.after(call) {
			return memory.Conflict
		}
	}
	for _, e := range entities {
		// Open: an entity that the call created counts as changed if other facts use it.
		if _, old := e.before(call); !e.now().equal(e.after(call)) || !old && m.stands(e.id, call) {
			return memory.Conflict
		}
	}
	back := make([]Fact, len(facts))
	held := map[key]bool{}
	for i, r := range facts {
		f, ok := r.before(call)
		if !ok { // the call created the fact: now it never held
			if f = m.retracted(r.now()); f.From.IsZero() {
				f.From = f.End
			}
		}
		back[i] = f
	}
	for i, f := range back { // Open: a fact cannot come back if another has its key by now
		if !f.live(m.at) {
			continue
		}
		if held[f.key()] {
			return memory.Conflict
		}
		held[f.key()] = true
		for _, r := range m.facts {
			if o := r.now(); r != facts[i] && !r.wrote(call) && o.key() == f.key() && o.live(m.at) {
				return memory.Conflict
			}
		}
	}
	for i, r := range facts {
		m.write(r, back[i])
	}
	for _, r := range facts { // Open: a restored fact must not supersede itself
		if by := r.now().SupersededBy; by != 0 && m.leads(by, r.id) {
			return memory.Conflict
		}
	}
	for _, e := range entities {
		v, ok := e.before(call)
		if !ok {
			v = e.now()
			v.Mention = true
		}
		if !v.Mention && v.MergedInto == 0 && m.namesake(e.id, v) {
			return memory.Conflict
		}
		if into := e.now().MergedInto; into != 0 && v.MergedInto == 0 {
			m.parted(e, into, -1)
		} else if into := v.MergedInto; into != 0 && e.now().MergedInto == 0 {
			m.parted(e, into, 1)
		}
		m.writeEntity(e, v)
	}
	if m.mergedAway() {
		return memory.Conflict
	}
	m.undone[call] = m.call // also if the call changed nothing that is left to take back
	return ""
}

// InForce reports whether a call has not been undone, or was restored.
func (m *Model) InForce(call string) bool {
	by := m.undone[call]
	return by == "" || m.undone[by] != ""
}

// stands reports whether a live fact that the call did not write names the entity.
func (m *Model) stands(id int64, call string) bool {
	for _, r := range m.facts {
		if f := r.now(); (f.Head == id || f.Tail == id) && f.live(m.at) && !r.wrote(call) {
			return true
		}
	}
	return false
}
