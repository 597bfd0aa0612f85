package config

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// Routes maps repositories to namespaces. A key is the owner of repositories, or a pattern for owner/name as in
// path.Match, in any case. A pattern for the first parts of a longer name matches too: "acme" and "acme/web" match
// "acme/web/shop".
type Routes map[string]string

// Match returns the most specific pattern that matches a project, and its namespace. Of two patterns, the one with more
// parts is more specific, then the one with more characters besides *. A project without an owner matches nothing.
func (r Routes) Match(project string) (pattern, namespace string, ok bool) {
	parts := strings.Split(strings.ToLower(project), "/")
	if len(parts) < 2 {
		return "", "", false
	}
	better := func(a, b string) bool {
		if n, m := strings.Count(a, "/"), strings.Count(b, "/"); n != m {
			return n > m
		}
		n, m := len(a)-strings.Count(a, "*"), len(b)-strings.Count(b, "*")
		return n > m || n == m && a < b
	}
	for p := range r {
		n := strings.Count(p, "/") + 1
		if n > len(parts) || ok && !better(p, pattern) {
			continue
		}
		if hit, err := path.Match(strings.ToLower(p), strings.Join(parts[:n], "/")); err == nil && hit {
			pattern, ok = p, true
		}
	}
	return pattern, r[pattern], ok
}

// HasOwner reports whether a project is named after a repository with an owner: owner/name.
func HasOwner(project string) bool { return strings.Contains(strings.Trim(project, "/"), "/") }

// String returns the routes as "pattern = namespace", sorted and separated by commas.
func (r Routes) String() string {
	list := make([]string, 0, len(r))
	for _, p := range slices.Sorted(maps.Keys(r)) {
		list = append(list, p+" = "+r[p])
	}
	return strings.Join(list, ", ")
}

// routes checks a table of the configuration file.
func routes(table map[string]any) (Routes, error) {
	out := Routes{}
	for _, p := range slices.Sorted(maps.Keys(table)) {
		namespace, isText := table[p].(string)
		var err error
		switch {
		case !isText:
			err = errors.New("its namespace is not text in quotes; a name with a dot needs quotes too")
		case !validPattern(p):
			err = errors.New("it is not an owner or an owner/name pattern")
		case namespace == "" || !formats["scope"].ok(namespace):
			err = fmt.Errorf("%q is not a namespace: it must be %s", namespace, formats["scope"].words)
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %q: %w", errValue, p, err)
		}
		out[p] = namespace
	}
	return out, nil
}

// validPattern reports whether a pattern has parts between slashes, and the syntax of path.Match.
func validPattern(p string) bool {
	_, err := path.Match(p, "")
	return err == nil && len(p) <= 200 && printable(p) && !slices.Contains(strings.Split(p, "/"), "")
}
