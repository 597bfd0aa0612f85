package classifier

import (
	"context"
	"math"
	"strings"

	"memory-graph/embedding"
)

// Whether a message is about something particular is learnt from messages by themselves, one a line.
const (
	generalFile    = "exemplars/asks/general.txt"
	particularFile = "exemplars/asks/particular.txt"
)

// asks gives the messages of the two files and whether each is about something particular.
func asks() (list []Exemplar, are []bool, err error) {
	for _, file := range []string{generalFile, particularFile} {
		text, err := exemplarFiles.ReadFile(file)
		if err != nil {
			return nil, nil, err
		}
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
				list, are = append(list, Exemplar{Text: line}), append(are, file == particularFile)
			}
		}
	}
	return list, are, nil
}

// learnParticular adds the weights of the output particular to a model of the classes.
func (m *model) learnParticular(ctx context.Context, emb embedding.Embedder) error {
	list, are, err := asks()
	if err != nil {
		return err
	}
	examples, err := read(ctx, emb, list)
	if err != nil {
		return err
	}
	m.fitParticular(examples, are)
	return nil
}

// fitParticular trains a logistic regression on the vector and the terms alone: what came before a message tells nothing of
// it, and the signals are of the classes. Terms that it adds weigh nothing for the classes.
func (m *model) fitParticular(examples []example, are []bool) {
	from := len(m.signals)
	if m.dimensions > 0 {
		from += len(m.centroids) + 1
	}
	m.learnTerms(examples)
	m.weights = append(m.weights, make([][outputs]float32, m.size()-len(m.weights))...)
	rows := make([][]feature, len(examples))
	for i, e := range examples {
		for _, f := range m.features(e) {
			if f.at >= from {
				rows[i] = append(rows[i], feature{f.at - from, f.value})
			}
		}
	}
	w := minimize(func(w, gradient []float64) float64 { return logisticLoss(rows, are, w, gradient) }, m.size()-from+1)
	m.bias[particular] = rounded(w[len(w)-1])
	for i, x := range w[:len(w)-1] {
		m.weights[from+i][particular] = rounded(x)
	}
}

// logisticLoss is the negative log-likelihood of two outcomes with the penalty, and its gradient. The bias stands last.
func logisticLoss(rows [][]feature, are []bool, w, gradient []float64) float64 {
	bias := len(w) - 1
	var sum float64
	for i, x := range w {
		gradient[i] = penaltyOfAsks * x
		sum += penaltyOfAsks / 2 * x * x
	}
	for i, row := range rows {
		z := w[bias]
		for _, f := range row {
			z += w[f.at] * float64(f.value)
		}
		sign := -1.
		if are[i] {
			sign = 1
		}
		sum += math.Log1p(math.Exp(-sign * z))
		slope := -sign / (1 + math.Exp(sign*z))
		for _, f := range row {
			gradient[f.at] += slope * float64(f.value)
		}
		gradient[bias] += slope
	}
	return sum
}
