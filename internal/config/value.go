package config

import (
	"errors"
	"fmt"
	"math"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"memory-graph/internal/command"
)

// errValue means that a value is not allowed; the message to the user comes from Setting.Allowed.
var errValue = errors.New("value not allowed")

// format is the form of a string setting. An empty value is allowed if the default is empty.
type format struct {
	words string
	ok    func(string) bool
	keys  bool // a value may hold a key, and is not repeated in errors
}

var formats = map[string]format{
	"scope": {"1 to 200 bytes of UTF-8 without control characters",
		func(s string) bool { return len(s) <= 200 && printable(s) }, false},
	"line":     {"one line of at most 1,000 bytes", func(s string) bool { return len(s) <= 1000 && printable(s) }, false},
	"path":     {"the path of a file", isPath, false},
	"url":      {"an http:// or https:// URL without query, such as http://127.0.0.1:11434/v1", isURL, true},
	"hostport": {"an address with a port, such as 127.0.0.1:8765", isHostPort, false},
	"command":  {"one command line of at most 4,096 bytes without a shell, such as claude -p", isCommand, true},
	"token":    {"at most 4,096 visible ASCII characters without spaces", isToken, true},
}

func printable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl)
}

// isPath refuses names that SQLite would not treat as a file.
func isPath(s string) bool {
	return len(s) <= 4096 && printable(s) && s != ":memory:" && !strings.HasPrefix(s, "file:")
}

func isURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && printable(s) && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" &&
		u.RawQuery == "" && u.Fragment == ""
}

func isHostPort(s string) bool {
	_, port, err := net.SplitHostPort(s)
	if err != nil {
		return false
	}
	n, err := strconv.ParseUint(port, 10, 16)
	return err == nil && n <= math.MaxUint16 && printable(s)
}

func isCommand(s string) bool {
	_, err := command.Split(s)
	return err == nil && len(s) <= 4096 && printable(s)
}

func isToken(s string) bool {
	return len(s) <= 4096 && !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' })
}

// parseText parses a value as written in a flag or the environment.
func (s Setting) parseText(in string) (any, error) {
	trimmed := strings.TrimSpace(in)
	switch s.Kind {
	case Bool:
		switch strings.ToLower(trimmed) {
		case "true", "1", "yes", "on":
			return true, nil
		case "false", "0", "no", "off":
			return false, nil
		}
		return nil, errValue
	case Int:
		n, err := strconv.Atoi(trimmed)
		if err != nil {
			return nil, errValue
		}
		return s.check(n)
	case Float:
		f, err := strconv.ParseFloat(trimmed, 64)
		if err != nil {
			return nil, errValue
		}
		return s.check(f)
	case Duration:
		d, err := time.ParseDuration(trimmed)
		if err != nil {
			return nil, errValue
		}
		return s.check(d)
	case List:
		return s.check(words(in))
	case Table:
		if trimmed != "" {
			return nil, errValue
		}
		return Routes{}, nil
	default:
		return s.check(in)
	}
}

// words splits a list at its commas, trims the parts, and drops empty ones.
func words(in string) []string {
	list := []string{}
	for part := range strings.SplitSeq(in, ",") {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}

// parseTOML checks a value from the TOML parser. Its type must match: a number in quotes is refused.
func (s Setting) parseTOML(in any) (any, error) {
	switch v := in.(type) {
	case bool:
		if s.Kind == Bool {
			return v, nil
		}
	case int64:
		switch {
		case s.Kind == Float:
			return s.check(float64(v))
		case s.Kind == Int && v >= math.MinInt && v <= math.MaxInt:
			return s.check(int(v))
		}
	case float64:
		if s.Kind == Float {
			return s.check(v)
		}
	case string:
		if s.Kind == String || s.Kind == Duration || s.Kind == List {
			return s.parseText(v)
		}
	case map[string]any:
		if s.Kind == Table {
			return routes(v)
		}
	case []any:
		if s.Kind != List {
			return nil, errValue
		}
		list := make([]string, 0, len(v))
		for _, e := range v {
			w, ok := e.(string)
			if !ok {
				return nil, errValue
			}
			list = append(list, w)
		}
		return s.check(list)
	}
	return nil, errValue
}

// check checks a typed value against the setting's range, words or format.
func (s Setting) check(v any) (any, error) {
	ok := true
	switch v := v.(type) {
	case int:
		ok = s.rng == nil || s.rng.has(float64(v))
	case float64:
		ok = !math.IsNaN(v) && !math.IsInf(v, 0) && (s.rng == nil || s.rng.has(v))
	case time.Duration:
		ok = s.rng == nil || s.rng.has(float64(v))
	case []string:
		ok = len(v) > 0 && !slices.ContainsFunc(v, func(w string) bool { return !slices.Contains(s.oneof, w) })
	case string:
		switch {
		case len(s.oneof) > 0:
			ok = slices.Contains(s.oneof, v)
		case v == "":
			ok = s.Default == ""
		case s.format == "command": // says why, since the value is not repeated
			if _, err := command.Split(v); err != nil {
				return nil, fmt.Errorf("%w: %w", errValue, err)
			}
			ok = isCommand(v)
		case s.format != "":
			ok = formats[s.format].ok(v)
		}
	}
	if !ok {
		return nil, errValue
	}
	return v, nil
}

// text returns a value as written in the environment.
func text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []string:
		return strings.Join(v, ",")
	case Routes:
		return v.String()
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return fmt.Sprint(v)
}
