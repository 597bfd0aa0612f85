package tools

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"memory-graph/memory"
)

// decode reads a call's arguments into a struct. It is forgiving where the meaning is plain ("42" for 42, 42 for "42",
// "x" for ["x"], camelCase names, null for absent) and refuses the rest with an InvalidArgument that names the argument,
// the value and what is allowed: unknown names, wrong types, fractions, values out of range, missing arguments.
func (s *signature) decode(arguments json.RawMessage, into reflect.Value) error {
	given, err := s.object(arguments)
	if err != nil {
		return err
	}
	set := make([]bool, len(s.args))
	for _, name := range sortedKeys(given) { // sorted, so that the same mistake gives the same error
		i := s.byName[name]
		a, raw := s.args[i], given[name]
		if isNull(raw) {
			continue
		}
		if set[i] {
			return memory.Errorf(memory.InvalidArgument, "%s is given twice, as %s and as %s.", a.name, a.name, camel(a.name)).
				WithHint("Keep one of them.")
		}
		set[i] = true
		if err := s.value(a, raw, into.FieldByIndex(a.index)); err != nil {
			return err
		}
	}
	for i, a := range s.args {
		if a.required && !set[i] {
			return memory.Errorf(memory.InvalidArgument, "%s is missing.", a.name).WithHint("%s", s.usage())
		}
	}
	return nil
}

// object splits the arguments and refuses names that the tool does not know.
func (s *signature) object(arguments json.RawMessage) (map[string]json.RawMessage, error) {
	if len(bytes.TrimSpace(arguments)) == 0 || isNull(arguments) {
		return nil, nil
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(arguments, &given); err != nil {
		return nil, memory.Errorf(memory.InvalidArgument, "the arguments are %s, not an object.", show(arguments)).
			WithHint("%s", s.usage())
	}
	var unknown []string
	for _, name := range sortedKeys(given) {
		if _, ok := s.byName[name]; !ok {
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
	return nil, memory.Errorf(memory.InvalidArgument, "unknown arguments %s.", strings.Join(unknown, ", ")).WithHint("%s", s.usage())
}

// value decodes one argument that is there.
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
		r, bounded := s.ranges[a.name]
		want := "a whole number"
		if bounded {
			want += " from " + strconv.Itoa(r.min) + " to " + strconv.Itoa(r.max)
		}
		v, ok := asInt(raw)
		if !ok {
			return wrongType(a, raw, want)
		}
		if bounded && (v < int64(r.min) || v > int64(r.max)) {
			return memory.Errorf(memory.InvalidArgument, "%s: %d is out of range.", a.name, v).WithHint("Give %s.", want)
		}
		into.SetInt(v)
	case reflect.Slice:
		list, ok := asStrings(raw)
		if !ok {
			return wrongType(a, raw, "a list of strings")
		}
		for _, v := range list {
			if err := a.allow(v); err != nil {
				return err
			}
		}
		into.Set(reflect.ValueOf(list).Convert(into.Type()))
	}
	return nil
}

// allow checks a value against the argument's enum; the empty string is taken for absent.
func (a argument) allow(v string) error {
	if len(a.enum) == 0 || v == "" || slices.Contains(a.enum, v) {
		return nil
	}
	return memory.Errorf(memory.InvalidArgument, "%s: %s is not known.", a.name, clip(strconv.Quote(v))).
		WithHint("Use one of %s.", strings.Join(a.enum, ", "))
}

func wrongType(a argument, raw json.RawMessage, want string) error {
	return memory.Errorf(memory.InvalidArgument, "%s: %s cannot be used.", a.name, show(raw)).WithHint("Give %s.", want)
}

func asString(raw json.RawMessage) (string, bool) {
	if isNumber(raw) {
		return string(bytes.TrimSpace(raw)), true
	}
	var v string
	return v, json.Unmarshal(raw, &v) == nil
}

func asBool(raw json.RawMessage) (v, ok bool) {
	switch s, _ := asString(raw); strings.TrimSpace(s) {
	case "true":
		return true, true
	case "false":
		return false, true
	}
	return v, json.Unmarshal(raw, &v) == nil
}

// asInt takes a whole number, also written as 3.0 or "3", as JSON Schema does.
func asInt(raw json.RawMessage) (int64, bool) {
	s, ok := asString(raw)
	if !ok {
		return 0, false
	}
	s = strings.TrimSpace(s)
	if v, err := strconv.ParseInt(s, 10, 64); err == nil {
		return v, true
	}
	if !isNumber([]byte(s)) { // strconv knows more numbers than JSON does: "inf", "0x1p4", "1_000"
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return 0, false
	}
	return int64(f), true
}

func asStrings(raw json.RawMessage) ([]string, bool) {
	var items []json.RawMessage
	if json.Unmarshal(raw, &items) != nil {
		v, ok := asString(raw)
		return []string{v}, ok
	}
	list := make([]string, 0, len(items))
	for _, item := range items {
		v, ok := asString(item)
		if !ok || isNull(item) {
			return nil, false
		}
		list = append(list, v)
	}
	return list, true
}

func isNull(raw json.RawMessage) bool { return string(bytes.TrimSpace(raw)) == "null" }

// isNumber says whether raw is a JSON number.
func isNumber(raw json.RawMessage) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) > 0 && (raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9') && json.Valid(raw)
}

// show names a JSON value in an error: its kind where it has parts, itself where it is short.
func show(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	switch {
	case len(raw) == 0:
		return "nothing"
	case raw[0] == '{':
		return "an object"
	case raw[0] == '[':
		return "a list"
	}
	return clip(string(raw))
}

// clip keeps a value that a caller sent from filling an error.
func clip(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
