package mentions

import (
	"hash/maphash"
	"sync"
	"unicode"
	"unicode/utf8"

	"memory-graph/internal/memory"
	"memory-graph/internal/text"
)

// Dictionary is a set of names that are looked for in any text. It holds the hash of each name and of each beginning of
// it that ends with a word, and not the names: some 20 bytes a word. Two names of one hash are found for each other;
// with 64 bits and a seed of the process's own nobody brings that about. It grows only: a name that is gone is still
// found until the process ends, and then means nothing to who looks it up. It is safe for concurrent use, and nil is an
// empty one.
type Dictionary struct {
	mu     sync.RWMutex
	prefix map[uint64]bool // true: a name ends here
	names  int
}

// seed makes the hashes of this process.
var seed = maphash.MakeSeed()

// NewDictionary makes an empty dictionary.
func NewDictionary() *Dictionary { return &Dictionary{prefix: map[uint64]bool{}} }

// Len is the number of names.
func (d *Dictionary) Len() int {
	if d == nil {
		return 0
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.names
}

// Add adds names or aliases; what is no name in a text is left out: a single sign or character, a number, a word that
// every other sentence has ("the", "it").
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
			if !d.prefix[h] { // a beginning, unless it is a name already
				d.prefix[h] = false
			}
		case !d.prefix[h]:
			d.prefix[h] = true
			d.names++
		}
	}
}

// tells says whether finding the name in a text means anything.
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

// extend adds a token to the hash of those before it.
func extend(h uint64, text string, t token, first bool) uint64 {
	if !first && t.gap != glued {
		h ^= 0x9e3779b97f4a7c15
	}
	h = h<<7 | h>>57
	return (h ^ hash(text[t.start:t.stop])) * 0xd6e8feb86659fd93
}

// hash gives the hash of a word as memory.Canonical writes it.
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

// match finds the known names, from left to right the longest at each place.
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
			if name && meant(text, tokens[i:j+1]) {
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

// meant says whether the tokens, which spell a known name, mean it. A name of one word that is also a word of its own
// (Go, Will, Rust, May) is meant only with a capital, and at the head of a sentence hardly ever.
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
