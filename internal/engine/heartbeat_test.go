package engine_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/config"
	"memory-graph/internal/memory"
	"memory-graph/internal/waitfor"
	"memory-graph/store"
)

// tasks returns the tasks recorded in the file, and those that ran.
func tasks(t *testing.T, s *store.Store) (known, ran []string) {
	t.Helper()
	leases, err := s.Leases(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range leases {
		known = append(known, l.Name)
		if !l.LastRunAt.IsZero() {
			ran = append(ran, l.Name)
		}
	}
	return known, ran
}

func TestUpkeep_BeginsWhenTheFileIsOpen(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		set       func(*config.Config)
		want, ran []string
	}{
		"an embedder": {func(*config.Config) {}, []string{"archive", "entity_fade", "expiry", "identity", "link_fade",
			"reembedding", "relation_names", "trace_expiry"},
			[]string{"archive", "expiry", "identity", "relation_names", "trace_expiry"}},
		"an endpoint": {func(cfg *config.Config) {
			cfg.Embedder, cfg.LLMBaseURL, cfg.LLMModel = "none", "http://127.0.0.1:9/v1", "m"
		}, []string{"archive", "entity_fade", "expiry", "extraction_retry", "identity", "link_fade", "relation_names",
			"trace_expiry"}, []string{"archive", "expiry", "extraction_retry", "identity", "relation_names", "trace_expiry"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := settings(t)
			c.set(cfg)
			s, err := start(t, cfg).Store(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			waitfor.Until(t, "upkeep", func() bool {
				known, ran := tasks(t, s)
				return slices.Equal(known, c.want) && slices.Equal(ran, c.ran)
			})
		})
	}
}

// The tasks handle an entity past its end, a fact with a due end, and a turn without a job.
func TestUpkeep_DoesWhatIsDue(t *testing.T) {
	t.Parallel()
	cfg := settings(t)
	cfg.Embedder = "none"
	cfg.Heartbeat.Expiry = time.Second
	s, err := start(t, cfg).Store(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	by := memory.Caller{Actor: "tool"}
	w, err := s.CreateEntity(t.Context(), scope, memory.EntityDraft{Name: "Fair", Type: "event", Origin: memory.OriginUser,
		Method: memory.MethodSupplied, ValidUntil: time.Now().Add(-time.Hour)}, by)
	if err != nil {
		t.Fatal(err)
	}
	waitfor.Until(t, "an entity's end", func() bool {
		found, err := s.EntitiesByID(t.Context(), scope.Namespace, []int64{w.Entity.ID}, memory.AsOf{})
		return err == nil && len(found) == 1 && found[0].Confidence == 0
	})
	then, err := s.EntitiesByID(t.Context(), scope.Namespace, []int64{w.Entity.ID},
		memory.AsOf{ValidAt: time.Now().Add(-2 * time.Hour)})
	if diff := cmp.Diff(1., then[0].Confidence); err != nil || diff != "" {
		t.Errorf("while it was valid: %v %s", err, diff)
	}
}

func TestUpkeep_RefreshesTheCommunitiesAfterSomeTurns(t *testing.T) {
	t.Parallel()
	cfg := settings(t)
	cfg.Embedder, cfg.CommunityRefresh, cfg.Heartbeat.Enabled = "none", 3, false
	e := start(t, cfg)
	s, err := e.Store(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.CreateRelation(t.Context(), scope, memory.RelationDraft{Head: "Ann", Relation: "works_at",
		Tail: "Acme", CreateMissing: true, Origin: memory.OriginUser, Method: memory.MethodSupplied}, 0,
		memory.Caller{}); err != nil { // this stores a turn
		t.Fatal(err)
	}
	put(t, e, "The weather is fine.")
	put(t, e, "It rains again.")
	e.Close()

	attentive := *cfg
	attentive.Heartbeat.Enabled = true
	e2 := start(t, &attentive)
	if s, err = e2.Store(t.Context()); err != nil {
		t.Fatal(err)
	}
	waitfor.Until(t, "the communities", func() bool {
		n, err := s.TurnsSinceCommunities(t.Context())
		return err == nil && n == 0
	})
	list, _, err := s.ListCommunities(t.Context(), store.CommunityFilter{Namespace: scope.Namespace}, 0, 10)
	if err != nil || len(list) != 1 || list[0].Size != 2 {
		t.Errorf("%+v, %v", list, err)
	}
	put(t, e2, "The sun is back.") // too few for another refresh
	if n, err := s.TurnsSinceCommunities(t.Context()); err != nil || n != 1 {
		t.Errorf("%d turns since then, %v", n, err)
	}
}

func TestEngine_RefreshingWhatIsUnchangedTakesNoLease(t *testing.T) {
	t.Parallel()
	cfg := settings(t)
	cfg.Embedder, cfg.Heartbeat.Enabled = "none", false
	e := start(t, cfg)
	s, err := e.Store(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.CreateRelation(t.Context(), scope, memory.RelationDraft{Head: "Ann", Relation: "works_at",
		Tail: "Acme", CreateMissing: true, Origin: memory.OriginUser, Method: memory.MethodSupplied}, 0,
		memory.Caller{}); err != nil {
		t.Fatal(err)
	}
	if out, err := e.RefreshCommunities(t.Context(), scope.Namespace); err != nil || out.Changed != 1 {
		t.Fatalf("%+v, %v", out, err)
	}
	before, err := s.Leases(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if out, err := e.RefreshCommunities(t.Context(), scope.Namespace); err != nil || out.Unchanged != 1 ||
		out.Changed != 0 {
		t.Errorf("%+v, %v", out, err)
	}
	after, err := s.Leases(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, after); diff != "" {
		t.Error(diff)
	}
}
