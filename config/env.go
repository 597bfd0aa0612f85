package config

import (
	"runtime"
	"slices"
	"strings"

	"memory-graph/memory"
)

// internals are the variables with our prefix that are no settings.
var internals = []string{
	EnvPrefix + "CONFIG", // names the configuration file
	EnvPrefix + "KERNEL", // "scalar" forces plain Go kernels; for tests
}

// environ makes a map of "KEY=value" lines; the last of a name counts, an empty value is as good as none.
// On Windows the names have no case.
func environ(env []string) map[string]string {
	m := make(map[string]string, len(env))
	for _, line := range env {
		name, value, ok := strings.Cut(line, "=")
		if !ok || name == "" {
			continue
		}
		if runtime.GOOS == "windows" {
			name = strings.ToUpper(name)
		}
		if delete(m, name); value != "" {
			m[name] = value
		}
	}
	return m
}

// unknownVariable refuses a variable with our prefix that means nothing: a typing error there would otherwise leave a
// setting silently at its default.
func unknownVariable(env map[string]string, settings []Setting) error {
	known := slices.Clone(internals)
	for _, s := range settings {
		known = append(known, s.Env)
	}
	var strange []string
	for name := range env {
		if strings.HasPrefix(name, EnvPrefix) && !slices.Contains(known, name) {
			strange = append(strange, name)
		}
	}
	if len(strange) == 0 {
		return nil
	}
	slices.Sort(strange)
	return memory.Errorf(memory.InvalidArgument, "The environment variable %s is no setting of memory-graph.", strange[0]).
		WithHint("%s", didYouMean(strange[0], known))
}

// didYouMean is the hint for an unknown name: the nearest known one where one is near, and where all are listed.
func didYouMean(name string, known []string) string {
	const list = "`memory-graph config keys` lists all of them."
	nearest := Nearest(name, known)
	if nearest == "" {
		return list
	}
	return "Did you mean " + nearest + "? " + list
}

// Nearest gives the known name that is most like one that is not known, "" where none is like it.
func Nearest(name string, known []string) string {
	best, nearest := 1+len(name)/3, ""
	for _, k := range known {
		if d := distance(name, k); d < best {
			best, nearest = d, k
		}
	}
	return nearest
}

// distance counts the letters to change, add or drop to make a into b (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(row[j+1]+1, row[j]+1, cost)
		}
	}
	return row[len(b)]
}
