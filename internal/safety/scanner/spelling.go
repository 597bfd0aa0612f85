package scanner

import (
	"slices"
	"strings"
)

// core are words that few attacks avoid. Attackers misspell them to evade the rules.
var core = []string{
	"ignore", "disregard", "forget", "override", "bypass", "previous", "earlier", "instructions", "instruction",
	"guidelines", "restrictions", "system",
	"prompt", "reveal", "password", "memory", "assistant", "remember", "secret",
}

// respelled corrects misspelled core words: letters swapped, or one letter missing, added or replaced. It returns false
// for fewer than two such words.
func respelled(text string) (string, bool) {
	type change struct {
		start, stop int
		word        string
	}
	var changes []change
	for i := 0; i < len(text); {
		stop := i
		for stop < len(text) && 'a' <= text[stop] && text[stop] <= 'z' {
			stop++
		}
		if n := stop - i; 5 <= n && n <= 13 {
			if w := nearCore(text[i:stop]); w != "" {
				changes = append(changes, change{i, stop, w})
			}
		}
		i = max(stop, i+1)
	}
	if len(changes) < 2 {
		return "", false
	}
	var b strings.Builder
	done := 0
	for _, c := range changes {
		b.WriteString(text[done:c.start])
		b.WriteString(c.word)
		done = c.stop
	}
	b.WriteString(text[done:])
	return b.String(), true
}

// nearCore returns the core word that w misspells, or "" if there is none or w is a core word or its inflection.
func nearCore(w string) string {
	for _, c := range core {
		if w[0] != c[0] || len(w)-len(c) > 1 || len(c)-len(w) > 1 {
			continue
		}
		if w == c || strings.HasPrefix(w, c) || slices.Contains(core, w) || w == c+"d" || strings.TrimSuffix(c, "s") == w ||
			strings.TrimSuffix(c, "e")+"s" == w {
			return ""
		}
		if len(w) == len(c) && scrambled(w, c) || len(c) > 5 && oneApart(w, c) {
			return c
		}
	}
	return ""
}

// scrambled reports whether two words of equal length have the same letters.
func scrambled(a, b string) bool {
	var count [26]int
	for i := range len(a) {
		count[a[i]-'a']++
		count[b[i]-'a']--
	}
	return count == [26]int{}
}

// oneApart reports whether a and b differ by one inserted, missing or replaced letter.
func oneApart(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) == len(b) {
		return i < len(a) && a[i+1:] == b[i+1:]
	}
	return a[i:] == b[i+1:]
}
