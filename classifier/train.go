package classifier

import (
	"context"
	"maps"
	"math"
	"slices"

	"memory-graph/internal/embedding"
)

// Settings of the training.
const (
	// Half of a penalty times the squared weight is added to the loss, which is summed over exemplars.
	penalty         = 5.0  // of signals, centroids and the bias
	penaltyOfVector = 11.0 // of the vector's components: they refine the centroids
	penaltyOfTerms  = 1.25 // of terms: many occur in few exemplars, and would else weigh next to nothing
	penaltyOfAsks   = 2.0  // of all features of the outputs particular and personal, whose exemplars are fewer

	termsIn = 3 // exemplars that must have a term for it to count
	folds   = 5 // of the cross-validation that calibrates
)

// train makes a model of the exemplars for an embedder, or of words alone for embedding.None.
func train(ctx context.Context, emb embedding.Embedder) (*model, error) {
	list, err := Exemplars()
	if err != nil {
		return nil, err
	}
	examples, err := read(ctx, emb, list)
	if err != nil {
		return nil, err
	}
	of := classesOf(list)
	logits, err := crossLogits(ctx, list, examples, emb.Identity())
	if err != nil {
		return nil, err
	}
	m := fit(examples, of, emb.Identity())
	m.scale = calibrate(logits, of)
	if err := m.learnParticular(ctx, emb); err != nil {
		return nil, err
	}
	return m, m.learnPersonal(ctx, emb)
}

// read makes examples of exemplars, with vectors unless the embedder has none.
func read(ctx context.Context, emb embedding.Embedder, list []Exemplar) ([]example, error) {
	out := make([]example, len(list))
	var texts []string
	index := map[string]int{}
	want := func(s string) int {
		i, ok := index[s]
		if !ok {
			i = len(texts)
			index[s] = i
			texts = append(texts, s)
		}
		return i
	}
	text, before := make([]int, len(list)), make([]int, len(list))
	for i, e := range list {
		m := clipped(Message{Text: e.Text, Previous: e.Previous})
		out[i] = exampleOf(m)
		text[i], before[i] = want(forVector(m.Text)), -1
		if n := len(m.Previous); n > 0 {
			before[i] = want(forVector(m.Previous[n-1]))
		}
	}
	if !emb.Identity().Enabled() {
		return out, nil
	}
	rows, err := emb.Embed(ctx, embedding.Classification, texts)
	if err != nil {
		return nil, err
	}
	for i := range out {
		out[i].vector = rows[text[i]]
		if before[i] >= 0 {
			out[i].before = rows[before[i]]
		}
	}
	return out, nil
}

func classesOf(list []Exemplar) []Class {
	out := make([]Class, len(list))
	for i, e := range list {
		out[i] = e.Class
	}
	return out
}

// foldOf keeps a scene together: its messages share the turns before them.
func foldOf(i int, e Exemplar) int {
	if len(e.Previous) == 0 {
		return i % folds
	}
	return e.Scene % folds
}

// crossLogits returns each exemplar's logits by a model that has not seen its scene.
func crossLogits(ctx context.Context, list []Exemplar, examples []example, id embedding.Identity) ([][outputs]float64, error) {
	out := make([][outputs]float64, len(list))
	of := classesOf(list)
	for fold := range folds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var rest []example
		var restOf []Class
		for i, e := range list {
			if foldOf(i, e) != fold {
				rest, restOf = append(rest, examples[i]), append(restOf, of[i])
			}
		}
		m := fit(rest, restOf, id)
		for i, e := range list {
			if foldOf(i, e) == fold {
				out[i] = m.logits(m.features(examples[i]))
			}
		}
	}
	return out, nil
}

