package llm

import (
	"strings"
	"time"
	"unicode"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// moment is a time of an answer: its first instant, and its precision.
type moment struct {
	from time.Time
	unit memory.Unit
}

// period returns the beginning and the end of a fact. A time that is unreadable, that ends before it begins, or that is
// given although the turn names no time is left out and counted. A month or a year means its first instant.
func (t *validation) period(r relationAnswer, what string) (from, until moment) {
	read := func(given *string) moment {
		m, ok := instant(given)
		switch {
		case !ok:
			t.drop(DroppedTime, what)
		case !m.from.IsZero() && !t.dated(m):
			t.drop(DroppedUnsaid, what)
		default:
			return m
		}
		return moment{}
	}
	from, until = read(r.ValidFrom), read(r.ValidUntil)
	if !from.from.IsZero() && !until.from.IsZero() && !from.from.Before(until.from) {
		t.drop(DroppedTime, what)
		return moment{}, moment{}
	}
	return from, until
}

// endsAt returns when a fact ends that is said to have ended at until. A given end before the beginning of the fact
// that the graph has is that beginning, if the fact had not begun when the turn was said, if it is a plan, or if nobody
// said when it began. Otherwise, or with a given beginning, it is the end of an earlier period.
func (t *validation) endsAt(until, from moment, verb string, head, tail end) moment {
	if until.from.IsZero() || !from.from.IsZero() {
		return until
	}
	f := t.holds(verb, head, tail)
	if f == nil || !until.from.Before(f.From) ||
		!(f.Assumed || verb == graph.ScheduledFor || f.From.After(t.OccurredAt)) {
		return until
	}
	return moment{f.From, f.FromUnit}
}

// instant reads one time. nil, "" and "null" mean none.
func instant(s *string) (moment, bool) {
	if s == nil {
		return moment{}, true
	}
	in := strings.TrimSpace(*s)
	if in == "" || strings.EqualFold(in, "null") {
		return moment{}, true
	}
	t, unit, err := memory.ParsePeriod("time", in)
	return moment{t, unit}, err == nil && !t.IsZero()
}

// timed are words that name a time, besides numbers. Which time they mean is for the model to say.
var timed = words(`today tonight yesterday tomorrow now ago since until till last next this coming week weekend month
	quarter year years weeks months days decade spring summer autumn fall winter easter christmas xmas
	january february march april may june july august september october november december
	jan feb mar apr jun jul aug sep sept oct nov dec
	monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun`)

// dated reports whether the turn may state a time of the answer: it has a digit or a word for a time, or the time is
// the turn's own day, or the text has no English words for times. Models that repeat an example, or date what has no
// date, are caught; a reading of the words is not.
func (t *validation) dated(m moment) bool {
	return strings.ContainsFunc(t.Text, unicode.IsDigit) || t.folded.hasWord(timed) || t.speech.Foreign() ||
		!t.OccurredAt.IsZero() && m.from.Equal(t.OccurredAt.UTC().Truncate(24*time.Hour))
}
