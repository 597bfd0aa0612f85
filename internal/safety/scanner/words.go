package scanner

import (
	"bufio"
	"cmp"
	_ "embed" // the lexicon is data
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"memory-graph/internal/text"
)

// The lexicon: words and marks by concept. The heads of the files explain the format.
var (
	//go:embed data/words.txt
	wordsFile string
	//go:embed data/words_other.txt
	wordsOtherFile string
	//go:embed data/markup.txt
	markupFile string
)

// concepts is a set of concepts, one bit each. Their names come from the data files.
type concepts [2]uint64

const maxConcepts = 128

func (c concepts) with(o concepts) concepts { return concepts{c[0] | o[0], c[1] | o[1]} }
func (c concepts) meets(o concepts) bool    { return c[0]&o[0]|c[1]&o[1] != 0 }
func (c concepts) holds(o concepts) bool    { return c[0]&o[0] == o[0] && c[1]&o[1] == o[1] }
func (c concepts) empty() bool              { return c == concepts{} }

// none is the concept of phrases without a meaning here. Every non-English word also has the concept other.
const (
	none  = "none"
	other = "other"
)

// entry is a word, a phrase or a mark of the lexicon. In text, a space matches a word separator and "*" the rest of a
// word.
type entry struct {
	text  string
	has   concepts
	exact bool // a mark: matched literally, also inside words
}

// lexicon looks entries up by their beginning.
type lexicon struct {
	names []string
	words map[string][]entry         // by their first word
	stems map[[keyBytes]byte][]entry // stems, marks, and entries of scripts without spaces
}

const keyBytes = 3

// builtinLexicon reads the data on the first scan: at startup it would cost some milliseconds.
var builtinLexicon = sync.OnceValues(func() (*lexicon, error) {
	l := &lexicon{stems: map[[keyBytes]byte][]entry{}}
	all := newEntries((len(wordsFile) + len(wordsOtherFile)) / 12)
	for _, f := range []struct {
		name, text   string
		exact, other bool
	}{{"words.txt", wordsFile, false, false}, {"words_other.txt", wordsOtherFile, false, true}, {"markup.txt", markupFile,
		true, false}} {
		if err := l.read(f.name, f.text, f.exact, f.other, all); err != nil {
			return l, err
		}
	}
	l.words = make(map[string][]entry, len(all.list)/2)
	for i, e := range all.list {
		if first := e.text[:wordEnd(e.text, 0)]; first != "" && !e.exact && !strings.HasPrefix(e.text[len(first):], "*") {
			add(l.words, first, all.list[i:i+1:i+1])
		} else {
			add(l.stems, keyAt(e.text, 0), all.list[i:i+1:i+1])
		}
	}
	for _, list := range l.words {
		slices.SortFunc(list, longer)
	}
	for _, list := range l.stems {
		slices.SortFunc(list, longer)
	}
	return l, nil
})

// add appends an entry to a list. Most lists stay as they began, with one entry and no memory of their own.
func add[K comparable](to map[K][]entry, key K, one []entry) {
	if list, ok := to[key]; ok {
		one = append(list, one...)
	}
	to[key] = one
}

// entries are all entries of the files, each once.
type entries struct {
	list         []entry
	words, marks map[string]int // by text: the place in list
}

func newEntries(about int) *entries {
	return &entries{list: make([]entry, 0, about), words: make(map[string]int, about), marks: map[string]int{}}
}

// entry returns the entry of a text, and adds one without concepts if it is new.
func (a *entries) entry(text string, exact bool) (e *entry, known bool) {
	at := a.words
	if exact {
		at = a.marks
	}
	i, known := at[text]
	if !known {
		i = len(a.list)
		at[text], a.list = i, append(a.list, entry{text: text, exact: exact})
	}
	return &a.list[i], known
}

// longer sorts entries by length, the longest first.
func longer(a, b entry) int {
	return cmp.Or(cmp.Compare(len(b.text), len(a.text)), strings.Compare(b.text, a.text))
}

