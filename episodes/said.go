package episodes

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memory-graph/extraction/llm"
	"memory-graph/extraction/rules"
	"memory-graph/internal/memory"
)

// Hearing reads a text for how it says things: rules.Hear.
type Hearing func(text string, role memory.Role, names []rules.Span) *rules.Speech

// said marks which of the facts supplied with a user's turn the user says: those whose head and tail stand in one
// sentence of the turn's own words that states it ("I" is the user's name). Quotations, code and logs are not the
// user's words; what is asked, denied, wished, guessed, supposed or told by others is not stated. When one of these
// facts ends another it is trusted like the user: the agent only put into form what the user said (docs/facts.md).
func (r *Reader) said(e memory.Episode, relations []memory.RelationDraft) {
	if e.Role != memory.RoleUser || e.Origin != memory.OriginUser || len(relations) == 0 || r.o.Hear == nil {
		return
	}
	text := beginning(e.Content, r.o.MaxBytes)
	h := hearing{text: text, self: memory.Canonical(r.self(e)), places: map[string][]rules.Span{}}
	var names []rules.Span
	for _, d := range relations {
		names = append(append(names, h.stands(d.Head)...), h.stands(d.Tail)...)
	}
	h.speech = r.o.Hear(text, e.Role, names)
	for i, d := range relations {
		if h.states(d) {
			relations[i].SaidBy = e.Origin
		}
	}
}

// hearing is a turn that is asked what of the supplied it states.
type hearing struct {
	text   string
	self   string // canonical
	speech *rules.Speech
	places map[string][]rules.Span
}

// maxPlaces bounds where a name is looked for: a text that names it more often is data.
const maxPlaces = 20

// stands gives where a name stands in the text as words of its own.
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
		if (at[0] == 0 || !wordRune(before)) && (at[1] == len(h.text) || !wordRune(after)) {
			found = append(found, rules.Span{Start: at[0], Stop: at[1]})
		}
	}
	h.places[canonical] = found
	return found
}

// states says whether a sentence states a fact.
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

// has says whether a name stands in the sentence of a clause, or the clause is the user's where the user is meant.
func (h *hearing) has(name string, c rules.Clause) bool {
	if slices.ContainsFunc(h.stands(name), func(s rules.Span) bool {
		return s.Start >= c.Sentence[0] && s.Stop <= c.Sentence[1] && h.speech.Own(s.Start, s.Stop)
	}) {
		return true
	}
	if memory.Canonical(name) != h.self || !h.speech.Foreign() {
		return memory.Canonical(name) == h.self && c.Self
	}
	self, _ := llm.Elsewhere(h.speech.Words(c.Sentence[0], c.Sentence[1]))
	return self
}

// holds says whether an English clause states a fact: that it holds, or that it has ended.
func holds(c rules.Clause, d memory.RelationDraft, words string) bool {
	switch {
	case c.Manner == rules.Stated:
		return d.Ended || !c.Over
	case c.Manner == rules.Denied && d.Ended: // "I don't live in Oslo", but not "I never left Acme"
		return !hasAny(words, leaving)
	}
	return false
}

// leaving are words of an end, which a denial of it takes back.
var leaving = []string{"leave", "leaving", "left", "quit", "quitting", "stop", "stopped", "stopping", "end", "ended",
	"resign", "resigned", "drop", "dropped", "move", "moved",
	"switch", "switched", "gone", "fired", "retire", "retired", "remove", "removed", "replace", "replaced", "abandon",
	"abandoned", "ditch", "ditched", "sell", "sold"}

// statesElsewhere says whether a sentence of another language, of which the manner is not known, states something: it
// asks nothing and, where a fact is to hold, has no word that denies.
func statesElsewhere(sentence string, ended bool) bool {
	for _, asking := range []string{"?", "？", "¿", "ですか", "ますか", "吗", "؟"} {
		if strings.Contains(sentence, asking) {
			return false
		}
	}
	_, denies := llm.Elsewhere(sentence)
	return ended || !denies
}

func hasAny(text string, words []string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(text, func(r rune) bool { return !wordRune(r) }),
		func(w string) bool { return slices.Contains(words, w) })
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }
