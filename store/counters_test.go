package store_test

import (
	"context"
	"errors"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/ncruces/go-sqlite3/driver"

	"memory-graph/internal/memory"
	"memory-graph/migrations"
	"memory-graph/store"
)

func TestCount_AddsUpByNamespaceAndKeepsTheLastError(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	s := open(t, filepath.Join(t.TempDir(), "memory.db"), store.Options{Now: func() time.Time { return now }})
	for _, c := range []struct {
		namespace, code string
		cause           error
	}{
		{"a", "X", nil}, {"a", "X", errors.New("first")}, {"a", "X", errors.New(strings.Repeat("long ", 1000))}, {"a", "X",
			nil}, {"a", "A", nil}, {"b", "X", nil},
	} {
		if err := s.Count(t.Context(), c.namespace, c.code, c.cause); err != nil {
			t.Fatal(err)
		}
		now = now.Add(time.Minute)
	}
	got, err := s.Counters(t.Context(), "a")
	if err != nil || len(got) != 2 {
		t.Fatalf("%+v, %v", got, err)
	}
	if len(got[1].LastError) > 1100 || !strings.HasPrefix(got[1].LastError, "long") {
		t.Errorf("%d bytes of an error are kept", len(got[1].LastError))
	}
	got[1].LastError = ""
	want := []store.Counter{{Code: "A", N: 1, LastAt: time.Date(2026, 5, 1, 12, 4, 0, 0, time.UTC)},
		{Code: "X", N: 4, LastAt: time.Date(2026, 5, 1, 12, 3, 0, 0, time.UTC)}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestModelUsage_AddsUpByDay(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 1, 23, 0, 0, 0, time.UTC)
	s := open(t, filepath.Join(t.TempDir(), "memory.db"), store.Options{Now: func() time.Time { return now }})
	add := func(u store.ModelUsage) {
		t.Helper()
		if err := s.AddModelUsage(t.Context(), u); err != nil {
			t.Fatal(err)
		}
	}
	big := store.ModelUsage{Endpoint: "e", Model: "big", Purpose: store.PurposeExtract, Calls: 2, Failures: 1,
		PromptTokens: 100, CompletionTokens: 10}
	small := store.ModelUsage{Endpoint: "e", Model: "small", Purpose: store.PurposeLink, Calls: 1, PromptTokens: 120}
	add(big)
	add(small)
	add(store.ModelUsage{Endpoint: "e", Model: "never asked"})
	now = now.Add(2 * time.Hour) // the next day
	add(big)
	all, err := s.ModelUsages(t.Context(), time.Time{})
	twice := big
	twice.Calls, twice.Failures, twice.PromptTokens, twice.CompletionTokens = 4, 2, 200, 20
	if diff := cmp.Diff([]store.ModelUsage{twice, small}, all); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	today, err := s.ModelUsages(t.Context(), now)
	if diff := cmp.Diff([]store.ModelUsage{big}, today); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
}

// What is booked never exceeds the budget, whoever books; the next day begins at zero.
func TestBookModelUsage_NeverExceedsTheBudget(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 1, 22, 30, 0, 0, time.UTC)
	path := filepath.Join(t.TempDir(), "memory.db")
	o := store.Options{Now: func() time.Time { return now }}
	one, other := open(t, path, o), open(t, path, o)
	call := store.ModelUsage{Endpoint: "command:claude", Model: "claude", Purpose: store.PurposeExtract, Calls: 1,
		PromptTokens: 100}
	most := store.ModelBudget{Calls: 5, Tokens: 1000}
	var booked atomic.Int64
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			s := one
			if i%2 == 0 {
				s = other
			}
			not, err := s.BookModelUsage(t.Context(), call, most)
			spent := store.Unbooked{Limit: store.LimitCalls, Spent: true, Wait: 90 * time.Minute}
			if err != nil || not != (store.Unbooked{}) && not != spent {
				t.Errorf("%+v, %v", not, err)
			}
			if not.Limit == "" {
				booked.Add(1)
			}
		})
	}
	all.Wait()
	if booked.Load() != 5 {
		t.Errorf("%d calls are booked, want 5", booked.Load())
	}
	const wait = 90 * time.Minute
	book := func(want store.Unbooked, u store.ModelUsage, most store.ModelBudget) {
		t.Helper()
		not, err := one.BookModelUsage(t.Context(), u, most)
		if err != nil || not != want {
			t.Errorf("%+v within %+v: %+v, want %+v, %v", u, most, not, want, err)
		}
	}
	elsewhere := call
	elsewhere.Endpoint = "http://127.0.0.1/v1"
	book(store.Unbooked{}, elsewhere, most)
	book(store.Unbooked{Limit: store.LimitTokens, Rest: 99, Wait: wait}, call, store.ModelBudget{Tokens: 599})
	book(store.Unbooked{Limit: store.LimitTokens, Spent: true, Wait: wait}, call, store.ModelBudget{Tokens: 500})
	book(store.Unbooked{}, call, store.ModelBudget{Tokens: 600})
	unknown := call // an endpoint reports the tokens of a prompt afterwards
	unknown.PromptTokens = 0
	book(store.Unbooked{Limit: store.LimitTokens, Spent: true, Wait: wait}, unknown, store.ModelBudget{Tokens: 600})
	if err := one.AddModelUsage(t.Context(), store.ModelUsage{Endpoint: call.Endpoint, Model: "claude",
		Purpose: store.PurposeExtract, CompletionTokens: 300}); err != nil {
		t.Fatal(err)
	}
	book(store.Unbooked{Limit: store.LimitTokens, Rest: 99, Wait: wait}, call, store.ModelBudget{Tokens: 999})
	now = now.Add(2 * time.Hour)
	book(store.Unbooked{}, call, most)
}

