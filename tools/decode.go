package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"memory-graph/internal/memory"
)

// maxListItems is the maximum length of a list of strings in any argument.
const maxListItems = 1000

// decode reads a call's arguments into a struct. It accepts variants with a clear meaning ("42" for 42, 42 for "42",
// "x" for ["x"], camelCase names, null for absent). It rejects unknown names, wrong types, fractions, values out of
// range and missing arguments with InvalidArgument; the error names the argument, the value and what is allowed. A list
// of objects that is too long is TooLarge.
func (s *signature) decode(arguments json.RawMessage, into reflect.Value) error {
	more, _ := into.Addr().Interface().(open)
	given, err := s.fields(arguments, more != nil)
	if err != nil {
		return err
	}
	spelled := make([]string, len(s.args))   // the spelling of each argument in the call
	for _, name := range sortedKeys(given) { // sorted: the same mistake always returns the same error
		i, known := s.byName[name]
		if isNull(given[name]) {
			continue
		}
		if !known {
			if err := more.other(name, given[name]); err != nil {
				return err
			}
			continue
		}
		a, raw := s.args[i], given[name]
		if spelled[i] != "" {
			return memory.Errorf(memory.InvalidArgument, "%s is given twice, as %s and as %s.", a.name, spelled[i], name).
				WithHint("Keep one of them.")
		}
		spelled[i] = name
		if err := s.value(a, raw, into.FieldByIndex(a.index)); err != nil {
			return err
		}
	}
	for i, a := range s.args {
		if a.required && spelled[i] == "" {
			return memory.Errorf(memory.InvalidArgument, "%s is missing.", a.name).WithHint("%s", s.usage())
		}
	}
	return nil
}

