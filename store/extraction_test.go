package store_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// queued records a turn of the session that waits for the model.
func queued(t *testing.T, s *store.Store, content string) int64 {
	t.Helper()
	in := turn("s", content)
	in.Jobs, in.RulesRead = []string{store.KindExtract}, true
	return record(t, s, in).Episode.ID
}

// take claims the only extract job that is due.
func take(t *testing.T, s *store.Store, holder string) store.Held {
	t.Helper()
	jobs, err := s.ClaimJobs(t.Context(), store.Claim{Kind: store.KindExtract, Holder: holder, Lease: time.Minute,
		Limit: 10})
	if err != nil || len(jobs) != 1 {
		t.Fatalf("claim: %v, %v", jobs, err)
	}
	return store.Held{Holder: holder, IDs: []int64{jobs[0].ID}}
}

func share(f float64) *float64 { return &f }

func fact(head, relation, tail string, m memory.Method, confidence float64) memory.RelationDraft {
	return memory.RelationDraft{Head: head, Relation: relation, Tail: tail, Quote: head + " " + tail,
		Confidence: share(confidence), CreateMissing: true,
		Origin: memory.OriginUser, Method: m}
}

// reading is the model's findings in a turn.
func reading(episode int64, relations ...memory.RelationDraft) store.Extraction {
	return store.Extraction{Namespace: "default", Episode: episode, Reader: "m", Status: memory.StatusDone,
		Found: memory.Findings{Mentions: []memory.Mention{{Name: "Contoso", Type: "organization", Start: 10, Stop: 17}},
			Relations: relations, Dropped: map[string]int{"self_edge": 2}},
		Usage: store.ModelUsage{Endpoint: "http://e/v1", Model: "m", Purpose: store.PurposeExtract, Calls: 1,
			PromptTokens: 100, CompletionTokens: 10}}
}

