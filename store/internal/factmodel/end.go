package factmodel

import (
	"slices"
	"time"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// ended applies a claim that a fact has ended or will end.
//
// saidEnd means that no end was given: the fact ends when the claim was said.
func (m *Model) ended(c Claim, f Fact, saidEnd bool) Outcome {
	out := Outcome{Status: memory.RelationEnded}
	r := m.active(f.key(), 0)
	switch {
	case r != nil && (r.now().began(f.End) || r.now().From.Equal(f.End) || saidEnd && m.announced(r, f.End)):
		o := r.now()
		ends := mayEnd(f, o)
		if !ends {
			out.Conflicts = []int64{r.id}
		}
		if !ends && !f.live(m.at) {
			break
		}
		if ends {
			if o.End = f.End; o.From.After(o.End) { // called off: it ends when it would have begun
				o.End = o.From
			}
			m.write(r, o)
			m.callOff(r)
		}
		// Open: if the end lies ahead and the claim may not end the fact, there is no past fact to store. The fact
		// stays active, in conflict, and the claim is added to its evidence.
		r.evidence[c.Evidence] = true
		out.Fact = r.id
		return out
	case f.live(m.at):
		// Open: an unknown fact with an end ahead is active until then.
		return m.claim(c, f, 0)
	}
	out.Fact = m.past(c, f, nil).Fact
	return out
}

// announced reports whether some of a fact's evidence had been said at an instant.
func (m *Model) announced(r *relationship, at time.Time) bool {
	for e := range r.evidence {
		if !m.heard[e].After(at) {
			return true
		}
	}
	return false
}

// Supersession is a deliberate end of a fact. An existing fact, a new one or none replaces it.
type Supersession struct {
	Fact        int64
	Replacement int64  // 0 for none
	New         *Claim // it has the fact's head; the test fills in relation and tail
	At          time.Time
}

// Supersede ends a fact. The outcome's Fact is the replacement, and its Status is the result of writing a new one.
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
		c.From = first(c.From, at) // Open: it begins when the other ends
		if turned, _ := graph.Reads(graph.Snake(c.Relation), o.Relation); turned {
			c.Head = o.Tail
		}
		f, code := m.draft(c)
		if code != "" {
			return Outcome{}, code
		}
		// Open: if the new fact equals the old one, and the old one is not over yet, it would replace itself.
		if f.key() == o.key() && f.live(m.at) && over(o, at).live(m.at) {
			return Outcome{}, memory.Conflict
		}
		out = m.claim(c, f, r.id)
		// The ended fact is reported separately.
		out.Superseded = slices.DeleteFunc(out.Superseded, func(id int64) bool { return id == r.id })
		// A refused claim leaves nothing behind, because tests play calls on a copy.
		if m.leads(out.Fact, r.id) {
			return Outcome{}, memory.Conflict
		}
	}
	o.End, o.SupersededBy = at, out.Fact
	m.write(r, o)
	if out.Fact == 0 {
		m.callOff(r)
	}
	return out, ""
}

// callOff takes back the ends that a plan had scheduled, if it has ended before it began.
func (m *Model) callOff(plan *relationship) {
	p := plan.now()
	if !p.From.After(m.second()) || p.End.After(p.From) || p.End.IsZero() {
		return
	}
	for _, r := range m.facts {
		o := r.now()
		if o.SupersededBy != plan.id || len(m.rivals(o, r.id)) > 0 {
			continue
		}
		if again := m.active(o.key(), r.id); again != nil {
			continue
		}
		o.End, o.SupersededBy = time.Time{}, 0
		m.write(r, o)
	}
}

func over(f Fact, at time.Time) Fact {
	f.End = at
	return f
}

// first returns the first time that is not zero.
func first(times ...time.Time) time.Time {
	for _, t := range times {
		if !t.IsZero() {
			return t
		}
	}
	return time.Time{}
}

// Change is update_relation. It is deliberate, so the rules of trust do not apply.
type Change struct {
	Fact       int64
	Sentence   *string
	Confidence *float64
	Strength   *float64
	From, End  *time.Time
}

// Update changes a fact. A zero end removes a scheduled end.
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
		if !f.live(m.at) { // Open: an ended fact gets no new end; undo can restore it
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
