package e2e_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"memory-graph/internal/memory"
	"memory-graph/internal/waitfor"
	"memory-graph/store"
)

// Six servers on one file, some of which are killed and started again, and an entity that nothing was heard of for
// long. Its fading falls due every second, and first an hour ago. However many of them looked at it, and whoever was
// killed, it has faded once for each second that the file says has passed.
func TestHeartbeat_SixServersFadeAnEntityOnceAnInterval(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	settings := []string{"MEMORY_GRAPH_EMBEDDER=none", "MEMORY_GRAPH_HEARTBEAT_ENTITY_FADE=1s",
		"MEMORY_GRAPH_ENTITY_CONFIDENCE_FLOOR=0"}
	h := start(t, db, append(settings, "MEMORY_GRAPH_HEARTBEAT_ENABLED=false")...)
	h.eventually("create_entity", arguments{"name": "Ann", "type": "person", "confidence": .9})
	h.stop()

	due := time.Now().Add(-10 * time.Second).UTC().Truncate(time.Second)
	execRaw(t, db, fmt.Sprintf(`UPDATE mg_entities SET confidence = 1, updated_at = '2020-01-01 00:00:00.000', last_seen_at = '2020-01-01 00:00:00.000';
		INSERT INTO mg_leases (name, next_run_at) VALUES ('entity_fade', '%s')`, memory.Millis(due)))
	hosts := make([]*host, 6)
	for i := range hosts {
		hosts[i] = start(t, db, settings...)
	}
	draw := rand.New(rand.NewPCG(1, 1))
	runners := map[string]bool{}
	kills := 0
	waitfor.Until(t, "22 intervals have passed, three servers were killed, and two others ran", func() bool {
		l := fadeLease(t, db)
		if !l.LastRunAt.IsZero() {
			runners[l.Holder] = true
		}
		passed := int(l.NextRunAt.Sub(due) / time.Second)
		if kills < 3 && passed > 13+2*kills {
			kills++
			i := draw.IntN(len(hosts))
			hosts[i].kill()
			hosts[i] = start(t, db, settings...)
		}
		return kills == 3 && passed > 22 && len(runners) > 1
	})
	for _, h := range hosts {
		h.stop()
	}
	l := fadeLease(t, db)
	want := math.Pow(.9, float64(l.NextRunAt.Sub(due)/time.Second))
	if got := entityConfidence(t, db); math.Abs(got-want) > 1e-6 || !l.HeldUntil.IsZero() {
		t.Errorf("confidence %v, want %v: %+v", got, want, l)
	}
}

// look opens a file for one look at it.
func look[T any](t *testing.T, db string, at func(context.Context, *store.Store) (T, error)) T {
	t.Helper()
	if err := startSQLite(); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), db, store.Options{ReadOnly: true,
		CacheDir: filepath.Join(cacheHome(), "memory-graph")})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	seen, err := at(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return seen
}

func fadeLease(t *testing.T, db string) store.Lease {
	t.Helper()
	for _, l := range look(t, db, func(ctx context.Context, s *store.Store) ([]store.Lease, error) {
		return s.Leases(ctx)
	}) {
		if l.Name == "entity_fade" {
			return l
		}
	}
	return store.Lease{}
}

func entityConfidence(t *testing.T, db string) float64 {
	t.Helper()
	found := look(t, db, func(ctx context.Context, s *store.Store) ([]memory.Entity, error) {
		return s.EntitiesNamed(ctx, "default", []string{"ann"}, memory.AsOf{})
	})
	if len(found) != 1 {
		t.Fatal(found)
	}
	return found[0].Confidence
}
