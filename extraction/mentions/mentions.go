// Package mentions finds the names that stand in a text: those that are known already, and those that look like names.
// It reads a text once, in linear time, and knows no grammar: what it gives are candidates that link turns with each
// other, not facts.
package mentions

import (
	"cmp"
	"slices"

	"memory-graph/internal/memory"
)

// MaxMentions is how many names Find gives of one text at most. A long text can hold thousands; the better kinds are
// kept, of a kind the first ones.
const MaxMentions = 64

// Roles of a mention.
const (
	RoleMention = "mention"
	RoleTitle   = "title" // the text is headed by it
)

// Finder finds names. The zero value is ready, and safe for concurrent use.
type Finder struct{}

// Find gives the distinct names of a text, each where it stands first, in the order of the text: at most MaxMentions.
// Names that differ in case or white space alone are one. known may be nil.
func (f Finder) Find(text string, known *Dictionary) []memory.Mention {
	distinct := merged(find(text, known))
	if len(distinct) > MaxMentions {
		slices.SortStableFunc(distinct, func(a, b span) int { return cmp.Compare(a.kind, b.kind) })
		distinct = distinct[:MaxMentions]
		slices.SortFunc(distinct, func(a, b span) int { return cmp.Compare(a.Start, b.Start) })
	}
	return mentions(distinct)
}

// Distinct gives what Find gives of the text in which FindAll has found all, without reading it again; ok is false
// where there are more than MaxMentions, of which only Find can choose. all is left as it is.
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

// merged makes one of the occurrences of a name, in place.
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

// FindAll gives every occurrence of a name, in the order of the text; no two overlap.
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

// kind ranks what was found: with too many, the last kinds go first; of two that overlap and are equally long, the
// better kind stays.
type kind uint8

const (
	kindTitle kind = iota
	kindKnown
	kindShape  // a file, a ticket, a variable, code: what is written so is meant
	kindPhrase // several capitalised words, or one with a title
	kindName   // one capitalised word
	kindFirst  // one capitalised word where a sentence begins
	kindHost
)

// span is a mention while mentions are chosen. What lies between from and to belongs to it: a URL's path has no names.
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

// find gives every occurrence, in order, without overlaps.
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

// longest keeps of spans that overlap the longest, of equally long ones the better kind.
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

// better says whether a takes the place of b. A title always stays: what it is called is what stands there.
func better(a, b span) bool {
	if (a.kind == kindTitle) != (b.kind == kindTitle) {
		return a.kind == kindTitle
	}
	if la, lb := a.to-a.from, b.to-b.from; la != lb {
		return la > lb
	}
	return a.kind < b.kind
}
