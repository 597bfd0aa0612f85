package factmodel

import (
	"slices"

	"memory-graph/internal/memory"
)

// Merged is the result of a merge.
type Merged struct {
	Joined    []int64 // facts that ended because another row states the same
	Retracted []int64 // facts between the two entities
	Conflicts []int64 // other facts that contradict one of b's facts only since the merge
}

// Merge merges b into a.
func (m *Model) Merge(a, b int64) (Merged, memory.Code) {
	a, b = m.Root(a), m.Root(b)
	into, from := m.entity(a), m.entity(b)
	if into == nil || from == nil {
		return Merged{}, memory.NotFound
	}
	if a == b {
		return Merged{}, memory.InvalidArgument
	}
	m.lent = slices.DeleteFunc(m.lent, func(l loan) bool { return l.from == b })
	m.parted(from, a, 1)
	v, w := into.now(), from.now()
	v.Aliases = union(v.Aliases, w.Aliases)
	m.writeEntity(into, v)
	w.Aliases, w.MergedInto = nil, a
	m.writeEntity(from, w)

	var out Merged
	var came, joint []*relationship
	before := map[int64][]*relationship{} // the facts that each of b's facts contradicted
	for _, r := range m.facts {
		if f := r.now(); f.Head == b || f.Tail == b {
			before[r.id] = slices.DeleteFunc(m.rivals(f, r.id), func(o *relationship) bool { return !meet(f, o.now()) })
		}
	}
	for _, r := range m.facts {
		f := r.now()
		if f.Head != b && f.Tail != b {
			continue
		}
		moved := f
		moved.Head, moved.Tail = swap(f.Head, b, a), swap(f.Tail, b, a)
		if moved.Head == moved.Tail { // a fact between the two: it keeps its head and tail, and never held
			m.write(r, m.retracted(f))
			out.Retracted = append(out.Retracted, r.id)
			continue
		}
		twin := m.active(moved.key(), r.id)
		m.write(r, moved)
		if twin != nil && moved.live(m.at) {
			out.Joined = append(out.Joined, m.join(r, twin, b))
			if joint = append(joint, r); r.now().SupersededBy == twin.id {
				joint[len(joint)-1] = twin
			}
		} else if moved.live(m.at) {
			came = append(came, r)
		}
	}
	// Open: only new contradictions are reported, each once. Those among b's own facts existed before the merge.
	for _, r := range came {
		for _, o := range m.rivals(r.now(), r.id) {
			known := slices.Contains(before[r.id], o) && !slices.Contains(joint, o) || slices.Contains(came, o) ||
				slices.Contains(out.Conflicts, o.id)
			if !known && meet(r.now(), o.now()) {
				out.Conflicts = append(out.Conflicts, o.id)
			}
		}
	}
	return out, ""
}

// meet reports whether two facts share some time.
func meet(a, b Fact) bool {
	return (a.End.IsZero() || a.End.After(b.From)) && (b.End.IsZero() || b.End.After(a.From))
}

func swap(id, old, to int64) int64 {
	if id == old {
		return to
	}
	return id
}

// parted adds (sign 1) or removes (-1) what an entity has only while another is merged into it. Open: this is the
// number of observations, and the evidence of facts that were joined to its own.
func (m *Model) parted(from *entity, into int64, sign float64) {
	e := m.entity(into)
	e.count = max(1, e.count+sign*from.count)
	for _, l := range m.lent {
		if l.from == from.id && sign > 0 {
			m.fact(l.fact).evidence[l.evidence] = true
		} else if l.from == from.id {
			delete(m.fact(l.fact).evidence, l.evidence)
		}
	}
}

