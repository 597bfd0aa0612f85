package llm

import (
	"slices"
	"strings"
	"unicode/utf8"

	"memory-graph/extraction"
	"memory-graph/extraction/rules"
	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
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

// grounded returns how well a quote shows that it is about the two ends of a fact.
type grounded int

// The grades.
const (
	elsewhere grounded = iota // it names neither, although the turn names them
	unnamed                   // the turn names neither
	named                     // it names one, or refers to one
)

// grounds grades a quote. It is about a fact if it names one of the ends, if one is named in the lines before and left
// out here, or if it has a pronoun for one that is named before it or that the graph knows. It is also about the end of
// a fact that the graph has ("no, the 10th") or that the same answer replaces by one that it names ("5 min now").
func (t *validation) grounds(at rules.Span, verb string, ended bool, head, tail end) grounded {
	if ended {
		instead := t.instead(verb, head, tail)
		within := func(e end) bool {
			return slices.ContainsFunc(t.places(e), func(s [2]int) bool { return s[0] >= at.Start && s[1] <= at.Stop })
		}
		switch {
		case slices.ContainsFunc(instead, within),
			t.holds(verb, head, tail) != nil && slices.ContainsFunc(append(instead, head, tail), t.present):
			return named
		}
	}
	grade, before := unnamed, false
	quoted := map[string]bool{}
	for _, token := range content(t.Text[at.Start:at.Stop]) {
		quoted[cardinal(token.Stem)] = true
	}
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
		if said := content(e.said); len(said) > 0 && quoted[cardinal(said[len(said)-1].Stem)] {
			return named // in another form: "choirs mondays" names the choir
		}
	}
	if before && fold(t.Text[at.Start:at.Stop]).hasWord(third) {
		return named
	}
	return grade
}

// present reports whether an end is named in the turn, in any form of its words, or in the lines before, or is the
// user.
func (t *validation) present(e end) bool {
	if e.isSelf || e.said != "" {
		return true
	}
	_, just := t.justSaid(e.name)
	_, formed := t.composed(e.name)
	return just || formed
}

// instead returns the new values of an ended fact: what the same answer states of the same head with the same relation,
// or of the same tail.
func (t *validation) instead(verb string, head, tail end) (values []end) {
	for _, r := range t.answer.Relations {
		as, swap := directed(graph.Snake(r.Relation))
		first, ok1 := t.ends[r.Head]
		last, ok2 := t.ends[r.Tail]
		if swap {
			first, last = last, first
		}
		switch {
		case r.Ended || as != verb || !ok1 || !ok2:
		case same(first.name, head.name) && !same(last.name, tail.name):
			values = append(values, last)
		case same(last.name, tail.name) && !same(first.name, head.name):
			values = append(values, first)
		}
	}
	return values
}

// holds returns the fact as the prompt listed it, or else as the graph has it, or nil.
func (t *validation) holds(verb string, head, tail end) *extraction.Held {
	find := func(list []extraction.Held) *extraction.Held {
		for _, f := range list {
			held, swap := directed(f.Relation)
			from, to := f.Head, f.Tail
			if swap {
				from, to = to, from
			}
			if held == verb && same(from, head.name) && same(to, tail.name) {
				return &f
			}
		}
		return nil
	}
	if f := find(t.Held); f != nil || t.Facts == nil {
		return f
	}
	if f := find(t.Facts(head.name, memory.Out)); f != nil {
		return f
	}
	return find(t.Facts(head.name, memory.In)) // it may be stored from the other end
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
