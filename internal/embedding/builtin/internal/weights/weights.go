// Package weights defines the file of the embedded model: its layout, written by the converter and read without copying
// by the embedder.
//
// The file begins with a magic number of 16 bytes. The sections follow in the order of Model.sections, each aligned to
// 64 bytes and padded with zeros. Numbers are little-endian. The vocabulary comes last, one token per line; the line
// number is the id. Matrices are int8 [rows][columns] with one float32 scale per row: weight = scale × int8.
package weights

// Shape of all-MiniLM-L6-v2.
const (
	Dimensions = 384   // width of a token's state and of the result
	Layers     = 6     // transformer layers
	Heads      = 12    // attention heads
	HeadWidth  = 32    // Dimensions / Heads
	Wide       = 1536  // width of the feed-forward layer
	MaxTokens  = 256   // positions the model was trained for, with [CLS] and [SEP]
	Vocabulary = 30522 // tokens

	mark      = "memory-graph w1\n"
	alignment = 64
)

// Matrix is a linear layer: int8 weights [Rows][Columns], and a scale and a bias for each row (Bias is nil for the word
// embeddings).
type Matrix struct {
	Rows, Columns int
	Weights       []int8
	Scale, Bias   []float32
}

// Norm is a layer norm's weight and bias, Dimensions each.
type Norm struct{ Weight, Bias []float32 }

// Layer is one transformer layer.
type Layer struct {
	QKV           Matrix // [3 × Dimensions][Dimensions]: queries, keys, values
	Out           Matrix // [Dimensions][Dimensions]
	AttentionNorm Norm
	Up            Matrix // [Wide][Dimensions]
	Down          Matrix // [Dimensions][Wide]
	OutputNorm    Norm
}

// Model is the whole model. Its slices may point to read-only memory: writing to them crashes.
type Model struct {
	Word      Matrix    // [Vocabulary][Dimensions], without bias
	Position  []float32 // [MaxTokens][Dimensions], plus the embedding of token type 0
	Norm      Norm      // of the embeddings
	Layers    [Layers]Layer
	VocabText string // vocab.txt as published
}

// section is one array of the file. Either floats or ints is set.
type section struct {
	floats *[]float32
	ints   *[]int8
	n      int // elements
}

func (s section) bytes() int {
	if s.floats != nil {
		return s.n * 4
	}
	return s.n
}

// sections lists the arrays in the order of the file and sets the matrices' shapes.
func (m *Model) sections() []section {
	var all []section
	floats := func(to *[]float32, n int) { all = append(all, section{floats: to, n: n}) }
	matrix := func(to *Matrix, rows, columns int, bias bool) {
		to.Rows, to.Columns = rows, columns
		all = append(all, section{ints: &to.Weights, n: rows * columns})
		floats(&to.Scale, rows)
		if bias {
			floats(&to.Bias, rows)
		}
	}
	norm := func(to *Norm) {
		floats(&to.Weight, Dimensions)
		floats(&to.Bias, Dimensions)
	}
	matrix(&m.Word, Vocabulary, Dimensions, false)
	floats(&m.Position, MaxTokens*Dimensions)
	norm(&m.Norm)
	for i := range m.Layers {
		l := &m.Layers[i]
		matrix(&l.QKV, 3*Dimensions, Dimensions, true)
		matrix(&l.Out, Dimensions, Dimensions, true)
		norm(&l.AttentionNorm)
		matrix(&l.Up, Wide, Dimensions, true)
		matrix(&l.Down, Dimensions, Wide, true)
		norm(&l.OutputNorm)
	}
	return all
}

// align returns the next offset at which a section may start.
func align(offset int) int { return (offset + alignment - 1) &^ (alignment - 1) }
