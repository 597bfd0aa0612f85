package store_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"memory-graph/store"
)

// dying is a context that ends after a number of statements have begun. Code under it stops at any place, within a
// transaction or between two.
type dying struct {
	context.Context
	left int
}

// Done is nil, so only the statements ask for Err.
func (d *dying) Done() <-chan struct{} { return nil }

func (d *dying) Err() error {
	if d.left--; d.left < 0 {
		return context.Canceled
	}
	return nil
}

// fadeModel computes what decay should leave of each entity and of each count.
type fadeModel struct {
	confidence map[int64]float64
	heard      map[int64]time.Time
	count      map[int64]float64
}

// newFadeModel fills a file with entities last seen up to three weeks ago, and with facts that were retrieved.
func newFadeModel(t *testing.T, s *store.Store, draw *rand.Rand, now time.Time) *fadeModel {
	m := &fadeModel{confidence: map[int64]float64{}, heard: map[int64]time.Time{}, count: map[int64]float64{}}
	g := sqlGraph{t, s}
	for id := int64(1); id <= 40; id++ {
		m.confidence[id], m.heard[id] = math.Round(draw.Float64()*100)/100, now.Add(
			-time.Duration(draw.IntN(21*24))*time.Hour)
		g.node(id, fmt.Sprint("Entity ", id), "tool")
		g.exec(`UPDATE mg_entities SET confidence = %v, updated_at = '%[2]s', last_seen_at = '%[2]s' WHERE id = %[3]d`,
			m.confidence[id], m.heard[id].Format("2006-01-02 15:04:05.000"), id)
		if id > 1 {
			m.count[id] = float64(draw.IntN(20))
			g.exec(`INSERT INTO mg_relationships (id, namespace, head_id, relation, tail_id, label, edge_class, confidence,
				retrieval_count, origin, method, created_at, last_observed_at)
				VALUES (%[1]d, 'default', 1, 'uses', %[1]d, 'uses', 'semantic', .9, %[2]v, 'agent', 'supplied', '%[3]s',
				'%[3]s')`, id, m.count[id], born)
		}
	}
	return m
}

// fadeEntities decays the model's entities as one finished run does.
func (m *fadeModel) fadeEntities(at time.Time, intervals int, floor float64) {
	for id, c := range m.confidence {
		own := int(at.Sub(m.heard[id])/day) - 6
		if n := min(intervals, own); n > 0 && c > floor {
			m.confidence[id] = max(floor, c*math.Pow(.9, float64(n)))
		}
	}
}

func (m *fadeModel) fadeCounts(intervals int, lambda float64) {
	for id := range m.count {
		if m.count[id] *= math.Pow(lambda, float64(intervals)); m.count[id] < .01 {
			m.count[id] = 0
		}
	}
}

func (m *fadeModel) check(t *testing.T, s *store.Store, when string) {
	t.Helper()
	for table, want := range map[string]map[int64]float64{"confidence FROM mg_entities": m.confidence,
		"retrieval_count FROM mg_relationships": m.count} {
		got, err := s.QueryFloats(`SELECT id, ` + table)
		if err != nil || len(got) != len(want) {
			t.Fatal(len(got), len(want), err)
		}
		for id := range want {
			if math.Abs(got[id]-want[id]) > 1e-6 {
				t.Fatalf("%s: %s of row %d is %v, want %v", when, table, id, got[id], want[id])
			}
		}
	}
}

// Holders die at any statement of decay, days pass without a run, and others take over at once or late. After each
// finished run, every entity and every count has decayed once for each of the run's days.
func TestFade_DeathsAtAnyStatementFadeOnceADay(t *testing.T) {
	t.Parallel()
	const floor, lambda = .05, .95
	for seed := range uint64(8) {
		draw := rand.New(rand.NewPCG(seed, 2))
		now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
		s := open(t, filepath.Join(t.TempDir(), "memory.db"),
			store.Options{Synchronous: "off", Now: func() time.Time { return now }})
		m := newFadeModel(t, s, draw, now)
		deaths, finished, begun := 0, map[string]int{}, map[string]bool{}
		for life := 0; finished["entities"] < 8 || finished["counts"] < 8; life++ {
			if life > 2000 {
				t.Fatalf("seed %d: no run was finished: %v", seed, finished)
			}
			task := [...]string{"entities", "counts"}[draw.IntN(2)]
			r, wait, err := s.BeginRun(t.Context(),
				store.RunRequest{Task: task, Holder: fmt.Sprint("holder ", life), Every: day, Lease: time.Minute})
			if err != nil {
				t.Fatal(err)
			}
			if r == nil {
				now = now.Add(min(wait, time.Duration(draw.IntN(60)+1)*time.Hour))
				continue
			}
			ctx := t.Context()
			if draw.IntN(4) > 0 {
				ctx = &dying{ctx, draw.IntN(36)}
			}
			begun[task] = true
			if task == "entities" {
				_, err = s.FadeEntities(ctx, r, floor)
			} else {
				_, err = s.FadeRetrievals(ctx, r, lambda)
			}
			switch {
			case errors.Is(err, context.Canceled):
				deaths++
				continue
			case err != nil:
				t.Fatal(err)
			case task == "entities":
				m.fadeEntities(r.At, r.Intervals, floor)
			default:
				m.fadeCounts(r.Intervals, lambda)
			}
			finished[task]++
			begun[task] = false
			if !begun["entities"] && !begun["counts"] {
				m.check(t, s, fmt.Sprintf("seed %d, after %d deaths", seed, deaths))
			}
		}
		if deaths == 0 {
			t.Errorf("seed %d: no holder died", seed)
		}
	}
}
