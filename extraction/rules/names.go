package rules

import (
	"cmp"
	"slices"
	"strings"

	"memory-graph/internal/memory"
)

// readNames returns the names of the scrubbed text, in order and without overlaps: those of the finder, and listed
// names that the finder misses because they are in lower case or ordinary words.
func (r *Rules) readNames(text string, found []memory.Mention) []name {
	out := make([]name, 0, len(found)+4)
	for _, m := range found {
		if m.Stop > m.Start && !(m.Unsure && !m.Known && everyday(m.Name)) {
			out = append(out, r.fromMention(text, r.trimmed(text, m)))
		}
	}
	out = append(out, r.listed(text)...)
	slices.SortStableFunc(out, func(a, b name) int {
		if a.start != b.start {
			return cmp.Compare(a.start, b.start)
		}
		return cmp.Compare(b.stop, a.stop)
	})
	kept := out[:0]
	for _, n := range out {
		if len(kept) > 0 && n.start < kept[len(kept)-1].stop {
			if last := &kept[len(kept)-1]; n.stop-n.start > last.stop-last.start && n.start <= last.start {
				*last = n
			}
			continue
		}
		kept = append(kept, n)
	}
	return kept
}

// trimmed removes leading words that are not part of a name: "Project Lantern", "CTO of Brightline", "Ask Petra".
func (r *Rules) trimmed(text string, m memory.Mention) memory.Mention {
	if m.Known || r.lists().of(m.Name) != 0 {
		return m
	}
	cut := func(rest string) memory.Mention {
		m.Name, m.Start = rest, m.Stop-len(rest)
		return m
	}
	first, rest, ok := strings.Cut(m.Name, " ")
	if !ok || len(rest) < 2 || text[m.Start:m.Stop] != m.Name {
		return m
	}
	switch {
	case first == "Project":
		m.Type = "project"
		return cut(rest)
	case generic[first] && len(rest) > 4 && strings.HasPrefix(rest, "of "):
		return cut(rest[3:])
	case plainAdjectives[lowerOf(first)] && rest != "York" && rest != "Relic" && !strings.HasPrefix(rest, "Zealand"),
		leadsIn(lowerOf(first)) && (m.Start == 0 || strings.IndexByte(".!?:", text[max(0, m.Start-2)]) >= 0 ||
			strings.IndexByte("\n-*(", text[m.Start-1]) >= 0):
		return cut(rest)
	}
	return m
}

// leadsIn reports whether a capitalised word at the start of a sentence can precede a name without being part of it:
// "Ask Petra", "Dropped Chrome", "Suppose Snowflake".
func leadsIn(w string) bool {
	v, verb := verbForms[w]
	return ordering[w] || doubts[w] || openers[w] || adverbs[w] || opinions[w] || announcing[w] || questionWords[w] ||
		conjunctions[w] || subordinators[w] || pronouns[w] || prepositions[w] ||
		verb && (v.forms&(formPast|formDone|formIng|formS) != 0 || !nounish[v.lemma])
}

// ordering are verbs that begin requests before a name.
var ordering = class("ordering")

// everyday reports whether a capitalised word is an ordinary word of the grammar: "Suppose", "Anyway".
func everyday(s string) bool {
	w := strings.ToLower(s)
	_, verb := verbForms[w]
	return verb || doubts[w] || questionWords[w] || openers[w] || adverbs[w] || prepositions[w] || subordinators[w] ||
		pronouns[w] || vague[w] || opinions[w] || auxiliaries[w] ||
		announcing[w] || ordinary[w] || projectNouns[w] || machineNouns[w] || wrapNouns[w] || roles[w] || commonModifiers[w]
}

// announcing are words that announce a text or a task: "Note", "Proofread".
var announcing = class("announcing")

// fromMention converts a mention of the finder, and takes its type from the lists where they know it.
func (r *Rules) fromMention(text string, m memory.Mention) name {
	n := name{start: m.Start, stop: m.Stop, text: m.Name, typ: m.Type, unsure: m.Unsure && !m.Known}
	n.sort = r.lists().of(n.text)
	if wordyNames[n.text] { // a known thing in small letters: "tea"
		n.sort &^= sortPerson
	}
	switch {
	case n.sort != 0:
		if t := n.sort.typ(); n.typ == "" || sortOfType(n.typ)&sortTechnical != 0 && n.sort&sortTechnical != 0 {
			n.typ = t
		}
		n.unsure = n.unsure && n.sort&sortWord != 0 && n.sort&sortPerson == 0
	case m.Type == "file" || m.Type == "config":
		n.shape = true
	case strings.ContainsRune(n.text, ' '):
		if n.typ == "" {
			n.typ = r.typeOfPhrase(n.text)
		}
	case ticket(n.text):
		n.shape, n.typ = true, "concept"
	case strings.ContainsRune(n.text, '-') && n.text == lowerOf(n.text):
		n.shape, n.typ = true, "project"
	case files[n.text]:
		n.shape, n.typ = true, "file"
	case strings.HasSuffix(n.text, ".js") || strings.HasSuffix(n.text, "DB") || strings.HasSuffix(n.text, "SQL") ||
		strings.HasPrefix(n.text, "Open") && camel(n.text[1:]):
		n.typ = "tool"
	}
	return n
}

