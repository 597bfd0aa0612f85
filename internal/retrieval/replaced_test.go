package retrieval_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/store"
)

// life is a world in which turns state facts.
type life struct{ world }

func newLife(t *testing.T) life {
	w := newWorld(t)
	w.Replacements = w.store
	return life{w}
}

// say stores a turn of a day, counted from the clock's first day, and the fact that it states (head relation tail).
func (l life) say(day int, content, fact string) string {
	l.t.Helper()
	e := store.NewEpisode{Episode: memory.Episode{Scope: memory.Scope{Namespace: "n"}, Role: memory.RoleUser,
		Content: content, OccurredAt: l.clock.AddDate(0, 0, day), Origin: memory.OriginUser, Status: memory.StatusDone},
		Caller: memory.Caller{Actor: "test"}}
	rec, err := l.store.RecordEpisode(l.t.Context(), e)
	if err != nil {
		l.t.Fatal(err)
	}
	if parts := strings.Fields(fact); len(parts) == 3 {
		d := memory.RelationDraft{Head: parts[0], Relation: parts[1], Tail: parts[2], CreateMissing: true,
			Origin: memory.OriginUser, Method: memory.MethodSupplied}
		if _, err := l.store.CreateRelation(l.t.Context(), e.Scope, d, rec.Episode.ID,
			memory.Caller{Actor: "test"}); err != nil {
			l.t.Fatal(err)
		}
	}
	return memory.EpisodeID(rec.Episode.ID).String()
}

// shown returns the episodes of an answer with those that replaced them: t1 (t3).
func shown(a retrieval.Answer) []string {
	out := []string{}
	for _, f := range a.Episodes {
		s := memory.EpisodeID(f.Episode.ID).String()
		for _, id := range f.SupersededBy {
			s += fmt.Sprintf(" (%s)", memory.EpisodeID(id))
		}
		out = append(out, s)
	}
	return out
}

func (l life) answer(req retrieval.Request) retrieval.Answer {
	l.t.Helper()
	req.Scope.Namespace, req.Limit = "n", max(req.Limit, 5)
	a, err := l.Retrieve(l.t.Context(), req)
	if err != nil {
		l.t.Fatal(err)
	}
	return a
}

