package engine

import (
	"context"
	"slices"
	"sync"

	"memory-graph/internal/embedding"
	"memory-graph/internal/embedding/builtin"
)

// memoTexts is how many of the latest texts are cached.
const memoTexts = 16

// memo is an embedder that caches the vectors of the latest texts. Classifying a message, searching episodes and
// searching entities use the same vector, and computing it takes most of the time.
type memo struct {
	embedding.Embedder

	mu   sync.Mutex
	last []*remembered // newest last
}

// remembered is the vector of a text. It is valid once done is closed; nil means that embedding failed.
type remembered struct {
	text   string
	done   chan struct{}
	vector []float32
}

// remembering returns the embedder with a cache, if its vectors do not depend on the mode. Only the built-in model's do
// not.
func remembering(e embedding.Embedder) embedding.Embedder {
	if e.Identity().Provider != builtin.Provider {
		return e
	}
	return &memo{Embedder: e}
}

// Embed implements embedding.Embedder.
func (m *memo) Embed(ctx context.Context, mode embedding.Mode, texts []string) ([][]float32, error) {
	found := make([]*remembered, len(texts))
	var missing []string
	var making []*remembered
	m.mu.Lock()
	for i, text := range texts {
		if j := slices.IndexFunc(m.last, func(r *remembered) bool { return r.text == text }); j >= 0 {
			found[i] = m.last[j]
			continue
		}
		r := &remembered{text: text, done: make(chan struct{})}
		found[i], missing, making = r, append(missing, text), append(making, r)
		m.last = append(m.last, r)
	}
	m.last = slices.Clone(m.last[max(0, len(m.last)-memoTexts):])
	m.mu.Unlock()

	if len(missing) > 0 {
		if err := m.make(ctx, mode, missing, making); err != nil {
			return nil, err
		}
	}
	out := make([][]float32, len(texts))
	for i, r := range found {
		select {
		case <-r.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if r.vector == nil { // another call failed, for example because its context ended
			return m.Embedder.Embed(ctx, mode, texts)
		}
		out[i] = slices.Clone(r.vector)
	}
	return out, nil
}

// make embeds the texts. Even on failure it releases the calls that wait for them, and removes failed texts from the
// cache.
func (m *memo) make(ctx context.Context, mode embedding.Mode, texts []string, making []*remembered) error {
	made := false
	defer func() {
		for _, r := range making {
			close(r.done)
		}
		if !made {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.last = slices.DeleteFunc(m.last, func(r *remembered) bool { return slices.Contains(making, r) })
		}
	}()
	rows, err := m.Embedder.Embed(ctx, mode, texts)
	if err != nil {
		return err
	}
	for i, r := range making {
		r.vector = rows[i]
	}
	made = true
	return nil
}
