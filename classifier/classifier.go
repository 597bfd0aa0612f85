// Package classifier says what a message is to the work that goes on: small talk, a correction, its continuation or a new
// topic, so that recall before a turn fits (F1–F3). docs/classifier.md says how, and which figures were seen.
package classifier

import (
	"context"

	"memory-graph/embedding"
)

// Message is what is classified.
type Message struct {
	Text     string
	Previous []string // the turns before it, of whoever said them, oldest first; the last three count

	// Vectors that the caller has already, of the text and of the last of Previous; nil ones are made. They must be of
	// the classifier's embedder.
	Vector         []float32
	PreviousVector []float32
}

// Result is what a message was found to be.
type Result struct {
	Class         Class            // the likeliest, with doubt counted against Conversational
	Confidence    float64          // calibrated probability of Class, 0 to 1
	Probabilities [classes]float64 // of all classes; they sum to 1
	Abstained     bool             // too doubtful to act on: Policy is then neutral and retrieves
	Degraded      bool             // no vectors were to be had: words alone decided

	Vector []float32 // of the text, for the caller to use again; nil without vectors
}

// Policy is what the result means for recall.
func (r Result) Policy() Policy {
	if r.Abstained {
		return Policy{Retrieve: true, Session: 1}
	}
	return r.Class.Policy()
}

// Classifier is safe for concurrent use.
type Classifier struct {
	emb   embedding.Embedder
	model *model
}

// New makes a classifier for an embedder. What it knows of the built-in embedder is part of the program; for any other
// its exemplars are embedded once (some 1,500 short texts) and kept in cacheDir, under the embedder's identity. Without
// a cacheDir that is done each time. See Open for callers who cannot wait.
func New(ctx context.Context, emb embedding.Embedder, cacheDir string) (*Classifier, error) {
	m, err := train(ctx, emb)
	if err != nil {
		return nil, err
	}
	return &Classifier{emb: emb, model: m}, nil
}

// Classify says what a message is. An embedder that fails degrades the result and is no error; the error is the context's.
func (c *Classifier) Classify(ctx context.Context, m Message) (Result, error) {
	v := m.Vector
	if v == nil {
		rows, err := c.emb.Embed(ctx, embedding.Classification, []string{m.Text})
		if err != nil {
			return Result{}, err
		}
		v = rows[0]
	}
	return c.model.classify(v), nil
}
