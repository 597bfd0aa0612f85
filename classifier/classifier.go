// Package classifier says what a message is to the work that goes on: small talk, a correction, its continuation or a new
// topic, so that recall before a turn fits (F1–F3). docs/classifier.md says how, and which figures were seen.
package classifier

import (
	"context"
	"math"

	"memory-graph/internal/embedding"
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
	Class         Class            // the likeliest; Conversational only where that is more likely than not
	Confidence    float64          // calibrated probability of Class, 0 to 1
	Probabilities [classes]float64 // of all classes; they sum to 1
	Abstained     bool             // too doubtful to act on: Policy is then neutral and retrieves
	Degraded      bool             // no vectors were to be had: words alone decided

	// Particular is the probability that the message is about something particular: its user, people and things that they
	// know, the work that they do. What anybody could answer is not, nor is small talk. Nothing before the message counts.
	Particular float64

	Vector []float32 // of the text, for the caller to use again; nil without vectors
}

// Policy is what the result means for recall. What sounds like small talk and is about something particular ("who am I?") is
// looked up.
func (r Result) Policy() Policy {
	if r.Abstained || r.Class == Conversational && r.Particular >= particularFrom {
		return Policy{Retrieve: true, Session: 1}
	}
	return r.Class.Policy()
}

// The thresholds of a decision, on calibrated probabilities. Taking a task for small talk costs all recall, and the other
// way round a few hundred tokens: so small talk must be more likely than not, and what is not likely enough is left open.
const (
	conversationalFrom = 0.5
	abstainBelow       = 0.45
	particularFrom     = 0.5
)

// Classifier is safe for concurrent use.
type Classifier struct {
	emb   embedding.Embedder
	model *model // of the embedder; nil where only words are to be had
	words *model // of no embedder
}

// New makes a classifier for an embedder. What is known of the built-in embedder is part of the program; for any other the
// exemplars are embedded once (some 6,000 short texts, which may take seconds) and what was learned of them is kept in
// cacheDir. A cache that is broken or of another version is made anew, and one that cannot be written costs the next start
// the same again. See Open for callers who cannot wait.
func New(ctx context.Context, emb embedding.Embedder, cacheDir string) (*Classifier, error) {
	c, err := Open(emb, cacheDir)
	if err != nil || c.model != nil || !emb.Identity().Enabled() {
		return c, err
	}
	if c.model, err = train(ctx, emb); err != nil {
		return nil, err
	}
	if cacheDir != "" {
		_ = writeCache(cacheDir, c.model) // it is only a cache
	}
	return c, nil
}

// Open is New without the wait: where nothing is known of the embedder yet, words alone decide and results are Degraded.
func Open(emb embedding.Embedder, cacheDir string) (*Classifier, error) {
	words, err := shippedWords()
	if err != nil {
		return nil, err
	}
	c := &Classifier{emb: emb, words: words}
	id := emb.Identity()
	if !id.Enabled() {
		return c, nil
	}
	shipped, err := shippedBuiltin()
	if err != nil {
		return nil, err
	}
	if shipped.identity == id.String() {
		c.model = shipped
	} else if cacheDir != "" {
		c.model = readCache(cacheDir, id)
	}
	return c, nil
}

// Classify says what a message is. Where the embedder fails, words alone decide and the result is Degraded. The error is the
// context's; the result holds then too.
func (c *Classifier) Classify(ctx context.Context, m Message) (Result, error) {
	short := clipped(m)
	e := exampleOf(short)
	if c.model == nil {
		r := c.words.decide(e)
		r.Degraded = c.emb.Identity().Enabled()
		return r, ctx.Err()
	}
	if err := c.embed(ctx, m, short, &e); err != nil {
		r := c.words.decide(e)
		r.Degraded = true
		return r, ctx.Err()
	}
	r := c.model.decide(e)
	r.Vector = e.vector
	return r, nil
}

// embed gives an example the vectors that the caller has not, with one call.
func (c *Classifier) embed(ctx context.Context, m, short Message, e *example) error {
	e.vector, e.before = m.Vector, m.PreviousVector
	var texts []string
	var to []*[]float32
	if len(e.vector) != c.model.dimensions {
		texts, to = append(texts, forVector(short.Text)), append(to, &e.vector)
	}
	if n := len(short.Previous); n > 0 && len(e.before) != c.model.dimensions {
		texts, to = append(texts, forVector(short.Previous[n-1])), append(to, &e.before)
	}
	if len(texts) == 0 {
		return nil
	}
	rows, err := c.emb.Embed(ctx, embedding.Classification, texts)
	if err != nil {
		return err
	}
	for i, row := range rows {
		*to[i] = row
	}
	return nil
}

func (m *model) decide(e example) Result {
	logits := m.logits(m.features(e))
	r := decide(softmax(logits, m.scale))
	r.Particular = 1 / (1 + math.Exp(-logits[particular]))
	return r
}

// decide applies the thresholds.
func decide(p [classes]float64) Result {
	r := Result{Probabilities: p}
	r.Class = best(r.Probabilities)
	r.Confidence = r.Probabilities[r.Class]
	r.Abstained = r.Confidence < abstainBelow
	return r
}

// best is the likeliest class; of small talk that is not likely enough, the likeliest of the others.
func best(p [classes]float64) Class {
	if p[Conversational] >= conversationalFrom {
		return Conversational
	}
	top := Correction
	for c := TaskContinuation; c < classes; c++ {
		if p[c] > p[top] {
			top = c
		}
	}
	return top
}
