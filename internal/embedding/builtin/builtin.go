// Package builtin is the embedder in the binary: sentence-transformers/all-MiniLM-L6-v2, 384 dimensions, with weights
// rounded to int8. It has its own encoder, because a hook before every turn cannot wait for a general runtime. It needs
// no network, no key and no second process. The weights and their licence are in model/.
//
// The model reads at most 256 tokens. A longer text is split into at most four windows, whose vectors are averaged. So
// the end of a text counts too, and the time is bounded. Up to 1,016 tokens, windows of about equal length cover the
// text without overlap. Beyond that, four windows of 254 tokens are spread evenly from the beginning to the end. Only
// the text search finds what lies between them.
//
// The vector of an empty text is that of the model's start and end tokens.
package builtin

import (
	"context"
	_ "embed" // the weights
	"sync"

	"memory-graph/internal/embedding"
	"memory-graph/internal/embedding/builtin/internal/weights"
	"memory-graph/internal/embedding/builtin/internal/wordpiece"
	"memory-graph/internal/embedding/kernel"
	"memory-graph/internal/memory"
)

// The embedder's identity. The model's name changes whenever its vectors change.
const (
	Provider   = "builtin"
	Model      = "all-MiniLM-L6-v2-int8"
	Dimensions = weights.Dimensions
)

//go:embed model/all-minilm-l6-v2-int8.bin
var file string

// parts is the loaded model.
type parts struct {
	model     *weights.Model
	tokenizer *wordpiece.Tokenizer
}

// load parses the embedded file once per process.
var load = sync.OnceValues(func() (*parts, error) { return read(file) })

// read parses a model file. The weights are not copied: they stay in pages of the executable, which are read on first
// use and shared by all processes.
func read(file string) (*parts, error) {
	m, err := weights.Parse(file)
	if err != nil {
		return nil, err
	}
	t, err := wordpiece.New(m.VocabText)
	if err != nil {
		return nil, err
	}
	return &parts{m, t}, nil
}

// Embedder implements embedding.Embedder. It is safe for concurrent use. Each call runs on the caller's goroutine only.
type Embedder struct {
	kernels  *kernel.Set
	encoders sync.Pool // of *encoder: 4 MB each after a text of 256 tokens
}

var _ embedding.Embedder = (*Embedder)(nil)

// New returns an embedder. The model is loaded by the first Embed or Load.
func New() *Embedder { return &Embedder{kernels: kernel.Active()} }

// Identity returns builtin/all-MiniLM-L6-v2-int8/384.
func (e *Embedder) Identity() embedding.Identity {
	return embedding.Identity{Provider: Provider, Model: Model, Dimensions: Dimensions}
}

// Load loads the model before the first text, which takes a few milliseconds. It may be called at any time.
func (e *Embedder) Load() error {
	_, err := e.parts()
	return err
}

func (e *Embedder) parts() (*parts, error) {
	p, err := load()
	if err != nil {
		return nil, &memory.Error{
			Code:    memory.Internal,
			Message: "The embedded model cannot be read.",
			Hint:    "The binary is damaged: install it again, or set the embedder to none.",
			Err:     err,
		}
	}
	return p, nil
}

// Embed returns a vector for each text; see embedding.Embedder. A text with more than half of its tokens unknown gets
// zeros. The mode has no effect on this model. The context is checked before each window.
func (e *Embedder) Embed(ctx context.Context, _ embedding.Mode, texts []string) ([][]float32, error) {
	return e.embedAll(ctx, texts, readable)
}

// embedAll is Embed with zeros for the texts whose tokens do not pass.
func (e *Embedder) embedAll(ctx context.Context, texts []string,
	pass func(ids []int32, unknown int32) bool) ([][]float32, error) {
	p, err := e.parts()
	if err != nil {
		return nil, err
	}
	enc, _ := e.encoders.Get().(*encoder)
	if enc == nil {
		enc = &encoder{model: p.model, kernels: e.kernels}
	}
	defer e.encoders.Put(enc)
	rows := make([][]float32, len(texts))
	var ids []int32
	for i, text := range texts {
		ids = p.tokenizer.Append(ids[:0], text)
		if !pass(ids, p.tokenizer.Unknown) {
			rows[i] = make([]float32, Dimensions)
			continue
		}
		if rows[i], err = embed(ctx, enc, p.tokenizer, ids); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// readable reports whether the vocabulary knows at least half of a text. All unknown words (many scripts, emoji) are
// the same token, so such texts would all be similar.
func readable(ids []int32, unknown int32) bool {
	n := 0
	for _, id := range ids {
		if id == unknown {
			n++
		}
	}
	return 2*n <= len(ids)
}

// embed returns the vector of a text: that of its only window, or the mean of its windows' unit vectors.
func embed(ctx context.Context, enc *encoder, t *wordpiece.Tokenizer, ids []int32) ([]float32, error) {
	var sum []float32
	window := make([]int32, 0, weights.MaxTokens)
	for _, w := range windows(len(ids)) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		window = append(append(append(window[:0], t.Start), ids[w.from:w.to]...), t.End)
		v := enc.encode(window)
		if !embedding.Normalize(v) {
			return nil, memory.Errorf(memory.Internal, "A text of %d tokens has no vector of finite length.", len(ids)).
				WithHint("Please report this text. Text search still finds it.")
		}
		if sum == nil {
			sum = v
			continue
		}
		for j, x := range v {
			sum[j] += x
		}
	}
	if !embedding.Normalize(sum) {
		return nil, memory.Errorf(memory.Internal, "The windows of a text of %d tokens cancel each other out.", len(ids)).
			WithHint("Please report this text. Text search still finds it.")
	}
	return sum, nil
}