func save(t *testing.T, s *store.Store, x store.Extraction, job store.Held) store.Extracted {
	t.Helper()
	out, err := s.SaveExtraction(t.Context(), x, job)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func status(t *testing.T, s *store.Store, id int64) string {
	t.Helper()
	list, err := s.Episodes(t.Context(), "default", []int64{id})
	if err != nil || len(list) != 1 {
		t.Fatalf("t%d: %v, %v", id, list, err)
	}
	return list[0].Status
}

func TestSaveExtraction_WritesEverythingWithTheJobsEnd(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	id := queued(t, s, "I work at Contoso.")
	job := take(t, s, "a")
	out := save(t, s, reading(id, fact("Ada", "works_at", "Contoso", memory.MethodModelStated, .8)), job)
	if out.Lost || len(out.Relations) != 1 || out.Relations[0].Status != memory.RelationCreated ||
		!cmp.Equal(out.Relations[0].Relationship.Evidence, []int64{id}) {
		t.Fatalf("%+v", out)
	}
	if got := status(t, s, id); got != memory.StatusDone {
		t.Errorf("status %s", got)
	}
	if st, err := s.State(t.Context(), "default"); err != nil || st.Pending+st.Failed > 0 {
		t.Errorf("%+v, %v", st, err)
	}
	// The job is over. The same outcome again changes nothing, but its usage is counted.
	if again := save(t, s, reading(id, fact("Ada", "works_at", "Contoso", memory.MethodModelStated, .8)),
		job); !again.Lost {
		t.Errorf("written twice: %+v", again)
	}
	events, _, err := s.Changes(t.Context(), "default", time.Time{}, time.Time{}, 0, 0, 50)
	if err != nil || len(events) != 3 { // two entities and a fact, once
		t.Errorf("%d changes, %v", len(events), err)
	}
	for _, e := range events {
		if e.Actor != store.ActorExtraction || e.Action != "extract" || e.Client != "m" || e.EpisodeID != id ||
			e.CallID == "" || e.CallID != events[0].CallID {
			t.Errorf("event %+v", e)
		}
	}
	usage, err := s.ModelUsages(t.Context(), time.Time{})
	if diff := cmp.Diff([]store.ModelUsage{{Endpoint: "http://e/v1", Model: "m", Purpose: "extract", Calls: 2,
		PromptTokens: 200, CompletionTokens: 20}}, usage); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	counters, err := s.Counters(t.Context(), "default")
	if err != nil || len(counters) != 1 || counters[0].Code != store.DroppedPrefix+"self_edge" || counters[0].N != 2 {
		t.Errorf("%+v, %v", counters, err)
	}
}

func TestSaveExtraction_IsTakenBackAsACall(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	id := queued(t, s, "I work at Contoso.")
	out := save(t, s, reading(id, fact("Ada", "works_at", "Contoso", memory.MethodModelStated, .8)), take(t, s, "a"))
	undone, err := s.Undo(t.Context(), "default", "", memory.Caller{Actor: "cli"})
	if err != nil || undone.Action != "extract" || len(undone.Objects) != 3 {
		t.Fatalf("%+v, %v", undone, err)
	}
	list, err := s.Relationships(t.Context(), "default", []int64{out.Relations[0].Relationship.ID}, memory.AsOf{})
	if err != nil || len(list) != 1 || list[0].Active(time.Now()) {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestSaveExtraction_WritesNothingThatIsNotHeldAnyMore(t *testing.T) {
	t.Parallel()
	for name, meanwhile := range map[string]func(*testing.T, *store.Store, int64, *time.Time){
		"another took the job over": func(t *testing.T, s *store.Store, _ int64, now *time.Time) {
			*now = now.Add(2 * time.Minute)
			take(t, s, "b")
		},
		"the turn was forgotten": func(t *testing.T, s *store.Store, id int64, _ *time.Time) {
			if _, err := s.Forget(t.Context(), "default", []memory.ID{memory.EpisodeID(id)}, true,
				memory.Caller{Actor: "cli"}); err != nil {
				t.Fatal(err)
			}
		},
		"the job was given back": func(t *testing.T, s *store.Store, _ int64, _ *time.Time) {
			if err := s.ReleaseJobs(t.Context(), "a", []int64{1}); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			now := time.Now()
			s := open(t, filepath.Join(t.TempDir(), "memory.db"), store.Options{Now: func() time.Time { return now }})
			id := queued(t, s, "I work at Contoso.")
			job := take(t, s, "a")
			meanwhile(t, s, id, &now)
			if out := save(t, s, reading(id, fact("Ada", "works_at", "Contoso", memory.MethodModelStated, .8)), job); !out.Lost {
				t.Errorf("written: %+v", out)
			}
			n, err := s.GraphStats(t.Context(), "default")
			if err != nil || n.Entities+n.ActiveRelationships+n.Mentions > 0 {
				t.Errorf("%+v, %v", n, err)
			}
		})
	}
}

func TestSaveExtraction_StoresWhatCanBeStored(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	id := queued(t, s, "I work at Contoso.")
	out := save(t, s, reading(id, fact("Ada", "knows", "ADA", memory.MethodModelStated, .8),
		fact("Ada", "works_at", "Contoso", memory.MethodModelStated, .8),
		fact("Ada", "!!", "Contoso", memory.MethodModelStated, .8)), take(t, s, "a"))
	if len(out.Relations) != 1 || len(out.Refused) != 2 {
		t.Errorf("%+v", out)
	}
	counters, err := s.Counters(t.Context(), "default")
	if err != nil || len(counters) != 2 || counters[0].Code != "dropped.refused" || counters[0].N != 2 {
		t.Errorf("%+v, %v", counters, err)
	}
}

func TestSaveExtraction_AStepOfItLeavesTheJob(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	in := turn("s", "I work at Contoso.")
	in.Jobs = []string{store.KindExtract}
	id := record(t, s, in).Episode.ID
	job := take(t, s, "a")
	x := reading(id, fact("Ada", "works_at", "Contoso", memory.MethodRule, .9))
	x.Status, x.Rules = "", true
	save(t, s, x, job)
	turns, err := s.WaitingTurns(t.Context(), "default", 0, 10)
	if err != nil || len(turns) != 1 || !turns[0].RulesRead || turns[0].Status != memory.StatusPending {
		t.Errorf("%+v, %v", turns, err)
	}
	if held, err := s.RenewJobs(t.Context(), "a", job.IDs, time.Minute); err != nil || len(held) != 1 {
		t.Errorf("held %v, %v", held, err)
	}
}

func TestAgreement_RaisesWhatRulesAndModelFoundInOneTurn(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name         string
		rule, model  memory.RelationDraft
		origin       memory.Origin
		confidence   float64
		method       memory.Method
		afterRunning int
	}{
		{"both stated", fact("Ada", "uses", "Redis", memory.MethodRule, .8),
			fact("Ada", "uses", "Redis", memory.MethodModelStated, .7), memory.OriginUser, .94, memory.MethodAgreed, 1},
		{"no more than the method allows", fact("Ada", "uses", "Redis", memory.MethodRule, .9),
			fact("Ada", "uses", "Redis", memory.MethodModelStated, .85), memory.OriginUser, .95, memory.MethodAgreed, 1},
		{"no more than the origin allows", fact("Ada", "uses", "Redis", memory.MethodRule, .9),
			fact("Ada", "uses", "Redis", memory.MethodModelStated, .85), memory.OriginAssistant, .6, memory.MethodRule, 1},
		{"another fact", fact("Ada", "uses", "Redis", memory.MethodRule, .8),
			fact("Ada", "uses", "Kafka", memory.MethodModelStated, .7), memory.OriginUser, .8, memory.MethodRule, 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := openNew(t)
			in := turn("s", "We use Redis.")
			tc.rule.Origin, tc.model.Origin = tc.origin, tc.origin
			in.Origin, in.Jobs, in.RulesRead, in.Found = tc.origin, []string{store.KindExtract}, true, memory.Findings{
				Relations: []memory.RelationDraft{tc.rule}}
			rec := record(t, s, in)
			if len(rec.Found.Relations) != 1 || len(rec.Relations) != 0 {
				t.Fatalf("%+v", rec)
			}
			save(t, s, reading(rec.Episode.ID, tc.model), take(t, s, "a"))
			id := rec.Found.Relations[0].Relationship.ID
			list, err := s.Relationships(t.Context(), "default", []int64{id}, memory.AsOf{})
			if err != nil || len(list) != 1 {
				t.Fatalf("%v, %v", list, err)
			}
			if got := list[0]; fmt.Sprintf("%.4f", got.Confidence) != fmt.Sprintf("%.4f", tc.confidence) ||
				got.Method != tc.method {
				t.Errorf("confidence %v, method %s; want %v, %s", got.Confidence, got.Method, tc.confidence, tc.method)
			}
			n, err := s.GraphStats(t.Context(), "default")
			if err != nil || int(n.ActiveRelationships) != tc.afterRunning {
				t.Errorf("%d facts, %v", n.ActiveRelationships, err)
			}
		})
	}
}

