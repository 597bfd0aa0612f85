// Package aliases knows the names that one technology goes by: Postgres and PostgreSQL, k8s and Kubernetes. The names
// are data, in technologies.txt, which is part of the program.
package aliases

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"memory-graph/internal/memory"
)

//go:embed technologies.txt
var technologies string

// Table is a list of things with several names. A nil table is empty.
type Table struct {
	rows  []row
	named map[string]int // row by folded name
}

// row is one thing.
type row struct {
	names []string // canonical, the usual one first
	nouns []string // what the thing is
}

// Technologies returns the table of technologies. The error says what is wrong with which line of the file.
var Technologies = sync.OnceValues(func() (*Table, error) { return parse(technologies) })

// parse reads the format that technologies.txt describes.
func parse(text string) (*Table, error) {
	t := &Table{named: map[string]int{}}
	var nouns []string
	for number, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		var err error
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			nouns, err = heading(line)
		default:
			err = t.add(line, nouns)
		}
		if err != nil {
			return nil, fmt.Errorf("technologies.txt: line %d: %w", number+1, err)
		}
	}
	if len(t.rows) == 0 {
		return nil, fmt.Errorf("technologies.txt: no names")
	}
	return t, nil
}

// heading returns the nouns of a section: [databases: database, db].
func heading(line string) ([]string, error) {
	inside, ok := strings.CutSuffix(strings.TrimPrefix(line, "["), "]")
	_, list, named := strings.Cut(inside, ":")
	if !ok || !named {
		return nil, fmt.Errorf("%q is not a heading [name: noun, noun]", line)
	}
	return names(list)
}

func (t *Table) add(line string, nouns []string) error {
	if nouns == nil {
		return fmt.Errorf("%q stands before the first heading", line)
	}
	list, err := names(strings.Replace(line, " = ", ",", 1))
	if err != nil {
		return err
	}
	for _, name := range list {
		if _, twice := t.named[fold(name)]; twice {
			return fmt.Errorf("%q stands there twice", name)
		}
		t.named[fold(name)] = len(t.rows)
	}
	t.rows = append(t.rows, row{list, nouns})
	return nil
}

// fold returns what two spellings of a canonical name have in common.
func fold(canonical string) string { return folder.Replace(canonical) }

var folder = strings.NewReplacer(" ", "", ".", "", "-", "", "/", "")

// names returns the canonical forms of a list parted by commas.
func names(list string) (out []string, err error) {
	for name := range strings.SplitSeq(list, ",") {
		canonical := memory.Canonical(name)
		if len(fold(canonical)) < 2 || strings.ContainsAny(canonical, "=[]") {
			return nil, fmt.Errorf("%q is not a name", name)
		}
		out = append(out, canonical)
	}
	return out, nil
}

// Others returns the other names of the thing with this canonical name, the usual one first; nil if it is not in the
// table.
func (t *Table) Others(canonical string) []string {
	if t == nil {
		return nil
	}
	i, ok := t.named[fold(canonical)]
	if !ok {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(t.rows[i].names), func(s string) bool { return s == canonical })
}

// Usual returns the usual name of the thing with this canonical name, in canonical form. ok is false if it is not in
// the table.
func (t *Table) Usual(canonical string) (name string, ok bool) {
	if t == nil {
		return "", false
	}
	i, ok := t.named[fold(canonical)]
	if !ok {
		return "", false
	}
	return t.rows[i].names[0], true
}

// Described returns the thing that a phrase describes by its name and what it is, in canonical form: "the postgresql
// database" is "postgresql". ok is false if the phrase is no such description.
func (t *Table) Described(canonical string) (name string, ok bool) {
	if t == nil {
		return "", false
	}
	phrase := Bare(canonical)
	for n := phrase; n != ""; n = n[:max(strings.LastIndexByte(n, ' '), 0)] {
		i, named := t.named[fold(n)]
		if !named {
			continue
		}
		rest := strings.TrimSpace(phrase[len(n):])
		return n, rest == "" && n != canonical || slices.Contains(t.rows[i].nouns, rest)
	}
	return "", false
}

// Bare returns a canonical name without the article or the possessive before it.
func Bare(canonical string) string {
	for _, article := range []string{"the ", "our ", "my ", "a ", "an "} {
		if rest, ok := strings.CutPrefix(canonical, article); ok {
			return rest
		}
	}
	return canonical
}
