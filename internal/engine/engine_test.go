package engine_test

import (
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"memory-graph/episodes"
	"memory-graph/internal/config"
	"memory-graph/internal/engine"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/internal/waitfor"
	"memory-graph/store"
)

// cache is where the tests share the compiled SQLite.
var cache string

func TestMain(m *testing.M) {
	var err error
	if cache, err = os.MkdirTemp("", "engine-test-"); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		os.RemoveAll(cache)
		os.Exit(code)
	}))
}

var scope = memory.Scope{Namespace: "n", SessionID: "s"}

func settings(t *testing.T) *config.Config {
	t.Helper()
	cfg := config.Default()
	cfg.DB = filepath.Join(t.TempDir(), "memory.db")
	cfg.Paths.Cache = cache
	cfg.BusyTimeout = 5 * time.Second
	return cfg
}

func start(t *testing.T, cfg *config.Config) *engine.Engine {
	t.Helper()
	e, err := engine.Start(cfg, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

func put(t *testing.T, e *engine.Engine, content string) episodes.Result {
	t.Helper()
	res, err := e.StoreEpisode(t.Context(), store.NewEpisode{Episode: memory.Episode{Scope: scope, Content: content}})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func ask(t *testing.T, e *engine.Engine, query string, s retrieval.Strategy) retrieval.Answer {
	t.Helper()
	a, err := e.Retrieve(t.Context(), retrieval.Request{Scope: memory.Scope{Namespace: "n"}, Query: query, Strategy: s,
		Limit: 3})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestEngine_FindsByTextAtOnceAndByMeaningSoon(t *testing.T) {
	t.Parallel()
	e := start(t, settings(t))
	want := put(t, e, "My daughter plays the violin on Tuesdays.").EpisodeID
	put(t, e, "The dishwasher is broken again.")
	if a := ask(t, e, "violin", retrieval.Auto); len(a.Episodes) == 0 ||
		memory.EpisodeID(a.Episodes[0].Episode.ID) != want {
		t.Errorf("by text: %+v", a.Episodes)
	}
	waitfor.Until(t, "vectors", func() bool { return settled(t, e) })
	if a := ask(t, e, "music lessons of my child", retrieval.Vector); len(a.Episodes) == 0 ||
		memory.EpisodeID(a.Episodes[0].Episode.ID) != want {
		t.Errorf("by meaning: %+v", a.Episodes)
	}
}

// fakeEndpoint embeds every text as a unit vector of the given length that depends on its first letter. It answers only
// while on is set.
func fakeEndpoint(t *testing.T, dims int, on *atomic.Bool) string {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !on.Load() {
			http.Error(w, `{"error":{"message":"off"}}`, http.StatusNotFound)
			return
		}
		var req struct {
			Input json.RawMessage `json:"input"`
		}
		if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		var inputs []string
		if json.Unmarshal(req.Input, &inputs) != nil {
			inputs = []string{strings.Trim(string(req.Input), `"`)}
		}
		type item struct {
			Object    string    `json:"object"`
			Index     int       `json:"index"`
			Embedding []float64 `json:"embedding"`
		}
		data := []item{}
		for i, s := range inputs {
			v := make([]float64, dims)
			v[int(strings.ToLower(s + "a")[0])%dims] = 1
			data = append(data, item{"embedding", i, v})
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"object": "list", "model": "fake", "data": data,
			"usage": map[string]int{"prompt_tokens": 1, "total_tokens": 1}})
	}))
	t.Cleanup(srv.Close)
	return srv.URL + "/v1"
}

func TestEngine_ChangesTheEmbedderInTheBackground(t *testing.T) {
	t.Parallel()
	cfg := settings(t)
	first, err := engine.Start(cfg, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	put(t, first, "Violins are old.")
	put(t, first, "Dishwashers are new.")
	waitfor.Until(t, "vectors", func() bool { return settled(t, first) })
	first.Close()

	on := new(atomic.Bool)
	other := *cfg
	other.Embedder, other.EmbeddingModel, other.EmbeddingBaseURL = "openai", "fake", fakeEndpoint(t, 32, on)
	other.EmbeddingDimensions = 32
	e := start(t, &other)
	waitfor.Until(t, "said that vectors are made anew", func() bool {
		a := ask(t, e, "violins", retrieval.Auto)
		if a.Strategy != retrieval.Fused || len(a.Episodes) == 0 {
			t.Fatalf("while the endpoint is off: %+v", a)
		}
		return slices.Contains(a.State.Degraded, engine.DegradedReembedding) && a.State.Pending+a.State.Failed > 0
	})
	on.Store(true)
	waitfor.Until(t, "swapped", func() bool {
		a, err := e.Retrieve(t.Context(), retrieval.Request{Scope: memory.Scope{Namespace: "n"}, Query: "v",
			Strategy: retrieval.Vector, Limit: 3})
		if err != nil {
			var refused *memory.Error
			if !errors.As(err, &refused) || refused.Code != memory.Unavailable {
				t.Fatal(err)
			}
			return false
		}
		return len(a.Episodes) > 0 && a.Episodes[0].Episode.Content == "Violins are old." && len(a.State.Degraded) == 0
	})
}

func TestEngine_AnEndpointThatIsAwayBlocksNothing(t *testing.T) {
	t.Parallel()
	cfg := settings(t)
	cfg.Embedder, cfg.EmbeddingModel, cfg.EmbeddingBaseURL = "openai", "fake", fakeEndpoint(t, 32, new(atomic.Bool))
	e := start(t, cfg)
	res := put(t, e, "Violins are old.")
	if !slices.Contains(res.State.Degraded, engine.DegradedEmbedder) {
		t.Errorf("store_episode says %+v", res.State)
	}
	if a := ask(t, e, "violins", retrieval.Auto); len(a.Episodes) != 1 ||
		!slices.Contains(a.State.Degraded, engine.DegradedEmbedder) {
		t.Errorf("retrieve says %+v", a)
	}
}

func TestEngine_WithoutAnEmbedderLeavesTurnsToTheNext(t *testing.T) {
	t.Parallel()
	cfg := settings(t)
	cfg.Embedder = "none"
	first, err := engine.Start(cfg, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if res := put(t, first, "My daughter plays the violin."); res.State.Pending != 0 || len(res.State.Degraded) != 0 {
		t.Errorf("without an embedder: %+v", res.State)
	}
	first.Close()
	cfg.Embedder = "builtin"
	e := start(t, cfg)
	waitfor.Until(t, "found by meaning", func() bool {
		a, err := e.Retrieve(t.Context(), retrieval.Request{Scope: memory.Scope{Namespace: "n"},
			Query: "music lessons of my child", Strategy: retrieval.Vector, Limit: 1})
		return err == nil && len(a.Episodes) == 1
	})
}

func TestEngine_ReadOnlyReadsAndRefusesToWrite(t *testing.T) {
	t.Parallel()
	cfg := settings(t)
	first, err := engine.Start(cfg, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	put(t, first, "My daughter plays the violin.")
	waitfor.Until(t, "vectors", func() bool { return settled(t, first) })
	first.Close()
	cfg.ReadOnly = true
	e := start(t, cfg)
	if a := ask(t, e, "music lessons of my child", retrieval.Auto); a.Strategy != retrieval.Fused || len(a.Episodes) != 1 {
		t.Errorf("reading: %+v", a)
	}
	_, err = e.StoreEpisode(t.Context(), store.NewEpisode{Episode: memory.Episode{Scope: scope, Content: "more"}})
	var refused *memory.Error
	if !errors.As(err, &refused) || refused.Code != memory.ReadOnly {
		t.Errorf("writing gives %v", err)
	}
}
