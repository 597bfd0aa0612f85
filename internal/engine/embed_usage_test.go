package engine_test

import (
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"memory-graph/internal/engine"
	"memory-graph/internal/retrieval"
	"memory-graph/internal/waitfor"
	"memory-graph/store"
)

func TestEmbeddings_OfAnEndpointAreCountedByPurpose(t *testing.T) {
	t.Parallel()
	var on atomic.Bool
	on.Store(true)
	cfg := settings(t)
	cfg.Embedder, cfg.EmbeddingBaseURL, cfg.EmbeddingModel, cfg.EmbeddingDimensions = "openai", fakeEndpoint(t, 8, &on),
		"fake", 8
	e, err := engine.Start(cfg, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	put(t, e, "My daughter plays the violin.")
	waitfor.Until(t, "the turn has a vector", func() bool { return settled(t, e) })
	ask(t, e, "music", retrieval.Vector)
	on.Store(false)
	ask(t, e, "sailing", retrieval.Auto) // the endpoint fails
	st, err := e.Store(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var found map[string]store.ModelUsage
	waitfor.Until(t, "the counts are written", func() bool {
		list, err := st.ModelUsages(t.Context(), time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		found = map[string]store.ModelUsage{}
		for _, u := range list {
			found[u.Purpose] = u
		}
		return found[store.PurposeEmbed].Calls > 0 && found[store.PurposeEmbedQuery].Failures > 0
	})
	if d := found[store.PurposeEmbed]; d.Failures != 0 || d.PromptTokens != d.Calls || d.Model != "fake" ||
		!strings.HasSuffix(d.Endpoint, "/v1") {
		t.Errorf("of what is stored: %+v", d)
	}
	if q := found[store.PurposeEmbedQuery]; q.Calls < 2 || q.PromptTokens >= q.Calls {
		t.Errorf("of questions: %+v", q)
	}
}
