package graph

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"memory-graph/internal/memory"
)

var (
	//go:embed data/kinds.txt
	kindsText string
	//go:embed data/places.txt
	placesText string
)

// kindsOf returns the table of kinds: the kinds of each name. parseKinds checks it; a test runs the check.
var kindsOf = sync.OnceValues(func() (map[string][]string, error) { return parseKinds(kindsText) })

// parseKinds reads a table of kinds. The error names the line.
func parseKinds(text string) (map[string][]string, error) {
	out := map[string][]string{}
	for i, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		kind, names, ok := strings.Cut(line, ":")
		if !ok || kind == "" {
			return nil, fmt.Errorf("line %d: %q is not \"kind: name, name\"", i+1, line)
		}
		for name := range strings.SplitSeq(names, ",") {
			name = strings.TrimSpace(name)
			if name == "" || name != memory.Canonical(name) {
				return nil, fmt.Errorf("line %d: %q is not a name in its canonical form", i+1, name)
			}
			if slices.Contains(out[name], kind) {
				return nil, fmt.Errorf("line %d: %q is listed twice as %s", i+1, name, kind)
			}
			out[name] = append(out[name], kind)
		}
	}
	return out, nil
}

// release is the version at the end of a name: "Postgres 16".
var release = regexp.MustCompile(`\s+v?[0-9][0-9.]*$`)

// Kinds returns the kinds of a thing by its name, such as database and broker. It is nil for what the table does not
// have. An article, a version and the kind itself ("the Postgres 16 database") are not part of the name.
func Kinds(name string) []string {
	table, err := kindsOf()
	if err != nil {
		return nil
	}
	name = strings.TrimPrefix(memory.Canonical(name), "the ")
	for _, form := range []string{name, release.ReplaceAllString(name, "")} {
		if list := table[form]; list != nil {
			return list
		}
	}
	for _, suffix := range []string{" database", " db", " server", " broker", " editor", " browser", " cluster"} {
		if short, ok := strings.CutSuffix(name, suffix); ok {
			return table[release.ReplaceAllString(short, "")]
		}
	}
	return nil
}

// SameKind returns a kind that two things have in common, "" for none.
func SameKind(a, b string) string {
	others := Kinds(b)
	for _, kind := range Kinds(a) {
		if slices.Contains(others, kind) {
			return kind
		}
	}
	return ""
}

// KindRelations returns the relations whose facts a change of kind may end, sorted.
func KindRelations() []string {
	var out []string
	for _, name := range Known() {
		if registry[name].Kinds {
			out = append(out, name)
		}
	}
	return out
}

// UsedAs returns the relations that say more exactly that something is used, sorted: runs_on says where. It is nil for
// any other relation than uses.
func UsedAs(relation string) []string {
	if relation != "uses" {
		return nil
	}
	return slices.DeleteFunc(KindRelations(), func(name string) bool { return name == relation })
}

var widePlaces = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for line := range strings.SplitSeq(placesText, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		for name := range strings.SplitSeq(line, ",") {
			out[strings.TrimSpace(name)] = true
		}
	}
	return out
})

// narrowPlace matches the names of buildings and addresses: by their last word, or by a number at the end.
var narrowPlace = regexp.MustCompile(`\b(?:building|tower|street|st\.|avenue|road|lane|square|campus|office|floor|` +
	`room|suite|hall|house|flat|apartment|cottage|dorm|dormitory|hotel|hospital|station|airport)$` +
	`|(?:straße|strasse|straat|gasse|gracht)$|\p{L}\s+[0-9]+[a-z]?$`)

// Breadth returns how wide a place is, by its name: 1 for a country, a large part of one or a continent, -1 for a
// building or an address, 0 for a city and for whatever the name does not tell. Of two places of different breadth one
// may lie within the other.
func Breadth(name string) int {
	name = strings.TrimPrefix(strings.ReplaceAll(memory.Canonical(name), "_", " "), "the ")
	switch {
	case widePlaces()[name]:
		return 1
	case narrowPlace.MatchString(name):
		return -1
	}
	return 0
}
