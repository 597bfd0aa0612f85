package config

import (
	"slices"
	"strings"
)

// maxBeginnings is the maximum number of suggested names that begin with the mistyped one.
const maxBeginnings = 3

// Suggest returns known names that an unknown name may be a typo of: the names that begin with it, joined by "or", or
// else the closest name, or else "". A name is close if at most one letter in three has to be changed, removed, added
// or swapped with its neighbour. A common prefix, such as MEMORY_GRAPH_ or a table, is not compared.
//
// cobra's SuggestionsFor only knows commands, and accepts any two changed letters: it suggests hook for foo.
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

// ungrouped removes a common prefix from two names: the prefix of our variables, or the table of a key.
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

// distance returns the number of letters to change, add or remove and of neighbours to swap that turns a into b
// (optimal string alignment).
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
