package store_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"memory-graph/store"
)

// The store and store/internal/factmodel, which was written from docs/facts.md alone, play the same random histories.
// After every call both must have given the same answer and hold the same facts. At the end both must give the same
// answers at random points of the two axes of time, and the file must pass its checks.
//
// Without variables the seeds are 1 to 120. MEMORY_GRAPH_HISTORIES=5000 plays that many histories, and
// MEMORY_GRAPH_SEED=17 plays that one, or begins with it. Every history that fails is reported.

// historyLength is the number of calls of a history.
const historyLength = 30

func TestFacts_AgreeWithTheModelOnRandomHistories(t *testing.T) {
	t.Parallel()
	histories, first, ordinary := 120, uint64(1), true
	if n, err := strconv.ParseUint(os.Getenv("MEMORY_GRAPH_SEED"), 10, 64); err == nil {
		histories, first, ordinary = 1, n, false
	}
	if n, err := strconv.Atoi(os.Getenv("MEMORY_GRAPH_HISTORIES")); err == nil {
		histories, ordinary = n, false
	}
	file := newPlayground(t)
	total := map[string]int{}
	for seed := first; seed < first+uint64(histories); seed++ {
		h := file.history(t)
		failure := h.generate(seed)
		for kind, n := range h.counts {
			total[kind] += n
		}
		if failure != nil {
			short, failure := file.shrink(t, h.played, failure)
			t.Errorf("MEMORY_GRAPH_SEED=%d: %v\nafter\n  %s", seed, failure, strings.Join(short, "\n  "))
		}
	}
	counted(t, total, ordinary)
	if t.Logf("%d facts and %d entities were archived", file.archived, file.unseen); ordinary &&
		(file.archived < 100 || file.unseen < 20) {
		t.Error("too few to test anything")
	}
}

// counted reports what was played. In an ordinary run it expects a fair share of every kind: a kind that is always
// refused is not tested, however often it is drawn.
func counted(t *testing.T, total map[string]int, ordinary bool) {
	t.Helper()
	calls := 0
	for kind, n := range total {
		if kind != "evict" { // it changes nothing, and is no call of a host
			calls += n
		}
	}
	var lines []string
	for kind, n := range total {
		lines = append(lines, fmt.Sprintf("%s %.1f %%", kind, 100*float64(n)/float64(calls)))
	}
	slices.Sort(lines)
	t.Logf("%d calls: %s", calls, strings.Join(lines, ", "))
	kinds := []string{"create", "reinforce", "supersede", "end", "schedule", "retroactive", "undo", "merge"}
	for _, kind := range kinds {
		if ordinary && total[kind]*100 < calls*8 {
			t.Errorf("%s is only %d of %d calls", kind, total[kind], calls)
		}
	}
}

// playground is one database file with a clock that tests set, and a namespace for every history.
type playground struct {
	s          *store.Store
	now        time.Time
	namespaces int
	archived   int64 // facts
	unseen     int64 // archived entities
}

func newPlayground(t *testing.T) *playground {
	t.Helper()
	p := &playground{}
	p.s = open(t, filepath.Join(t.TempDir(), "memory.db"),
		store.Options{Synchronous: "off", Now: func() time.Time { return p.now }})
	return p
}

// generate plays a random history. It draws each call from the current state of the model.
func (h *history) generate(seed uint64) error {
	rng := rand.New(rand.NewPCG(seed, 4))
	for range historyLength {
		if err := h.play(h.draw(rng)); err != nil {
			return err
		}
	}
	return h.verify(seed)
}

// shrink removes calls while the rest still fails, and returns the rest with its failure.
func (p *playground) shrink(t *testing.T, calls []call, failure error) ([]string, error) {
	t.Helper()
	const seed = 1
	replay := func(calls []call) (*history, error) {
		h := p.history(t)
		for _, c := range calls {
			if err := h.play(c); err != nil {
				return h, err
			}
		}
		for s := range uint64(4) { // other points of the two axes than the failing ones, but many
			if err := h.verify(seed + s); err != nil {
				return h, err
			}
		}
		return h, nil
	}
	last, err := replay(calls)
	if err == nil {
		return describe(calls), fmt.Errorf("%w (not again when it was replayed)", failure)
	}
	for again := true; again; {
		again = false
		for i := len(calls) - 1; i >= 0; i-- {
			fewer := slices.Delete(slices.Clone(calls), i, i+1)
			if h, e := replay(fewer); e != nil {
				calls, last, err, again = fewer, h, e, true
			}
		}
	}
	return last.log, err
}

func describe(calls []call) (out []string) {
	for _, c := range calls {
		out = append(out, fmt.Sprintf("%+v", c))
	}
	return out
}
