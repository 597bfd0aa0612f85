package tools

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"memory-graph/internal/memory"
)

func wrongType(a argument, raw json.RawMessage, want string) *memory.Error {
	return memory.Errorf(memory.InvalidArgument, "%s: %s is not valid.", a.name, show(raw)).WithHint("Give %s.", want)
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

// asInt accepts a whole number, also written as 3.0 or "3", like JSON Schema.
func asInt(raw json.RawMessage) (int64, bool) {
	s, ok := asString(raw)
	if !ok {
		return 0, false
	}
	s = strings.TrimSpace(s)
	if v, err := strconv.ParseInt(s, 10, 64); err == nil {
		return v, true
	}
	if !isNumber([]byte(s)) { // strconv accepts more than JSON: "inf", "0x1p4", "1_000"
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return 0, false
	}
	return int64(f), true
}

// asFloat accepts a JSON number, also inside a string.
func asFloat(raw json.RawMessage) (float64, bool) {
	s, ok := asString(raw)
	if s = strings.TrimSpace(s); !ok || !isNumber([]byte(s)) {
		return 0, false
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil
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

// isNumber reports whether raw is a JSON number.
func isNumber(raw json.RawMessage) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) > 0 && (raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9') && json.Valid(raw)
}

// show describes a JSON value in an error: the kind of an object or list, otherwise the value itself, shortened.
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

// clip shortens a caller's value for an error message.
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
