package store_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
)

// home is a claim about where Ann lives.
func home(tail string, from time.Time) memory.RelationDraft {
	d := does("Ann", "lives_in", tail)
	d.ValidFrom = from
	return d
}

func TestDenied_WhatItSupersededHoldsAgain(t *testing.T) {
	t.Parallel()
	sure, unsure := .7, .5
	denies := func(tail string, confidence *float64) memory.RelationDraft {
		d := does("Ann", "lives_in", tail)
		d.Ended, d.Denied, d.Confidence, d.Method = true, true, confidence, memory.MethodRuleHedged
		return d
	}
	still := home("Oslo", time.Time{})
	still.Still = true
	list := func(d ...memory.RelationDraft) []memory.RelationDraft { return d }
	delft := home("Delft", time.Time{})
	for name, tc := range map[string]struct {
		said []memory.RelationDraft
		want []string
	}{
		"denied":               {list(denies("Bergen", &sure)), []string{"Ann lives_in Oslo"}},
		"denied, but unsure":   {list(denies("Bergen", &unsure)), []string{"Ann lives_in Bergen"}},
		"still":                {list(still), []string{"Ann lives_in Oslo"}},
		"another home, denied": {list(delft, denies("Delft", &sure)), []string{"Ann lives_in Bergen"}},
		"two moves, both denied": {list(delft, denies("Delft", &sure), denies("Bergen", &sure)),
			[]string{"Ann lives_in Oslo"}},
		"the old one, denied": {list(delft, denies("Delft", &sure), still), []string{"Ann lives_in Oslo"}},
	} {
		n := newNamesakes(t)
		n.said("", home("Oslo", n.now.AddDate(-1, 0, 0)))
		n.said("", home("Bergen", n.now.AddDate(0, -1, 0)))
		for _, d := range tc.said {
			n.now = n.now.Add(time.Hour)
			n.said("", d)
		}
		if diff := cmp.Diff(tc.want, n.facts()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestDenied_WhatIsUsedStillEndsWhatTookItsPlace(t *testing.T) {
	t.Parallel()
	use := func(relation, tail string, news, still bool) memory.RelationDraft {
		d := does("Larder", relation, tail)
		d.News, d.Still = news, still
		return d
	}
	for name, tc := range map[string]struct {
		before, said []memory.RelationDraft
		want         []string
	}{
		"another of the kind": {[]memory.RelationDraft{use("uses", "MySQL", false, false), use("uses", "Postgres", true,
			false)}, []memory.RelationDraft{use("uses", "MySQL", false, true)}, []string{"Larder uses MySQL"}},
		"under another relation": {[]memory.RelationDraft{use("uses", "MySQL", false, false),
			use("runs_on", "Postgres", true, false)}, []memory.RelationDraft{use("uses", "MySQL", false, true)},
			[]string{"Larder uses MySQL"}},
		"of another relation": {[]memory.RelationDraft{use("runs_on", "MySQL", false, false),
			use("uses", "Postgres", true, false)}, []memory.RelationDraft{use("uses", "MySQL", false, true)},
			[]string{"Larder runs_on MySQL", "Larder uses MySQL"}},
		"what took no place": {[]memory.RelationDraft{use("uses", "Postgres", false, false)},
			[]memory.RelationDraft{use("uses", "MySQL", false, true)}, []string{"Larder uses Postgres", "Larder uses MySQL"}},
		"both in one turn": {[]memory.RelationDraft{use("uses", "MySQL", false, false), use("uses", "Postgres", true,
			false)}, []memory.RelationDraft{use("uses", "Postgres", false, false), use("uses", "MySQL", false, true)},
			[]string{"Larder uses Postgres", "Larder uses MySQL"}},
	} {
		n := newNamesakes(t)
		for _, d := range tc.before {
			n.said("", d)
			n.now = n.now.Add(time.Hour)
		}
		n.said("", tc.said...)
		if diff := cmp.Diff(tc.want, n.facts()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestDenied_IsUndoneWithItsTurn(t *testing.T) {
	t.Parallel()
	n := newNamesakes(t)
	n.said("", home("Oslo", n.now.AddDate(-1, 0, 0)))
	n.said("", home("Bergen", n.now.AddDate(0, -1, 0)))
	d := does("Ann", "lives_in", "Bergen")
	d.Ended, d.Denied = true, true
	n.said("", d)
	if _, err := n.s.Undo(t.Context(), "n", "", memory.Caller{Actor: "tool"}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"Ann lives_in Bergen"}, n.facts()); diff != "" {
		t.Error(diff)
	}
}
