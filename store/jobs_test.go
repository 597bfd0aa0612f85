package store_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

func claim(t *testing.T, s *store.Store, holder string, limit int) []store.Job {
	t.Helper()
	jobs, err := s.ClaimJobs(context.Background(),
		store.Claim{Kind: "work", Holder: holder, Lease: time.Minute, Limit: limit})
	if err != nil {
		t.Fatal(err)
	}
	return jobs
}

func TestJobs_OneOpenJobForASubject(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := openNew(t)
	for range 3 {
		if err := s.EnqueueJob(ctx, "work", "default", "t1"); err != nil {
			t.Fatal(err)
		}
	}
	jobs := claim(t, s, "a", 10)
	if diff := cmp.Diff([]store.Job{{ID: 1, Kind: "work", Namespace: "default", Subject: "t1"}}, jobs); diff != "" {
		t.Error(diff)
	}
	if more := claim(t, s, "b", 10); len(more) > 0 {
		t.Errorf("a held job was claimed again: %v", more)
	}
	if err := s.CompleteJobs(ctx, "b", []int64{1}); err != nil { // b does not hold it
		t.Fatal(err)
	}
	if held, err := s.RenewJobs(ctx, "a", []int64{1, 2}, time.Minute); err != nil || !cmp.Equal(held, []int64{1}) {
		t.Errorf("held %v, %v", held, err)
	}
	if err := s.CompleteJobs(ctx, "a", []int64{1}); err != nil {
		t.Fatal(err)
	}
	if err := s.EnqueueJob(ctx, "work", "default", "t1"); err != nil {
		t.Fatal(err)
	}
	if again := claim(t, s, "a", 10); len(again) != 1 {
		t.Errorf("a completed job's subject cannot get another job: %v", again)
	}
}

func TestJobs_RenewingKeepsAJobFromOthers(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	now := time.Now()
	s := open(t, filepath.Join(t.TempDir(), "memory.db"), store.Options{Now: func() time.Time { return now }})
	if err := s.EnqueueJob(ctx, "work", "default", "t1"); err != nil {
		t.Fatal(err)
	}
	id := claim(t, s, "a", 1)[0].ID
	for range 3 {
		now = now.Add(40 * time.Second)
		if _, err := s.RenewJobs(ctx, "a", []int64{id}, time.Minute); err != nil {
			t.Fatal(err)
		}
		if got := claim(t, s, "b", 1); len(got) > 0 {
			t.Fatal("another holder claimed a renewed job")
		}
	}
	now = now.Add(61 * time.Second)
	if got := claim(t, s, "b", 1); len(got) != 1 || got[0].Attempts != 1 {
		t.Errorf("after the lease: %v, want the job with one attempt", got)
	}
	if held, err := s.RenewJobs(ctx, "a", []int64{id}, time.Minute); err != nil || len(held) > 0 {
		t.Errorf("the first holder still holds %v, %v", held, err)
	}
}

func TestJobs_BackOffGrowsAndGivesUpWithoutForgetting(t *testing.T) {
	t.Parallel()
	for failures, want := range map[int]time.Duration{1: 2 * time.Second, 2: 4 * time.Second, 3: 8 * time.Second,
		4: 16 * time.Second, 5: 15 * time.Minute, 500: 15 * time.Minute} {
		if got := store.Backoff(failures); got != want {
			t.Errorf("after %d failures: %v, want %v", failures, got, want)
		}
	}
	ctx := context.Background()
	now := time.Now()
	s := open(t, filepath.Join(t.TempDir(), "memory.db"), store.Options{Now: func() time.Time { return now }})
	if err := s.EnqueueJob(ctx, "work", "default", "t1"); err != nil {
		t.Fatal(err)
	}
	long := errors.New(strings.Repeat("é", 5000))
	for i := range 7 {
		jobs := claim(t, s, "a", 1)
		if len(jobs) != 1 {
			t.Fatalf("attempt %d: %v", i+1, jobs)
		}
		if err := s.FailJobs(ctx, "a", jobs, long); err != nil {
			t.Fatal(err)
		}
		state, err := s.State(ctx, "default")
		if err != nil {
			t.Fatal(err)
		}
		if wantFailed := i >= 4; (state.Failed == 1) != wantFailed || state.Failed+state.Pending != 1 {
			t.Errorf("after %d failures: %+v", i+1, state)
		}
		if early := claim(t, s, "a", 1); len(early) > 0 {
			t.Fatal("tried again at once")
		}
		now = now.Add(store.Backoff(i + 1))
	}
	failed, err := s.FailedJobs(ctx, store.JobFilter{}, 5)
	if err != nil || len(failed) != 1 || len([]rune(failed[0].LastError)) != 1001 {
		t.Errorf("failed jobs: %v, %v", failed, err)
	}
}

