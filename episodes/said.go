package episodes

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"memory-graph/memory"
)

// said marks which of the facts supplied with a user's turn the user says: those whose head and tail both stand in the
// turn's own words, which quotations, code and logs are not ("I" is the user's name). When one of these ends another fact it
// is trusted like the user: the agent only put into form what the user said (docs/facts.md).
func (r *Reader) said(e memory.Episode, relations []memory.RelationDraft) {
	if e.Role != memory.RoleUser || e.Origin != memory.OriginUser || len(relations) == 0 || r.o.Own == nil {
		return
	}
	words := memory.Canonical(strings.ReplaceAll(r.o.Own(beginning(e.Content, r.o.MaxBytes)), "’", "'"))
	self := memory.Canonical(r.self(e))
	stands := func(name string) bool {
		canonical := memory.Canonical(name)
		return standsIn(words, canonical) || canonical == self && namesSelf(words)
	}
	for i, d := range relations {
		if stands(d.Head) && stands(d.Tail) {
			relations[i].SaidBy = e.Origin
		}
	}
}

// standsIn says whether a name stands in a text as words of its own; both are canonical.
func standsIn(text, name string) bool {
	for from := 0; name != ""; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(name)
		before, _ := utf8.DecodeLastRuneInString(text[:start])
		after, size := utf8.DecodeRuneInString(text[end:])
		if (start == 0 || !wordRune(before)) && (size == 0 || !wordRune(after)) {
			return true
		}
		from = start + 1
	}
	return false
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

// namesSelf says whether a text has a word for who speaks.
func namesSelf(text string) bool {
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !wordRune(r) }) {
		switch w {
		case "i", "me", "my", "mine", "we", "us", "our", "ours":
			return true
		}
	}
	return false
}
