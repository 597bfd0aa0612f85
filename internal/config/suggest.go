package config

import (
	"slices"
	"strings"
)

// maxBeginnings is how many names that begin as the mistyped one does are suggested together.
const maxBeginnings = 3

// Suggest gives the known names that somebody may have meant by one that is not known: those that begin with it,
// joined by "or", else the closest, else "". A name is close when at most one letter in three has to be changed,
// dropped, added or swapped with its neighbour. What the names of a group share, such as MEMORY_GRAPH_ or a table,
// does not count as likeness.
//
// cobra's SuggestionsFor is not used: it knows commands only, and takes any two letters, so that foo suggests hook.
func Suggest(name string, known []string) string {
	name = strings.ToLower(name)
	if name == "" {
		return ""
	}
	begin := slices.DeleteFunc(slices.Clone(known), func(k string) bool {
		return !strings.HasPrefix(strings.ToLower(k), name)
	})
	if n := len(begin); n > 0 && n <= maxBeginnings {
		return strings.Join(begin, " or ")
	}
	nearest, least := "", 0
	for _, k := range known {
		a, b := ungrouped(name, strings.ToLower(k))
		d := distance(a, b)
		if d <= len(a)/3 && (nearest == "" || d < least) {
			nearest, least = k, d
		}
	}
	return nearest
}

// ungrouped cuts off two names what makes them of one group: our prefix of variables, or the table of a key.
func ungrouped(a, b string) (string, string) {
	if prefix := strings.ToLower(EnvPrefix); strings.HasPrefix(a, prefix) && strings.HasPrefix(b, prefix) {
		return a[len(prefix):], b[len(prefix):]
	}
	tableA, keyA, inA := strings.Cut(a, ".")
	tableB, keyB, inB := strings.Cut(b, ".")
	if inA && inB && tableA == tableB {
		return keyA, keyB
	}
	return a, b
}

// distance counts the letters to change, add or drop, and the neighbours to swap, to make a into b (optimal string
// alignment).
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, last, row = last, row, before
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j+1]+1, row[j]+1, last[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(b)]
}
