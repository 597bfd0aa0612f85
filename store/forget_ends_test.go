package store_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// worksAt stores a user's turn of a day that the rules read as "User works_at place"; a place "-Acme" has ended.
func worksAt(t *testing.T, s *store.Store, day, place string) memory.ID {
	t.Helper()
	at := mustTime(t, day)
	d := does("User", "works_at", place)
	if place[0] == '-' {
		d.Tail, d.Ended, d.ValidUntil = place[1:], true, mustTime(t, "2025-06-15")
	}
	d.TailType, d.CreateMissing, d.Origin, d.Method = "organization", true, memory.OriginUser, memory.MethodRule
	out, err := s.RecordEpisode(t.Context(), store.NewEpisode{Episode: memory.Episode{Scope: inN, Role: memory.RoleUser,
		Content: day + place, Origin: memory.OriginUser, Status: memory.StatusDone, OccurredAt: at},
		Caller:  memory.Caller{Actor: "test", CallID: day + place},
		Reading: store.Reading{Found: memory.Findings{Relations: []memory.RelationDraft{d}}}})
	if err != nil || len(out.Found.Refused) > 0 {
		t.Fatalf("%v, %+v", err, out.Found.Refused)
	}
	return memory.EpisodeID(out.Episode.ID)
}

// jobs are the facts as "Acme 2025-01-10–2025-06-15 r2".
func jobs(t *testing.T, s *store.Store, at memory.AsOf) (out []string) {
	t.Helper()
	list, err := s.Relationships(t.Context(), ns, []int64{1, 2, 3}, at)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range list {
		line := r.Tail.Name + " " + r.ValidFrom.Format(time.DateOnly) + "–"
		if !r.ValidUntil.IsZero() {
			line += r.ValidUntil.Format(time.DateOnly)
		}
		if r.SupersededBy != 0 {
			line += fmt.Sprintf(" r%d", r.SupersededBy)
		}
		out = append(out, line)
	}
	return out
}

