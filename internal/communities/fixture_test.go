package communities_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"memory-graph/extraction/llm"
	"memory-graph/heartbeat/jobs"
	"memory-graph/internal/communities"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

const ns = "n"

func open(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "memory.db"), store.Options{Synchronous: "off",
		CacheDir: filepath.Join(os.TempDir(), "memory-graph-test-cache")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// tell stores facts of the form "head relation tail".
func tell(t *testing.T, s *store.Store, origin memory.Origin, facts ...string) store.Recorded {
	t.Helper()
	in := store.NewEpisode{Episode: memory.Episode{Scope: memory.Scope{Namespace: ns}, Role: memory.RoleUser,
		Content: strings.Join(facts, "; "), Origin: origin, Status: memory.StatusDone}}
	for _, f := range facts {
		w := strings.Fields(f)
		in.Relations = append(in.Relations, memory.RelationDraft{Head: w[0], Relation: w[1], Tail: w[2],
			Origin: origin, Method: memory.MethodSupplied, CreateMissing: true})
	}
	r, err := s.RecordEpisode(t.Context(), in)
	if err != nil || len(r.Errors) > 0 {
		t.Fatalf("%v, %+v", err, r.Errors)
	}
	return r
}

var work = []string{"Ann works_at Acme", "Bea works_at Acme", "Ann knows Bea", "Acme uses Go", "Ann uses Go"}
var band = []string{"Rui plays_in Nightjars", "Sofia plays_in Nightjars", "Rui knows Sofia", "Rui plays Drums",
	"Sofia plays Drums"}

// counting counts what a refresh writes.
type counting struct {
	*store.Store
	writes int
}

func (c *counting) SaveCommunities(ctx context.Context, r *store.Run, l []store.CommunityWrite) ([]int64, error) {
	c.writes++
	return c.Store.SaveCommunities(ctx, r, l)
}

func (c *counting) LeaveCommunities(ctx context.Context, r *store.Run, namespace string, e []int64) error {
	c.writes++
	return c.Store.LeaveCommunities(ctx, r, namespace, e)
}

func (c *counting) DropCommunities(ctx context.Context, r *store.Run, namespace string, ids []int64) error {
	c.writes++
	return c.Store.DropCommunities(ctx, r, namespace, ids)
}

// model answers questions about communities.
type model struct {
	mu     sync.Mutex
	asked  []llm.Request
	answer func(n int) (name, summary string, err error)
}

func (m *model) Model() string { return "m" }

func (m *model) Complete(_ context.Context, r llm.Request, into any) (llm.Usage, error) {
	m.mu.Lock()
	m.asked = append(m.asked, r)
	n := len(m.asked)
	m.mu.Unlock()
	name, summary, err := fmt.Sprint("Group ", n), fmt.Sprint("Summary ", n, "."), error(nil)
	if m.answer != nil {
		name, summary, err = m.answer(n)
	}
	if err != nil {
		return llm.Usage{Calls: 1}, err
	}
	if err := communities.Fill(into, name, summary); err != nil {
		return llm.Usage{Calls: 1}, err
	}
	return llm.Usage{Calls: 1}, r.Check()
}

func begin(t *testing.T, s *store.Store) *store.Run {
	t.Helper()
	for {
		run, _, err := s.BeginRun(t.Context(), store.RunRequest{Task: "communities", Holder: jobs.NewHolder(),
			Every: time.Millisecond, Lease: time.Hour, AtOnce: true})
		if err != nil {
			t.Fatal(err)
		}
		if run != nil {
			return run
		}
	}
}

func refresher(s communities.Store, m *model) *communities.Refresher {
	r := &communities.Refresher{Store: s, Parallel: 4, Chunk: 3, Log: slog.New(slog.DiscardHandler)}
	if m != nil {
		r.Model = m
	}
	return r
}

func refresh(t *testing.T, s *store.Store, r *communities.Refresher) communities.Outcome {
	t.Helper()
	run := begin(t, s)
	out, err := r.Refresh(t.Context(), run, ns)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.FinishRun(t.Context(), run); err != nil {
		t.Fatal(err)
	}
	return out
}

func list(t *testing.T, s *store.Store) []memory.Community {
	t.Helper()
	found, _, err := s.ListCommunities(t.Context(), store.CommunityFilter{Namespace: ns, Order: store.ByName}, 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// members returns the names of the members of each community, sorted, by the community's id.
func members(t *testing.T, s *store.Store) map[int64]string {
	t.Helper()
	out := map[int64]string{}
	for _, c := range list(t, s) {
		found, _, err := s.ListEntities(t.Context(), store.EntityFilter{Namespace: ns, Community: c.ID, Order: store.ByName},
			0, 1000)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, e := range found {
			names = append(names, e.Name)
		}
		if len(names) != c.Size {
			t.Errorf("%v says that it has %d members, and has %v", c.Ref(), c.Size, names)
		}
		out[c.ID] = strings.Join(names, " ")
	}
	return out
}
