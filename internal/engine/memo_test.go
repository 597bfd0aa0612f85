package engine

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/embedding"
	"memory-graph/internal/embedding/builtin"
)

// countingEmbedder returns a text's length as its vector, and counts the texts.
type countingEmbedder struct {
	made atomic.Int64
	fail atomic.Bool
}

func (*countingEmbedder) Identity() embedding.Identity {
	return embedding.Identity{Provider: builtin.Provider, Model: "m", Dimensions: 1}
}

func (e *countingEmbedder) Embed(_ context.Context, _ embedding.Mode, texts []string) ([][]float32, error) {
	if e.fail.Load() {
		return nil, errors.New("no embedder")
	}
	out := make([][]float32, len(texts))
	for i, t := range texts {
		e.made.Add(1)
		out[i] = []float32{float32(len(t))}
	}
	return out, nil
}

func TestMemo_MakesAVectorOnce(t *testing.T) {
	t.Parallel()
	e := &countingEmbedder{}
	m := remembering(e)
	for range 2 {
		got, err := m.Embed(t.Context(), embedding.Query, []string{"a", "bb", "a"})
		if diff := cmp.Diff([][]float32{{1}, {2}, {1}}, got); err != nil || diff != "" {
			t.Fatalf("%v, -want +got:\n%s", err, diff)
		}
		got[0][0] = 9 // the caller owns its slice
	}
	if n := e.made.Load(); n != 2 {
		t.Errorf("%d vectors were made, want 2", n)
	}
	e.fail.Store(true)
	if _, err := m.Embed(t.Context(), embedding.Query, []string{"ccc"}); err == nil {
		t.Error("a failure is hidden")
	}
	e.fail.Store(false)
	if got, err := m.Embed(t.Context(), embedding.Query, []string{"ccc"}); err != nil || got[0][0] != 3 {
		t.Errorf("after a failure: %v, %v", got, err)
	}
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			text := string(make([]byte, i))
			if got, err := m.Embed(t.Context(), embedding.Query, []string{text, "a"}); err != nil || got[0][0] != float32(i) ||
				got[1][0] != 1 {
				t.Errorf("%d: %v, %v", i, got, err)
			}
		})
	}
	all.Wait()
	if n := len(m.(*memo).last); n > memoTexts {
		t.Errorf("%d texts are kept", n)
	}
}