func TestRetrieve_WhatAFactReplacedStandsBehindAndNamesIt(t *testing.T) {
	t.Parallel()
	l := newLife(t)
	start := *l.clock
	l.say(-60, "Ann works at Acme as a welder, works with copper and likes works of art", "Ann works_at Acme") // t1
	l.say(-40, "Ann plays the tuba", "Ann plays tuba")                                                         // t2
	l.say(-20, "Ann has gone over to Globex", "Ann works_at Globex")                                           // t3
	for name, c := range map[string]struct {
		req  retrieval.Request
		want []string
	}{
		"now":                {retrieval.Request{Query: "Where does Ann work?"}, []string{"t3", "t1 (t3)", "t2"}},
		"first":              {retrieval.Request{Query: "Where did Ann work at first?"}, []string{"t1 (t3)", "t2", "t3"}},
		"another fact of it": {retrieval.Request{Query: "copper?"}, []string{"t1 (t3)"}},
		"as of a day before": {retrieval.Request{Query: "Where does Ann work?",
			At: memory.AsOf{ValidAt: start.AddDate(0, 0, -30)}}, []string{"t1", "t2", "t3"}},
		"by text alone": {retrieval.Request{Query: "Where does Ann work?", Strategy: retrieval.Text},
			[]string{"t1", "t2", "t3"}},
		"by ids": {retrieval.Request{IDs: []memory.ID{memory.EpisodeID(2), memory.EpisodeID(1)}},
			[]string{"t2", "t1 (t3)"}},
		"newest": {retrieval.Request{}, []string{"t3", "t2", "t1 (t3)"}},
		"until the day it ended": {retrieval.Request{Query: "Where does Ann work?", Until: start.AddDate(0, 0, -30)},
			[]string{"t1", "t2"}},
	} {
		if diff := cmp.Diff(c.want, shown(l.answer(c.req))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestRetrieve_BringsUpWhatHoldsThoughNothingElseFindsIt(t *testing.T) {
	t.Parallel()
	l := newLife(t)
	l.say(-60, "Ann works at Acme", "Ann works_at Acme")
	l.say(-20, "new badge, new desk: Globex", "Ann works_at Globex")
	a := l.answer(retrieval.Request{Query: "Acme work?", Explain: true})
	if diff := cmp.Diff([]string{"t2", "t1 (t2)"}, shown(a)); diff != "" {
		t.Fatal(diff)
	}
	var why []string
	for _, f := range a.Episodes {
		for _, feature := range f.Why.Features {
			if feature.Name == "holds" || feature.Name == "replaced" {
				why = append(why, feature.Name)
			}
		}
	}
	if diff := cmp.Diff([]string{"holds", "replaced"}, why); diff != "" {
		t.Error(diff)
	}
	if a.Episodes[0].Score < a.Episodes[1].Score {
		t.Errorf("scores %v, %v", a.Episodes[0].Score, a.Episodes[1].Score)
	}
}

func TestRetrieve_BringsUpWhatHoldsForWhoAsksForTheKindOfThing(t *testing.T) {
	t.Parallel()
	l := newLife(t)
	l.say(-60, "Larder needs MySQL as its database", "Larder uses MySQL")
	l.say(-20, "Larder runs on Postgres now", "Larder uses Postgres")
	if _, err := l.store.CreateRelation(t.Context(), memory.Scope{Namespace: "n"}, memory.RelationDraft{Head: "Larder",
		Relation: "uses", Tail: "MySQL", Ended: true, Origin: memory.OriginUser, Method: memory.MethodSupplied}, 2,
		memory.Caller{Actor: "test"}); err != nil {
		t.Fatal(err)
	}
	got := shown(l.answer(retrieval.Request{Query: "which database?"}))
	if diff := cmp.Diff([]string{"t2", "t1 (t2)"}, got); diff != "" {
		t.Error(diff)
	}
}

// Of a job that ended and a new one, the current one comes first, whatever word the question uses for a job.
func TestRetrieve_WhatHoldsStandsBeforeWhatEndedIt(t *testing.T) {
	t.Parallel()
	l := newLife(t)
	l.say(-60, "Ann works at Acme as a welder", "Ann works_at Acme")
	left := l.say(-40, "Ann left Acme with a big party for all who work there", "")
	if _, err := l.store.CreateRelation(t.Context(), memory.Scope{Namespace: "n"},
		memory.RelationDraft{Head: "Ann", Relation: "works_at", Tail: "Acme", Ended: true,
			Origin: memory.OriginUser, Method: memory.MethodSupplied}, 2, memory.Caller{
			Actor: "test"}); err != nil || left != "t2" {
		t.Fatal(left, err)
	}
	l.say(-20, "Ann has begun at Globex", "Ann works_at Globex")
	for _, question := range []string{"Where does Ann work?", "Who is the employer of Ann?",
		"What did Ann weld with at the party of Acme?"} {
		got := shown(l.answer(retrieval.Request{Query: question}))
		if diff := cmp.Diff([]string{"t3", "t2", "t1 (t2) (t3)"}, got); diff != "" {
			t.Errorf("%s: %s", question, diff)
		}
	}
}

func TestRetrieve_PagesOfWhatHoldsNeitherRepeatNorLose(t *testing.T) {
	t.Parallel()
	l := newLife(t)
	for i := range 12 {
		l.say(i-60, fmt.Sprintf("Ann works at Company%d", i), fmt.Sprintf("Ann works_at Company%d", i))
	}
	req := retrieval.Request{Query: "Where does Ann work?", Limit: 12}
	whole := shown(l.answer(req))
	var pages []string
	for req.Limit = 5; req.Offset < 12; req.Offset += 5 {
		pages = append(pages, shown(l.answer(req))...)
	}
	if len(whole) != 12 || !strings.HasPrefix(whole[0], "t12") {
		t.Errorf("%v", whole)
	}
	if diff := cmp.Diff(whole, pages); diff != "" {
		t.Error(diff)
	}
}

// If the replacements cannot be read, the whole answer fails: an order that is sometimes wrong would be worse.
func TestRetrieve_SaysWhenReplacementsCannotBeRead(t *testing.T) {
	t.Parallel()
	l := newLife(t)
	l.say(0, "Ann works at Acme", "")
	l.Replacements = brokenReplacements{}
	_, err := l.Retrieve(t.Context(), retrieval.Request{Scope: memory.Scope{Namespace: "n"}, Query: "Acme", Limit: 5})
	if memory.AsError(err).Code != memory.Unavailable {
		t.Errorf("%v", err)
	}
}

type brokenReplacements struct{}

func (brokenReplacements) Replaced(context.Context, memory.Filter, []int64, memory.AsOf) ([]memory.Replacement, error) {
	return nil, memory.Errorf(memory.Unavailable, "The file is busy.")
}

func TestRetrieve_OneStatementMoreForWhatWasReplaced(t *testing.T) {
	t.Parallel()
	l := newLife(t)
	l.say(-60, "Ann works at Acme", "Ann works_at Acme")
	l.say(-20, "Ann works at Globex", "Ann works_at Globex")
	count := func() int64 {
		ctx, n := store.CountStatements(t.Context())
		if _, err := l.Retrieve(ctx, retrieval.Request{Scope: memory.Scope{Namespace: "n"}, Query: "Where does Ann work?",
			Limit: 5}); err != nil {
			t.Fatal(err)
		}
		return int64(n.Load())
	}
	count() // the first question also loads caches
	with := count()
	l.Replacements = nil
	if without := count(); with-without != 1 {
		t.Errorf("%d statements, %d without what was replaced", with, without)
	}
}

func TestRetrieve_TheContextMarksWhatWasReplaced(t *testing.T) {
	t.Parallel()
	l := newLife(t)
	l.say(-60, "Ann works at Acme", "Ann works_at Acme")
	l.say(-20, "Ann works at Globex", "Ann works_at Globex")
	block := l.answer(retrieval.Request{Query: "Where does Ann work?", BudgetTokens: 500}).Context
	for _, want := range []string{"[user] Ann works at Globex\n", "[user] (replaced later) Ann works at Acme\n"} {
		if !strings.Contains(block, want) {
			t.Errorf("%q is not in\n%s", want, block)
		}
	}
}

func TestRetrieve_WhatNobodyVouchesForReplacesNoTurnByAFact(t *testing.T) {
	t.Parallel()
	l := newLife(t)
	l.say(-60, "Ann works at Acme", "Ann works_at Acme")
	scope, by := memory.Scope{Namespace: "n"}, memory.Caller{Actor: "test"}
	if _, err := l.store.Supersede(t.Context(), scope, memory.Supersession{ID: 1, At: l.clock.AddDate(0, 0, -30)},
		by); err != nil {
		t.Fatal(err)
	}
	e := store.NewEpisode{Episode: memory.Episode{Scope: scope, Role: memory.RoleUser, Content: "Ann works at Evil Corp",
		OccurredAt: l.clock.AddDate(0, 0, -20), Origin: memory.OriginTool, Status: memory.StatusDone},
		Caller: memory.Caller{Actor: "import"}, Relations: []memory.RelationDraft{{Head: "Ann", Relation: "works_at",
			Tail: "Evil Corp", CreateMissing: true,
			Origin: memory.OriginTool, Method: memory.MethodRule}}}
	if rec, err := l.store.RecordEpisode(t.Context(), e); err != nil || len(rec.Relations) != 1 {
		t.Fatalf("%+v, %v", rec, err)
	}
	for _, s := range shown(l.answer(retrieval.Request{Query: "Where does Ann work?"})) {
		if strings.Contains(s, "(") {
			t.Errorf("%s", s)
		}
	}
}