// fields splits an object into its fields. Unless more is set it rejects unknown names.
func (s *signature) fields(raw json.RawMessage, more bool) (map[string]json.RawMessage, error) {
	if raw = unquoted(raw); len(bytes.TrimSpace(raw)) == 0 || isNull(raw) {
		return nil, nil
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(raw, &given); err != nil {
		verb := "is"
		if strings.HasSuffix(s.self, "s") {
			verb = "are"
		}
		if broken := (*json.SyntaxError)(nil); errors.As(err, &broken) {
			return nil, memory.Errorf(memory.InvalidArgument, "%s %s not valid JSON at byte %d.", s.self, verb,
				broken.Offset).WithHint("%s", s.usage())
		}
		return nil, memory.Errorf(memory.InvalidArgument, "%s %s %s, not an object.", s.self, verb, show(raw)).WithHint("%s",
			s.usage())
	}
	var unknown []string
	for _, name := range sortedKeys(given) {
		if _, ok := s.byName[name]; !ok && !more {
			unknown = append(unknown, clip(strconv.Quote(name)))
		}
	}
	switch len(unknown) {
	case 0:
		return given, nil
	case 1:
		return nil, memory.Errorf(memory.InvalidArgument, "unknown argument %s.", unknown[0]).WithHint("%s", s.usage())
	}
	const most = 5
	if len(unknown) > most {
		unknown = append(unknown[:most], "…")
	}
	return nil, memory.Errorf(memory.InvalidArgument, "unknown arguments %s.", strings.Join(unknown, ", ")).WithHint("%s",
		s.usage())
}

// value decodes one present argument.
func (s *signature) value(a argument, raw json.RawMessage, into reflect.Value) error {
	if into.Kind() == reflect.Pointer {
		into.Set(reflect.New(into.Type().Elem()))
		into = into.Elem()
	}
	switch into.Kind() {
	case reflect.String:
		v, ok := asString(raw)
		if !ok {
			return wrongType(a, raw, "a string")
		}
		if err := a.allow(v); err != nil {
			return err
		}
		into.SetString(v)
	case reflect.Bool:
		v, ok := asBool(raw)
		if !ok {
			return wrongType(a, raw, "true or false")
		}
		into.SetBool(v)
	case reflect.Int:
		return s.whole(a, raw, into)
	case reflect.Float64:
		return a.number(raw, into)
	case reflect.Struct:
		return inside(a.name, a.object.decode(raw, into))
	case reflect.Slice:
		if a.object != nil {
			return a.list(raw, into)
		}
		return a.strings(raw, into)
	}
	return nil
}

// whole decodes an integer.
func (s *signature) whole(a argument, raw json.RawMessage, into reflect.Value) error {
	r, bounded := s.ranges[a.name]
	if !bounded && a.within != nil {
		r, bounded = span{min: int(a.within[0]), max: int(a.within[1])}, true
	}
	want := "a whole number"
	if bounded {
		want += " from " + strconv.Itoa(r.min) + " to " + strconv.Itoa(r.max)
	}
	v, ok := asInt(raw)
	if name, isText := asString(raw); !ok && isText {
		v = int64(slices.Index(a.words, strings.ToLower(strings.TrimSpace(name))))
		ok = v >= 0
	}
	if !ok {
		return wrongType(a, raw, want)
	}
	if bounded && (v < int64(r.min) || v > int64(r.max)) {
		return memory.Errorf(memory.InvalidArgument, "%s: %d is out of range.", a.name, v).WithHint("Give %s.", want)
	}
	into.SetInt(v)
	return nil
}

// number decodes a number with or without a fraction. NaN and infinity are not valid, neither as JSON nor as a string.
func (a argument) number(raw json.RawMessage, into reflect.Value) error {
	want := "a number"
	if a.within != nil {
		want += " from " + strconv.FormatFloat(a.within[0], 'g', -1, 64) + " to " +
			strconv.FormatFloat(a.within[1], 'g', -1, 64)
	}
	v, ok := asFloat(raw)
	if !ok {
		return wrongType(a, raw, want)
	}
	if a.within != nil && (v < a.within[0] || v > a.within[1]) {
		return memory.Errorf(memory.InvalidArgument, "%s: %s is out of range.", a.name, show(raw)).WithHint("Give %s.", want)
	}
	into.SetFloat(v)
	return nil
}

// strings decodes a list of strings.
func (a argument) strings(raw json.RawMessage, into reflect.Value) error {
	list, ok := asStrings(raw)
	if !ok {
		return wrongType(a, raw, "a list of strings")
	}
	if len(list) > maxListItems {
		return memory.Errorf(memory.InvalidArgument, "%s: %d items are too many.", a.name,
			len(list)).WithHint("Give at most %d.",
			maxListItems)
	}
	for _, v := range list {
		if err := a.allow(v); err != nil {
			return err
		}
	}
	into.Set(reflect.ValueOf(list).Convert(into.Type()))
	return nil
}

// list decodes a list of objects. An error in one object is stored with that object.
func (a argument) list(raw json.RawMessage, into reflect.Value) error {
	items, ok := asObjects(raw)
	if !ok {
		return wrongType(a, raw, "a list of objects").WithHint("Give a list of objects: %s.",
			strings.TrimSuffix(a.object.usage(), "."))
	}
	if a.most > 0 && len(items) > a.most {
		return memory.Errorf(memory.TooLarge, "%s: %d items are more than the %d allowed in one call.", a.name, len(items),
			a.most).
			WithHint("Split them over several calls. This call stored nothing.")
	}
	if list, ok := into.Addr().Interface().(objectList); ok {
		list.decodeItems(a.object, items)
	}
	return nil
}

// inside adds the argument's name to the message of an error inside it.
func inside(name string, err error) error {
	if err == nil {
		return nil
	}
	e := *memory.AsError(err)
	if !strings.HasPrefix(e.Message, name) {
		e.Message = name + ": " + e.Message
	}
	return &e
}

// allow checks a value against the argument's enum. The empty string counts as absent.
func (a argument) allow(v string) error {
	if len(a.enum) == 0 || v == "" || slices.Contains(a.enum, v) {
		return nil
	}
	return memory.Errorf(memory.InvalidArgument, "%s: %s is not known.", a.name, clip(strconv.Quote(v))).
		WithHint("Use one of %s.", strings.Join(a.enum, ", "))
}
