package engine

import (
	"context"
	"sync/atomic"
	"testing"

	"memory-graph/classifier"
	"memory-graph/internal/embedding"
	"memory-graph/internal/embedding/builtin"
)

// counted is the built-in embedder, which counts its texts.
type counted struct {
	*builtin.Embedder
	made atomic.Int64
}

func (e *counted) Embed(ctx context.Context, mode embedding.Mode, texts []string) ([][]float32, error) {
	e.made.Add(int64(len(texts)))
	return e.Embedder.Embed(ctx, mode, texts)
}

func TestReadMessage_MakesTheVectorThatTheQuestionNeeds(t *testing.T) {
	t.Parallel()
	e := &counted{Embedder: builtin.New()}
	asked := remembering(e)
	p := ingredients{embedder: e, asked: asked, classifier: &lateClassifier{emb: asked, hurry: true}}
	p.readMessage(t.Context(), " Which port did we choose? \n")
	if n := e.made.Load(); n != 1 {
		t.Errorf("%d texts are embedded ahead", n)
	}
	r, err := p.classifier.Classify(t.Context(), classifier.Message{Text: "Which port did we choose?"})
	if n := e.made.Load(); err != nil || r.Degraded || n != 1 {
		t.Errorf("%+v, %v; %d texts are embedded", r, err, n)
	}
}