// join merges two active facts with the same key. The older row stays, and join returns the id of the other. b is the
// merged entity.
func (m *Model) join(x, y *relationship, b int64) int64 {
	if y.id < x.id {
		x, y = y, x
	}
	stay, ends := x.now(), y.now()
	if ends.Confidence > stay.Confidence {
		stay.Confidence, stay.Method = ends.Confidence, ends.Method
	}
	stay.Origin = memory.MostTrusted(stay.Origin, ends.Origin)
	if stay.From.IsZero() || ends.From.Before(stay.From) && !ends.From.IsZero() {
		stay.From = ends.From
	}
	for e := range y.evidence {
		if !x.evidence[e] {
			x.evidence[e] = true
			m.lent = append(m.lent, loan{b, x.id, e})
		}
	}
	m.write(x, stay)
	ends = m.retracted(ends)
	// Open: superseded_by must not lead from a fact back to itself
	if ends.SupersededBy = x.id; m.leads(x.id, y.id) {
		ends.SupersededBy = 0
	}
	m.write(y, ends)
	return y.id
}

// Unmerge undoes a merge as far as possible. Later changes of facts do not make it fail.
func (m *Model) Unmerge(b int64) memory.Code {
	from := m.entity(b)
	if from == nil {
		return memory.NotFound
	}
	a := from.now().MergedInto
	if a == 0 {
		return memory.Conflict
	}
	merge := "" // the call that merged the two
	for i := len(from.versions) - 1; i >= 0 && from.versions[i].Meaning.MergedInto == a; i-- {
		merge = from.versions[i].Call
	}
	was, _ := from.before(merge)
	if m.namesake(from.id, was) {
		return memory.Conflict // Open: another entity has the name by now
	}
	into := m.entity(a)
	m.parted(from, a, -1)
	v := into.now()
	if earlier, ok := into.before(merge); ok {
		given := without(was.Aliases, earlier.Aliases)
		v.Aliases = without(v.Aliases, given)
		if slices.Contains(given, memory.Canonical(v.Name)) { // Open: the form last written is a name of b
			v.Name = earlier.Name
		}
		m.writeEntity(into, v)
	}
	w := from.now()
	w.Aliases, w.MergedInto = was.Aliases, 0
	m.writeEntity(from, w)

	for _, r := range m.facts {
		old, ok := r.before(merge)
		if !ok || !r.wrote(merge) {
			continue
		}
		f := r.now()
		if f == r.after(merge) {
			// Open: a joined fact stays as it is if another active fact has its old key by now.
			if !old.live(m.at) || m.active(old.key(), r.id) == nil {
				if old.SupersededBy != 0 && m.leads(old.SupersededBy, r.id) {
					old.SupersededBy = f.SupersededBy
				}
				m.write(r, old)
			}
			continue
		}
		if old.Head == b && f.Head == a {
			f.Head = b
		}
		if old.Tail == b && f.Tail == a {
			f.Tail = b
		}
		m.write(r, f)
	}
	if m.mergedAway() {
		return memory.Conflict
	}
	m.undone[merge] = m.call
	return ""
}

// mergedAway reports whether the call made a fact active whose head or tail was merged into another entity.
func (m *Model) mergedAway() bool {
	for _, r := range m.facts {
		f := r.now()
		if r.wrote(m.call) && f.live(m.at) && (m.Root(f.Head) != f.Head || m.Root(f.Tail) != f.Tail) {
			return true
		}
	}
	return false
}

// retracted returns a fact as one that never held: it ends where it began. If the beginning is unknown, an active fact
// ends now, and a past fact stays, because no read at any time returns it.
func (m *Model) retracted(f Fact) Fact {
	switch {
	case !f.From.IsZero():
		f.End = f.From
	case f.live(m.at):
		f.End = m.second()
	}
	return f
}

// namesake reports whether another entity has the name and the type.
func (m *Model) namesake(id int64, v Entity) bool {
	for _, e := range m.entities {
		if o := e.now(); e.id != id && o.MergedInto == 0 && !o.Mention && o.Canonical == v.Canonical && o.Type == v.Type {
			return true
		}
	}
	return false
}