// read adds the lines of a data file to all.
func (l *lexicon) read(name, text string, exact, foreign bool, all *entries) error {
	lines := bufio.NewScanner(strings.NewReader(text))
	lines.Buffer(nil, len(text)+1)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		concept, list, ok := strings.Cut(line, ": ")
		if !ok {
			return fmt.Errorf("%s:%d: no concept: %q", name, n, line)
		}
		has := concepts{}
		if concept != none {
			has = l.define(concept)
		}
		if foreign {
			has = has.with(l.define(other))
		}
		if len(l.names) > maxConcepts {
			return fmt.Errorf("%s:%d: %q is one concept too many", name, n, concept)
		}
		for word := range strings.SplitSeq(list, ", ") {
			word = strings.Trim(word, " ")
			if word == "COMMA" { // a literal comma separates entries
				word = ","
			}
			if !exact {
				word = spaced(plain(word))
			}
			if word == "" || word == "*" && !exact {
				return fmt.Errorf("%s:%d: an empty entry", name, n)
			}
			e, known := all.entry(word, exact)
			if known && foreign && !e.has.meets(l.concept(other)) {
				continue // spelled like an English word: the English meaning wins
			}
			e.has = e.has.with(has)
		}
	}
	return lines.Err()
}

// define returns the bit of a concept and adds the concept if it is new.
func (l *lexicon) define(name string) concepts {
	i := slices.Index(l.names, name)
	if i < 0 {
		i = len(l.names)
		l.names = append(l.names, name)
	}
	return bit(i)
}

// concept returns the bit of a named concept, or the empty set if no file defines it.
func (l *lexicon) concept(name string) concepts {
	if i := slices.Index(l.names, name); i >= 0 {
		return bit(i)
	}
	return concepts{}
}

// bit returns the set of concept i, or the empty set above maxConcepts.
func bit(i int) (c concepts) {
	if i < maxConcepts {
		c[i/64] = 1 << (i % 64)
	}
	return c
}

// find returns the concepts and the end of the longest entry at i, the beginning of a word or mark; false for none.
func (l *lexicon) find(text string, i int) (concepts, int, bool) {
	var has concepts
	best := i
	if wordByte(text[i]) {
		for _, e := range l.words[text[i:wordEnd(text, i)]] {
			if stop := e.match(text, i); stop > best {
				has, best = e.has, stop
				break
			}
		}
	}
	for _, e := range l.stems[keyAt(text, i)] {
		if stop := e.match(text, i); stop > best {
			has, best = e.has, stop
			break
		}
	}
	return has, best, best > i
}

// match returns the end of the entry if it matches at i, else 0.
func (e *entry) match(text string, i int) int {
	if e.exact {
		if strings.HasPrefix(text[i:], e.text) {
			return i + len(e.text)
		}
		return 0
	}
	for k := range len(e.text) {
		c := e.text[k]
		switch {
		case c == '*':
			i = wordEnd(text, i)
		case i >= len(text):
			return 0
		case c == text[i]:
			i++
		case c == ' ' && (text[i] == '\n' || text[i] == '-' || text[i] == '_'):
			i++
		default:
			return 0
		}
	}
	// The text's word must end with the entry, except in scripts without spaces.
	if last, _ := utf8.DecodeLastRuneInString(e.text); wordRune(last) && !unspaced(last) && wordEnd(text, i) > i {
		return 0
	}
	return i
}

// unspaced reports whether a letter belongs to a script without spaces between words.
func unspaced(r rune) bool { return text.Unspaced(r) }

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// keyAt returns the first bytes of the word at i, or the first byte of a mark.
func keyAt(text string, i int) (k [keyBytes]byte) {
	for n := range keyBytes {
		if i+n >= len(text) || n > 0 && !wordByte(text[i+n]) && wordByte(text[i]) {
			break
		}
		k[n] = text[i+n]
		if !wordByte(text[i]) { // a mark is looked up by its first byte
			break
		}
	}
	return k
}

// wordByte reports whether a byte is part of a word. "_" is not, so names are read as separate words.
func wordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c >= utf8.RuneSelf
}

// wordEnd returns the end of the word that continues at i.
func wordEnd(folded string, i int) int { return text.Prompts.WordEnd(folded, i) }

var spacing = strings.NewReplacer("'", "", "’", "", "-", " ", "_", " ")

// spaced replaces hyphens and underscores of an entry by spaces, which match them.
func spaced(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return r != ' ' && (r < 'a' || r > 'z') }) < 0 {
		return s
	}
	return spacing.Replace(s)
}

// plain folds an entry like the texts: compatibility form, no accents.
func plain(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		parts := string(r)
		if d := norm.NFKD.PropertiesString(parts).Decomposition(); d != nil {
			parts = string(d)
		}
		for _, part := range parts {
			if !unicode.Is(unicode.Mn, part) {
				b.WriteRune(unicode.ToLower(part))
			}
		}
	}
	return b.String()
}
