package store

import "slices"

// idMap says which row of this file a row of an imported one has become. It stays small whatever the size of that file:
// ids that came as they are take a bit each, and others follow each other in runs.
type idMap struct {
	seen map[int64]uint64 // which ids came, 64 to an entry
	runs []idRun          // those that are others here, in their order
	// foreign are rows that are not the file's, but what was here under the same name: what the file says of its own
	// past is not theirs.
	foreign map[int64]bool
}

// idRun is a run of ids that have become others at the same distance.
type idRun struct{ from, to, by int64 } // to is part of it

func newIDMap() *idMap { return &idMap{seen: map[int64]uint64{}, foreign: map[int64]bool{}} }

// add notes what an id has become.
func (m *idMap) add(old, now int64) {
	m.seen[old>>6] |= 1 << (old & 63)
	if old == now {
		return
	}
	i, there := m.run(old)
	if there {
		return // a line that came twice: the first holds
	}
	if i > 0 && m.runs[i-1].to == old-1 && m.runs[i-1].by == now-old {
		m.runs[i-1].to = old
		return
	}
	m.runs = slices.Insert(m.runs, i, idRun{old, old, now - old})
}

// run finds the run in which an id lies, or where one with it would stand.
func (m *idMap) run(old int64) (i int, there bool) {
	return slices.BinarySearchFunc(m.runs, old, func(r idRun, id int64) int {
		switch {
		case r.to < id:
			return -1
		case r.from > id:
			return 1
		}
		return 0
	})
}

// has says whether a row of this id came.
func (m *idMap) has(old int64) bool { return m.seen[old>>6]&(1<<(old&63)) != 0 }

// get gives what an id has become; ok is false where no such row came.
func (m *idMap) get(old int64) (now int64, ok bool) {
	if !m.has(old) {
		return 0, false
	}
	i, there := m.run(old)
	if there {
		return old + m.runs[i].by, true
	}
	return old, true
}

// same says whether every id has stayed what it was.
func (m *idMap) same() bool { return len(m.runs) == 0 }
