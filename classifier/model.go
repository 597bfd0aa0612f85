package classifier

import (
	"math"
	"slices"

	"memory-graph/internal/embedding"
)

// How the vector's features are scaled before the weights see them. What is scaled up is held back less by the penalty.
const (
	likeScale = 3 // of cosines
	textScale = 3 // of the components of the text's vector
)

// model is softmax regression over a message's signals, where its vector lies among the centroids, and its terms.
type model struct {
	source     string         // digest of what a model that was read is made of
	identity   string         // of the embedder
	dimensions int            // of its vectors, 0 for words alone
	centroids  [][]float32    // of the exemplars of each class, class by class
	requests   []float32      // the middle of the requests that depend on the user; nil without vectors
	kinds      []requestKind  // of such requests
	signals    []string       // names, in the order of signalsOf
	vocabulary map[string]int // a term's place among the terms
	weights    [][outputs]float32
	bias       [outputs]float32
	scale      float64 // of the classes' logits, so that probabilities are what they say
}

// example is a message as a model reads it.
type example struct {
	signals *signals
	terms   []string
	vector  []float32
	before  []float32 // the last turn's; nil without one
}

// exampleOf reads what words tell of a clipped message.
func exampleOf(m Message) example {
	tokens := cut(m.Text)
	return example{signals: signalsOf(m, tokens), terms: terms(tokens)}
}

// feature is one that is not 0.
type feature struct {
	at    int
	value float32
}

// features stand in this order: signals, cosines with the centroids, the cosine with the last turn, the vector, terms.
func (m *model) features(e example) []feature {
	out := make([]feature, 0, 128+len(m.centroids)+m.dimensions)
	at := 0
	put := func(v float32) {
		if v != 0 {
			out = append(out, feature{at, v})
		}
		at++
	}
	for _, v := range e.signals.values {
		put(v)
	}
	if m.dimensions > 0 {
		for _, c := range m.centroids {
			put(likeScale * dot(e.vector, c))
		}
		put(likeScale * dot(e.vector, e.before))
		for _, x := range e.vector {
			put(textScale * x)
		}
	}
	var known []int
	for _, t := range e.terms {
		if i, ok := m.vocabulary[t]; ok {
			known = append(known, at+i)
		}
	}
	slices.Sort(known)
	for _, i := range slices.Compact(known) {
		out = append(out, feature{i, 1})
	}
	return out
}

// size is how many features there are.
func (m *model) size() int {
	n := len(m.signals) + len(m.vocabulary)
	if m.dimensions > 0 {
		n += len(m.centroids) + 1 + m.dimensions
	}
	return n
}

// logits of the classes, not calibrated, and of what is particular.
func (m *model) logits(row []feature) [outputs]float64 {
	var out [outputs]float64
	for c := range out {
		out[c] = float64(m.bias[c])
	}
	for _, f := range row {
		w := &m.weights[f.at]
		for c := range out {
			out[c] += float64(w[c]) * float64(f.value)
		}
	}
	return out
}

// softmax returns the probabilities of the classes.
func softmax(all [outputs]float64, scale float64) [classes]float64 {
	logits := [classes]float64(all[:classes])
	top := slices.Max(logits[:])
	var sum float64
	for c := range logits {
		logits[c] = math.Exp(scale * (logits[c] - top))
		sum += logits[c]
	}
	for c := range logits {
		logits[c] /= sum
	}
	return logits
}

// dot is 0 where one of the two is missing.
func dot(a, b []float32) float32 {
	if len(a) != len(b) {
		return 0
	}
	var sum float32
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

// centroidsOf returns the centroid of each class's vectors, normalised and rounded as in the file.
func centroidsOf(examples []example, of []Class) [][]float32 {
	out := make([][]float32, classes)
	for i, e := range examples {
		c := of[i]
		if out[c] == nil {
			out[c] = make([]float32, len(e.vector))
		}
		for j, x := range e.vector {
			out[c][j] += x
		}
	}
	for c := range out {
		out[c] = unpack(embedding.Quantize(out[c]))
	}
	return out
}

// unpack makes a vector of length 1 of a quantised one.
func unpack(q []int8) []float32 {
	out := make([]float32, len(q))
	for i, x := range q {
		out[i] = float32(x)
	}
	embedding.Normalize(out)
	return out
}