func TestFailedJobs_AreThoseOfTheKindAndTheNamespace(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := open(t, filepath.Join(t.TempDir(), "memory.db"), store.Options{})
	for _, j := range [][3]string{{"work", "default", "t1"}, {"work", "other", "t2"}, {"rest", "default", "t3"},
		{"work", "default", "t4"}} {
		if err := s.EnqueueJob(ctx, j[0], j[1], j[2]); err != nil {
			t.Fatal(err)
		}
	}
	for _, kind := range []string{"work", "rest"} {
		jobs, err := s.ClaimJobs(ctx, store.Claim{Kind: kind, Holder: "a", Lease: time.Minute, Limit: 10})
		if err == nil {
			err = s.FailJobs(ctx, "a", jobs, errors.New("no"))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, tc := range []struct {
		of    store.JobFilter
		limit int
		want  string
	}{
		{store.JobFilter{}, 10, "t1 t2 t3 t4"}, {store.JobFilter{Kind: "work"}, 10,
			"t1 t2 t4"}, {store.JobFilter{Namespace: "default"}, 2, "t1 t3"},
		{store.JobFilter{Kind: "work", Namespace: "other"}, 1, "t2"}, {store.JobFilter{Kind: "rest", Namespace: "other"}, 1,
			""},
	} {
		failed, err := s.FailedJobs(ctx, tc.of, tc.limit)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range failed {
			got = append(got, f.Subject)
		}
		if strings.Join(got, " ") != tc.want {
			t.Errorf("%+v: %v, want %s", tc.of, got, tc.want)
		}
	}
}

func TestJobs_AJobThatKillsItsHoldersIsTakenForTheCause(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	now := time.Now()
	s := open(t, filepath.Join(t.TempDir(), "memory.db"), store.Options{Now: func() time.Time { return now }})
	if err := s.EnqueueJob(ctx, "work", "default", "t1"); err != nil {
		t.Fatal(err)
	}
	deaths := 0
	for ; deaths < 100 && len(claim(t, s, fmt.Sprint(deaths), 1)) == 1; deaths++ {
		now = now.Add(2 * time.Minute)
	}
	state, err := s.State(ctx, "default")
	if err != nil || deaths != 21 || state.Failed != 1 {
		t.Errorf("the job failed after %d holders, %+v, %v", deaths, state, err)
	}
}

func TestJobs_PrefixKeepsGenerationsApart(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := openNew(t)
	for _, subject := range []string{"1/t1", "2/t1", "12/t1", "1/t2"} {
		if err := s.EnqueueJob(ctx, "embed", "default", subject); err != nil {
			t.Fatal(err)
		}
	}
	jobs, err := s.ClaimJobs(ctx, store.Claim{Kind: "embed", Prefix: store.EmbedPrefix(1), Holder: "a", Lease: time.Minute,
		Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	subjects := []string{}
	for _, j := range jobs {
		subjects = append(subjects, j.Subject)
	}
	if diff := cmp.Diff([]string{"1/t1", "1/t2"}, subjects); diff != "" {
		t.Error(diff)
	}
}

func TestParseEmbedSubject_RefusesWhatItDidNotWrite(t *testing.T) {
	t.Parallel()
	if gen, id, err := store.ParseEmbedSubject(store.EmbedSubject(12, memory.EpisodeID(345))); gen != 12 ||
		id != memory.EpisodeID(345) || err != nil {
		t.Errorf("got %d, %d, %v", gen, id, err)
	}
	for _, bad := range []string{"", "t1", "1/", "1/r5", "x/t1", "/t1", "1/t0"} {
		if _, _, err := store.ParseEmbedSubject(bad); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}

// The stored counts always match the queue, whatever happens to jobs.
func TestState_CountsWhatTheQueueHolds(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	now := time.Now()
	s := open(t, filepath.Join(t.TempDir(), "memory.db"), store.Options{Now: func() time.Time { return now }})
	rapid.Check(t, func(r *rapid.T) {
		var held []store.Job
		idsOf := func() (out []int64) {
			for _, j := range held {
				out = append(out, j.ID)
			}
			return out
		}
		for range rapid.IntRange(1, 15).Draw(r, "steps") {
			var err error
			switch rapid.IntRange(0, 5).Draw(r, "step") {
			case 0, 1:
				err = s.EnqueueJob(ctx, "work", rapid.SampledFrom([]string{"default", "b"}).Draw(r, "ns"),
					fmt.Sprint("t", rapid.IntRange(1, 9).Draw(r, "subject")))
			case 2:
				now = now.Add(20 * time.Minute)
				held, err = s.ClaimJobs(ctx, store.Claim{Kind: "work", Holder: "a", Lease: time.Minute,
					Limit: rapid.IntRange(1, 4).Draw(r, "limit")})
			case 3:
				err = s.FailJobs(ctx, "a", held, errors.New("no"))
			case 4:
				err = s.CompleteJobs(ctx, "a", idsOf())
			case 5:
				err = s.ReleaseJobs(ctx, "a", idsOf())
			}
			if err != nil {
				r.Fatal(err)
			}
		}
		for _, ns := range []string{"default", "b"} {
			want := memory.State{Degraded: []string{}}
			for status, into := range map[string]*int{"<> 'failed'": &want.Pending, "= 'failed'": &want.Failed} {
				n, err := s.QueryInts(`SELECT count(*) FROM mg_jobs WHERE namespace = '` + ns + `' AND status ` + status)
				if err != nil {
					r.Fatal(err)
				}
				*into = int(n[0])
			}
			got, err := s.State(ctx, ns)
			if err != nil {
				r.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				r.Fatal(diff)
			}
		}
	})
}
