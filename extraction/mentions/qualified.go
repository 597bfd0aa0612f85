package mentions

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"memory-graph/internal/memory"
	"memory-graph/internal/text"
)

// Qualifying is a qualifier in a text, with its place: "from support" in "Tom from support".
type Qualifying struct {
	memory.Qualifier
	Start, Stop int // byte offsets of what stands behind the name
}

var (
	// bracketed are one or two words: "(support)", "(data platform)".
	bracketed = text.Pattern(`^ \((\p{L}[\p{L}\d&-]*(?: [\p{L}\d&-]+)?)\)`)
	// origins are a group or a name: "from support", "from the data team", "from Acme Labs".
	origins = text.Pattern(`^ from (?:the )?((?:\p{Lu}[\p{L}\d&-]*(?: \p{Lu}[\p{L}\d&-]*)*)|` +
		`(?:\p{Ll}+ )?\p{Ll}+(?: team| department| dept)|\p{Ll}+)(?:$|[^\p{L}\d])`)
	// occupations stand before a verb: "the plumber lives".
	occupations = text.Pattern(`^,? the (\p{Ll}+)(?:,? (?:\p{Ll}{2,}s|\p{Ll}{2,}ed|will|can|had|left)\b|'s )`)
	// clauseStart is the text before a subject.
	clauseStart = text.Pattern(`(?i)(?:^|[.!?;:,\n]|\b(?:and|but|so|that|because|btw|fyi))\s*$`)
	// kinship is the text before a name that says who it is to the speaker: "my friend", "my older brother".
	kinship   = text.Pattern(`(?i)\bmy (?:\p{L}+ )?(\p{L}+),? $`)
	groupNoun = text.Pattern(` (?:team|department|dept)$`)
)

var (
	// unqualifying begin what tells no person from another: "from my notes", "from home", "from across the street".
	unqualifying = set(`a about above across afar all an another any around behind below beneath both downstairs every
		everywhere far her here hers him his home how inside it its me memory mine my next now on one our outside over scratch
		some that their them then there these they this those time today tomorrow under upstairs us what when where which who
		within yesterday you your`)
	// ingGroups are the groups in -ing; other words in -ing are what somebody is kept from.
	ingGroups = set(`accounting billing engineering marketing purchasing recruiting`)
	// departments are groups also where they have a capital.
	departments = set(`accounting billing data design engineering finance hr it legal logistics marketing operations ops
		platform product purchasing qa recruiting research sales security support`)
)

// maxQualifier is the maximum length of a qualifier in bytes.
const maxQualifier = 60

// Qualifiers returns what a text adds to a person's name to say who is meant, at most 8, in their order. It is strict:
// it takes "(support)", "from support", "from the data team", "from Acme", and "the plumber" between a subject and its
// verb.
func Qualifiers(text, name string) []Qualifying {
	const most = 8
	name = strings.TrimSpace(name)
	var out []Qualifying
	lower := folded(text)
	for at := 0; len(out) < most && name != ""; {
		i := strings.Index(lower[at:], folded(name))
		if i < 0 {
			break
		}
		from, to := at+i, at+i+len(name)
		at = to
		before, _ := utf8.DecodeLastRuneInString(text[:from])
		if from > 0 && (unicode.IsLetter(before) || unicode.IsDigit(before)) {
			continue
		}
		if q, ok := QualifierAt(text, from, to); ok {
			out = append(out, q)
		}
	}
	return out
}

// folded returns a text in lower case, unless that would move its offsets.
func folded(text string) string {
	if lower := strings.ToLower(text); len(lower) == len(text) {
		return lower
	}
	return text
}

// QualifierAt returns the qualifier behind the name at text[from:to].
func QualifierAt(text string, from, to int) (Qualifying, bool) {
	rest := text[to:]
	made := func(relation string, m []int) (Qualifying, bool) {
		word := rest[m[2]:m[3]]
		return Qualifying{Qualifier: memory.Qualifier{Text: word, Relation: relation}, Start: to, Stop: to + m[3]},
			len(word) <= maxQualifier
	}
	if m := bracketed().FindStringSubmatchIndex(rest); m != nil {
		q, ok := made("", m)
		q.Stop++ // the bracket
		first, _, _ := strings.Cut(strings.ToLower(q.Text), " ")
		return q, ok && !unqualifying[first] && !strings.HasSuffix(first, "ly") && first != "not" && first != "if"
	}
	if m := origins().FindStringSubmatchIndex(rest); m != nil {
		q, ok := made("member_of", m)
		lower := strings.ToLower(q.Text)
		first, _, _ := strings.Cut(lower, " ")
		group := groupNoun().MatchString(lower)
		if ok = ok && !unqualifying[lower] && (lower == first || !unqualifying[first]) &&
			!strings.HasPrefix(rest[m[3]:], " to ") && !strings.HasPrefix(rest[m[3]:], " until "); !ok {
			return q, false
		}
		if upper, _ := utf8.DecodeRuneInString(q.Text); unicode.IsUpper(upper) {
			if !departments[lower] && !group {
				q.Relation = "works_at"
			}
			return q, true
		}
		q.Text = groupNoun().ReplaceAllString(q.Text, "")
		return q, group || !strings.HasSuffix(lower, "ing") || ingGroups[lower]
	}
	if m := occupations().FindStringSubmatchIndex(rest); m != nil && clauseStart().MatchString(text[:from]) {
		q, ok := made("works_as", m)
		return q, ok && !strings.HasSuffix(q.Text, "s")
	}
	return Qualifying{}, false
}

// QualifierOf returns the qualifier of a name if the text has just one for it. quote are the words of the fact that is
// about the name: if they contain it, they alone count.
func QualifierOf(text, quote, name string) memory.Qualifier {
	if strings.Contains(folded(quote), folded(strings.TrimSpace(name))) {
		text = quote
	}
	var out memory.Qualifier
	for _, q := range Qualifiers(text, name) {
		if out.Text != "" && memory.Canonical(out.Text) != memory.Canonical(q.Text) {
			return memory.Qualifier{}
		}
		out = q.Qualifier
	}
	return out
}

// Kin returns who a person is to the speaker, if the text says so before the name: "my friend Ann".
func Kin(text, name string) memory.Qualifier {
	lower, want := folded(text), folded(strings.TrimSpace(name))
	for at := 0; want != ""; {
		i := strings.Index(lower[at:], want)
		if i < 0 {
			break
		}
		if m := kinship().FindStringSubmatch(text[:at+i]); m != nil && !strings.HasSuffix(m[1], "name") {
			return memory.Qualifier{Text: strings.ToLower(m[1]), Relation: memory.Kin}
		}
		at += i + len(want)
	}
	return memory.Qualifier{}
}
