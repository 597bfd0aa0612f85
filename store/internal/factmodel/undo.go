package factmodel

import "memory-graph/internal/memory"

// Undo takes back what a call changed, or refuses where something changed since. Open: what was changed and changed
// back has not changed, so that one can go back call by call.
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
		// Open: an entity that the call made and that other facts stand on has changed since.
		if _, old := e.before(call); !e.now().equal(e.after(call)) || !old && m.stands(e.id, call) {
			return memory.Conflict
		}
	}
	back := make([]Fact, len(facts))
	held := map[key]bool{}
	for i, r := range facts {
		f, ok := r.before(call)
		if !ok { // it was made: now it never held
			f = m.retracted(r.now())
		}
		back[i] = f
	}
	for i, f := range back { // Open: a fact whose key was taken since cannot come back
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
	for _, r := range facts { // Open: nor is a fact superseded by itself after it came back
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
	for _, r := range facts { // Open: nothing comes back to an entity that was merged since
		if f := r.now(); r.wrote(m.call) && f.live(m.at) && (m.Root(f.Head) != f.Head || m.Root(f.Tail) != f.Tail) {
			return memory.Conflict
		}
	}
	if m.Called(m.call) {
		m.undone[call] = m.call
	}
	return ""
}

// InForce says whether a call was not taken back, or came again.
func (m *Model) InForce(call string) bool {
	by := m.undone[call]
	return by == "" || m.undone[by] != ""
}

// stands says whether a live fact that the call did not make names the entity.
func (m *Model) stands(id int64, call string) bool {
	for _, r := range m.facts {
		if f := r.now(); (f.Head == id || f.Tail == id) && f.live(m.at) && !r.wrote(call) {
			return true
		}
	}
	return false
}
