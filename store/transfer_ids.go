package store

import "slices"

// idMap maps ids of the imported file to ids of this file. It stays small for a file of any size: ids that stay the
// same take a bit each, and others form runs.
type idMap struct {
	seen map[int64]uint64 // the ids that came, 64 in an entry
	runs []idRun          // the ids that are different here, in order
	// foreign are ids whose rows already existed here under the same name. The history in the file does not belong to
	// them.
	foreign map[int64]bool
}

// idRun is a run of ids that moved by the same distance.
type idRun struct{ from, to, by int64 } // to is included

func newIDMap() *idMap { return &idMap{seen: map[int64]uint64{}, foreign: map[int64]bool{}} }

// add records the new id of an old one.
func (m *idMap) add(old, now int64) {
	m.seen[old>>6] |= 1 << (old & 63)
	if old == now {
		return
	}
	i, there := m.run(old)
	if there {
		return // a line that came twice: the first one counts
	}
	if i > 0 && m.runs[i-1].to == old-1 && m.runs[i-1].by == now-old {
		m.runs[i-1].to = old
		return
	}
	m.runs = slices.Insert(m.runs, i, idRun{old, old, now - old})
}

// run returns the run that contains an id, or the place where to insert one.
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

// has reports whether a row with this id came.
func (m *idMap) has(old int64) bool { return m.seen[old>>6]&(1<<(old&63)) != 0 }

// get returns the new id of an old one; ok is false if no such row came.
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

// same reports whether every id stayed the same.
func (m *idMap) same() bool { return len(m.runs) == 0 }
