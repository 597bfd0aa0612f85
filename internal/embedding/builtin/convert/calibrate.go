package main

import (
	_ "embed" // the sample
	"math"
	"strings"

	"memory-graph/internal/embedding/builtin/internal/weights"
	"memory-graph/internal/embedding/builtin/internal/wordpiece"
)

// sample is typical text of agents and people, one per line. The activations that it causes decide how the weights are
// rounded. The golden file contains none of it.
//
//go:embed calibration.txt
var sample string

// calibration holds the states of the sample's tokens while the layers are rounded in order. Each layer is rounded for
// the output of the rounded layers before it.
type calibration struct {
	lengths []int     // tokens of each text
	states  []float64 // [Σ lengths][Dimensions]
}

// newCalibration embeds the sample's tokens.
func newCalibration(m *weights.Model) (*calibration, error) {
	t, err := wordpiece.New(m.VocabText)
	if err != nil {
		return nil, err
	}
	const d = weights.Dimensions
	c := &calibration{}
	for line := range strings.Lines(sample) {
		ids := append(t.Append([]int32{t.Start}, line), t.End)
		c.lengths = append(c.lengths, len(ids))
		for i, id := range ids {
			state := make([]float64, d)
			for j := range state {
				state[j] = float64(m.Word.Weights[int(id)*d+j])*float64(m.Word.Scale[id]) + float64(m.Position[i*d+j])
			}
			c.states = append(c.states, normalized(state, m.Norm)...)
		}
	}
	return c, nil
}

// layer rounds a layer's matrices and applies the layer to the sample.
func (c *calibration) layer(l *weights.Layer, full fullLayer) error {
	var err error
	if l.QKV, err = round(full.qkv, c.states); err != nil {
		return err
	}
	mixed := c.attention(apply(l.QKV, c.states))
	if l.Out, err = round(full.out, mixed); err != nil {
		return err
	}
	c.addNorm(apply(l.Out, mixed), l.AttentionNorm)

	if l.Up, err = round(full.up, c.states); err != nil {
		return err
	}
	wide := apply(l.Up, c.states)
	for i, x := range wide {
		wide[i] = x * .5 * math.Erfc(-x/math.Sqrt2) // GELU
	}
	if l.Down, err = round(full.down, wide); err != nil {
		return err
	}
	c.addNorm(apply(l.Down, wide), l.OutputNorm)
	return nil
}

// attention mixes the values of each text's tokens: [tokens][3 × Dimensions] to [tokens][Dimensions].
func (c *calibration) attention(qkv []float64) []float64 {
	const d, head, stride = weights.Dimensions, weights.HeadWidth, 3 * weights.Dimensions
	out := make([]float64, len(qkv)/3)
	first := 0
	for _, n := range c.lengths {
		scores := make([]float64, n)
		for h := range weights.Heads {
			for t := first; t < first+n; t++ {
				query := qkv[t*stride+h*head:][:head]
				largest := math.Inf(-1)
				for s := range scores {
					scores[s] = dot(query, qkv[(first+s)*stride+d+h*head:][:head]) / math.Sqrt(head)
					largest = max(largest, scores[s])
				}
				sum := 0.0
				for s := range scores {
					scores[s] = math.Exp(scores[s] - largest)
					sum += scores[s]
				}
				for s := range scores {
					axpy(out[t*d+h*head:][:head], qkv[(first+s)*stride+2*d+h*head:][:head], scores[s]/sum)
				}
			}
		}
		first += n
	}
	return out
}

// addNorm adds the output of a sublayer to the states and normalises them.
func (c *calibration) addNorm(mixed []float64, n weights.Norm) {
	const d = weights.Dimensions
	for t := 0; t < len(c.states); t += d {
		state := c.states[t : t+d]
		axpy(state, mixed[t:t+d], 1)
		copy(state, normalized(state, n))
	}
}

func normalized(v []float64, n weights.Norm) []float64 {
	var mean, variance float64
	for _, x := range v {
		mean += x / float64(len(v))
	}
	for _, x := range v {
		variance += (x - mean) * (x - mean) / float64(len(v))
	}
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = (x-mean)/math.Sqrt(variance+1e-12)*float64(n.Weight[i]) + float64(n.Bias[i])
	}
	return out
}

// apply applies a linear layer with rounded weights: [tokens][m.Columns] to [tokens][m.Rows].
func apply(m weights.Matrix, x []float64) []float64 {
	tokens := len(x) / m.Columns
	out := make([]float64, tokens*m.Rows)
	row := make([]float64, m.Columns)
	for r := range m.Rows {
		for j := range row {
			row[j] = float64(m.Weights[r*m.Columns+j]) * float64(m.Scale[r])
		}
		for t := range tokens {
			out[t*m.Rows+r] = dot(row, x[t*m.Columns:(t+1)*m.Columns]) + float64(m.Bias[r])
		}
	}
	return out
}
