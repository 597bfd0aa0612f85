package transfer

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"memory-graph/internal/memory"
)

// record is one row of another program's table, or one object of its JSON file. The values are those of SQLite or of
// JSON.
type record map[string]any

// lineKey is the field of a record that has the number of its line or row.
const lineKey = "\x00line"

func (r record) line() int {
	n, _ := r[lineKey].(int)
	return n
}

// text returns the first of the fields that has a text or a number with a visible character, as text.
func (r record) text(names ...string) string {
	for _, name := range names {
		s := ""
		switch v := r[name].(type) {
		case string:
			s = v
		case int64:
			s = strconv.FormatInt(v, 10)
		case float64:
			s = strconv.FormatFloat(v, 'f', -1, 64)
		}
		if strings.TrimSpace(s) != "" {
			return s
		}
	}
	return ""
}

// time returns the first of the fields that has a time: RFC 3339, a time without zone in UTC, or seconds or
// milliseconds since 1970. A time without a year from 1970 to 9999 counts as unknown.
func (r record) time(names ...string) time.Time {
	for _, name := range names {
		var t time.Time
		switch v := r[name].(type) {
		case string:
			t = timeOf(v)
		case int64:
			t = sinceEpoch(float64(v))
		case float64:
			t = sinceEpoch(v)
		}
		if !t.IsZero() {
			return t
		}
	}
	return time.Time{}
}

// timeLayouts are the forms of times that memory.ParseTime does not read.
var timeLayouts = []string{"2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00",
	"2006-01-02 15:04:05.999999999", "2006-01-02T15:04:05.999999999Z0700"}

func timeOf(s string) time.Time {
	s = strings.TrimSpace(s)
	if s == "" {
		return time.Time{}
	}
	if n, err := strconv.ParseFloat(s, 64); err == nil && len(s) > 4 {
		return sinceEpoch(n)
	}
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, s); err == nil && t.Year() >= 1970 && t.Year() <= 9999 {
			return t.UTC()
		}
	}
	if t, err := memory.ParseTime("time", s); err == nil && t.Year() >= 1970 {
		return t
	}
	return time.Time{}
}

// sinceEpoch reads seconds since 1970, or milliseconds if the number is too large for seconds.
func sinceEpoch(n float64) time.Time {
	const inMillis = 1e11 // seconds until the year 5138
	if n >= inMillis {
		n /= 1000
	}
	if !(n > 0 && n < year10000) { // also not a number
		return time.Time{}
	}
	whole, part := math.Modf(n)
	return time.Unix(int64(whole), int64(math.Round(part*1e6))*1e3).UTC()
}

// list returns a field that is a list of texts: a list, JSON text of a list, or texts separated by commas.
func (r record) list(name string) []string {
	var out []string
	add := func(s string) {
		if s = strings.TrimSpace(s); s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	switch v := r[name].(type) {
	case []any:
		for _, item := range v {
			if s, ok := item.(string); ok {
				add(s)
			}
		}
	case string:
		if strings.HasPrefix(strings.TrimSpace(v), "[") {
			var items []any
			if json.Unmarshal([]byte(v), &items) == nil {
				return record{name: items}.list(name)
			}
		}
		for s := range strings.SplitSeq(v, ",") {
			add(s)
		}
	}
	return out
}

// object returns a field that is an object, or JSON text of one. It is never nil.
func (r record) object(name string) record {
	switch v := r[name].(type) {
	case map[string]any:
		return v
	case string:
		var out map[string]any
		if strings.HasPrefix(strings.TrimSpace(v), "{") && json.Unmarshal([]byte(v), &out) == nil && out != nil {
			return out
		}
	}
	return record{}
}

// objects returns a field that is a list of objects.
func (r record) objects(name string) []record {
	list, _ := r[name].([]any)
	var out []record
	for _, item := range list {
		if o, ok := item.(map[string]any); ok {
			out = append(out, o)
		}
	}
	return out
}

// name returns a text as the name of a user, a project or a session: one line of at most 200 bytes.
func (r record) name(names ...string) string { return sessionName(r.text(names...), "") }

// labels makes labels of tags, without those that a program gives itself.
func labels(kind memory.LabelKind, tags []string) []memory.Label {
	const longest, most = 100, 20
	var out []memory.Label
	for _, tag := range tags {
		tag = sessionName(strings.TrimPrefix(tag, "#"), "")
		if tag == "" || len(tag) > longest || len(out) == most || strings.HasPrefix(tag, "conflict:") || tag == "untagged" {
			continue
		}
		out = append(out, memory.Label{Kind: kind, Value: tag})
	}
	return out
}

// paragraphs joins the texts that are not empty.
func paragraphs(parts ...string) string {
	kept := slices.DeleteFunc(parts, func(s string) bool { return strings.TrimSpace(s) == "" })
	return strings.TrimSpace(strings.Join(kept, "\n\n"))
}
