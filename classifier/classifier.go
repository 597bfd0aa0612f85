// Package classifier decides the class of a message: small talk, a correction, a continuation of the current work, or a
// new topic. Recall before a turn depends on the class. docs/classifier.md describes the method and the measured
// figures.
package classifier

import (
	"context"
	"math"

	"memory-graph/internal/embedding"
)

// Message is a message to classify.
type Message struct {
	Text     string
	Previous []string // the turns before it, of whoever said them, oldest first; the last three count

	// Vectors that the caller has already, of the text and of the last of Previous; nil ones are made. They must be of
	// the classifier's embedder.
	Vector         []float32
	PreviousVector []float32
}

// Result is the classification of a message.
type Result struct {
	Class         Class            // the likeliest; Conversational only if that is likely and a correction unlikely
	Confidence    float64          // calibrated probability of Class, 0 to 1
	Probabilities [classes]float64 // of all classes; they sum to 1
	Abstained     bool             // too doubtful to act on: Policy is then neutral and retrieves
	Degraded      bool             // no vectors were to be had: words alone decided

	// Particular is the probability that the message is about something particular: its user, people and things that they
	// know, the work that they do. What anybody could answer is not, nor is small talk. Nothing before the message counts.
	Particular float64

	// Personal is the probability that the best answer depends on who the user is: where they live, what they eat, like,
	// own and do ("plan me a trip"). Nothing before the message counts.
	Personal float64
	// Standing is the vector to look for such facts with, of length 1; nil without vectors.
	Standing []float32

	Vector []float32 // of the text, for the caller to use again; nil without vectors
}

// Policy returns the policy for recall. A message that sounds like small talk but is about something particular ("who
// am I?") is looked up.
func (r Result) Policy() Policy {
	if r.Abstained || r.Class == Conversational && r.Particular >= particularFrom {
		return Policy{Retrieve: true, Session: 1}
	}
	return r.Class.Policy()
}

// The thresholds of a decision, on calibrated probabilities. Taking another message for small talk loses all recall;
// the opposite mistake costs some tokens. So a message is small talk only if a correction is unlikely, and the class is
// left open unless small talk is likely. If no class is likely enough, the class is left open too.
const (
	conversationalFrom = 0.6
	correctionBelow    = 0.1 // the highest probability of a correction at which a message is small talk
	abstainBelow       = 0.45
	particularFrom     = 0.5
)

// Classifier classifies messages. It is safe for concurrent use.
type Classifier struct {
	emb   embedding.Embedder
	model *model // of the embedder; nil where only words are to be had
}

// New returns a classifier for an embedder. The program contains the model for the built-in embedder. For any other
// embedder New embeds the exemplars once, some 6,000 short texts, which may take seconds, and keeps the trained model
// in cacheDir. It rebuilds a cache that is broken or of another version. If it cannot write the cache, the next start
// trains again. Callers that cannot wait use Open.
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

// Open is like New, but does not train. If there is no model for the embedder yet, the words alone decide, and results
// are Degraded.
func Open(emb embedding.Embedder, cacheDir string) (*Classifier, error) {
	c := &Classifier{emb: emb}
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

// Classify classifies a message. If the embedder fails, the words alone decide, and the result is Degraded. The error
// is the context's; the result is valid even then. A test checks that the model of the words can be read.
func (c *Classifier) Classify(ctx context.Context, m Message) (Result, error) {
	short := clipped(m)
	e := exampleOf(short)
	if c.model == nil {
		return byWords(ctx, e, c.emb.Identity().Enabled())
	}
	if err := c.embed(ctx, m, short, &e); err != nil {
		return byWords(ctx, e, true)
	}
	r := c.model.decide(e)
	r.Vector, r.Standing = e.vector, c.model.standing(e.vector)
	return r, nil
}

// byWords decides without an embedder. Most processes never need this model, so it is read with the first use.
func byWords(ctx context.Context, e example, degraded bool) (Result, error) {
	words, err := shippedWords()
	if err != nil {
		return Result{Degraded: true}, err
	}
	r := words.decide(e)
	r.Degraded = degraded
	return r, ctx.Err()
}

// embed adds the vectors that an example lacks, with one call.
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
	r.Particular, r.Personal = logistic(logits[particular]), logistic(logits[personal])
	return r
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// decide applies the thresholds.
func decide(p [classes]float64) Result {
	r := Result{Probabilities: p}
	r.Class = best(r.Probabilities)
	r.Confidence = r.Probabilities[r.Class]
	r.Abstained = r.Confidence < abstainBelow || r.Class == Conversational && r.Confidence < conversationalFrom
	return r
}

// best returns the likeliest class. If a correction is likely enough, it is not small talk.
func best(p [classes]float64) Class {
	top := Correction
	for c := range classes {
		if p[c] > p[top] && (c != Conversational || p[Correction] <= correctionBelow) {
			top = c
		}
	}
	return top
}
