// Package mentions finds names in a text: known names, and words that look like names. It reads a text once, in linear
// time, and without a grammar. The names are candidates that link turns with each other; they are not facts.
package mentions

import (
	"cmp"
	"slices"

	"memory-graph/internal/memory"
)

// MaxMentions is the maximum number of names that Find returns. Of a text with more names it keeps the better kinds,
// and within a kind the first.
const MaxMentions = 64

// The roles of a mention.
const (
	RoleMention = "mention"
	RoleTitle   = "title" // the name is the title of the text
)

// Finder finds names. The zero value is ready to use and safe for concurrent use.
type Finder struct{}

// Find returns the distinct names of a text, each at its first position, in the order of the text: at most MaxMentions.
// Names that differ only in case or white space are the same. known may be nil.
func (f Finder) Find(text string, known *Dictionary) []memory.Mention {
	distinct := merged(find(text, known))
	if len(distinct) > MaxMentions {
		slices.SortStableFunc(distinct, func(a, b span) int { return cmp.Compare(a.kind, b.kind) })
		distinct = distinct[:MaxMentions]
		slices.SortFunc(distinct, func(a, b span) int { return cmp.Compare(a.Start, b.Start) })
	}
	return mentions(distinct)
}

// Distinct returns what Find would return for the text in which FindAll found all, without reading the text again. ok
// is false if there are more than MaxMentions; then call Find. Distinct does not change all.
func (f Finder) Distinct(all []memory.Mention) (distinct []memory.Mention, ok bool) {
	spans := make([]span, len(all))
	for i, m := range all {
		spans[i].Mention = m
	}
	spans = merged(spans)
	if len(spans) > MaxMentions {
		return nil, false
	}
	return mentions(spans), true
}

// merged joins the occurrences of each name to one, in place.
func merged(all []span) []span {
	seen := make(map[string]int, len(all))
	distinct := all[:0]
	for _, m := range all {
		key := memory.Canonical(m.Name)
		if key == "" {
			continue
		}
		if i, ok := seen[key]; ok {
			if first := &distinct[i]; first.Type == "" {
				first.Type = m.Type
			}
			distinct[i].Unsure = distinct[i].Unsure && m.Unsure
			continue
		}
		seen[key] = len(distinct)
		distinct = append(distinct, m)
	}
	return distinct
}

// FindAll returns every occurrence of a name, in the order of the text and without overlaps.
func (f Finder) FindAll(text string, known *Dictionary) []memory.Mention {
	return mentions(find(text, known))
}

func mentions(spans []span) []memory.Mention {
	out := make([]memory.Mention, len(spans))
	for i, s := range spans {
		out[i] = s.Mention
	}
	return out
}

// kind ranks the spans. If there are too many, the last kinds are dropped first. Of two overlapping spans of equal
// length, the better kind stays.
type kind uint8

const (
	kindTitle kind = iota
	kindKnown
	kindShape  // a file, a ticket, a variable, code: recognised by its spelling
	kindPhrase // several capitalised words, or one with a title
	kindName   // one capitalised word
	kindFirst  // one capitalised word at the beginning of a sentence
	kindHost
)

// span is a mention during selection. It covers from..to, which may be more than the name: a URL's path has no names.
type span struct {
	memory.Mention
	kind     kind
	from, to int
}

func newSpan(text string, start, stop int, k kind, typ string) span {
	m := memory.Mention{Name: text[start:stop], Type: typ, Role: RoleMention, Unsure: k == kindFirst, Start: start,
		Stop: stop}
	return span{Mention: m, kind: k, from: start, to: stop}
}

// find returns all occurrences, in order and without overlaps.
func find(text string, known *Dictionary) []span {
	tokens := lex(text)
	title, body := findTitle(text)
	var spans []span
	if title.to > 0 {
		spans = append(spans, title)
	}
	spans = append(spans, findShapes(text, tokens)...)
	found := known.match(text, tokens)
	spans = append(spans, found...)
	spans = append(spans, findNames(text, tokens, body, found)...)
	return longest(spans)
}

// longest keeps the longest of overlapping spans; of equally long ones, the better kind.
func longest(spans []span) []span {
	slices.SortStableFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	out := spans[:0]
	for _, s := range spans {
		if n := len(out); n > 0 && s.from < out[n-1].to {
			if last := &out[n-1]; better(s, *last) {
				if s.Type == "" && s.Start == last.Start && s.Stop == last.Stop {
					s.Type = last.Type
				}
				*last = s
			} else if last.Type == "" && s.Start == last.Start && s.Stop == last.Stop {
				last.Type = s.Type
			}
			continue
		}
		out = append(out, s)
	}
	return slices.DeleteFunc(out, func(s span) bool { return s.Stop == s.Start })
}

// better reports whether a replaces b. A title always stays.
func better(a, b span) bool {
	if (a.kind == kindTitle) != (b.kind == kindTitle) {
		return a.kind == kindTitle
	}
	if la, lb := a.to-a.from, b.to-b.from; la != lb {
		return la > lb
	}
	return a.kind < b.kind
}
