// Package factmodel is what docs/facts.md says, in memory and as plainly as possible: tests play the same calls to it
// and to the store and compare. It knows no SQL, no index and no background task: a fact has one end, and whether that
// has come is asked of the clock, so that nothing has to be finalised.
//
// Where the page leaves something open the model takes what a user would expect, and says so at the place ("Open: …").
package factmodel

import (
	"slices"
	"time"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// Fact is the meaning of a relationship, as one version of it has it. Its end is what the store keeps in two columns: a
// scheduled end that has come is an end like any other.
type Fact struct {
	Head, Tail   int64 // entities
	Relation     string
	Sentence     string
	Class        string
	Confidence   float64
	Strength     float64
	Origin       memory.Origin
	Method       memory.Method
	From         time.Time // zero: nobody knows
	End          time.Time // zero: none in sight
	SupersededBy int64     // 0 for none
}

// key is what can be active once.
type key struct {
	head     int64
	relation string
	tail     int64
}

func (f Fact) key() key { return key{f.Head, f.Relation, f.Tail} }

// live says whether the fact is active at now. Open: what ends where it begins never holds, and is over at once, even
// if that lies ahead: a fact of next year that is taken back today is not active until then.
func (f Fact) live(now time.Time) bool {
	return f.End.IsZero() || f.End.After(now) && f.End.After(f.From)
}

// began says whether the fact began before t. What began nobody knows when did.
func (f Fact) began(t time.Time) bool { return f.From.Before(t) }

// Version is what was believed between two instants.
type Version[T any] struct {
	Meaning T
	Created time.Time
	Expired time.Time // zero: it is the current one
	Call    string    // that wrote it
}

// record is one object with all its versions, of which there is at least one.
type record[T any] struct {
	id       int64
	versions []Version[T]
}

// now gives what is believed.
func (r *record[T]) now() T { return r.versions[len(r.versions)-1].Meaning }

// after gives what was believed after a call that wrote a version.
func (r *record[T]) after(call string) T {
	for _, v := range slices.Backward(r.versions) {
		if v.Call == call {
			return v.Meaning
		}
	}
	var none T
	return none
}

// before gives what was believed before a call wrote its first version; false where the call made the object.
func (r *record[T]) before(call string) (T, bool) {
	for i, v := range r.versions {
		if v.Call == call {
			if i == 0 {
				break
			}
			return r.versions[i-1].Meaning, true
		}
	}
	var none T
	return none, false
}

// wrote says whether the call wrote a version.
func (r *record[T]) wrote(call string) bool {
	return slices.ContainsFunc(r.versions, func(v Version[T]) bool { return v.Call == call })
}

// set writes a version. A call writes at most one: what it changes twice was never believed in between.
func (r *record[T]) set(meaning T, now time.Time, call string) {
	if n := len(r.versions); n > 0 {
		last := &r.versions[n-1]
		if last.Call == call {
			last.Meaning = meaning
			return
		}
		last.Expired = now
	}
	r.versions = append(r.versions, Version[T]{Meaning: meaning, Created: now, Call: call})
}

// relationship is a fact's row: its versions and what is not meaning.
type relationship struct {
	record[Fact]
	evidence map[int]bool
	observed time.Time
}

// Model is one namespace. The zero value is not usable: see New.
type Model struct {
	at       time.Time // of the call under way
	call     string
	entities []*entity       // by id, from 1
	facts    []*relationship // by id, from 1
	lent     []loan
	undone   map[string]string // calls that were taken back, and by which
}

// loan is evidence that a fact has from one that a merge joined to it, for as long as the entity is merged.
type loan struct {
	from     int64 // the entity that was merged
	fact     int64 // that has it
	evidence int
}

// New gives an empty model.
func New() *Model { return &Model{undone: map[string]string{}} }

// Begin starts a call: all operations up to the next Begin are its. Every call has an id of its own, and comes later
// than the one before.
func (m *Model) Begin(now time.Time, call string) { m.at, m.call = now, call }

// second gives the call's time on the axis of validity.
func (m *Model) second() time.Time { return m.at.UTC().Truncate(time.Second) }

func (m *Model) fact(id int64) *relationship {
	if id < 1 || id > int64(len(m.facts)) {
		return nil
	}
	return m.facts[id-1]
}

// write changes what a fact means.
func (m *Model) write(r *relationship, f Fact) {
	if r.now() != f {
		r.set(f, m.at, m.call)
	}
}

// add makes a row.
func (m *Model) add(f Fact, evidence int) *relationship {
	r := &relationship{record: record[Fact]{id: int64(len(m.facts) + 1)}, evidence: map[int]bool{evidence: true},
		observed: m.at}
	r.set(f, m.at, m.call)
	m.facts = append(m.facts, r)
	return r
}

// active gives the live fact of a key, nil for none.
func (m *Model) active(k key, except int64) *relationship {
	for _, r := range m.facts {
		if f := r.now(); r.id != except && f.key() == k && f.live(m.at) {
			return r
		}
	}
	return nil
}

// rivals gives the live facts that cannot hold beside f, by the registry (docs/facts.md, "What may end a fact", 1 and
// 2).
func (m *Model) rivals(f Fact, except int64) (out []*relationship) {
	known := graph.Lookup(f.Relation)
	one := known.OneTail(m.entity(f.Head).now().Type)
	for _, r := range m.facts {
		o := r.now()
		if r.id == except || !o.live(m.at) || o.Head != f.Head {
			continue
		}
		if one && o.Relation == f.Relation && o.Tail != f.Tail ||
			known.Exclusive != "" && o.Relation == known.Exclusive && o.Tail == f.Tail {
			out = append(out, r)
		}
	}
	return out
}

// mayEnd is the rule of trust: a may end b.
func mayEnd(a, b Fact) bool {
	return a.Origin.Trust() >= b.Origin.Trust() &&
		(a.Confidence >= memory.StrongConfidence || a.Confidence >= b.Confidence)
}

// leads says whether following superseded_by from one fact comes to the other.
func (m *Model) leads(from, to int64) bool {
	for range len(m.facts) + 1 {
		if from == to {
			return true
		}
		r := m.fact(from)
		if r == nil {
			return false
		}
		from = r.now().SupersededBy
	}
	return false
}
