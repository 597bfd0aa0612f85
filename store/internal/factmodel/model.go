// Package factmodel implements docs/facts.md in memory, as plainly as possible. Tests play the same calls on it and on
// the store, and compare the results. It has no SQL, no index and no background task. A fact has one end, and the clock
// says whether it has come, so there is no upkeep.
//
// If the page leaves a case open, the model does what a user would expect, and a comment says so ("Open: …").
package factmodel

import (
	"slices"
	"time"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// Fact is the meaning of a relationship in one version. End covers both columns of the store, valid_until and
// expires_at, because a due scheduled end is an end.
type Fact struct {
	Head, Tail   int64 // entities
	Relation     string
	Sentence     string
	Class        string
	Confidence   float64
	Strength     float64
	Origin       memory.Origin
	Method       memory.Method
	From         time.Time // zero: unknown
	End          time.Time // zero: no end
	SupersededBy int64     // 0 for none
}

// key identifies a fact. At most one fact of a key is active.
type key struct {
	head     int64
	relation string
	tail     int64
}

func (f Fact) key() key {
	if graph.Mirrored(f.Relation) { // the same fact from the other end
		return key{min(f.Head, f.Tail), f.Relation, max(f.Head, f.Tail)}
	}
	return key{f.Head, f.Relation, f.Tail}
}

// live reports whether the fact is active at now. Open: a fact that ends where it begins never holds, even if its
// beginning lies ahead. So a fact of next year that is retracted today is over at once.
func (f Fact) live(now time.Time) bool {
	return f.End.IsZero() || f.End.After(now) && f.End.After(f.From)
}

// began reports whether the fact began before t. A fact with an unknown beginning did.
func (f Fact) began(t time.Time) bool { return f.From.Before(t) }

// Version is what was believed between two instants.
type Version[T any] struct {
	Meaning T
	Created time.Time
	Expired time.Time // zero: the current version
	Call    string    // the call that wrote the version
}

// record is one object with all its versions, of which there is at least one.
type record[T any] struct {
	id       int64
	versions []Version[T]
}

// now returns the current meaning.
func (r *record[T]) now() T { return r.versions[len(r.versions)-1].Meaning }

// after returns the meaning after a call that wrote a version.
func (r *record[T]) after(call string) T {
	for _, v := range slices.Backward(r.versions) {
		if v.Call == call {
			return v.Meaning
		}
	}
	var none T
	return none
}

// before returns the meaning before a call's first version. It reports false if the call created the object.
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

// wrote reports whether the call wrote a version.
func (r *record[T]) wrote(call string) bool {
	return slices.ContainsFunc(r.versions, func(v Version[T]) bool { return v.Call == call })
}

// set writes a version. A call writes at most one, so its intermediate states are not versions.
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

// relationship is a fact's row: its versions and the values that are not part of its meaning.
type relationship struct {
	record[Fact]
	evidence map[int]bool
	observed time.Time
}

// Model is one namespace. Create it with New; the zero value is not usable.
type Model struct {
	at       time.Time // time of the current call
	call     string
	entities []*entity       // by id, from 1
	facts    []*relationship // by id, from 1
	lent     []loan
	undone   map[string]string // undone call → the call that undid it
	heard    map[int]time.Time // episode → when it was said
}

// loan is evidence that a fact has only while an entity is merged: it came from another fact that the merge joined to
// it.
type loan struct {
	from     int64 // the merged entity
	fact     int64 // the fact that has the evidence
	evidence int
}

// New returns an empty model.
func New() *Model { return &Model{undone: map[string]string{}, heard: map[int]time.Time{}} }

// Begin starts a call. All operations up to the next Begin belong to it. Every call has its own id and is later than
// the previous one.
func (m *Model) Begin(now time.Time, call string) { m.at, m.call = now, call }

// second returns the call's time on the valid axis, which counts in seconds.
func (m *Model) second() time.Time { return m.at.UTC().Truncate(time.Second) }

func (m *Model) fact(id int64) *relationship {
	if id < 1 || id > int64(len(m.facts)) {
		return nil
	}
	return m.facts[id-1]
}

// write writes a version of a fact if its meaning changes.
func (m *Model) write(r *relationship, f Fact) {
	if r.now() != f {
		r.set(f, m.at, m.call)
	}
}

// add creates a fact's row.
func (m *Model) add(f Fact, evidence int) *relationship {
	r := &relationship{record: record[Fact]{id: int64(len(m.facts) + 1)}, evidence: map[int]bool{evidence: true},
		observed: m.at}
	r.set(f, m.at, m.call)
	m.facts = append(m.facts, r)
	return r
}

// active returns the live fact of a key, or nil if there is none.
func (m *Model) active(k key, except int64) *relationship {
	for _, r := range m.facts {
		if f := r.now(); r.id != except && f.key() == k && f.live(m.at) {
			return r
		}
	}
	return nil
}

// rivals returns the live facts that cannot hold beside f according to the registry: cases 1 and 2 of docs/facts.md,
// "What may end a fact".
func (m *Model) rivals(f Fact, except int64) (out []*relationship) {
	for _, r := range m.facts {
		if o := r.now(); r.id != except && o.live(m.at) && m.rival(f, o) {
			out = append(out, r)
		}
	}
	return out
}

// rival reports whether two facts exclude each other.
func (m *Model) rival(f, o Fact) bool {
	known := graph.Lookup(f.Relation)
	one := known.OneTail(m.entity(f.Head).now().Type)
	return o.Head == f.Head && (one && o.Relation == f.Relation && o.Tail != f.Tail ||
		slices.Contains(known.Excludes, o.Relation) && o.Tail == f.Tail)
}

// mayEnd reports whether a has the trust and the confidence to end b.
func mayEnd(a, b Fact) bool {
	return a.Origin.Trust() >= b.Origin.Trust() &&
		(a.Confidence >= memory.StrongConfidence || a.Confidence >= b.Confidence)
}

// leads reports whether the chain of superseded_by from one fact reaches another.
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
