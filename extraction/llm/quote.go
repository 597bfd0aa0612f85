package llm

import (
	"slices"
	"strings"
	"unicode/utf8"

	"memory-graph/extraction"
	"memory-graph/extraction/rules"
)

var (
	// third are the words with which a quote may refer to something named elsewhere.
	third = words(`he him his himself she her hers herself it its itself they them their theirs themselves this that
		these those who whom whose which there here same both one former latter`)
	// asking begin a question, and supposing a condition.
	asking = words(`am is are was were do does did can could should shall will would have has had may might who what when
		where which whose why how`)
	supposing = words(`if unless whether suppose supposing assuming imagine`)
)

// quote finds the model's quote in the turn. It returns the turn's own words and their place, or the reason why there
// are none. The quote must occur outside quoted text and code, because the speaker does not state those.
func (t *validation) quote(s string) (said string, at rules.Span, why string) {
	why = DroppedQuote
	for _, s := range []string{s, strings.Trim(s, "\"'“”‘’. \t\n")} { // the model may have added quotation marks
		for from := 0; ; {
			start, stop, ok := t.folded.find(s, from)
			if !ok {
				break
			}
			said, first, last := t.folded.span(start, stop)
			if t.speech.Own(first, last) {
				return said, rules.Span{Start: first, Stop: last}, ""
			}
			why, from = DroppedQuoted, stop
		}
	}
	return "", rules.Span{}, why
}

// grounded says how well a quote shows that it is about the two ends of a fact.
type grounded int

// The grades.
const (
	elsewhere grounded = iota // it names neither, although the turn names them
	unnamed                   // the turn names neither
	named                     // it names one, or refers to one
)

// grounds grades a quote. It is about a fact if it names one of the ends, if one is named in the lines before and left
// out here, if it has a pronoun for one that is named before it or that the graph knows, or if the fact ends one that
// the prompt listed ("no, the 10th").
func (t *validation) grounds(at rules.Span, verb string, ended bool, head, tail end) grounded {
	if ended && t.holds(verb, head, tail) {
		return named
	}
	grade, before := unnamed, false
	for _, e := range []end{head, tail} {
		if e.isSelf {
			continue
		}
		if e.said == "" {
			if _, just := t.justSaid(e.name); just {
				return named
			}
			before = true
			continue
		}
		grade = elsewhere
		for _, s := range t.places(e) {
			if s[0] >= at.Start && s[1] <= at.Stop {
				return named
			}
			before = before || s[0] < at.Start
		}
	}
	if before && fold(t.Text[at.Start:at.Stop]).hasWord(third) {
		return named
	}
	return grade
}

// holds reports whether the prompt listed the fact.
func (t *validation) holds(verb string, head, tail end) bool {
	return slices.ContainsFunc(t.Held, func(f extraction.Held) bool {
		held, swap := directed(f.Relation)
		if swap {
			f.Head, f.Tail = f.Tail, f.Head
		}
		return held == verb && same(f.Head, head.name) && same(f.Tail, tail.name)
	})
}

// unmeant reports whether a quote itself is a question or a condition. A question has exactly one question mark: "??"
// and "?!" express surprise. Text around the quote does not count.
func (t *validation) unmeant(at rules.Span) bool {
	quote := strings.TrimRight(t.Text[at.Start:at.Stop], " \t\n")
	words := strings.FieldsFunc(fold(quote).folded, func(r rune) bool { return !joins(r) && r != '\'' })
	if len(words) == 0 {
		return false
	}
	if supposing[words[0]] {
		return true
	}
	inside := strings.TrimRight(quote, marks)
	end := at.Start + len(inside)
	run := t.Text[end : len(t.Text)-len(strings.TrimLeft(t.Text[end:], marks))]
	return utf8.RuneCountInString(run) == 1 && strings.Contains(questionMarks, run) &&
		(len(inside) < len(quote) || asking[words[0]])
}

// marks end a sentence.
const (
	questionMarks = "?？؟"
	marks         = questionMarks + "!！"
)
