package store_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"memory-graph/internal/memory"
)

var today = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// spoken is a namespace whose facts are given as words.
//
// A fact has the form:
//
//	[on DAY] ORIGIN: HEAD RELATION TAIL [from DAY] [until DAY] [sure 0.5] [ended] [news] [saidby ORIGIN]
//
// A stored fact has the form:
//
//	RELATION TAIL [from..until] [by TAIL of what superseded it]
//
// "soon" is an end that is not reached yet. The day is 2026-06-01 until a fact is said "on" another day.
type spoken struct {
	p     *playground
	scope memory.Scope
}

// typed are the types of names that are not concepts.
var typed = map[string]string{"Alice": "person", "Bob": "person", "Carol": "person", "Dora": "person",
	"Ticket1": "project", "Ticket2": "project", "Acme": "organization", "Office": "location"}

func (w *spoken) say(t *testing.T, line string) memory.RelationWrite {
	t.Helper()
	words := strings.Fields(line)
	next := func() string {
		word := ""
		if len(words) > 0 {
			word, words = words[0], words[1:]
		}
		return word
	}
	if words[0] == "on" {
		next()
		w.p.now = mustTime(t, next())
	}
	origin := memory.Origin(strings.TrimSuffix(next(), ":"))
	if origin.Trust() == 0 {
		t.Fatalf("%q has no origin", line)
	}
	d := memory.RelationDraft{Head: next(), Relation: next(), Tail: next(), CreateMissing: true, Origin: origin,
		Method: memory.MethodSupplied}
	d.HeadType, d.TailType = typed[d.Head], typed[d.Tail]
	for word := next(); word != ""; word = next() {
		switch word {
		case "from":
			d.ValidFrom = mustTime(t, next())
		case "until":
			d.ValidUntil = mustTime(t, next())
		case "ended":
			d.Ended = true
		case "news":
			d.News = true
		case "saidby":
			d.SaidBy = memory.Origin(next())
		case "sure":
			v, err := strconv.ParseFloat(next(), 64)
			if err != nil {
				t.Fatal(err)
			}
			d.Confidence = &v
		default:
			t.Fatalf("%q: what is %q?", line, word)
		}
	}
	out, err := w.p.s.CreateRelation(t.Context(), w.scope, d, 0, agent)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return out
}

func mustTime(t *testing.T, s string) time.Time {
	t.Helper()
	at, err := memory.ParseTime("test", s)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// all returns the facts of a head, ended ones included.
func (w *spoken) all(t *testing.T, head int64) (out []string) {
	t.Helper()
	ids, err := w.p.s.QueryInts(fmt.Sprintf(`SELECT id FROM mg_relationships WHERE head_id = %d ORDER BY id`, head))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := w.p.s.Relationships(t.Context(), w.scope.Namespace, ids, memory.AsOf{})
	if err != nil {
		t.Fatal(err)
	}
	day := func(at time.Time) string {
		if at.IsZero() {
			return ""
		}
		return at.Format(time.DateOnly)
	}
	for _, r := range rows {
		line := fmt.Sprintf("%s %s %s..%s", r.Relation, r.Tail.Name, day(r.ValidFrom), day(r.ValidUntil))
		if r.ValidUntil.IsZero() && !r.ExpiresAt.IsZero() {
			line += day(r.ExpiresAt) + " soon"
		}
		if r.SupersededBy != 0 {
			_, tail, _ := strings.Cut(w.fact(t, r.SupersededBy), " ")
			line += " by " + tail
		}
		if r.Active(w.p.now) != r.ValidUntil.IsZero() {
			line += " due"
		}
		out = append(out, line)
	}
	return out
}

func (w *spoken) fact(t *testing.T, id int64) string {
	t.Helper()
	rows, err := w.p.s.Relationships(t.Context(), w.scope.Namespace, []int64{id}, memory.AsOf{})
	if err != nil || len(rows) != 1 {
		t.Fatalf("r%d: %v, %v", id, rows, err)
	}
	return rows[0].Relation + " " + rows[0].Tail.Name
}
