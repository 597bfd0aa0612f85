package rules

import (
	"slices"
	"strings"

	"memory-graph/extraction"
)

// Step is one step of reading a sentence: a template matched and stated a fact, or a guard rejected the sentence, a
// clause, a template or a fact.
type Step struct {
	Matched  string `json:"matched,omitempty"`  // the template, as in the table
	Fact     string `json:"fact,omitempty"`     // what it states
	Rejected string `json:"rejected,omitempty"` // the words, template or fact that was rejected
	Guard    string `json:"guard,omitempty"`    // what rejected it
}

// Explained is the explanation of one sentence.
type Explained struct {
	Sentence string `json:"sentence"`
	Steps    []Step `json:"steps"`
}

// Explain reads a turn like Extract. It returns for each sentence the templates that matched and what the guards
// rejected. Text that is not read, such as code and quotations, is blank.
func (r *Rules) Explain(t extraction.Input) []Explained {
	var out []Explained
	r.extract(t, &out)
	return out
}

// begin starts the explanation of a sentence.
func (r *reader) begin(t []token) {
	if r.trace == nil || len(t) == 0 {
		return
	}
	text := strings.Join(strings.Fields(r.text[t[0].start:t[len(t)-1].stop]), " ")
	*r.trace = append(*r.trace, Explained{Sentence: text, Steps: []Step{}})
}

// note adds a step to the explanation of the current sentence.
func (r *reader) note(s Step) {
	if r.trace == nil || len(*r.trace) == 0 {
		return
	}
	last := &(*r.trace)[len(*r.trace)-1]
	if !slices.Contains(last.Steps, s) {
		last.Steps = append(last.Steps, s)
	}
}

// text returns the words of a clause for an explanation.
func (c *clause) text() string {
	from, to := c.s.t[c.from], c.s.t[len(c.s.t)-1]
	if c.c[c.verb].b < len(c.s.t) {
		to = c.s.t[c.c[c.verb].b-1]
	}
	return c.s.text[min(from.start, to.start):to.stop]
}
