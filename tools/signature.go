package tools

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// span is the allowed range of a whole-number argument, both ends included, and its value where none is given.
type span struct{ min, max, def int }

// argument is one argument of a tool, read from a field of its struct. Tags: json (name; without omitempty it is
// required), jsonschema_description, enum (allowed values, a comma between), within ("0,1": the range of a number, ends
// included), alias (further spellings, a comma between), unlisted (accepted, but left out of the schema to keep the
// list of tools small).
type argument struct {
	name     string // snake_case
	index    []int  // of the field, through embedded structs
	required bool
	unlisted bool
	enum     []string
	within   *[2]float64
	object   *signature // of an object, or of each object of a list
	most     int        // objects in a list, 0 for no limit of its own
}

// signature is what a tool, or one object among its arguments, takes.
type signature struct {
	name     string // of the tool or of the argument
	self     string // how an error speaks of the whole: "the arguments", "the item"
	args     []argument
	byName   map[string]int // position in args by name, by its camelCase spelling and by its aliases
	ranges   map[string]span
	embedded reflect.Type // the struct that it was read from
}

// bounds are the limits of a tool's arguments that follow from the settings.
type bounds struct {
	ranges map[string]span // of whole numbers
	most   map[string]int  // of lists of objects
	// Arguments that this tool lists although their tag says unlisted, and the other way round.
	listed, unlisted []string
}

// newSignature reads a struct of arguments. Its fields are strings, bools, numbers, pointers to these (where absent
// differs from zero), pointers to structs, lists of strings, and objects.
func newSignature(name, self string, t reflect.Type, b bounds) (*signature, error) {
	sig := &signature{name: name, self: self, byName: map[string]int{}, ranges: b.ranges, embedded: t}
	for _, f := range reflect.VisibleFields(t) {
		if f.Anonymous {
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

// usage lists the arguments for an error's hint, the required ones with a star.
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

// unlisted are the names that the schema leaves out, those inside objects too.
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
