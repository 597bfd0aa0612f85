package referred

import (
	"slices"
	"strings"

	"memory-graph/extraction"
	"memory-graph/extraction/rules"
	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
	"memory-graph/internal/text"
)

const (
	// amends are words before a correction.
	amends = `((?:(?:oh|ah|oops|ugh|hmm|um|uh|ok|well|lol|haha|wait|hang on|no|nope|nah|sorry|actually|` +
		`correction|scratch that|` +
		`my bad|my mistake|i misspoke)[,.:;!…—–-]* +)*)`
	it = `(i meant|i mean|it'?s|it is|it was|that'?s|that was|` +
		`make that|(?:his|her|its|the) name'?s?(?: is)?)`
	value  = `((?:the |a |an |my )?[\p{L}\d][\p{L}\d'’+#/&-]*(?: [\p{L}\d][\p{L}\d'’+#/&-]*){0,3})`
	behind = `(?:[,—–-]+ *(?:sorry|my bad|my mistake|oops))?[.!]*$`
)

var (
	// thisNotThat is "I meant cashews, not peanuts", notThatThis "not peanuts, it was cashews".
	thisNotThat = text.Pattern(`(?i)^` + amends + `(?:` + it + ` )?` + value + `(?:,| and|,? but)? not ` + value +
		behind)
	notThatThis = text.Pattern(`(?i)^` + amends + `(?:` + it + ` )?not ` + value +
		`(?:,? but|[,.;:—–-]+) *(?:rather )?(?:` + it + ` )?` + value + behind)
	// noValue are words of what is no value that a fact could have.
	noValue = text.Pattern(`(?i)\b(?:i|you|he|she|it|we|they|me|that|this|there|is|are|was|were|be|been|do|` +
		`does|did|have|has|had|to|in|on|at|by|for|from|with|so|just|only|even|really|very|` +
		`yet|always|sure|true|not|because|if|when)\b`)
	article = text.Pattern(`(?i)^(?:the|a|an|my) `)
)

// maxCorrection is how long a correction is at most, in bytes.
const maxCorrection = 160

// correction is a text that names one value in the place of another.
type correction struct {
	now, before string
	retracts    bool // it takes back what was said: "sorry", "I meant"
	quote       string
}

// contrast reads a sentence that says nothing but a correction.
func contrast(sentence string) (c correction, ok bool) {
	sentence = strings.TrimSpace(sentence)
	c.quote = sentence
	if m := thisNotThat().FindStringSubmatch(sentence); m != nil {
		c.now, c.before, c.retracts = m[3], m[4], retracts(m[1]+m[2])
	} else if m := notThatThis().FindStringSubmatch(sentence); m != nil {
		c.now, c.before, c.retracts = m[5], m[3], retracts(m[1]+m[2]+m[4])
	}
	if article().MatchString(c.now) && !article().MatchString(c.before) { // "not Redis, it was the network"
		return c, false
	}
	c.now, c.before = article().ReplaceAllString(c.now, ""), article().ReplaceAllString(c.before, "")
	return c, c.now != "" && !noValue().MatchString(c.now) && !noValue().MatchString(c.before) &&
		!strings.EqualFold(c.now, c.before) && strings.HasSuffix(c.now, "ing") == strings.HasSuffix(c.before, "ing")
}

// retracts reports whether words take back what was said, which a bare "no" may not.
func retracts(words string) bool {
	return hasAny(strings.ToLower(words), []string{"wait", "hang on", "sorry", "oops", "correction", "scratch that",
		"my bad", "my mistake", "misspoke", "i mean"})
}

// corrected adds the fact that a correction puts in the place of another one, and denies that one. It is the one active
// fact with the value that the turn rejects: one that was just said, or any if the turn takes something back.
func corrected(t extraction.Input, list []memory.RelationDraft) []memory.RelationDraft {
	if !strings.Contains(strings.ToLower(t.Text), "not ") {
		return list
	}
	text := rules.Hear(t.Text, nil).Words(0, len(t.Text))
	parts := []string{text} // "Not peanuts. It was cashews." is one correction
	for rest := text; rest != ""; {
		_, end := endOfSentence(rest)
		parts, rest = append(parts, rest[:end]), rest[end:]
	}
	for _, part := range parts {
		c, ok := contrast(part)
		if !ok || len(part) > maxCorrection {
			continue
		}
		h, ok := c.of(t, list)
		if !ok {
			continue
		}
		sure := confidence
		old := memory.RelationDraft{Head: h.Head, HeadType: h.HeadType, Relation: h.Relation, Tail: h.Tail,
			TailType: h.TailType, Quote: c.quote, Confidence: &sure, Method: memory.MethodRuleHedged, Ended: true,
			News: true, Denied: true, Fact: rules.Sentence(h.Head, h.Relation, h.Tail, true)}
		d := old
		d.Ended, d.Denied, d.Tail = false, false, c.now
		d.Fact = rules.Sentence(d.Head, d.Relation, d.Tail, false)
		if list = append(list, old); !stated(list, d) {
			list = append(list, d)
		}
	}
	return list
}

// of returns the fact that a correction is of.
func (c correction) of(t extraction.Input, list []memory.RelationDraft) (extraction.Held, bool) {
	key := memory.Canonical(c.before)
	var just, all []extraction.Held
	for _, d := range list {
		if memory.Canonical(d.Tail) == key {
			if d.Ended {
				return extraction.Held{}, false // the rules have read it
			}
			just = append(just, extraction.Held{Head: d.Head, HeadType: d.HeadType, Relation: d.Relation, Tail: d.Tail,
				TailType: d.TailType})
		}
	}
	for _, h := range uses(t.Facts(c.before, memory.In)) {
		if graph.Lookup(h.Relation).Class == memory.CoOccurrence || h.Relation == "same_as" || slices.ContainsFunc(just,
			func(o extraction.Held) bool { return o.Head == h.Head && o.Relation == h.Relation }) {
			continue
		}
		switch {
		case (memory.IsPerson(h.TailType) || ofKinds(h.Relation)) && !c.retracts: // may be said of anything
		case h.Just:
			just = append(just, h)
		case c.retracts:
			all = append(all, h)
		}
	}
	if len(just) == 0 {
		just = all
	}
	return one(just, func(extraction.Held) bool { return true })
}
