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
	line, until, _ := strings.Cut(line, " until ")
	word := strings.Fields(line)
	d := memory.RelationDraft{Head: word[0], Relation: word[1], Tail: strings.Join(word[2:], " "), Ended: ended,
		CreateMissing: true}
	d.ValidUntil, _ = time.Parse(time.DateOnly, until)
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

// play stores turns, and returns the facts that the last one leaves in conflict.
func play(t *testing.T, e *engine.Engine, turns ...said) (conflicts []string) {
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
		conflicts = nil
		for _, w := range res.Relations {
			for _, c := range w.Conflicts {
				conflicts = append(conflicts, memory.RelationshipID(c.ID).String())
			}
		}
	}
	return conflicts
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

func TestStoreEpisode_WhatTheCallEndedIsNoConflict(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		told      []said
		history   []string
		conflicts []string
	}{
		"what is gone, with its end supplied": {[]said{{"2026-01-01", "Larder uses Sentry.", nil},
			{"2026-02-01", "Sentry is gone, we switched to GlitchTip.", []string{"-Larder uses Sentry",
				"Larder uses GlitchTip"}}}, []string{"Larder uses GlitchTip 2026-02-01..",
			"Larder uses Sentry 2026-01-01..2026-02-01 by GlitchTip"}, nil},
		"what is gone": {[]said{{"2026-01-01", "Larder uses Sentry.", nil},
			{"2026-02-01", "Sentry is gone, we switched to GlitchTip.", []string{"Larder uses GlitchTip"}}},
			[]string{"Larder uses GlitchTip 2026-02-01..", "Larder uses Sentry 2026-01-01..2026-02-01 by GlitchTip"}, nil},
		"an exclusive relation": {[]said{{"2026-01-01", "I prefer tea.", nil},
			{"2026-02-01", "I don't prefer tea any more, I hate it.", []string{"User dislikes tea"}}},
			[]string{"User dislikes tea 2026-02-01..", "User prefers tea 2026-01-01..2026-02-01"}, nil},
		"the holder of a role": {[]said{{"2026-01-01", "My boss is Jonas.", nil},
			{"2026-02-01", "My boss is now Petra.", []string{"-User reports_to @Jonas", "User reports_to @Petra"}}},
			[]string{"User reports_to Jonas 2026-01-01..2026-02-01 by Petra", "User reports_to Petra 2026-02-01.."}, nil},
		"what stays in conflict": {[]said{{"2026-01-01", "I work at Acme.", nil},
			{"2026-02-01", "Ok, noted.", []string{"User works_at Globex"}}},
			[]string{"User works_at Acme 2026-01-01..", "User works_at Globex 2026-02-01.."}, []string{"r1"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := reading(t)
			if diff := cmp.Diff(c.conflicts, play(t, e, c.told...)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(c.history, history(t, e)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestStoreEpisode_TheTurnSaysWhenASuppliedEndWas(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		told []said
		want []string
	}{
		"a year": {[]said{{"2026-01-01", "Ann joined Globex in March 2020.", nil},
			{"2026-02-01", "Ann left Globex in 2022.", []string{"-@Ann works_at Globex"}}},
			[]string{"Ann works_at Globex 2020-03..2022"}},
		"last month": {[]said{{"2026-01-01", "Ann joined Globex in March 2020.", nil},
			{"2026-03-10", "Ann left Globex last month.", []string{"-@Ann works_at Globex"}}},
			[]string{"Ann works_at Globex 2020-03..2026-02"}},
		"under another name": {[]said{{"2026-01-01", "Ann joined Globex in March 2020.", nil},
			{"2026-02-01", "Ann left Globex in 2022.", []string{"-@Ann employed_by Globex"}}},
			[]string{"Ann works_at Globex 2020-03..2022"}},
		"without a time": {[]said{{"2026-01-01", "Ann joined Globex in March 2020.", nil},
			{"2026-02-01", "Ann left Globex.", []string{"-@Ann works_at Globex"}}},
			[]string{"Ann works_at Globex 2020-03..2026-02-01"}},
		"a time that the caller gives": {[]said{{"2026-01-01", "Ann joined Globex in March 2020.", nil},
			{"2026-02-01", "Ann left Globex.", []string{"-@Ann works_at Globex until 2021-05-01"}}},
			[]string{"Ann works_at Globex 2020-03..2021-05-01"}},
		"from and until": {[]said{
			{"2026-02-01", "I worked at Globex from 2019 to 2022.", []string{"-User works_at Globex"}}},
			[]string{"User works_at Globex 2019..2022"}},
		"a job that began again": {[]said{{"2026-01-01", "Ann joined Globex in March 2020.", nil},
			{"2026-02-01", "Ann left Globex in 2022.", []string{"-@Ann works_at Globex"}},
			{"2026-02-02", "Ann joined Globex yesterday.", nil},
			{"2026-03-01", "Ann left Globex.", []string{"-@Ann works_at Globex"}}},
			[]string{"Ann works_at Globex 2020-03..2022", "Ann works_at Globex 2026-02-01..2026-03-01"}},
		"by another name of the user": {[]said{{"2026-01-01", "My name is Ann. I joined Globex in March 2020.", nil},
			{"2026-02-01", "I left Globex in 2022.", []string{"-@Ann works_at Globex"}}},
			[]string{"Ann works_at Globex 2020-03..2022"}},
		"not known before": {[]said{
			{"2026-02-01", "Ann left Globex in 2022.", []string{"-@Ann works_at Globex"}}},
			[]string{"Ann works_at Globex ..2022"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := reading(t)
			play(t, e, c.told...)
			if diff := cmp.Diff(c.want, history(t, e)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestStoreEpisode_ASymmetricRelationIsOneFactFromBothEnds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		told []said
		want []string
	}{
		"married": {[]said{{"2026-01-01", "I am married to Lisa.", []string{"@Lisa married_to @User"}}},
			[]string{"Lisa married_to User 2026-01-01.."}},
		"married, in another turn": {[]said{{"2026-01-01", "Ok, noted.", []string{"@Lisa spouse_of @User"}},
			{"2026-01-02", "I am married to Lisa.", nil}}, []string{"Lisa married_to User 2026-01-01.."}},
		"divorced": {[]said{{"2026-01-01", "I am married to Lisa.", []string{"@Lisa married_to @User"}},
			{"2026-02-01", "We got divorced.", nil}}, []string{"Lisa married_to User 2026-01-01..2026-02-01"}},
		"divorced, told from the other end": {[]said{{"2026-01-01", "Ok, noted.", []string{"@Lisa married_to @User"}},
			{"2026-02-01", "We got divorced.", nil}}, []string{"Lisa married_to User 2026-01-01..2026-02-01"}},
		"ended and told again": {[]said{{"2026-01-01", "Ok, noted.", []string{"@Ann friend_of @Bea"}},
			{"2026-02-01", "Ok, noted again.", []string{"-@Bea friend_of @Ann"}},
			{"2026-03-01", "Ok, noted once more.", []string{"@Bea friend_of @Ann"}}},
			[]string{"Ann friend_of Bea 2026-01-01..2026-02-01", "Ann friend_of Bea 2026-03-01.."}},
		"a friend": {[]said{{"2026-01-01", "Ok, noted.", []string{"@Ann friend_of @Bea", "@Bea friends_with @Ann"}}},
			[]string{"Ann friend_of Bea 2026-01-01.."}},
		"ended from the other end": {[]said{{"2026-01-01", "Ok, noted.", []string{"@Ann works_with @Bea"}},
			{"2026-02-01", "Ok, noted again.", []string{"-@Bea works_with @Ann"}}},
			[]string{"Ann works_with Bea 2026-01-01..2026-02-01"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := reading(t)
			play(t, e, c.told...)
			if diff := cmp.Diff(c.want, history(t, e)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestStoreEpisode_AContainmentCountsInWhateverOrderItIsSupplied(t *testing.T) {
	t.Parallel()
	lives, based, in := "@Ann lives_in Bruges", "@Ann based_in West Flanders", "Bruges located_in West Flanders"
	for _, with := range [][]string{{lives, based, in}, {lives, in, based}, {in, lives, based}, {based, lives, in}} {
		e := reading(t)
		play(t, e, said{"2026-01-01", "Ok, noted.", with})
		if diff := cmp.Diff([]string{"Ann lives_in Bruges 2026-01-01..", "Ann lives_in West Flanders 2026-01-01..",
			"Bruges located_in West Flanders 2026-01-01.."}, history(t, e)); diff != "" {
			t.Errorf("%q: %s", with, diff)
		}
	}
}
