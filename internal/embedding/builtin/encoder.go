package builtin

import (
	"memory-graph/internal/embedding/builtin/internal/weights"
	"memory-graph/internal/embedding/kernel"
)

// Short names for the shape.
const (
	dims  = weights.Dimensions
	wide  = weights.Wide
	heads = weights.Heads
	head  = weights.HeadWidth

	// Activations are rounded to ±activationMax per token. A sum of 1,536 products with weights of ±127 stays below 2³¹. A
	// few activations of this model are hundreds of times larger than the others of their token, so precision matters:
	// with 2,047, the rounding differences between kernels showed in the fourth decimal of the result.
	activationMax = 8191
)

// encoder runs the model over one window of tokens. It holds scratch buffers, so only one goroutine may use it at a
// time.
type encoder struct {
	model   *weights.Model
	kernels *kernel.Set

	rows int // capacity of the buffers in tokens, a multiple of kernel.Tokens

	state  []float32 // [rows][dims] the tokens' states
	mixed  []float32 // [rows][dims] the output of a sublayer
	qkv    []float32 // [rows][3*dims]
	wide   []float32 // [rows][wide]
	scores []float32 // [rows] of one query
	ints   []int16   // [rows][wide] activations as integers
	scale  []float32 // [rows] value of one integer step, per token
}

// reserve makes room for n tokens.
func (e *encoder) reserve(n int) {
	rows := (n + kernel.Tokens - 1) / kernel.Tokens * kernel.Tokens
	if rows <= e.rows {
		return
	}
	e.rows = rows
	e.state = make([]float32, rows*dims)
	e.mixed = make([]float32, rows*dims)
	e.qkv = make([]float32, rows*3*dims)
	e.wide = make([]float32, rows*wide)
	e.scores = make([]float32, rows)
	e.ints = make([]int16, rows*wide)
	e.scale = make([]float32, rows)
}

// encode returns the mean of the tokens' final states, [dims], not normalised. ids are 1 to MaxTokens tokens of the
// vocabulary, including [CLS] and [SEP].
func (e *encoder) encode(ids []int32) []float32 {
	n := len(ids)
	e.reserve(n)
	e.embed(ids)
	for i := range e.model.Layers {
		e.layer(&e.model.Layers[i], n)
	}
	share := e.scores[:n]
	for i := range share {
		share[i] = 1 / float32(n)
	}
	mean := make([]float32, dims)
	e.kernels.WeightedSum(mean, share, e.state, dims)
	return mean
}

// embed sets the initial states: the sum of word, position and token type embeddings, normalised.
func (e *encoder) embed(ids []int32) {
	word := &e.model.Word
	for i, id := range ids {
		row, scale := word.Weights[int(id)*dims:][:dims], word.Scale[id]
		position, out := e.model.Position[i*dims:][:dims], e.state[i*dims:][:dims]
		for j := range out {
			out[j] = float32(row[j])*scale + position[j]
		}
		layerNorm(out, &e.model.Norm)
	}
}

// layer applies one layer to the states of n tokens: attention, then feed-forward. The output of each is added to the
// states, which are then normalised (post-norm, as in BERT).
func (e *encoder) layer(l *weights.Layer, n int) {
	e.multiply(e.qkv, &l.QKV, e.state, n)
	e.attention(n)
	e.multiply(e.mixed, &l.Out, e.mixed, n)
	e.addNorm(&l.AttentionNorm, n)

	e.multiply(e.wide, &l.Up, e.state, n)
	e.kernels.Gelu(e.wide[:n*wide])
	e.multiply(e.mixed, &l.Down, e.wide, n)
	e.addNorm(&l.OutputNorm, n)
}

// multiply applies a linear layer to n tokens: dst [n][m.Rows], src [n][m.Columns]. dst and src may overlap, since src
// is rounded to integers first. Rows of dst up to the next multiple of kernel.Tokens are overwritten.
func (e *encoder) multiply(dst []float32, m *weights.Matrix, src []float32, n int) {
	columns, rows := m.Columns, m.Rows
	for t := range n {
		token := src[t*columns : (t+1)*columns]
		largest := e.kernels.MaxAbs(token)
		if largest == 0 {
			largest = 1 // all values are 0, at any scale
		}
		e.scale[t] = largest / activationMax
		e.kernels.Quantize16(e.ints[t*columns:(t+1)*columns], token, activationMax/largest)
	}
	padded := (n + kernel.Tokens - 1) / kernel.Tokens * kernel.Tokens
	clear(e.ints[n*columns : padded*columns])
	clear(e.scale[n:padded])
	e.kernels.MatMul(dst, rows, m.Weights, e.ints, columns, m.Scale, m.Bias, e.scale[:padded])
}

// attention mixes the values of all n tokens into each token, per head: softmax(q·k / √head) · v, from qkv into mixed.
// The sum is divided once, instead of each softmax weight.
func (e *encoder) attention(n int) {
	const stride = 3 * dims
	scores := e.scores[:n]
	for h := range heads {
		keys, values := e.qkv[dims+h*head:], e.qkv[2*dims+h*head:]
		for t := range n {
			query := e.qkv[t*stride+h*head:][:head]
			e.kernels.Dots(scores, query, keys, stride)
			largest := scores[0]
			for _, x := range scores[1:] {
				if x > largest { // rarely true; the built-in max handles NaN and is several times slower
					largest = x
				}
			}
			share := 1 / e.kernels.ExpSum(scores, largest, rootOfHead)
			out := e.mixed[t*dims+h*head:][:head]
			e.kernels.WeightedSum(out, scores, values, stride)
			for j := range out {
				out[j] *= share
			}
		}
	}
}

// addNorm adds the output of a sublayer to the states and normalises them.
func (e *encoder) addNorm(norm *weights.Norm, n int) {
	for t := range n {
		state, mixed := e.state[t*dims:][:dims], e.mixed[t*dims:][:dims]
		for j := range state {
			state[j] += mixed[j]
		}
		layerNorm(state, norm)
	}
}