// Jobs in a file from before extraction still wait, and are counted by kind.
func TestUpgrade_KeepsWhatWaits(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "memory.db")
	db, err := driver.Open((&url.URL{Scheme: "file", Path: path, OmitHost: true, RawQuery: "_txlock=immediate"}).String())
	if err != nil {
		t.Fatal(err)
	}
	if err := migrations.Up(context.Background(), db, 3); err != nil {
		t.Fatal(err)
	}
	for _, sql := range []string{
		`INSERT INTO mg_episodes (id, namespace, seq, role, occurred_at, created_at, origin, status, content_hash, content)
			VALUES (1, 'default', 0, 'user', '2026-01-01 00:00:00', '2026-01-01 00:00:00.000', 'user', 'pending', x'00',
			'I work at Contoso.')`,
		`INSERT INTO mg_jobs (kind, namespace, subject, status, next_at, created_at) VALUES ('embed', 'default', '1/t1',
			'pending', '2026-01-01 00:00:00.000', '2026-01-01 00:00:00.000'),
			('embed', 'default', '1/t2', 'failed', '2026-01-01 00:00:00.000', '2026-01-01 00:00:00.000'), ('embed', 'other',
			'1/t3', 'running', '2026-01-01 00:00:00.000', '2026-01-01 00:00:00.000')`,
	} {
		if _, err := db.Exec(sql); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	s := open(t, path, store.Options{})
	turns, err := s.WaitingTurns(t.Context(), "default", 0, 10)
	if err != nil || len(turns) != 1 || turns[0].RulesRead || turns[0].Content != "I work at Contoso." {
		t.Errorf("%+v, %v", turns, err)
	}
	jobs, err := s.OpenJobs(t.Context(), "default")
	if diff := cmp.Diff([]memory.KindState{{Kind: "embed", Pending: 1, Failed: 1}}, jobs); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	if err := s.EnqueueJob(t.Context(), "work", "default", "t1"); err != nil {
		t.Fatal(err)
	}
	if st, err := s.State(t.Context(), "default"); err != nil || st.Pending != 2 || st.Failed != 1 {
		t.Errorf("%+v, %v", st, err)
	}
}

func TestForget_LeavesNoWordsInErrors(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	gone := record(t, s, turn("s", "My secret is plaid.")).Episode.ID
	queued(t, s, "Another turn.")
	job := take(t, s, "a")
	if err := s.DeferJobs(t.Context(), "a", job.IDs, time.Now().Add(time.Hour),
		errors.New("cannot read: My secret is plaid.")); err != nil {
		t.Fatal(err)
	}
	if err := s.Count(t.Context(), "default", "X", errors.New("cannot read: My secret is plaid.")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Forget(t.Context(), "default", []memory.ID{memory.EpisodeID(gone)}, true,
		memory.Caller{Actor: "cli"}); err != nil {
		t.Fatal(err)
	}
	counters, err := s.Counters(t.Context(), "default")
	if err != nil || len(counters) != 1 || counters[0].LastError != "" || counters[0].N != 1 {
		t.Errorf("%+v, %v", counters, err)
	}
	if failed, err := s.FailedJobs(t.Context(), store.JobFilter{}, 10); err != nil || len(failed) != 0 {
		t.Errorf("%+v, %v", failed, err)
	}
	if st, err := s.State(t.Context(), "default"); err != nil || st.Pending != 1 {
		t.Errorf("%+v, %v", st, err)
	}
}
