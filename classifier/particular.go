package classifier

import (
	"context"
	"fmt"
	"io/fs"
	"math"
	"strings"

	"memory-graph/internal/embedding"
)

// Whether a message is about something particular is learnt from messages by themselves, one a line under the mark of their
// kind; a file holds those of one matter, so that a model can be asked about matters that it has not seen.
const asksFiles = "exemplars/asks/*.txt"

// asksMarks say of the lines below whether they are about something particular.
var asksMarks = map[string]bool{"[any]": false, "[own]": true}

// asked is a message of which it is known whether it is about something particular.
type asked struct {
	Exemplar
	particular bool
	file       string
}

// asks returns the messages of all files.
func asks() ([]asked, error) {
	names, err := fs.Glob(exemplarFiles, asksFiles)
	if err != nil {
		return nil, err
	}
	var list []asked
	for _, name := range names {
		text, err := fs.ReadFile(exemplarFiles, name)
		if err != nil {
			return nil, err
		}
		if list, err = readAsked(list, name, string(text)); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// readAsked reads the messages of one file; lines that begin with # are comments.
func readAsked(list []asked, name, text string) ([]asked, error) {
	particular, marked, n := false, false, 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		of, mark := asksMarks[line]
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case mark:
			particular, marked = of, true
		case !marked:
			return nil, fmt.Errorf("read exemplars: %s:%d stands below no mark: %q", name, n, line)
		default:
			list = append(list, asked{Exemplar{Text: strings.ReplaceAll(line, `\n`, "\n")}, particular, name})
		}
	}
	return list, nil
}

// learnParticular adds the weights of the output particular to a model of the classes.
func (m *model) learnParticular(ctx context.Context, emb embedding.Embedder) error {
	list, err := asks()
	if err != nil {
		return err
	}
	lines, err := personalLines()
	if err != nil {
		return err
	}
	for _, l := range lines { // questions in the middle of a conversation sound particular, and are answered by it
		if l.mark == markSame {
			list = append(list, asked{Exemplar: Exemplar{Text: l.text}})
		}
	}
	examples, are, err := examplesOfAsks(ctx, emb, list)
	if err != nil {
		return err
	}
	m.fitBinary(particular, examples, are)
	return nil
}

// examplesOfAsks makes examples of messages, and says which are about something particular.
func examplesOfAsks(ctx context.Context, emb embedding.Embedder, list []asked) (examples []example, are []bool, err error) {
	exemplars := make([]Exemplar, len(list))
	are = make([]bool, len(list))
	for i, a := range list {
		exemplars[i], are[i] = a.Exemplar, a.particular
	}
	examples, err = read(ctx, emb, exemplars)
	return examples, are, err
}

// fitBinary trains an output of its own by logistic regression on the vector and the terms alone: what came before a
// message tells nothing of it, and the signals are of the classes. Terms that it adds weigh nothing for other outputs.
func (m *model) fitBinary(output int, examples []example, are []bool) {
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
	m.bias[output] = rounded(w[len(w)-1])
	for i, x := range w[:len(w)-1] {
		m.weights[from+i][output] = rounded(x)
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
