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
		"an embedder": {func(*config.Config) {}, []string{"entity_fade", "expiry", "identity", "link_fade", "reembedding",
			"relation_names", "trace_expiry"}, []string{"expiry", "identity", "relation_names", "trace_expiry"}},
		"an endpoint": {func(cfg *config.Config) {
			cfg.Embedder, cfg.LLMBaseURL, cfg.LLMModel = "none", "http://127.0.0.1:9/v1", "m"
		}, []string{"entity_fade", "expiry", "extraction_retry", "identity", "link_fade", "relation_names",
			"trace_expiry"}, []string{"expiry", "extraction_retry", "identity", "relation_names", "trace_expiry"}},
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