func TestAgreement_TwoTurnsThatSayTheSameAreNone(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	in := turn("s", "We use Redis.")
	in.Found = memory.Findings{Relations: []memory.RelationDraft{fact("Ada", "uses", "Redis", memory.MethodRule, .8)}}
	rec := record(t, s, in)
	other := queued(t, s, "Redis it is.")
	save(t, s, reading(other, fact("Ada", "uses", "Redis", memory.MethodModelStated, .7)), take(t, s, "a"))
	list, err := s.Relationships(t.Context(), "default", []int64{rec.Found.Relations[0].Relationship.ID}, memory.AsOf{})
	if err != nil || len(list) != 1 || list[0].Confidence != .8 ||
		!cmp.Equal(list[0].Evidence, []int64{rec.Episode.ID, other}) {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestRecordEpisode_WhatIsFoundInADuplicateIsNotWrittenAgain(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	in := turn("s", "We use Redis.")
	in.Found = memory.Findings{Relations: []memory.RelationDraft{fact("Ada", "uses", "Redis", memory.MethodRule, .8)}}
	record(t, s, in)
	if again := record(t, s, in); !again.Duplicate || len(again.Found.Relations) > 0 {
		t.Errorf("%+v", again)
	}
}

func TestRecordEpisode_AFindingThatCannotBeStoredIsNoError(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	in := turn("s", "We use Redis.")
	in.Found = memory.Findings{Relations: []memory.RelationDraft{fact("Ada", "uses", "ada", memory.MethodRule, .8)}}
	if rec := record(t, s, in); len(rec.Errors) > 0 || len(rec.Found.Refused) != 1 {
		t.Errorf("%+v", rec)
	}
}

func TestFailJobs_AFailedJobIsSeenOnItsTurn(t *testing.T) {
	t.Parallel()
	now := time.Now()
	s := open(t, filepath.Join(t.TempDir(), "memory.db"), store.Options{Now: func() time.Time { return now }})
	id := queued(t, s, "I work at Contoso.")
	for i := range 5 {
		if got := status(t, s, id); got != memory.StatusPending {
			t.Fatalf("after %d failures: %s", i, got)
		}
		jobs, err := s.ClaimJobs(t.Context(), store.Claim{Kind: store.KindExtract, Holder: "a", Lease: time.Minute, Limit: 1})
		if err != nil || len(jobs) != 1 || jobs[0].Attempts != i {
			t.Fatalf("%v, %v", jobs, err)
		}
		if err := s.FailJobs(t.Context(), "a", jobs, errors.New("no answer")); err != nil {
			t.Fatal(err)
		}
		now = now.Add(20 * time.Second)
	}
	if got := status(t, s, id); got != memory.StatusFailed {
		t.Errorf("after five: %s", got)
	}
	now = now.Add(time.Hour)
	save(t, s, reading(id), take(t, s, "a"))
	if got := status(t, s, id); got != memory.StatusDone {
		t.Errorf("in the end: %s", got)
	}
}

func TestClaimJobs_ATurnWhoseHoldersDieIsFailed(t *testing.T) {
	t.Parallel()
	now := time.Now()
	s := open(t, filepath.Join(t.TempDir(), "memory.db"), store.Options{Now: func() time.Time { return now }})
	id := queued(t, s, "I work at Contoso.")
	for deaths := 0; status(t, s, id) == memory.StatusPending; deaths++ {
		if deaths > 30 {
			t.Fatal("it is tried again and again")
		}
		if _, err := s.ClaimJobs(t.Context(), store.Claim{Kind: store.KindExtract, Holder: fmt.Sprint(deaths),
			Lease: time.Minute, Limit: 1}); err != nil {
			t.Fatal(err)
		}
		now = now.Add(2 * time.Minute)
	}
	if got := status(t, s, id); got != memory.StatusFailed {
		t.Errorf("%s", got)
	}
}

func TestDeferJobs_CountsNoAttempt(t *testing.T) {
	t.Parallel()
	now := time.Now()
	s := open(t, filepath.Join(t.TempDir(), "memory.db"), store.Options{Now: func() time.Time { return now }})
	id := queued(t, s, "I work at Contoso.")
	for range 100 {
		job := take(t, s, "a")
		if err := s.DeferJobs(t.Context(), "b", job.IDs, now, errors.New("not mine")); err != nil { // another's
			t.Fatal(err)
		}
		until := now.Add(time.Hour)
		if err := s.DeferJobs(t.Context(), "a", job.IDs, until, errors.New("429")); err != nil {
			t.Fatal(err)
		}
		if jobs, err := s.ClaimJobs(t.Context(),
			store.Claim{Kind: store.KindExtract, Holder: "a", Lease: time.Minute, Limit: 1}); err != nil || len(jobs) > 0 {
			t.Fatalf("before its time: %v, %v", jobs, err)
		}
		now = until.Add(time.Second)
	}
	failed, err := s.FailedJobs(t.Context(), store.JobFilter{}, 10)
	if err != nil || len(failed) != 1 || failed[0].Attempts != 0 || failed[0].LastError != "429" || failed[0].Running {
		t.Errorf("%+v, %v", failed, err)
	}
	kinds, err := s.OpenJobs(t.Context(), "default")
	if diff := cmp.Diff([]memory.KindState{{Kind: "extract", Pending: 1, LastError: "429"}}, kinds); diff != "" ||
		err != nil {
		t.Errorf("%v %s", err, diff)
	}
	if got := status(t, s, id); got != memory.StatusPending {
		t.Errorf("%s", got)
	}
}

func TestClaimTurn_TakesWhatNobodyHolds(t *testing.T) {
	t.Parallel()
	now := time.Now()
	s := open(t, filepath.Join(t.TempDir(), "memory.db"), store.Options{Now: func() time.Time { return now }})
	claimTurn := func(id int64, holder string) bool {
		t.Helper()
		job, ok, err := s.ClaimTurn(t.Context(), "default", id, holder, time.Minute)
		if err != nil || ok && job.Subject != memory.EpisodeID(id).String() {
			t.Fatalf("%+v, %v", job, err)
		}
		return ok
	}
	waits := record(t, s, turn("s", "It waits, and no job is about it.")).Episode.ID
	put := queued(t, s, "It waits for the model.")
	over := turn("s", "It is done.")
	over.Status = memory.StatusDone
	done := record(t, s, over).Episode.ID
	if !claimTurn(waits, "a") || !claimTurn(put, "a") {
		t.Error("a turn that waits cannot be had")
	}
	if claimTurn(waits, "b") {
		t.Error("it is held twice")
	}
	if claimTurn(done, "a") || claimTurn(99, "a") {
		t.Error("a turn that does not wait can be had")
	}
	now = now.Add(2 * time.Minute)
	if !claimTurn(waits, "b") {
		t.Error("a lease does not end")
	}
	if st, err := s.State(t.Context(), "default"); err != nil || st.Pending != 2 {
		t.Errorf("%+v, %v", st, err)
	}
}

func TestTurnsBefore_LeavesOutWhatNobodySaid(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	put := func(content string, role memory.Role, status string) {
		in := turn("s", content)
		in.Role, in.Status = role, status
		record(t, s, in)
	}
	put("one", memory.RoleUser, memory.StatusDone)
	put("two", memory.RoleAssistant, memory.StatusDone)
	put("rules of the house", memory.RoleSystem, memory.StatusSkipped)
	put("ignore all that", memory.RoleTool, memory.StatusQuarantined)
	put("three", memory.RoleUser, memory.StatusPending)
	put("four", memory.RoleUser, memory.StatusDone)
	now := record(t, s, turn("s", "now")).Episode
	put("five", memory.RoleUser, memory.StatusDone)
	before, err := s.TurnsBefore(context.Background(), now, 3)
	got := []string{}
	for _, e := range before {
		got = append(got, e.Content)
	}
	if diff := cmp.Diff([]string{"two", "three", "four"}, got); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
}

func TestWaitingTurns_AreReadInPagesOldestFirst(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	var want []int64
	for i := range 30 {
		in := turn("s", fmt.Sprint("Turn ", i))
		in.Status = []string{memory.StatusPending, memory.StatusDone, memory.StatusFailed, memory.StatusQuarantined,
			memory.StatusPending}[i%5]
		id := record(t, s, in).Episode.ID
		if in.Status == memory.StatusPending || in.Status == memory.StatusFailed {
			want = append(want, id)
		}
	}
	var got []int64
	for after := int64(0); ; {
		page, err := s.WaitingTurns(t.Context(), "default", after, 4)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		for _, e := range page {
			got = append(got, e.ID)
			after = e.ID
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if n, err := s.CountWaiting(t.Context(), "default"); err != nil || int(n) != len(want) {
		t.Errorf("%d, %v", n, err)
	}
}

func TestSaveExtraction_WhatWasTakenBackIsNotFoundAgain(t *testing.T) {
	t.Parallel()
	for _, redone := range []bool{false, true} {
		s := openNew(t)
		in := turn("s", "I work at Contoso.")
		in.Jobs, in.RulesRead, in.Caller.CallID = []string{store.KindExtract}, true, "stored"
		in.Found = memory.Findings{
			Relations: []memory.RelationDraft{fact("Ada", "works_at", "Contoso", memory.MethodRule, .9)}}
		id := record(t, s, in).Episode.ID
		undone, err := s.Undo(t.Context(), "default", "stored", memory.Caller{Actor: "cli"})
		if err != nil {
			t.Fatal(err)
		}
		if redone {
			if _, err := s.Undo(t.Context(), "default", undone.UndoneBy, memory.Caller{Actor: "cli"}); err != nil {
				t.Fatal(err)
			}
		}
		out := save(t, s, reading(id, fact("Ada", "works_at", "Contoso", memory.MethodModelStated, .8)), take(t, s, "a"))
		n, err := s.GraphStats(t.Context(), "default")
		if err != nil || (n.ActiveRelationships == 1) != redone || out.Lost {
			t.Errorf("redone %v: %d facts, %+v, %v", redone, n.ActiveRelationships, out, err)
		}
		if got := status(t, s, id); got != memory.StatusDone {
			t.Errorf("status %s", got)
		}
	}
}
