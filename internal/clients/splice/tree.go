package splice

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
)

// At returns the value at a path below v. A name may be a list index.
func At(v any, path ...string) (any, bool) {
	for _, name := range path {
		switch t := v.(type) {
		case Object:
			var ok bool
			if v, ok = t.Get(name); !ok {
				return nil, false
			}
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(t) {
				return nil, false
			}
			v = t[i]
		default:
			return nil, false
		}
	}
	return v, true
}

func has(root Object, path []string) bool { _, ok := At(root, path...); return ok && len(path) > 0 }

func empty(v any) bool {
	switch t := v.(type) {
	case Object:
		return len(t) == 0
	case []any:
		return len(t) == 0
	}
	return false
}

// with returns root with v at a path.
func with(root Object, path []string, v any) Object {
	o, _ := put(root, path, v).(Object)
	return o
}

func put(at any, path []string, v any) any {
	if len(path) == 0 {
		return v
	}
	switch t := at.(type) {
	case []any:
		out := slices.Clone(t)
		if i, err := strconv.Atoi(path[0]); err == nil && i >= 0 && i < len(out) {
			out[i] = put(out[i], path[1:], v)
		}
		return out
	case Object:
		out := slices.Clone(t)
		for i, m := range out {
			if m.Name == path[0] {
				out[i].Value = put(m.Value, path[1:], v)
				return out
			}
		}
		return append(out, Member{path[0], nest(path[1:], v)})
	}
	return nest(path, v)
}

// nest wraps v in objects, one for each name.
func nest(path []string, v any) any {
	for _, name := range slices.Backward(path) {
		v = Object{{name, v}}
	}
	return v
}

// without returns root without the value at a path.
func without(root Object, path []string) Object {
	v, _ := drop(root, path).(Object)
	return v
}

func drop(v any, path []string) any {
	switch t := v.(type) {
	case Object:
		out := Object{}
		for _, m := range t {
			if m.Name == path[0] && len(path) == 1 {
				continue
			}
			if m.Name == path[0] {
				m.Value = drop(m.Value, path[1:])
			}
			out = append(out, m)
		}
		return out
	case []any:
		at, err := strconv.Atoi(path[0])
		if err != nil || at < 0 || at >= len(t) {
			return t
		}
		if len(path) == 1 {
			return slices.Delete(slices.Clone(t), at, at+1)
		}
		out := slices.Clone(t)
		out[at] = drop(out[at], path[1:])
		return out
	}
	return v
}

// plain converts v to comparable types: maps, lists and strings. Order of members is lost.
func plain(v any) any {
	switch t := v.(type) {
	case Object:
		m := make(map[string]any, len(t))
		for _, member := range t {
			m[member.Name] = plain(member.Value)
		}
		return m
	case []any:
		list := make([]any, len(t))
		for i := range t {
			list[i] = plain(t[i])
		}
		return list
	case string:
		return t
	case nil:
		return nil
	}
	return fmt.Sprintf("%v\x00", v) // a number or boolean must not equal a string with the same text
}

// Equal reports whether two values are equal, ignoring the order of members.
func Equal(a, b any) bool { return reflect.DeepEqual(plain(a), plain(b)) }
