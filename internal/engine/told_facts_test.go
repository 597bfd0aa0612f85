package engine_test

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/engine"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// said is a turn of the user with the facts that a caller supplied with it: "Ann works_at Acme" or "-Ann works_at Acme"
// for one that has ended. A head or tail after "@" is a person.
type said struct {
	on, words string
	with      []string
}

func supplied(line string) memory.RelationDraft {
	line, ended := strings.CutPrefix(line, "-")
	word := strings.Fields(line)
	d := memory.RelationDraft{Head: word[0], Relation: word[1], Tail: strings.Join(word[2:], " "), Ended: ended,
		CreateMissing: true}
	for name, typ := range map[*string]*string{&d.Head: &d.HeadType, &d.Tail: &d.TailType} {
		if person, ok := strings.CutPrefix(*name, "@"); ok {
			*name, *typ = person, "person"
		}
	}
	return d
}

// reading opens a memory in which the rules read the turns, in June 2026.
func reading(t *testing.T) *engine.Engine {
	t.Helper()
	cfg := settings(t)
	cfg.Embedder, cfg.Rules, cfg.TrustRoles, cfg.Heartbeat.Enabled = "none", true, true, false
	var ticks atomic.Int64
	e, err := engine.Start(cfg, slog.New(slog.DiscardHandler), engine.WithClock(func() time.Time {
		return time.Date(2026, 6, 1, 0, 0, 0, int(ticks.Add(1))*int(time.Millisecond), time.UTC)
	}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

// play stores turns, and returns the facts that the last one ended and those that it leaves in conflict.
func play(t *testing.T, e *engine.Engine, turns ...said) (ended, conflicts []string) {
	t.Helper()
	for _, s := range turns {
		at, err := time.Parse("2006-01-02", s.on)
		if err != nil {
			t.Fatal(err)
		}
		turn := store.NewEpisode{Episode: memory.Episode{Scope: memory.Scope{Namespace: "n", SessionID: "s"},
			Content: s.words, OccurredAt: at.Add(9 * time.Hour)}, Caller: memory.Caller{Actor: "tool"}}
		for _, line := range s.with {
			turn.Relations = append(turn.Relations, supplied(line))
		}
		res, err := e.StoreEpisode(t.Context(), turn)
		if err != nil || len(res.Errors) > 0 {
			t.Fatalf("%q: %v, %+v", s.words, err, res.Errors)
		}
		ended, conflicts = nil, nil
		for _, w := range res.Relations {
			for _, id := range w.Superseded {
				ended = append(ended, memory.RelationshipID(id).String())
			}
			for _, c := range w.Conflicts {
				conflicts = append(conflicts, memory.RelationshipID(c.ID).String())
			}
		}
	}
	return ended, conflicts
}

// history returns every fact as "Ann works_at Acme 2020-03..2022 by Initech".
func history(t *testing.T, e *engine.Engine) (out []string) {
	t.Helper()
	list, _, err := openStore(t, e).ListRelationships(t.Context(), store.RelationshipFilter{Namespace: "n", All: true},
		0, 50)
	if err != nil {
		t.Fatal(err)
	}
	name := map[int64]string{}
	for _, r := range list {
		name[r.ID] = r.Tail.Name
	}
	show := func(at time.Time, u memory.Unit) string {
		if text := u.Show(at); len(text) > 10 {
			return text[:10]
		}
		return u.Show(at)
	}
	for _, r := range list {
		line := fmt.Sprintf("%s %s %s %s..%s", r.Head.Name, r.Relation, r.Tail.Name, show(r.ValidFrom, r.FromUnit),
			show(r.ValidUntil, r.UntilUnit))
		if r.SupersededBy != 0 {
			line += " by " + name[r.SupersededBy]
		}
		out = append(out, line)
	}
	slices.Sort(out)
	return out
}

func TestForget_OfAMiddleTurnLeavesTheNewestFact(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		told   []said
		forget []string
		want   []string
	}{
		"a kind of thing": {[]said{{"2026-01-01", "Larder uses MySQL.", nil},
			{"2026-02-01", "Larder runs on Postgres now.", nil}, {"2026-03-01", "Larder runs on MariaDB now.", nil}},
			[]string{"t2"},
			[]string{"Larder uses MariaDB 2026-03-01..", "Larder uses MySQL 2026-01-01..2026-03-01 by MariaDB"}},
		"a kind of thing, two turns": {[]said{{"2026-01-01", "Larder uses MySQL.", nil},
			{"2026-02-01", "Larder runs on Postgres now.", nil}, {"2026-03-01", "Larder runs on MariaDB now.", nil},
			{"2026-04-01", "Larder runs on SQLite now.", nil}},
			[]string{"t2", "t3"},
			[]string{"Larder uses MySQL 2026-01-01..2026-04-01 by SQLite", "Larder uses SQLite 2026-04-01.."}},
		"a role": {[]said{{"2026-01-01", "My boss is Jonas.", nil}, {"2026-02-01", "My boss is now Petra.", nil},
			{"2026-03-01", "My boss is now Rob.", nil}}, []string{"t2"},
			[]string{"User reports_to Jonas 2026-01-01..2026-03-01 by Rob", "User reports_to Rob 2026-03-01.."}},
		"the owner of a thing": {[]said{{"2026-01-01", "Tom owns the billing service.", nil},
			{"2026-02-01", "Julia owns the billing service now.", nil},
			{"2026-03-01", "Petra owns the billing service now.", nil}}, []string{"t2"},
			[]string{"Petra owns billing service 2026-03-01..",
				"Tom owns billing service 2026-01-01..2026-03-01 by billing service"}},
		"in one second": {[]said{{"2026-01-01", "I work at Acme.", nil}, {"2026-01-01", "I work at Globex now.", nil},
			{"2026-01-01", "I work at Hooli now.", nil}}, []string{"t2"},
			[]string{"User works_at Acme 2026-01-01..2026-01-01 by Hooli", "User works_at Hooli 2026-01-01.."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := reading(t)
			play(t, e, c.told...)
			s := openStore(t, e)
			var ids []memory.ID
			for _, id := range c.forget {
				parsed, err := memory.ParseID(id)
				if err != nil {
					t.Fatal(err)
				}
				ids = append(ids, parsed)
			}
			before := history(t, e)
			dry, err := s.Forget(t.Context(), "n", ids, false, memory.Caller{Actor: "test"})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(before, history(t, e)); diff != "" {
				t.Errorf("the dry run changed: %s", diff)
			}
			done, err := s.Forget(t.Context(), "n", ids, true, memory.Caller{Actor: "test"})
			if err != nil {
				t.Fatal(err)
			}
			if dry.DryRun = false; !cmp.Equal(dry, done) {
				t.Errorf("done %+v; the dry run said %+v", done, dry)
			}
			if diff := cmp.Diff(c.want, history(t, e)); diff != "" {
				t.Errorf("before\n%s\n%s", strings.Join(before, "\n"), diff)
			}
		})
	}
}
