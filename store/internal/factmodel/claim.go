package factmodel

import (
	"math"
	"slices"
	"time"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// minimum is the lowest confidence that a fact may have (confidence_minimum).
const minimum = .4

// Claim is a fact as a caller gives it, with head and tail resolved.
type Claim struct {
	Head, Tail int64
	HeadName   string // as the caller wrote it; "" if the caller gave an id
	TailName   string
	Relation   string
	Sentence   string
	Confidence *float64
	Strength   *float64
	From, End  time.Time
	Ended      bool
	Origin     memory.Origin
	Method     memory.Method
	Said       time.Time // when its evidence was said; zero means now
	Evidence   int       // the test's own number for the episode
}

// Outcome is the result of a call about facts.
type Outcome struct {
	Fact       int64
	Status     memory.RelationStatus
	Superseded []int64
	Conflicts  []int64
}

// Claim writes a fact. The code is "" on success.
func (m *Model) Claim(c Claim) (Outcome, memory.Code) {
	saidEnd := c.Ended && c.End.IsZero()
	if saidEnd {
		c.End = m.said(c)
	}
	f, code := m.draft(c)
	if code != "" {
		return Outcome{}, code
	}
	if c.Ended {
		return m.ended(c, f, saidEnd), ""
	}
	return m.claim(c, f, 0), ""
}

// draft checks a claim and returns the fact that it states, without comparing it with other facts.
func (m *Model) draft(c Claim) (Fact, memory.Code) {
	if c.Head == c.Tail || graph.Snake(c.Relation) == "" || !fraction(c.Confidence) || !fraction(c.Strength) {
		return Fact{}, memory.InvalidArgument
	}
	if from, end := seconds(c.From), seconds(c.End); !from.IsZero() && !end.IsZero() && !end.After(from) {
		return Fact{}, memory.InvalidArgument // Open: an end at the beginning is refused, like an end before it
	}
	m.show(c.Head, c.HeadName, c.Origin)
	m.show(c.Tail, c.TailName, c.Origin)
	stored := graph.Store(graph.Snake(c.Relation), m.entity(c.Head).now().Type, m.entity(c.Tail).now().Type)
	if stored.Swap {
		c.Head, c.Tail = c.Tail, c.Head
	}
	m.heard[c.Evidence] = m.said(c)
	f := Fact{Head: c.Head, Tail: c.Tail, Relation: stored.Relation, Sentence: c.Sentence, Strength: 1,
		Origin: c.Origin, Method: c.Method,
		Confidence: memory.Capped(c.Confidence, c.Origin, c.Method), From: seconds(c.From), End: seconds(c.End)}
	f.Class = graph.Lookup(f.Relation).Class
	if m.mirrored(f) {
		f.Head, f.Tail = f.Tail, f.Head
	}
	if c.Strength != nil {
		f.Strength = *c.Strength
	}
	if f.Confidence < minimum {
		return Fact{}, memory.InvalidArgument
	}
	return f, ""
}

// mirrored reports whether the row that states a symmetric relation has it from the other end. Open: of several rows an
// active one counts before past ones, and then one with this direction.
func (m *Model) mirrored(f Fact) bool {
	var row *Fact
	worth := func(o Fact) int {
		n := 0
		if o.live(m.at) {
			n += 2
		}
		if o.Head == f.Head {
			n++
		}
		return n
	}
	for _, r := range m.facts {
		if o := r.now(); o.key() == f.key() && (row == nil || worth(o) > worth(*row)) {
			row = &o
		}
	}
	return row != nil && row.Head != f.Head
}

func fraction(x *float64) bool { return x == nil || !math.IsNaN(*x) && *x >= 0 && *x <= 1 }

func seconds(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.UTC().Truncate(time.Second)
}

// said returns when the evidence was said, to the second.
func (m *Model) said(c Claim) time.Time {
	if c.Said.IsZero() {
		return m.second()
	}
	return seconds(c.Said)
}

// claim writes a fact that is not given as ended. It ignores the fact with the id except, which this one supersedes.
func (m *Model) claim(c Claim, f Fact, except int64) Outcome {
	if f.From.IsZero() {
		if f.From = m.said(c); !f.End.IsZero() && !f.From.Before(f.End) {
			f.From = time.Time{}
		}
	}
	if !f.live(m.at) { // it meets no active fact
		var conflicts []int64
		if r := m.active(f.key(), except); r != nil && r.now().From.Before(f.End) {
			conflicts = []int64{r.id} // the same fact goes on after that end
		}
		out := m.past(c, f, conflicts)
		out.Status = memory.RelationEnded // Open: the status of a past fact is "ended", even if it was known
		return out
	}
	r := m.active(f.key(), except)
	if f.End.IsZero() && (r == nil || m.said(c).Before(r.now().From)) {
		next := m.nextPast(f, m.said(c), except)
		switch period := m.period(f, m.said(c)); {
		case period != nil:
			r = period
		case r != nil && next != nil && next.now().From.Before(r.now().From):
			r = nil // another fact came before the present period
		}
	}
	if r != nil {
		began := r.now().From
		m.reinforce(r, c, f)
		return Outcome{Fact: r.id, Status: memory.RelationReinforced, Superseded: m.moveEnds(r, f, began, except)}
	}
	return m.newcomer(c, f, except)
}

// past stores a past fact. The same fact with the same times adds no second row, unless it never held.
func (m *Model) past(c Claim, f Fact, conflicts []int64) Outcome {
	for _, r := range m.facts {
		if o := r.now(); o.key() == f.key() && !o.live(m.at) && o.End.Equal(f.End) &&
			(f.From.IsZero() && !o.From.Equal(o.End) || o.From.Equal(f.From)) {
			r.evidence[c.Evidence] = true
			return Outcome{Fact: r.id, Status: memory.RelationReinforced, Conflicts: conflicts}
		}
	}
	return Outcome{Fact: m.add(f, c.Evidence).id, Status: memory.RelationCreated, Conflicts: conflicts}
}

// reinforce applies an observation to an active fact.
func (m *Model) reinforce(r *relationship, c Claim, f Fact) {
	o := r.now()
	if f.Confidence > o.Confidence { // Open: with equal confidence the first method stays
		o.Confidence, o.Method = f.Confidence, f.Method
	}
	o.Origin = memory.MostTrusted(o.Origin, f.Origin)
	// Open: an unknown beginning is filled in only by a given one, not by when the evidence was said.
	end := f.End
	if end.IsZero() {
		end = o.End
	}
	postponed := !c.From.IsZero() && o.From.After(m.said(c)) && f.From.After(o.From) &&
		(end.IsZero() || f.From.Before(end)) && mayEnd(f, r.now())
	if f.From.Before(o.From) && !f.From.IsZero() || o.From.IsZero() && !c.From.IsZero() || postponed {
		o.From = f.From
	}
	if !f.End.IsZero() { // Open: a new end needs no trust, because docs/facts.md requires none
		o.End = f.End
	}
	if o.Sentence == "" {
		o.Sentence = f.Sentence
	}
	if c.Strength != nil { // Open: the higher of both, as for the confidence
		o.Strength = max(o.Strength, f.Strength)
	}
	m.write(r, o)
	r.evidence[c.Evidence], r.observed = true, m.at
}

// moveEnds moves the ends of facts that r superseded at its old beginning, began, to its new beginning. It leaves out
// the fact that this call supersedes, because the call sets that end.
func (m *Model) moveEnds(r *relationship, f Fact, began time.Time, except int64) []int64 {
	if f.From.IsZero() || !f.From.Before(began) {
		return nil
	}
	var moved []int64
	for _, other := range m.facts {
		o := other.now()
		if other.id == except || o.SupersededBy != r.id || !o.End.Equal(began) || !mayEnd(f, o) {
			continue
		}
		if o.End = f.From; o.End.Before(o.From) {
			o.End = o.From
		}
		m.write(other, o)
		moved = append(moved, other.id)
	}
	return moved
}

// newcomer writes a live fact whose key has no active fact, and applies the rules about its rivals.
func (m *Model) newcomer(c Claim, f Fact, except int64) Outcome {
	var met, earlier []*relationship
	var cut *relationship // the earliest rival that begins later and may end the newcomer
	for _, r := range m.rivals(f, except) {
		o := r.now()
		switch {
		case !o.began(f.From) && !o.From.Equal(f.From): // it begins later
			if !f.End.IsZero() && !f.End.After(o.From) { // Open: they do not meet if one ends when the other begins
				continue
			}
			if mayEnd(o, f) && (cut == nil || o.From.Before(cut.now().From)) { // Open: of two that begin together, the older row
				cut = r
			}
		case !o.End.IsZero() && !o.End.After(f.From): // over when the newcomer begins
			continue
		default:
			earlier = append(earlier, r)
		}
		met = append(met, r)
	}
	if next := m.nextPast(f, m.said(c), except); next != nil && (cut == nil || next.now().From.Before(cut.now().From)) {
		if next.now().key() == f.key() {
			began := next.now().From
			m.reinforce(next, c, f)
			return Outcome{Fact: next.id, Status: memory.RelationReinforced, Superseded: m.moveEnds(next, f, began, except)}
		}
		cut = next
	}
	if cut != nil {
		f.End, f.SupersededBy = cut.now().From, cut.id
	}
	// Open: a rival is a conflict if it shares time with the newcomer and neither ends the other. This includes a
	// newcomer that a later rival ends.
	var ends, conflicts []int64
	for _, r := range met {
		o := r.now()
		switch {
		case r == cut, cut != nil && !o.began(f.End):
		case (cut == nil || f.live(m.at)) && slices.Contains(earlier, r) && mayEnd(f, o):
			ends = append(ends, r.id)
		default:
			conflicts = append(conflicts, r.id)
		}
	}
	if !f.live(m.at) {
		out := m.past(c, f, conflicts)
		if out.Status == memory.RelationCreated {
			out.Superseded = m.takeOver(out.Fact)
		}
		return out
	}
	n := m.add(f, c.Evidence)
	for _, id := range ends {
		r := m.fact(id)
		o := r.now()
		o.End, o.SupersededBy = f.From, n.id
		m.write(r, o)
	}
	out := Outcome{Fact: n.id, Status: memory.RelationCreated, Superseded: ends, Conflicts: conflicts}
	if len(ends) > 0 {
		out.Status = memory.RelationSuperseded
	}
	return out
}

// period returns the past period of a fact that lasted when the fact was said to hold, nil if there is none. Open: of
// several, the one that ended first.
func (m *Model) period(f Fact, said time.Time) *relationship {
	t := f.From
	if said.After(t) {
		t = said
	}
	var first *relationship
	for _, r := range m.facts {
		o := r.now()
		if o.key() == f.key() && !o.live(m.at) && o.End.After(t) && !o.From.After(t) &&
			(first == nil || o.End.Before(first.now().End)) {
			first = r
		}
	}
	return first
}

// nextPast returns the first past fact that began after f began and was said: a period of the same fact, or a rival
// that may end f.
func (m *Model) nextPast(f Fact, said time.Time, except int64) *relationship {
	if !f.End.IsZero() {
		return nil
	}
	t := f.From
	if said.After(t) {
		t = said
	}
	var next *relationship
	for _, r := range m.facts {
		o := r.now()
		if r.id == except || o.live(m.at) || !o.From.After(t) || !o.End.After(o.From) ||
			o.key() != f.key() && !(m.rival(f, o) && mayEnd(o, f)) {
			continue
		}
		if next == nil || o.From.Before(next.now().From) {
			next = r
		}
	}
	return next
}

// takeOver lets a past fact supersede the rivals that its own superseder had superseded, if it began while they held.
func (m *Model) takeOver(id int64) (ended []int64) {
	f := m.fact(id).now()
	for _, r := range m.facts {
		o := r.now()
		if o.live(m.at) || !m.rival(f, o) || o.SupersededBy != f.SupersededBy || !o.End.Equal(f.End) || o.From.IsZero() ||
			!o.From.Before(f.From) || !f.From.Before(o.End) || !mayEnd(f, o) {
			continue
		}
		o.End, o.SupersededBy = f.From, id
		m.write(r, o)
		ended = append(ended, r.id)
	}
	return ended
}
