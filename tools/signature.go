package tools

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// span is the allowed range of a whole-number argument, both ends included, and its value where none is given.
type span struct{ min, max, def int }

// argument is one argument of a tool, read from a field of its struct. Tags: json (name; without omitempty it is
// required), jsonschema_description, enum (allowed values, a comma between), unlisted (accepted, but left out of the
// schema to keep the list of tools small).
type argument struct {
	name     string // snake_case
	index    []int  // of the field, through embedded structs
	required bool
	unlisted bool
	enum     []string
}

// signature is what a tool takes.
type signature struct {
	tool   string
	args   []argument
	byName map[string]int // position in args by name and by its camelCase spelling
	ranges map[string]span
}

// newSignature reads a struct of arguments. Its fields are strings, bools, whole numbers, pointers to these two (where
// absent differs from zero) and lists of strings.
func newSignature(tool string, t reflect.Type, ranges map[string]span) (*signature, error) {
	sig := &signature{tool: tool, byName: map[string]int{}, ranges: ranges}
	for _, f := range reflect.VisibleFields(t) {
		if f.Anonymous {
			continue
		}
		name, opts, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !decodable(f.Type) {
			return nil, fmt.Errorf("argument %s: no rule for decoding a %s", name, f.Type)
		}
		a := argument{name: name, index: f.Index, required: !strings.Contains(opts, "omitempty"), unlisted: f.Tag.Get("unlisted") != ""}
		if e := f.Tag.Get("enum"); e != "" {
			a.enum = strings.Split(e, ",")
		}
		sig.byName[name] = len(sig.args)
		sig.byName[camel(name)] = len(sig.args)
		sig.args = append(sig.args, a)
	}
	for name := range ranges {
		if _, ok := sig.byName[name]; !ok {
			return nil, fmt.Errorf("range for the unknown argument %s", name)
		}
	}
	return sig, nil
}

func decodable(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.String, reflect.Bool, reflect.Int:
		return true
	case reflect.Pointer:
		return slices.Contains([]reflect.Kind{reflect.Bool, reflect.Int}, t.Elem().Kind())
	case reflect.Slice:
		return t.Elem().Kind() == reflect.String
	}
	return false
}

// usage lists the arguments for an error's hint, the required ones with a star.
func (s *signature) usage() string {
	names := make([]string, len(s.args))
	for i, a := range s.args {
		names[i] = a.name
		if a.required {
			names[i] += "*"
		}
	}
	return s.tool + " takes " + strings.Join(names, ", ") + "."
}

// camel gives the camelCase spelling of a snake_case name.
func camel(snake string) string {
	words := strings.Split(snake, "_")
	for i, w := range words[1:] {
		if w != "" {
			words[i+1] = strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return strings.Join(words, "")
}
