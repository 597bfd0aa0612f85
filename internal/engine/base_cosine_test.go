package engine_test

import (
	"encoding/json"
	"hash/fnv"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"memory-graph/internal/config"
	"memory-graph/internal/embedding"
	"memory-graph/internal/engine"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/internal/waitfor"
)

// wordsEndpoint embeds a text by its words. With a common part, the cosine of any two texts is common + (1 - common) ×
// the cosine without it.
type wordsEndpoint struct {
	url      string
	common   float64
	refusing atomic.Bool  // answers no request with the texts that tell the base cosine
	measured atomic.Int64 // the requests with them
}

const wordsDims = 512

func newWordsEndpoint(t *testing.T, common float64) *wordsEndpoint {
	t.Helper()
	e := &wordsEndpoint{common: common}
	srv := httptest.NewServer(http.HandlerFunc(e.embed))
	t.Cleanup(srv.Close)
	e.url = srv.URL + "/v1"
	return e
}

func (e *wordsEndpoint) settings(t *testing.T) *config.Config {
	cfg := settings(t)
	cfg.Embedder, cfg.EmbeddingModel, cfg.EmbeddingBaseURL = "openai", "words", e.url
	return cfg
}

func (e *wordsEndpoint) embed(w http.ResponseWriter, r *http.Request) {
	var in struct{ Input []string }
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if slices.Contains(in.Input, embedding.Unrelated()[0]) {
		e.measured.Add(1)
		if e.refusing.Load() {
			http.Error(w, `{"error":{"message":"no"}}`, http.StatusBadRequest)
			return
		}
	}
	type item struct {
		Index     int       `json:"index"`
		Embedding []float64 `json:"embedding"`
	}
	var data []item
	for i, text := range in.Input {
		v := make([]float64, wordsDims)
		for _, word := range strings.Fields(strings.ToLower(text)) {
			h := fnv.New32a()
			_, _ = h.Write([]byte(strings.Trim(word, ".,:?"))) // never fails
			v[h.Sum32()%(wordsDims-1)] += math.Sqrt(1 - e.common)
		}
		length := 0.
		for _, x := range v {
			length += x * x
		}
		v[wordsDims-1] = math.Sqrt(length * e.common / (1 - e.common))
		data = append(data, item{i, v})
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"data": data, "model": "words"})
}

var toldOfWords = []string{
	"My daughter plays the violin on Tuesdays.",
	"The dishwasher is broken again.",
	"We flew to Lisbon in June.",
	"Our neighbour sold his boat last week.",
	"Deploys run from the blue server.",
}

var askedOfWords = []string{
	"On which day does my daughter play the violin?", "Is the dishwasher broken?", "Who bought a boat last week?",
	"Which server did the auditors choose?", "Where does the ferry land?", "What did the plumber charge?",
}

