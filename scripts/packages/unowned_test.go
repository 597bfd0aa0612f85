package main

import (
	"regexp"
	"slices"
	"strings"
)

// fetches finds commands that fetch a package of this project by its name, with their arguments.
var fetches = regexp.MustCompile(`\b(?:npx|uvx|npm (?:install|i|exec)|pipx? (?:install|run)|uv tool install|` +
	`brew install|(?:podman|docker) (?:run|pull))((?: +[^\s` + "`" + `|]+)+)`)

// unowned returns the commands of a text that fetch a package of the name memory-graph which owner.toml does not name.
// A path, which begins with . or /, is nobody's name, and neither is an image that was loaded from a file.
func unowned(text string, o owner) []string {
	var list []string
	for _, m := range fetches.FindAllStringSubmatch(text, -1) {
		words := strings.Fields(m[1])
		local := slices.ContainsFunc(words, func(w string) bool {
			return strings.ContainsAny(w[:1], "./") || strings.HasPrefix(w, "localhost/")
		})
		named := slices.ContainsFunc(words, func(w string) bool { return w == o.NPM || w == o.PyPI || w == o.Image })
		ours := slices.ContainsFunc(words, func(w string) bool { return strings.Contains(w, "memory-graph") })
		if ours && !local && !named {
			list = append(list, m[0])
		}
	}
	return list
}
