// Package stated decides which facts a turn states in its own words. A fact that a caller supplies with a user's turn
// gets the trust of the user only if the turn states it.
package stated

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memory-graph/extraction"
	"memory-graph/extraction/mentions"
	"memory-graph/extraction/rules"
	"memory-graph/internal/memory"
)

// Facts reports for each fact whether the turn states it: one sentence of the turn's own words contains the head and
// the tail ("I" is t.Self) and states something. Quotations, code and logs are not the turn's own words. Questions,
// denials, wishes, guesses, suppositions and reports of what others said are not statements.
func Facts(t extraction.Input, facts []memory.RelationDraft) []bool {
	h := hearing{text: t.Text, self: memory.Canonical(t.Self), places: map[string][]rules.Span{}}
	var names []rules.Span
	for _, d := range facts {
		names = append(append(names, h.stands(d.Head)...), h.stands(d.Tail)...)
	}
	h.speech = rules.Hear(t.Text, names)
	out := make([]bool, len(facts))
	for i, d := range facts {
		out[i] = h.states(d)
	}
	return out
}

// hearing is the text of a turn while facts are looked for in it.
type hearing struct {
	text   string
	self   string // canonical
	speech *rules.Speech
	places map[string][]rules.Span // positions of names, by canonical name
}

// maxPlaces is the maximum number of positions of one name that are read. A text that repeats a name more often is
// data.
const maxPlaces = 20

// stands returns the positions of a name in the text, as whole words.
func (h *hearing) stands(name string) []rules.Span {
	canonical := memory.Canonical(name)
	if have, ok := h.places[canonical]; ok || canonical == "" {
		return have
	}
	parts := strings.Fields(canonical)
	for i, p := range parts {
		parts[i] = strings.ReplaceAll(regexp.QuoteMeta(p), "'", "['’]")
	}
	var found []rules.Span
	for _, at := range regexp.MustCompile(`(?i)`+strings.Join(parts, `\s+`)).FindAllStringIndex(h.text, maxPlaces) {
		before, _ := utf8.DecodeLastRuneInString(h.text[:at[0]])
		after, _ := utf8.DecodeRuneInString(h.text[at[1]:])
		if (at[0] == 0 || !wordRune(before)) && (at[1] == len(h.text) || !wordRune(after)) &&
			mentions.Continues(h.text, at[1]) == at[1] {
			found = append(found, rules.Span{Start: at[0], Stop: at[1]})
		}
	}
	h.places[canonical] = found
	return found
}

// states reports whether a sentence states the fact.
func (h *hearing) states(d memory.RelationDraft) bool {
	at, other := h.stands(d.Tail), d.Head
	if memory.Canonical(d.Tail) == h.self {
		at, other = h.stands(d.Head), d.Tail
	}
	return slices.ContainsFunc(at, func(name rules.Span) bool {
		if !h.speech.Own(name.Start, name.Stop) {
			return false
		}
		c, ok := h.speech.Clause(name, d.Relation)
		if !ok || !h.has(other, c) {
			return false
		}
		if h.speech.Foreign() {
			return statesElsewhere(h.speech.Words(c.Sentence[0], c.Sentence[1]), d.Ended)
		}
		return holds(c, d, strings.ToLower(h.speech.Words(c.Start, c.Sentence[1])))
	})
}

// has reports whether the sentence of a clause contains a name. For the user's name, a clause about the user is enough.
func (h *hearing) has(name string, c rules.Clause) bool {
	if slices.ContainsFunc(h.stands(name), func(s rules.Span) bool {
		return s.Start >= c.Sentence[0] && s.Stop <= c.Sentence[1] && h.speech.Own(s.Start, s.Stop)
	}) {
		return true
	}
	if memory.Canonical(name) != h.self || !h.speech.Foreign() {
		return memory.Canonical(name) == h.self && c.Self
	}
	self, _ := elsewhere(h.speech.Words(c.Sentence[0], c.Sentence[1]))
	return self
}

// holds reports whether an English clause states the fact: that it holds, or that it has ended.
func holds(c rules.Clause, d memory.RelationDraft, words string) bool {
	if c.Denied { // "I don't live in Oslo", but not "I never left Acme"
		return d.Ended && !hasAny(words, leaving)
	}
	return d.Ended || !c.Over
}

// leaving lists words for an end. A sentence that denies one of them ("I never left") states no end.
var leaving = []string{"leave", "leaving", "left", "quit", "quitting", "stop", "stopped", "stopping", "end", "ended",
	"resign", "resigned", "drop", "dropped", "move", "moved",
	"switch", "switched", "gone", "fired", "retire", "retired", "remove", "removed", "replace", "replaced", "abandon",
	"abandoned", "ditch", "ditched", "sell", "sold"}

// statesElsewhere reports whether a sentence in another language than English states something. It must not be a
// question and, unless the fact has ended, must not contain a negation.
func statesElsewhere(sentence string, ended bool) bool {
	for _, asking := range []string{"?", "？", "¿", "ですか", "ますか", "吗", "؟"} {
		if strings.Contains(sentence, asking) {
			return false
		}
	}
	_, denies := elsewhere(sentence)
	return ended || !denies
}

func hasAny(text string, words []string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(text, func(r rune) bool { return !wordRune(r) }),
		func(w string) bool { return slices.Contains(words, w) })
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }
