package scanner

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// pattern is one way in which attacks are put. The expression is matched against the folded text, and only around the
// places where one of the triggers stands: that makes a long ordinary text cheap.
type pattern struct {
	name, family string
	weight       float64
	triggers     []string   // beginnings of words; with a leading = any substring
	beside       [][]string // of each group one of the substrings stands near too
	re           func() *regexp.Regexp
	unless       func() *regexp.Regexp // what follows a match that means something else; nil for nothing
}

// A pattern reaches this far to both sides of its trigger, in bytes.
const reach = 160

// budget bounds what is matched for one pattern, in bytes of a text whose words are triggers all over. The beginning counts: it is what
// is read for facts and what is rendered.
const budget = 12 << 10

// window is text[start:stop].
type window struct{ start, stop int }

// index finds the triggers of all patterns in one pass over the words.
type index struct {
	stems    map[[stemKey]byte][]stem // by their first bytes
	parts    []stem                   // substrings
	patterns int
}

const stemKey = 3

type stem struct {
	text     string
	patterns []int
}

func indexOf(patterns []pattern) index {
	x := index{stems: map[[stemKey]byte][]stem{}, patterns: len(patterns)}
	words, parts := map[string][]int{}, map[string][]int{}
	for i, p := range patterns {
		for _, t := range p.triggers {
			if part, ok := strings.CutPrefix(t, "="); ok {
				parts[part] = append(parts[part], i)
			} else {
				words[t] = append(words[t], i)
			}
		}
	}
	for w, list := range words {
		k := keyOf(w)
		x.stems[k] = append(x.stems[k], stem{w, list})
	}
	for p, list := range parts {
		x.parts = append(x.parts, stem{p, list})
	}
	return x
}

func keyOf(w string) (k [stemKey]byte) {
	copy(k[:], w)
	return k
}

// windows gives for each pattern the parts of the text that are worth matching, merged where they touch.
func (x index) windows(text string) map[int][]window {
	out := map[int][]window{}
	spent := make([]int, x.patterns)
	add := func(patterns []int, at int) {
		start, stop := bound(text, at-reach), bound(text, at+reach)
		for _, i := range patterns {
			if spent[i] > budget {
				continue
			}
			list := out[i]
			if n := len(list); n > 0 && start <= list[n-1].stop && start >= list[n-1].start {
				more := max(stop-list[n-1].stop, 0)
				list[n-1].stop += more
				spent[i] += more
				continue
			}
			out[i] = append(list, window{start, stop})
			spent[i] += stop - start
		}
	}
	for i := 0; i < len(text); {
		if !wordByte(text[i]) {
			i++
			continue
		}
		stop := i + 1
		for stop < len(text) && wordByte(text[stop]) {
			stop++
		}
		if w := text[i:stop]; len(w) > 1 {
			for _, s := range x.stems[keyOf(w)] {
				if strings.HasPrefix(w, s.text) {
					add(s.patterns, i)
				}
			}
		}
		i = stop
	}
	for _, p := range x.parts {
		for from := 0; ; {
			i := strings.Index(text[from:], p.text)
			if i < 0 {
				break
			}
			add(p.patterns, from+i)
			from += i + len(p.text)
		}
	}
	return out
}

// bound moves an offset into the text and to the beginning of a rune.
func bound(text string, at int) int {
	at = min(max(at, 0), len(text))
	for at > 0 && at < len(text) && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}

func wordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '_' || c >= utf8.RuneSelf
}
