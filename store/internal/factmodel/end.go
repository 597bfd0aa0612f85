package factmodel

import (
	"time"

	"memory-graph/memory"
)

// ended takes a claim that a fact is over, or will be.
func (m *Model) ended(c Claim, f Fact) Outcome {
	if f.End.IsZero() {
		f.End = m.said(c)
	}
	out := Outcome{Status: memory.RelationEnded}
	r := m.active(f.key(), 0)
	switch {
	case r != nil && r.now().began(f.End):
		o := r.now()
		if !mayEnd(f, o) {
			out.Conflicts = []int64{r.id}
			break
		}
		o.End = f.End
		m.write(r, o)
		r.evidence[c.Evidence] = true
		out.Fact = r.id
		return out
	case r == nil && f.live(m.at):
		// Open: what is said to end later, and was not known, holds until then.
		return m.claim(c, f, 0)
	}
	// Open: where the end lies ahead and the active fact is not ended by it, the page gives no place for the claim; tests
	// do not go there.
	out.Fact = m.past(c, f, nil).Fact
	return out
}

// Supersession is a deliberate end, with an existing fact, a new one or nothing in its place.
type Supersession struct {
	Fact        int64
	Replacement int64  // 0 for none
	New         *Claim // its head is the fact's; the test fills in relation and tail
	At          time.Time
}

// Supersede ends a fact. The outcome's fact is the replacement's, its status says what became of a new one.
func (m *Model) Supersede(s Supersession) (Outcome, memory.Code) {
	r := m.fact(s.Fact)
	if r == nil {
		return Outcome{}, memory.NotFound
	}
	o := r.now()
	if !o.live(m.at) {
		return Outcome{}, memory.Conflict
	}
	if !s.At.IsZero() && seconds(s.At).Before(o.From) {
		return Outcome{}, memory.InvalidArgument
	}
	var out Outcome
	switch {
	case s.Replacement != 0:
		n := m.fact(s.Replacement)
		switch {
		case n == nil:
			return Outcome{}, memory.NotFound
		case n == r || n.now().Head != o.Head:
			return Outcome{}, memory.InvalidArgument
		case !n.now().live(m.at) || m.leads(n.id, r.id):
			return Outcome{}, memory.Conflict
		}
		out.Fact = n.id
	case s.New != nil:
		f, code := m.draft(*s.New)
		if code != "" {
			return Outcome{}, code
		}
		out = m.claim(*s.New, f, r.id)
		// A claim that cannot take the fact's place is refused, and leaves nothing: tests begin again from a copy.
		if m.leads(out.Fact, r.id) {
			return Outcome{}, memory.Conflict
		}
	}
	at := seconds(s.At)
	if at.IsZero() {
		at = m.second()
		if n := m.fact(out.Fact); n != nil && !n.now().From.IsZero() {
			at = n.now().From
		}
		if at.Before(o.From) {
			at = o.From
		}
	}
	o.End = at
	if out.Fact != 0 {
		o.SupersededBy = out.Fact
	}
	// Open: the fact's own key is taken by its replacement, so it must be over now.
	if n := m.fact(out.Fact); n != nil && n.now().key() == o.key() && o.live(m.at) && n.now().live(m.at) {
		return Outcome{}, memory.Conflict
	}
	m.write(r, o)
	return out, ""
}

// Change is update_relation: deliberate, and bound by no trust.
type Change struct {
	Fact       int64
	Sentence   *string
	Confidence *float64
	Strength   *float64
	From, End  *time.Time
}

// Update changes a fact. The zero time takes a scheduled end away.
func (m *Model) Update(c Change) memory.Code {
	r := m.fact(c.Fact)
	if r == nil {
		return memory.NotFound
	}
	if !fraction(c.Confidence) || !fraction(c.Strength) {
		return memory.InvalidArgument
	}
	f := r.now()
	if c.Sentence != nil {
		f.Sentence = *c.Sentence
	}
	if c.Confidence != nil {
		f.Confidence = *c.Confidence
	}
	if c.Strength != nil {
		f.Strength = *c.Strength
	}
	if c.From != nil {
		f.From = seconds(*c.From)
	}
	if c.End != nil {
		if c.End.IsZero() && !f.live(m.at) { // Open: what is over does not come back to life this way; undo does that
			return memory.Conflict
		}
		f.End = seconds(*c.End)
	}
	if !f.End.IsZero() && f.End.Before(f.From) {
		return memory.InvalidArgument
	}
	m.write(r, f)
	return ""
}