func TestForget_TakesBackTheEndsThatOnlyTheTurnGave(t *testing.T) {
	t.Parallel()
	const acme, globex, initech = "2025-01-10 Acme", "2025-06-15 Globex", "2025-08-15 Initech"
	const left, again = "2025-06-15 -Acme", "2025-07-01 -Acme"
	for name, c := range map[string]struct {
		told   []string
		forget []string
		ends   []memory.ID
		over   []memory.ID
		want   []string
	}{
		"the fact that came after": {[]string{acme, globex}, []string{"t2"}, refs("r1"), nil, []string{"Acme 2025-01-10–"}},
		"the fact alone, whose turn still says it": {[]string{acme, globex}, []string{"r2"}, nil, nil,
			[]string{"Acme 2025-01-10–2025-06-15"}},
		"a later fact ends it": {[]string{acme, globex, initech}, []string{"t2"}, refs("r1"), nil,
			[]string{"Acme 2025-01-10–2025-08-15 r3", "Initech 2025-08-15–"}},
		"both that came after": {[]string{acme, globex, initech}, []string{"t2", "t3"}, refs("r1"), nil,
			[]string{"Acme 2025-01-10–"}},
		"stored as past":     {[]string{globex, acme}, []string{"t1"}, refs("r2"), nil, []string{"Acme 2025-01-10–"}},
		"its end":            {[]string{acme, left}, []string{"t2"}, refs("r1"), nil, []string{"Acme 2025-01-10–"}},
		"its end said twice": {[]string{acme, left, again}, []string{"t2"}, nil, nil, []string{"Acme 2025-01-10–2025-06-15"}},
		"the cause said twice": {[]string{acme, globex, "2025-07-01 Globex"}, []string{"t2"}, nil, nil,
			[]string{"Acme 2025-01-10–2025-06-15 r2", "Globex 2025-06-15–"}},
		"it has ended one that began before": {[]string{"2025-03-10 Acme", left, "2025-02-01 Hooli"}, []string{"t2"},
			refs("r1"), nil, []string{"Acme 2025-03-10–", "Hooli 2025-02-01–2025-03-10 r1"}},
		"what came after has ended, too": {[]string{acme, "2025-05-01 Globex", "2025-06-01 Hooli", "2025-08-15 -Hooli"},
			[]string{"t2"}, refs("r1"), nil,
			[]string{"Acme 2025-01-10–2025-06-01 r3", "Hooli 2025-06-01–2025-06-15"}},
		"two rows of one fact": {[]string{acme, globex, "2025-07-01 Acme", initech}, []string{"t2", "t4"}, refs("r3"), nil,
			[]string{"Acme 2025-01-10–2025-06-15", "Acme 2025-07-01–"}},
		"in one second": {[]string{acme, "2025-01-10 Globex", "2025-01-10 Initech"}, []string{"t2"}, refs("r1"), nil,
			[]string{"Acme 2025-01-10–2025-01-10 r3", "Initech 2025-01-10–"}},
		"another row says the same": {[]string{acme, globex, "2025-07-01 Acme"}, []string{"t2"}, nil, nil,
			[]string{"Acme 2025-01-10–2025-06-15", "Acme 2025-07-01–"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			now := mustTime(t, "2026-01-01")
			s := open(t, filepath.Join(t.TempDir(), "memory.db"), store.Options{Now: func() time.Time {
				now = now.Add(time.Second)
				return now
			}})
			for _, told := range c.told {
				worksAt(t, s, told[:10], told[11:])
			}
			before, known := jobs(t, s, memory.AsOf{}), now
			dry := forget(t, s, false, refs(c.forget...)...)
			if diff := cmp.Diff(c.ends, dry.EndsTakenBack); diff != "" {
				t.Errorf("dry run: %s", diff)
			}
			if diff := cmp.Diff(c.over, dry.Superseded); diff != "" {
				t.Errorf("dry run: %s", diff)
			}
			if diff := cmp.Diff(before, jobs(t, s, memory.AsOf{})); diff != "" {
				t.Errorf("the dry run changed: %s", diff)
			}
			done := forget(t, s, true, refs(c.forget...)...)
			if dry.DryRun = false; !cmp.Equal(dry, done) {
				t.Errorf("%+v; the dry run said %+v", done, dry)
			}
			if diff := cmp.Diff(c.want, jobs(t, s, memory.AsOf{})); diff != "" {
				t.Error(diff)
			}
			if name == "its end" {
				summer := mustTime(t, "2025-07-01")
				was, is := jobs(t, s, memory.AsOf{ValidAt: summer, KnownAt: known}), jobs(t, s, memory.AsOf{ValidAt: summer})
				if len(was) != 0 || len(is) != 1 {
					t.Errorf("of summer was known %q, and is known %q", was, is)
				}
			}
			isSound(t, s)
		})
	}
}

func TestUndo_OfACallWithAForgottenFactLeavesNoContradiction(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	worksAt(t, s, "2025-01-10", "Acme")
	worksAt(t, s, "2025-06-15", "Globex")
	worksAt(t, s, "2025-08-15", "Initech")
	undo := func(call string) error {
		_, err := s.Undo(t.Context(), ns, call, memory.Caller{Actor: "test", CallID: "undo " + call})
		return err
	}
	refused := func(says string) {
		t.Helper()
		if err := undo("2025-06-15Globex"); code(err) != memory.Conflict || !strings.Contains(err.Error(), says) {
			t.Errorf("%v; want %q", err, says)
		}
	}
	refused("r2 changed since")
	forget(t, s, true, refs("r2")...)
	refused("r1 would be active again beside r3")
	want := []string{"Acme 2025-01-10–2025-06-15", "Initech 2025-08-15–"}
	if diff := cmp.Diff(want, jobs(t, s, memory.AsOf{})); diff != "" {
		t.Error(diff)
	}
	if err := undo("2025-08-15Initech"); err != nil {
		t.Fatal(err)
	}
	if err := undo("2025-06-15Globex"); err != nil {
		t.Errorf("after the one that contradicts is gone: %v", err)
	}
	isSound(t, s)
}

func TestUndo_OfATurnWhoseEndWasTakenBackSaysThatItWasForgotten(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	worksAt(t, s, "2025-01-10", "Acme")
	forget(t, s, true, worksAt(t, s, "2025-06-15", "Globex"))
	_, err := s.Undo(t.Context(), ns, "2025-06-15Globex", agent)
	if code(err) != memory.Conflict || !strings.Contains(err.Error(), "cannot be undone") {
		t.Error(err)
	}
	if diff := cmp.Diff([]string{"Acme 2025-01-10–"}, jobs(t, s, memory.AsOf{})); diff != "" {
		t.Error(diff)
	}
}