func found(t *testing.T, e *engine.Engine, question string) retrieval.Answer {
	t.Helper()
	a, err := e.Retrieve(t.Context(), retrieval.Request{Scope: memory.Scope{Namespace: "n"}, Query: question,
		Strategy: retrieval.Fused, Limit: 5, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// toldWords starts an engine that has embedded the turns.
func toldWords(t *testing.T, cfg *config.Config) *engine.Engine {
	t.Helper()
	e, err := engine.Start(cfg, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	for _, turn := range toldOfWords {
		put(t, e, turn)
	}
	waitfor.Until(t, "the turns have vectors", func() bool {
		return settled(t, e) && len(found(t, e, "violin").State.Degraded) == 0
	})
	return e
}

// What all texts have in common makes no match strong and no turn near.
func TestBaseCosine_TakesAwayWhatAllTextsHaveInCommon(t *testing.T) {
	t.Parallel()
	plain := toldWords(t, newWordsEndpoint(t, 0).settings(t))
	defer plain.Close()
	high := newWordsEndpoint(t, .7)
	cfg := high.settings(t)
	first := toldWords(t, cfg)
	matches := map[retrieval.Match]int{}
	same := func(who string, e *engine.Engine) {
		t.Helper()
		for _, question := range askedOfWords {
			want, got := found(t, plain, question), found(t, e, question)
			matches[want.Match]++
			if got.Match != want.Match || got.BelowThreshold != want.BelowThreshold ||
				len(got.Episodes) != len(want.Episodes) {
				t.Errorf("%s, %q: %s, %d and %d below; want %s, %d and %d", who, question, got.Match, len(got.Episodes),
					got.BelowThreshold, want.Match, len(want.Episodes), want.BelowThreshold)
				continue
			}
			cosines := map[string]float64{}
			for _, f := range want.Episodes {
				cosines[f.Episode.Content] = f.Why.Cosine
			}
			for _, f := range got.Episodes {
				if w := cosines[f.Episode.Content]; math.Abs(f.Why.Cosine-w) > .03 { // of vectors in whole numbers
					t.Errorf("%s, %q: %q has the cosine %.3f, want %.3f", who, question, f.Episode.Content, f.Why.Cosine, w)
				}
			}
		}
	}
	same("the first process", first)
	if matches[retrieval.Strong] == 0 || matches[retrieval.Weak] == 0 {
		t.Fatalf("the questions tell nothing: %v", matches)
	}
	hook, err := engine.Start(cfg, slog.New(slog.DiscardHandler), engine.As(engine.Asker))
	if err != nil {
		t.Fatal(err)
	}
	waitfor.Until(t, "the hook knows the embedder", func() bool {
		return len(found(t, hook, "violin").State.Degraded) == 0
	})
	same("a hook", hook)
	hook.Close()
	first.Close()
	second := start(t, cfg)
	waitfor.Until(t, "the second process is ready", func() bool {
		return len(found(t, second, "violin").State.Degraded) == 0
	})
	same("the second process", second)
	put(t, second, "The second process tells something too.")
	waitfor.Until(t, "it has a vector", func() bool { return settled(t, second) })
	if n := high.measured.Load(); n != 1 {
		t.Errorf("measured %d times, want once", n)
	}
}

// An endpoint that does not tell its base cosine loses nothing else, and is asked again.
func TestBaseCosine_IsMeasuredLaterIfTheEndpointFails(t *testing.T) {
	t.Parallel()
	endpoint := newWordsEndpoint(t, .7)
	endpoint.refusing.Store(true)
	e := toldWords(t, endpoint.settings(t))
	defer e.Close()
	if a := found(t, e, "my daughter plays the violin"); len(a.Episodes) == 0 ||
		a.Episodes[0].Episode.Content != toldOfWords[0] || a.Episodes[0].Why.Cosine < .7 {
		t.Errorf("without a base cosine: %+v", a.Episodes)
	}
	if endpoint.measured.Load() == 0 {
		t.Error("the endpoint was not asked")
	}
	st := openStore(t, e)
	g, ok, err := st.ActiveGeneration(t.Context())
	if err != nil || !ok || g.Base != nil {
		t.Fatalf("%+v, %v", g, err)
	}
	endpoint.refusing.Store(false)
	put(t, e, "Later the endpoint answers.")
	waitfor.Until(t, "the base cosine is stored", func() bool {
		base, ok, err := st.BaseCosine(t.Context(), g.ID)
		return err == nil && ok && base > .7 && base < .8
	})
	if a := found(t, e, "Where does the ferry land?"); a.Match == retrieval.Strong {
		t.Errorf("with a base cosine: %s", a.Match)
	}
}

// The built-in embedder keeps its cosines.
func TestBaseCosine_IsNotMeasuredForTheBuiltinEmbedder(t *testing.T) {
	t.Parallel()
	e := toldWords(t, settings(t))
	defer e.Close()
	if g, ok, err := openStore(t, e).ActiveGeneration(t.Context()); err != nil || !ok || g.Base != nil {
		t.Errorf("%+v, %v", g, err)
	}
}
