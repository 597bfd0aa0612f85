// Package supersession judges whether a later turn of a conversation superseded an earlier one: both answer the same
// question, and the later one says what is true now. The judgement is a weighted sum of the signals in a table. The
// signals that read words know English. The package also reads which time a question is about. All its functions
// are pure.
package supersession

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"memory-graph/internal/text"
)

// Turn is a turn as the signals see it. It is not safe for concurrent use.
type Turn struct {
	Content string  // of a long turn, the part that the question is about
	Z       float64 // similarity to the question: the standardised cosine
	Rank    int     // place in the ranking of the question, from 0
	Asks    bool    // ends with a question mark
	words   []string
}

// Pair is an earlier turn and a later one.
type Pair struct {
	Earlier, Later *Turn
	// Deviation is how similar the two are: the cosine of their vectors in standard deviations above the mean of the
	// earlier turn's cosines with all later turns.
	Deviation float64
	Nearest   bool // no later turn is more similar to the earlier one
}

// Enough is the sum of the signals from which the later turn supersedes the earlier one. Most pairs of similar turns
// have nothing to do with each other.
const Enough = 9.25

const (
	firstOf       = 6  // turns at the beginning of a ranking that count as found by the question
	mostZ         = 4. // bound of a similarity in standard deviations
	shortQuestion = 30 // words below which a turn that ends with a question mark states nothing
)

// signal is one named part of the judgement.
type signal struct {
	name   string
	weight float64
	reason string // shown by `explain`
	value  func(Pair, Asked) float64
}

// signals lists the signals. docs/experiments.md, "What holds now", tells where the weights come from. The signals from
// reading on read the words of the turns, which is expensive.
var signals = []signal{
	{"found", 5, "the question finds the later turn too",
		func(p Pair, _ Asked) float64 { return 1 - float64(min(p.Later.Rank, firstOf))/firstOf }},
	{"asked", .7, "the earlier turn is similar to the question",
		func(p Pair, _ Asked) float64 { return bounded(p.Earlier.Z) }},
	{"similar", 1, "the two turns are similar", func(p Pair, _ Asked) float64 { return bounded(p.Deviation) }},
	{"nearest", 2, "no later turn is more similar to the earlier one",
		func(p Pair, _ Asked) float64 { return truth(p.Nearest) }},
	{"change", 1.3, "the later turn has a word for a change (.5: for something new)", Pair.change},
	{"number", 1.5, "the question asks for a number or a time, and the later turn has another one (-1: it has not)",
		Pair.otherNumber},
	{"question", -1.8, "the later turn only asks",
		func(p Pair, _ Asked) float64 { return truth(p.Later.Asks && len(p.Later.read()) < shortQuestion) }},
	{"adds", -1.8, "the later turn adds to what is true (also, too)",
		func(p Pair, _ Asked) float64 { return truth(additions.MatchString(p.Later.Content)) }},
}

const (
	reading     = 4
	mostReading = 1.3 + 1.5 // the largest sum of the signals from reading on
)

// Points returns the sum of the signals; from Enough on the later turn supersedes the earlier one. If the words of the
// turns cannot decide, it leaves out the signals that read them.
func (p Pair) Points(asked Asked) (points float64) {
	for i, s := range signals {
		if i == reading && points+mostReading < Enough {
			break
		}
		points += s.weight * s.value(p, asked)
	}
	return points
}

// Why lists the signals that are not 0, each with the points that it gives.
func (p Pair) Why(asked Asked) string {
	var why []string
	for _, s := range signals {
		if v := s.value(p, asked); v != 0 {
			why = append(why, fmt.Sprintf("%s (%+.1f)", s.reason, s.weight*v))
		}
	}
	return strings.Join(why, "; ")
}

func bounded(z float64) float64 { return max(-1, min(z, mostZ)) }

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// changes say that something took the place of another, or ended. fresh words say that something is new or over, which
// may also be so beside the old. Words that are in every story (finally, again) are in neither.
var (
	changes = set(`instead anymore actually correction wrong undone final
		switched switch switching changed replaced replaces replacing replacement moved moving moves relocated transferred
		shifted swapped traded exchanged migrated ported converted renamed
		upgraded downgraded bumped updated update revised amended reverted improved grew
		cancelled canceled cancel postponed rescheduled rebooked delayed extended shortened scrapped ditched dropped drop
		drops abandoned revoked removed expired renewed rotated deleted merged split reassigned
		raised lowered increased decreased reduced doubled halved cut
		retired quit resigned fired promoted appointed hired becomes became died
		forget stolen broke burnt sold closed shut stopped ended settled pulled killed`)
	fresh = set(`now new since recently lately until no not went back took turns over rather done takes gone left longer
		reached`)
	// additions match "also" except as the first word, where it begins another subject, and "too" after what it adds.
	additions = regexp.MustCompile(`(?i)\S\s+(?:also|besides|additionally)\b|\b(?:too|as well)\s*(?:[.,;:!?)]|$)`)
	numbers   = text.Words(text.Without(text.Words(text.Months), "may"), text.Words(text.Weekdays), set(`two three four
		five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty
		thirty forty fifty sixty seventy eighty ninety hundred thousand dozen noon midnight`))
)

// change returns 1 if the later turn has a word of changes, .5 if it has only one of fresh, else 0.
func (p Pair) change(Asked) float64 {
	switch words := p.Later.read(); {
	case anyOf(words, changes):
		return 1
	case anyOf(words, fresh):
		return .5
	}
	return 0
}

// otherNumber returns 0 if the question asks for no number. Else it returns 1 if both turns have numbers and the later
// one has one that the earlier one has not, and -1 if not.
func (p Pair) otherNumber(asked Asked) float64 {
	if !asked.number {
		return 0
	}
	said := p.Earlier.read()
	if slices.ContainsFunc(said, isNumber) && slices.ContainsFunc(p.Later.read(), func(w string) bool {
		return isNumber(w) && !slices.Contains(said, w)
	}) {
		return 1
	}
	return -1
}

// isNumber reports whether a word gives a number, a month, a day of the week or a time.
func isNumber(w string) bool {
	return strings.ContainsAny(w, "0123456789") || numbers[w] || numbers[strings.TrimSuffix(w, "s")]
}

// read returns the words of the turn, folded.
func (t *Turn) read() []string {
	if t.words == nil {
		t.words = wordsOf(t.Content)
	}
	return t.words
}

func wordsOf(s string) []string {
	tokens := text.Tokens(s)
	words := make([]string, len(tokens))
	for i, t := range tokens {
		words[i] = t.Word
	}
	return words
}

func anyOf(words []string, in map[string]bool) bool {
	return slices.ContainsFunc(words, func(w string) bool { return in[w] })
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}