// files are file names without an extension.
var files = class("files")

func camel(s string) bool {
	for i := range len(s) {
		if 'A' <= s[i] && s[i] <= 'Z' {
			return true
		}
	}
	return false
}

// ticket reports whether s is an issue key or a request number: OPS-77, PR #482.
func ticket(s string) bool {
	if i := strings.IndexByte(s, '#'); i >= 0 {
		return true
	}
	key, number, ok := strings.Cut(s, "-")
	if !ok || number == "" || len(key) < 2 {
		return false
	}
	for i := range len(number) {
		if !isDigit(number[i]) {
			return false
		}
	}
	return key == strings.ToUpper(key) && key[0] >= 'A'
}

func sortOfType(t string) sort {
	switch t {
	case "language":
		return sortLanguage
	case "tool":
		return sortTool
	case "technology":
		return sortTechnology
	case "organization":
		return sortOrganization
	case "location":
		return sortPlace
	case "person":
		return sortPerson
	}
	return 0
}

// softwareWords are last words of the names of tools.
var softwareWords = class("software_words")

// typeOfPhrase guesses the type of an unlisted name of several words.
func (r *Rules) typeOfPhrase(s string) string {
	words := strings.Fields(s)
	first, last := r.lists().of(words[0]), strings.ToLower(words[len(words)-1])
	switch {
	case softwareWords[last]:
		return "tool"
	case first&sortPerson != 0 && first&(sortTechnical|sortPlace) == 0, first&sortPerson != 0 && len(words) == 2 &&
		first&sortWord == 0:
		return "person"
	case first&sortTechnical != 0 && first&sortWord == 0:
		return "tool"
	}
	return ""
}

// listed returns the listed names in a text. A name that is also an ordinary word counts only with its capitals, and
// not at the start of a sentence.
func (r *Rules) listed(text string) []name {
	var out []name
	head := true
	for i := 0; i < len(text); {
		if !isNameByte(text[i]) {
			if text[i] != ' ' && text[i] != '\'' {
				head = strings.IndexByte(".!?:\n", text[i]) >= 0 || head && text[i] < 'A'
			}
			i++
			continue
		}
		stop := i
		var ends [maxGazetteerWords]int // end of the first, second … word
		n := 0
		for j := i; n < maxGazetteerWords; {
			j = endOfName(text, j)
			ends[n] = j
			n++
			if n == 1 {
				stop = j
				most := int(r.lists().starts[lowerOf(text[i:j])])
				if most <= 1 {
					break
				}
			}
			if j+1 >= len(text) || text[j] != ' ' || !isNameByte(text[j+1]) {
				break
			}
			j++
		}
		for ; n > 0; n-- {
			if found, ok := r.listedAs(text, i, ends[n-1], head); ok {
				out = append(out, found)
				stop = ends[n-1]
				break
			}
		}
		i, head = stop, false
	}
	return out
}

// listedAs looks up one name. A single lower-case word is a name only if no other sort of thing has it.
func (r *Rules) listedAs(text string, start, stop int, head bool) (name, bool) {
	s := text[start:stop]
	k := r.lists().of(s) & (sortTechnical | sortOrganization | sortPlace | sortWord)
	small := s == lowerOf(s)
	if small && len(s) > 2 && r.lists().of(s) == sortPerson && !everyday(s) && !wordyNames[s] && !everydayWord(s) {
		return name{start: start, stop: stop, text: strings.ToUpper(s[:1]) + s[1:], sort: sortPerson, typ: "person"}, true
	}
	if k&^sortWord == 0 {
		return name{}, false
	}
	several := strings.ContainsRune(s, ' ')
	switch {
	case several && k&sortTechnical != 0:
	case small && (k&sortTechnical == 0 || k&sortWord != 0 && !r.lists().exact[s] || len(s) < 3 || commonSmall[s] ||
		r.lists().sorts[s]&(sortPlace|sortPerson) != 0):
		return name{}, false
	case small && r.lists().exact[s]:
		return name{}, false
	case head && (k&sortWord != 0 || everyday(s)) && !strings.HasPrefix(text[stop:], "'s "):
		return name{}, false
	}
	return name{start: start, stop: stop, text: s, sort: k, typ: k.typ()}, true
}

// wordyNames are first names that are ordinary words in lower case.
var wordyNames = class("wordy_names")

// commonSmall are names of technologies that mean other things in lower case.
var commonSmall = class("common_small")

func isNameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c >= 0x80
}

// endOfName returns the end of a word of a name, which may contain dots, slashes, hyphens and plus signs.
func endOfName(text string, i int) int {
	for i < len(text) {
		switch c := text[i]; {
		case isNameByte(c):
			i++
		case (c == '.' || c == '-' || c == '/' || c == '_') && i+1 < len(text) && isNameByte(text[i+1]):
			i++
		case (c == '+' || c == '#') && i > 0:
			i++
		default:
			return i
		}
	}
	return i
}
