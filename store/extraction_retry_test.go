package store_test

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// Only turns that a model should read and that have lost their job get a job again. Turns that wait for backfill, are
// done or have a job do not.
func TestRequeueTurns_QueuesWhatLostItsJob(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	add := func(content, status string, read bool, jobs ...string) int64 {
		e := turn("s", content)
		e.Status, e.RulesRead, e.Jobs = status, read, jobs
		return record(t, s, e).Episode.ID
	}
	lost := add("read by the rules", memory.StatusPending, true)
	failed := add("failed", memory.StatusFailed, false)
	add("never tried", memory.StatusPending, false)
	add("has a job", memory.StatusPending, true, store.KindExtract)
	add("done", memory.StatusDone, true)
	add("quarantined", memory.StatusQuarantined, true)
	for _, want := range []int{2, 0} {
		if n, err := s.RequeueTurns(t.Context()); err != nil || n != want {
			t.Errorf("%d were queued, %v; want %d", n, err, want)
		}
	}
	jobs, err := s.ClaimJobs(t.Context(), store.Claim{Kind: store.KindExtract, Holder: "h", Lease: time.Minute, Limit: 10})
	if err != nil || len(jobs) != 3 {
		t.Fatal(jobs, err)
	}
	for _, id := range []int64{lost, failed} {
		if !slices.ContainsFunc(jobs, func(j store.Job) bool {
			return j.Subject == memory.EpisodeID(id).String() && j.Namespace == "default"
		}) {
			t.Errorf("t%d has no job: %+v", id, jobs)
		}
	}
}

// A job that gave up becomes due again after the configured time, repeatedly.
func TestFailJobs_GiveUpForTheTimeThatIsSet(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	s := open(t, filepath.Join(t.TempDir(), "memory.db"),
		store.Options{Now: func() time.Time { return now }, RetryFailed: 5 * time.Minute})
	if err := s.EnqueueJob(t.Context(), store.KindExtract, "n", "t1"); err != nil {
		t.Fatal(err)
	}
	claim := func() []store.Job {
		jobs, err := s.ClaimJobs(t.Context(), store.Claim{Kind: store.KindExtract, Holder: "h", Lease: time.Minute,
			Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		return jobs
	}
	for i := range 8 {
		jobs := claim()
		if len(jobs) != 1 {
			t.Fatalf("try %d: %v", i, jobs)
		}
		if err := s.FailJobs(t.Context(), "h", jobs, errNoModel); err != nil {
			t.Fatal(err)
		}
		if i < 4 {
			now = now.Add(time.Minute)
			continue
		}
		now = now.Add(5*time.Minute - time.Second)
		if early := claim(); len(early) != 0 {
			t.Errorf("try %d came before its time", i+1)
		}
		now = now.Add(time.Second)
	}
}

var errNoModel = memory.Errorf(memory.Unavailable, "There is no model.")
