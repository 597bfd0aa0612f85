package tools

import (
	"strings"
	"time"

	"memory-graph/extraction/dates"
	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// fields checks the arguments of a write and keeps the first error.
type fields struct {
	o    Options
	said time.Time // what relative times count from; zero: now
	err  error
}

// text checks a text, which may be empty, against the maximum size of an episode.
func (f *fields) text(argument, s string) string {
	s = strings.TrimSpace(s)
	f.note(tooLong(argument, s, f.o.MaxContentBytes))
	return s
}

// name checks a name, which must have visible characters.
func (f *fields) name(argument, s string) string {
	s = strings.TrimSpace(s)
	if memory.Canonical(s) == "" {
		f.note(memory.Errorf(memory.InvalidArgument, "%s is empty.",
			argument).WithHint("Give a name with visible characters."))
	}
	f.note(tooLong(argument, s, f.o.MaxNameBytes))
	return s
}

// reference checks an optional id, name or alias.
func (f *fields) reference(argument, s string) string {
	if strings.TrimSpace(s) == "" {
		return ""
	}
	ref, err := f.o.reference(argument, s)
	f.note(err)
	return ref
}

// names checks a list of names and skips blank ones.
func (f *fields) names(argument string, list []string) []string {
	out := words(list)
	for _, s := range out {
		f.name(argument, s)
	}
	return out
}

// typ converts a type to snake_case. A blank type becomes "".
func (f *fields) typ(argument, s string) string {
	word, err := f.o.typeName(argument, s)
	f.note(err)
	return word
}

// relation checks a verb and returns it unchanged, as the relation's label.
func (f *fields) relation(argument, s string) string {
	s = strings.TrimSpace(s)
	if word := graph.Snake(s); word == "" || len(word) > graph.MaxRelationBytes || len(s) > f.o.MaxNameBytes {
		f.note(memory.Errorf(memory.InvalidArgument, "%s: %q is not a verb of 1 to %d bytes.", argument, clip(s),
			graph.MaxRelationBytes).
			WithHint("Use a verb in snake_case, such as works_at."))
	}
	return s
}

func (f *fields) time(argument, s string) time.Time {
	t, _ := f.period(argument, s)
	return t
}

// period checks a time and returns it with its precision.
func (f *fields) period(argument, s string) (time.Time, memory.Unit) {
	if strings.TrimSpace(s) == "" {
		return time.Time{}, ""
	}
	if err := checkText(argument, s, longestTime); err != nil {
		f.note(err)
		return time.Time{}, ""
	}
	t, unit, err := f.read(argument, s)
	f.note(err)
	return t, unit
}

// read reads a time of a fact as people say it too: "last week", "early 2019", "3 weeks ago".
func (f *fields) read(argument, s string) (time.Time, memory.Unit, error) {
	t, unit, err := memory.ParsePeriod(argument, s)
	if err == nil {
		return t, unit, nil
	}
	said := f.said
	if said.IsZero() && f.o.Now != nil {
		said = f.o.Now()
	} else if said.IsZero() {
		said = time.Now()
	}
	span, ok := dates.One(s, said)
	at := span.Began()
	if argument == "valid_until" || argument == "until" {
		at = span.Ended()
	}
	if ahead := argument == "valid_from" && at.After(said); ok && !at.IsZero() && !ahead { // a plan is no beginning
		t, unit = span.Period(at)
		return t, unit, nil
	}
	return time.Time{}, "", memory.Errorf(memory.InvalidArgument, "%s: %q is not a time.", argument, s).
		WithHint(`Use a date (2026-03-18), a month (2026-03, March 2020), a year, RFC 3339 (2026-03-18T09:30:00Z), ` +
			`YYYY-MM-DD HH:MM:SS, or words such as "last week", "early 2019" and "3 weeks ago".`)
}

// id parses an optional id of one kind and returns 0 for none. like is an example for the error.
func (f *fields) id(argument, s string, kind memory.Kind, like string) int64 {
	if s = strings.TrimSpace(s); s == "" {
		return 0
	}
	id, err := memory.ParseID(clip(s))
	if err != nil || id.Kind != kind {
		f.note(memory.Errorf(memory.InvalidArgument, "%s: %q is not an id of the right kind.", argument,
			clip(s)).WithHint("Give an id like %s.",
			like))
		return 0
	}
	return id.Num
}

func (f *fields) note(err error) {
	if f.err == nil {
		f.err = err
	}
}
