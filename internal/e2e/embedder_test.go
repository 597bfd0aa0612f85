package e2e_test

import (
	"encoding/json"
	"hash/fnv"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"memory-graph/internal/waitfor"
)

// endpoint is an OpenAI-compatible /v1/embeddings whose vectors tell which words a text has. While it is held, requests
// with a turn of these tests in them wait.
type endpoint struct {
	*httptest.Server
	dimensions int
	held       chan struct{} // closed: not held

	mu    sync.Mutex
	texts int
}

func startEndpoint(t *testing.T, dimensions int) *endpoint {
	t.Helper()
	e := &endpoint{dimensions: dimensions, held: make(chan struct{})}
	e.Server = httptest.NewServer(http.HandlerFunc(e.embed))
	t.Cleanup(e.Close)
	return e
}

func (e *endpoint) settings() []string {
	return []string{"MEMORY_GRAPH_EMBEDDER=openai", "MEMORY_GRAPH_EMBEDDING_BASE_URL=" + e.URL + "/v1",
		"MEMORY_GRAPH_EMBEDDING_MODEL=words"}
}

func (e *endpoint) embed(w http.ResponseWriter, r *http.Request) {
	var in struct{ Input []string }
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || r.URL.Path != "/v1/embeddings" {
		http.Error(w, "not an embeddings request", http.StatusBadRequest)
		return
	}
	if slices.ContainsFunc(in.Input, func(s string) bool { return strings.HasPrefix(s, "Turn ") }) {
		select {
		case <-e.held:
		case <-r.Context().Done():
			return
		}
	}
	type row struct {
		Object    string    `json:"object"`
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	}
	rows := make([]row, len(in.Input))
	for i, text := range in.Input {
		v := make([]float32, e.dimensions)
		v[0] = .1
		for _, word := range strings.Fields(strings.ToLower(text)) {
			h := fnv.New32a()
			_, _ = h.Write([]byte(strings.Trim(word, ".,:"))) // never fails
			v[h.Sum32()%uint32(e.dimensions)]++
		}
		rows[i] = row{"embedding", i, v}
	}
	e.mu.Lock()
	e.texts += len(rows)
	e.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	// a client that went away
	_ = json.NewEncoder(w).Encode(map[string]any{"object": "list", "model": "words", "data": rows})
}

// One file, and then another model: search goes on by text, says so, and is back by meaning when all vectors are made.
// Then back again, with the endpoint gone.
func TestEmbedder_ChangesOnTheSameFile(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	l := newLedger(t, "model")
	h := start(t, db)
	for range count(30, 200) {
		l.next()
	}
	l.sendOpen(h)
	h.settled()
	h.stop()
	sound(t, db, len(l.turns))

	e := startEndpoint(t, 96)
	h = start(t, db, e.settings()...)
	h.initialize()
	word := l.word(l.turns[7])
	var a answer
	waitfor.Until(t, "memory_state says that vectors are made anew", func() bool {
		a = h.retrieve(arguments{"query": word})
		return slices.Contains(a.MemoryState.Degraded, "reembedding")
	})
	if a.Strategy != "fused" || len(a.Episodes) == 0 || !strings.Contains(a.Episodes[0].Content, word) ||
		a.MemoryState.Pending != len(l.turns) {
		t.Errorf("while vectors are made: %+v; want the turn by its words first, and %d pending", a, len(l.turns))
	}
	h.refuses("retrieve", arguments{"query": word, "strategy": "vector"}, "unavailable")
	l.next()
	l.sendOpen(h) // a turn that comes meanwhile
	close(e.held)
	h.settled()
	a = h.retrieve(arguments{"query": "the word is " + word, "strategy": "vector", "limit": 5})
	if len(a.Episodes) == 0 {
		t.Errorf("by the endpoint's vectors: %+v", a)
	}
	if a = h.retrieve(arguments{"query": word}); a.Strategy != "fused" || len(a.MemoryState.Degraded) != 0 {
		t.Errorf("after the change: %+v; want fused", a)
	}
	if e.mu.Lock(); e.texts < len(l.turns) {
		t.Errorf("the endpoint was asked for %d texts of %d", e.texts, len(l.turns))
	}
	e.mu.Unlock()
	verify(t, h, l)
	h.stop()
	sound(t, db, len(l.turns), e.settings()...)

	e.Close()
	h = start(t, db, append(e.settings(), "MEMORY_GRAPH_EMBEDDING_TIMEOUT=1s")...)
	if a = h.retrieve(arguments{"query": word}); len(a.Episodes) == 0 || !strings.Contains(a.Episodes[0].Content, word) ||
		len(a.MemoryState.Degraded) == 0 {
		t.Errorf("with the endpoint gone: %+v; want the turn by its words first, and a word of it", a)
	}
	l.next()
	l.sendOpen(h)
	h.stop()

	h = start(t, db)
	h.settled()
	if a = h.retrieve(arguments{"query": "which word should one ask for", "strategy": "vector"}); len(a.Episodes) == 0 {
		t.Errorf("back with the model inside: %+v", a)
	}
	verify(t, h, l)
	h.stop()
	sound(t, db, len(l.turns))
}
