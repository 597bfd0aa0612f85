package mentions

import (
	"hash/maphash"
	"sync"
	"unicode"
	"unicode/utf8"

	"memory-graph/internal/memory"
	"memory-graph/internal/text"
)

// Dictionary is a set of names to find in texts. It does not store the names but, for each name, the hashes of the name
// and of every beginning that ends with a word: some 20 bytes per word. Two names with the same hash are confused; the
// 64 bits and the random seed of the process make that improbable and impossible to provoke. A dictionary only grows:
// it finds a deleted name until the process ends, and the lookup of that name then finds nothing. It is safe for
// concurrent use. nil is an empty dictionary.
type Dictionary struct {
	mu     sync.RWMutex
	prefix map[uint64]bool // true: the hash of a whole name; false: of a beginning
	names  int
}

// seed is the seed of the hashes in this process.
var seed = maphash.MakeSeed()

// NewDictionary returns an empty dictionary.
func NewDictionary() *Dictionary { return &Dictionary{prefix: map[uint64]bool{}} }

// Len returns the number of names.
func (d *Dictionary) Len() int {
	if d == nil {
		return 0
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.names
}

// Add adds names or aliases. It skips names that say nothing in a text: a single sign or character, a number, a very
// common word ("the", "it").
func (d *Dictionary) Add(names ...string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, name := range names {
		d.add(memory.Canonical(name))
	}
}

func (d *Dictionary) add(name string) {
	tokens := lex(name)
	if !tells(name, tokens) {
		return
	}
	h := uint64(0)
	for i, t := range tokens {
		h = extend(h, name, t, i == 0)
		switch {
		case i < len(tokens)-1:
			if !d.prefix[h] { // a beginning; do not overwrite a name
				d.prefix[h] = false
			}
		case !d.prefix[h]:
			d.prefix[h] = true
			d.names++
		}
	}
}

// tells reports whether finding the name in a text is meaningful.
func tells(name string, tokens []token) bool {
	letters := false
	for _, t := range tokens {
		letters = letters || t.kind == charToken || t.kind == wordToken && !onlyDigits(name[t.start:t.stop])
	}
	if !letters || len(tokens) == 1 && (tokens[0].kind == charToken || functionWords[name]) {
		return false
	}
	return true
}

// extend adds a token to the hash of the tokens before it.
func extend(h uint64, text string, t token, first bool) uint64 {
	if !first && t.gap != glued {
		h ^= 0x9e3779b97f4a7c15
	}
	h = h<<7 | h>>57
	return (h ^ hash(text[t.start:t.stop])) * 0xd6e8feb86659fd93
}

// hash returns the hash of a word in the form of memory.Canonical.
func hash(word string) uint64 {
	var buffer [64]byte
	lower := buffer[:0]
	for i := 0; i < len(word); i++ {
		c := word[i]
		if c >= utf8.RuneSelf {
			lower = lower[:0]
			for _, r := range word {
				if !text.Invisible(r) {
					lower = utf8.AppendRune(lower, unicode.ToLower(r))
				}
			}
			break
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		lower = append(lower, c)
	}
	return maphash.Bytes(seed, lower)
}

// match finds the known names from left to right, the longest at each position.
func (d *Dictionary) match(text string, tokens []token) []span {
	if d == nil {
		return nil
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	if d.names == 0 {
		return nil
	}
	var spans []span
	for i := 0; i < len(tokens); i++ {
		end := -1
		h := uint64(0)
		for j := i; j < len(tokens) && (j == i || tokens[j].gap != parted); j++ {
			h = extend(h, text, tokens[j], j == i)
			name, ok := d.prefix[h]
			if !ok {
				break
			}
			if name && meant(text, tokens[i:j+1]) && Continues(text, tokens[j].stop) == tokens[j].stop {
				end = j
			}
		}
		if end < 0 {
			continue
		}
		s := newSpan(text, tokens[i].start, tokens[end].stop, kindKnown, "")
		s.Known = true
		spans = append(spans, s)
		i = end
	}
	return spans
}

// meant reports whether tokens that spell a known name are meant as the name. A single word that is also another word
// (Go, Will, Rust, May) needs a capital, and does not count at the beginning of a line.
func meant(text string, tokens []token) bool {
	t := tokens[0]
	if len(tokens) > 1 || t.kind != wordToken {
		return true
	}
	word := text[t.start:t.stop]
	if lower := lowered(word); len(word) > 1 && !ambiguous[lower] && !functionWords[lower] {
		return true
	}
	return t.capital && t.gap < broken
}

func onlyDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}