// Validate returns the exemplars and, for each, the result of a model that was trained without its scene, for
// measuring.
func Validate(ctx context.Context, emb embedding.Embedder) ([]Exemplar, []Result, error) {
	list, err := Exemplars()
	if err != nil {
		return nil, nil, err
	}
	examples, err := read(ctx, emb, list)
	if err != nil {
		return nil, nil, err
	}
	logits, err := crossLogits(ctx, list, examples, emb.Identity())
	if err != nil {
		return nil, nil, err
	}
	scale := calibrate(logits, classesOf(list))
	out := make([]Result, len(list))
	for i, l := range logits {
		out[i] = decide(softmax(l, scale))
	}
	return list, out, nil
}

// calibrate returns the scale of the logits at which their likelihood is greatest (temperature scaling: Guo et al., On
// Calibration of Modern Neural Networks, 2017).
func calibrate(logits [][outputs]float64, of []Class) float64 {
	best, least := 1., math.Inf(1)
	for scale := 0.2; scale < 2.001; scale += 0.02 {
		var sum float64
		for i, l := range logits {
			sum -= math.Log(max(softmax(l, scale)[of[i]], 1e-300))
		}
		if sum < least {
			best, least = scale, sum
		}
	}
	return math.Round(best*100) / 100
}

// fit trains a model: softmax regression with an L2 penalty, whose only optimum is found whatever the order of steps.
func fit(examples []example, of []Class, id embedding.Identity) *model {
	m := &model{identity: id.String(), dimensions: id.Dimensions, scale: 1, vocabulary: map[string]int{}, signals: examples[0].signals.names}
	m.learnTerms(examples)
	if m.dimensions > 0 {
		m.centroids = centroidsOf(examples, of)
	}
	rows := make([][]feature, len(examples))
	for i, e := range examples {
		rows[i] = m.features(e)
	}
	penalties := m.penalties()
	w := minimize(func(w, gradient []float64) float64 { return loss(rows, of, penalties, w, gradient) },
		len(penalties)*int(classes))
	m.weights = make([][outputs]float32, m.size())
	for i, x := range w {
		if at, c := i/int(classes), i%int(classes); at < len(m.weights) {
			m.weights[at][c] = rounded(x)
		} else {
			m.bias[c] = rounded(x)
		}
	}
	return m
}

// learnTerms puts the terms of enough examples behind the vocabulary.
func (m *model) learnTerms(examples []example) {
	count := map[string]int{}
	for _, e := range examples {
		for t := range set(e.terms) {
			count[t]++
		}
	}
	for _, t := range slices.Sorted(maps.Keys(count)) {
		if _, known := m.vocabulary[t]; !known && count[t] >= termsIn {
			m.vocabulary[t] = len(m.vocabulary)
		}
	}
}

// rounded is a weight as files have it.
func rounded(x float64) float32 { return float32(math.Round(x*1e4) / 1e4) }

// penalties returns the penalty of each feature's weights, and last that of the bias.
func (m *model) penalties() []float64 {
	out := make([]float64, m.size()+1)
	for i := range out {
		out[i] = penalty
	}
	terms := m.size() - len(m.vocabulary)
	for i := terms - m.dimensions; i < terms; i++ {
		out[i] = penaltyOfVector
	}
	for i := terms; i < m.size(); i++ {
		out[i] = penaltyOfTerms
	}
	return out
}

// loss is the negative log-likelihood with the penalties, one a feature, and its gradient. The bias stands behind the
// weights.
func loss(rows [][]feature, of []Class, penalties, w, gradient []float64) float64 {
	k := int(classes)
	bias := len(w) - k
	var sum float64
	for i, x := range w {
		gradient[i] = penalties[i/k] * x
		sum += penalties[i/k] / 2 * x * x
	}
	for i, row := range rows {
		var logits [outputs]float64
		for c := range k {
			logits[c] = w[bias+c]
		}
		for _, f := range row {
			for c := range k {
				logits[c] += w[f.at*k+c] * float64(f.value)
			}
		}
		p := softmax(logits, 1)
		sum -= math.Log(max(p[of[i]], 1e-300))
		p[of[i]]--
		for _, f := range row {
			for c := range p {
				gradient[f.at*k+c] += p[c] * float64(f.value)
			}
		}
		for c := range p {
			gradient[bias+c] += p[c]
		}
	}
	return sum
}
