package tools

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// span is the range of an integer argument, both ends included, and its default.
type span struct{ min, max, def int }

// argument is one argument of a tool, read from a struct field. Tags: json (name; without omitempty the argument is
// required), jsonschema_description, enum (allowed values, comma-separated), within ("0,1": the range of a number, ends
// included), words (names of the whole numbers from 0, accepted for them), alias (other spellings, comma-separated),
// unlisted (accepted, but left out of the schema to keep the list of tools small).
type argument struct {
	name     string // snake_case
	index    []int  // index of the field, through embedded structs
	required bool
	unlisted bool
	enum     []string
	within   *[2]float64
	words    []string   // names of the whole numbers from 0
	object   *signature // the signature of an object, or of each object of a list
	most     int        // maximum number of objects in a list, 0 for no limit
}

// signature describes the arguments of a tool, or the fields of one object argument.
type signature struct {
	name     string // the tool's or argument's name
	self     string // the subject of an error's sentence: "the arguments", "the item"
	args     []argument
	byName   map[string]int // index in args by name, camelCase spelling and aliases
	ranges   map[string]span
	embedded reflect.Type // the struct that it describes
}

// bounds are the limits of a tool's arguments that come from the settings.
type bounds struct {
	ranges map[string]span // of integers
	most   map[string]int  // of lists of objects
	// listed are arguments to list although their tag says unlisted; unlisted are the opposite.
	listed, unlisted []string
}

// newSignature reads a struct of arguments. Its fields are strings, bools, numbers, pointers to these (if absent
// differs from zero), pointers to structs, lists of strings, and objects.
func newSignature(name, self string, t reflect.Type, b bounds) (*signature, error) {
	sig := &signature{name: name, self: self, byName: map[string]int{}, ranges: b.ranges, embedded: t}
	for _, f := range reflect.VisibleFields(t) {
		if f.Anonymous || !f.IsExported() {
			continue
		}
		a, err := newArgument(f, b)
		if err != nil {
			return nil, err
		}
		spellings := []string{a.name}
		if c := camel(a.name); c != a.name {
			spellings = append(spellings, c)
		}
		if alias := f.Tag.Get("alias"); alias != "" {
			spellings = append(spellings, strings.Split(alias, ",")...)
		}
		for _, s := range spellings {
			if _, taken := sig.byName[s]; taken {
				return nil, fmt.Errorf("two arguments are called %s", s)
			}
			sig.byName[s] = len(sig.args)
		}
		sig.args = append(sig.args, a)
	}
	for _, names := range [][]string{sortedKeys(b.ranges), sortedKeys(b.most), b.listed, b.unlisted} {
		for _, n := range names {
			if _, ok := sig.byName[n]; !ok {
				return nil, fmt.Errorf("a limit for the unknown argument %s", n)
			}
		}
	}
	return sig, nil
}

func newArgument(f reflect.StructField, b bounds) (argument, error) {
	name, opts, _ := strings.Cut(f.Tag.Get("json"), ",")
	a := argument{
		name: name, index: f.Index, required: !strings.Contains(opts, "omitempty"), most: b.most[name],
		unlisted: slices.Contains(b.unlisted, name) || f.Tag.Get("unlisted") != "" && !slices.Contains(b.listed, name),
	}
	if e := f.Tag.Get("enum"); e != "" {
		a.enum = strings.Split(e, ",")
	}
	if w := f.Tag.Get("words"); w != "" {
		a.words = strings.Split(w, ",")
	}
	if w := f.Tag.Get("within"); w != "" {
		low, high, _ := strings.Cut(w, ",")
		var ends [2]float64
		for i, s := range []string{low, high} {
			v, err := strconv.ParseFloat(s, 64)
			if err != nil {
				return a, fmt.Errorf("argument %s: range %q: %w", name, w, err)
			}
			ends[i] = v
		}
		a.within = &ends
	}
	inner := reflect.Type(nil)
	switch {
	case isObjects(f.Type):
		inner = itemType(f.Type)
	case f.Type.Kind() == reflect.Pointer && f.Type.Elem().Kind() == reflect.Struct:
		inner = f.Type.Elem()
	case !decodable(f.Type):
		return a, fmt.Errorf("argument %s: no rule for decoding a %s", name, f.Type)
	}
	if inner != nil {
		var err error
		if a.object, err = newSignature(name, name, inner, bounds{}); err != nil {
			return a, fmt.Errorf("argument %s: %w", name, err)
		}
		if isObjects(f.Type) {
			a.object.name, a.object.self = "An item of "+name, "the item"
		}
	}
	return a, nil
}

func decodable(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	} else if t.Kind() == reflect.Slice {
		return t.Elem().Kind() == reflect.String
	}
	return slices.Contains([]reflect.Kind{reflect.String, reflect.Bool, reflect.Int, reflect.Float64}, t.Kind())
}

// usage lists the arguments for an error's hint. A star marks required arguments.
func (s *signature) usage() string {
	names := make([]string, len(s.args))
	for i, a := range s.args {
		names[i] = a.name
		if a.required {
			names[i] += "*"
		}
	}
	return s.name + " takes " + strings.Join(names, ", ") + "."
}

// unlisted returns the arguments that the schema leaves out, including those inside objects.
func (s *signature) unlisted() []string {
	var names []string
	for _, a := range s.args {
		if a.unlisted {
			names = append(names, a.name)
		}
		if a.object != nil {
			names = append(names, a.object.unlisted()...)
		}
	}
	return names
}

// camel returns the camelCase spelling of a snake_case name.
func camel(snake string) string {
	words := strings.Split(snake, "_")
	for i, w := range words[1:] {
		if w != "" {
			words[i+1] = strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return strings.Join(words, "")
}
