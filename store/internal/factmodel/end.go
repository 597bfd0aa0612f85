package factmodel

import (
	"slices"
	"time"

	"memory-graph/internal/memory"
)

// ended takes a claim that a fact is over, or will be.
func (m *Model) ended(c Claim, f Fact) Outcome {
	out := Outcome{Status: memory.RelationEnded}
	r := m.active(f.key(), 0)
	switch {
	case r != nil && (r.now().began(f.End) || r.now().From.Equal(f.End)):
		o := r.now()
		ends := mayEnd(f, o)
		if !ends {
			out.Conflicts = []int64{r.id}
		}
		if !ends && !f.live(m.at) {
			break
		}
		if ends {
			o.End = f.End
			m.write(r, o)
		}
		// Open: where the end lies ahead and the fact is not ended by the claim, there is no past to store: the fact stays
		// as it is, in conflict, with the claim among its evidence.
		r.evidence[c.Evidence] = true
		out.Fact = r.id
		return out
	case f.live(m.at):
		// Open: what is said to end later, and was not known, holds until then.
		return m.claim(c, f, 0)
	}
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
	var out Outcome
	at := seconds(s.At)
	switch {
	case s.Replacement != 0:
		n := m.fact(s.Replacement)
		switch {
		case n == nil:
			return Outcome{}, memory.NotFound
		case n == r:
			return Outcome{}, memory.InvalidArgument
		case !n.now().live(m.at) || m.leads(n.id, r.id):
			return Outcome{}, memory.Conflict
		}
		out.Fact, at = n.id, first(at, n.now().From)
	case s.New != nil:
		at = first(at, seconds(s.New.From))
	}
	if !s.At.IsZero() && seconds(s.At).Before(o.From) {
		return Outcome{}, memory.InvalidArgument
	}
	if at = first(at, m.second()); at.Before(o.From) {
		at = o.From
	}
	if s.New != nil {
		c := *s.New
		c.From = first(c.From, at) // Open: it begins where the other ends
		f, code := m.draft(c)
		if code != "" {
			return Outcome{}, code
		}
		// Open: where it says the very same and the fact is not over yet, it would take its own place.
		if f.key() == o.key() && f.live(m.at) && over(o, at).live(m.at) {
			return Outcome{}, memory.Conflict
		}
		out = m.claim(c, f, r.id)
		out.Superseded = slices.DeleteFunc(out.Superseded, func(id int64) bool { return id == r.id }) // that is told apart
		// a claim that is refused leaves nothing behind: tests play calls to a copy
		if m.leads(out.Fact, r.id) {
			return Outcome{}, memory.Conflict
		}
	}
	o.End, o.SupersededBy = at, out.Fact
	m.write(r, o)
	return out, ""
}

func over(f Fact, at time.Time) Fact {
	f.End = at
	return f
}

// first gives the first time that is known.
func first(times ...time.Time) time.Time {
	for _, t := range times {
		if !t.IsZero() {
			return t
		}
	}
	return time.Time{}
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
		f.Confidence = memory.Capped(c.Confidence, f.Origin, f.Method) // Open: the caps hold here too
	}
	if c.Strength != nil {
		f.Strength = *c.Strength
	}
	if c.From != nil {
		f.From = seconds(*c.From)
	}
	if c.End != nil {
		if !f.live(m.at) { // Open: what is over does not come back to life this way, nor end anew; undo does that
			return memory.Conflict
		}
		if f.End = seconds(*c.End); f.End.IsZero() {
			f.SupersededBy = 0
		}
	}
	if (c.From != nil || c.End != nil) && !f.End.IsZero() && !f.From.IsZero() && !f.End.After(f.From) {
		return memory.InvalidArgument
	}
	m.write(r, f)
	return ""
}
