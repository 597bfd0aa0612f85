package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/safety/scanner"
)

// toy returns texts whose windows have single features: attacks have feature 7 in one window of three, ordinary texts
// never.
func toy() []*example {
	var out []*example
	feature := func(b uint32) window { return window{bucket: []uint32{b}, value: []float32{1}} }
	for i := range 60 {
		e := &example{text: &text{attack: i%3 == 0}, windows: []window{feature(uint32(i % 5)), feature(5), feature(6)}}
		if e.attack {
			e.windows[i%2+1] = feature(7)
		}
		out = append(out, e)
	}
	return out
}

func TestFit_FindsTheWindowThatMakesAnAttack(t *testing.T) {
	t.Parallel()
	examples := toy()
	m := fit(examples, options{rounds: 3, epochs: 20, rate: .1, l2: 1e-5, attack: 2, hard: 1, talk: 1, minTexts: 2,
		minOrdinary: 2, seed: 1})
	for i, e := range examples {
		at, logit := m.best(e)
		if e.attack != (logit > 0) {
			t.Errorf("text %d, attack %t: logit %.2f", i, e.attack, logit)
		}
		if e.attack && at != i%2+1 {
			t.Errorf("text %d is judged by window %d", i, at)
		}
	}
}

func TestFit_GivesTheSameWeightsTwice(t *testing.T) {
	t.Parallel()
	first, second := fit(toy(), usual), fit(toy(), usual)
	if diff := cmp.Diff(first.weights, second.weights); diff != "" {
		t.Errorf("weights (-first +second):\n%s", diff)
	}
}

func TestFit_LearnsNoWordThatOrdinaryTextsLack(t *testing.T) {
	t.Parallel()
	examples := toy()
	for _, e := range examples {
		e.words = map[uint32]bool{7: true}
	}
	if m := fit(examples, usual); m.weights[7] != 0 {
		t.Errorf("a word that occurs only in attacks weighs %f", m.weights[7])
	}
}

// TestShipped_LeavesOurOwnSetsAlone tests all of bench/testdata, which training did not include. Measured: 0 of 0.
func TestShipped_LeavesOurOwnSetsAlone(t *testing.T) {
	t.Parallel()
	held, n := shipped(t, filepath.Join("..", "..", "..", "bench", "testdata"), func(*text) bool { return true })
	if n < 800 || held*200 > n {
		t.Errorf("%d of %d ordinary texts kept out of training are held back", held, n)
	}
}

// TestShipped_LeavesAloneWhatNoTrainingSaw tests the part of the development sets that is kept out of training. They
// are not part of the repository.
func TestShipped_LeavesAloneWhatNoTrainingSaw(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("MEMORY_GRAPH_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "..", "shared", "data")
	}
	held, n := shipped(t, dir, func(x *text) bool { return x.fold() == heldOut })
	if n < 1500 || held*200 > n {
		t.Errorf("%d of %d ordinary texts kept out of training are held back", held, n)
	}
}

// shipped counts the texts of a folder that the shipped scanner holds back, and all its texts. It skips the test if
// there are none.
func shipped(t *testing.T, dir string, take func(*text) bool) (held, n int) {
	t.Helper()
	c := newCollector()
	c.data(dir)
	if len(c.out) == 0 {
		t.Skipf("no development data in %s: set MEMORY_GRAPH_DATA to its directory", dir)
	}
	s := scanner.New(scanner.Options{})
	for i := range c.out {
		if !take(&c.out[i]) {
			continue
		}
		n++
		if v := s.Scan(c.out[i].content); v.Score >= rulesOther {
			held++
			t.Logf("%.2f %q: %q", v.Score, v.Reasons, c.out[i].content)
		}
	}
	t.Logf("%d of %d", held, n)
	return held, n
}

func FuzzCatalogue(f *testing.F) {
	f.Add("\xde\x12\x04\x95\x00\x00\x00\x00\x02\x00\x00\x00\x1c\x00\x00\x00\x1c\x00\x00\x00")
	f.Fuzz(func(_ *testing.T, s string) { catalogue(s) })
}
