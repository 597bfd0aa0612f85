// Package weights defines the one file that holds the embedded model: its layout, written by the converter and read
// without copying by the embedder.
//
// The file is a mark of 16 bytes, then the sections in the order of Model.sections, each starting at a multiple of 64
// bytes with zeros between, numbers little-endian, and last the vocabulary: one token a line, the line is the id.
// Matrices are int8 [rows][columns] with one float32 scale for each row: weight = scale × int8.
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

// Matrix is a linear layer: int8 weights [Rows][Columns], a scale for each row, and a bias for each row (nil for the
// word embeddings).
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

// Model is the whole model. Its slices may point into read-only memory: writing to them crashes.
type Model struct {
	Word      Matrix    // [Vocabulary][Dimensions], without bias
	Position  []float32 // [MaxTokens][Dimensions], with the embedding of token type 0 added in
	Norm      Norm      // of the embeddings
	Layers    [Layers]Layer
	VocabText string // vocab.txt as published
}

// section is one array of the file: floats or ints is set.
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

// align gives the next offset at which a section may start.
func align(offset int) int { return (offset + alignment - 1) &^ (alignment - 1) }
