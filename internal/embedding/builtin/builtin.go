// Package builtin is the embedder that is part of the binary: sentence-transformers/all-MiniLM-L6-v2, 384 dimensions,
// with weights rounded to int8, run by an encoder of our own, since a hook before every turn cannot wait for a general
// runtime. It needs no network, no key and no second process. The weights and their licence are in model/.
//
// The model reads at most 256 tokens. A longer text is split into windows, at most four, whose vectors are averaged, so
// that what is said late in a text is found too and time stays bounded: up to 1,016 tokens the windows cover the text
// without overlap, all of about the same length; of a text beyond that four windows of 254 tokens are taken, evenly
// spread from its beginning to its end, and what lies between them is left to the text search.
//
// An empty text has the vector of the model's start and end marks.
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

// What the embedder's identity says. The model's name changes with anything that changes its vectors.
const (
	Provider   = "builtin"
	Model      = "all-MiniLM-L6-v2-int8"
	Dimensions = weights.Dimensions
)

//go:embed model/all-minilm-l6-v2-int8.bin
var file string

// parts is the model ready for use.
type parts struct {
	model     *weights.Model
	tokenizer *wordpiece.Tokenizer
}

// load reads the embedded file once for the whole process.
var load = sync.OnceValues(func() (*parts, error) { return read(file) })

// read makes the parts of a model's file. The weights stay where the binary has them: pages of the executable, read on
// first use and shared by all processes.
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

// Embedder implements embedding.Embedder. It is safe for concurrent use; each call runs on the caller's goroutine
// alone.
type Embedder struct {
	kernels  *kernel.Set
	encoders sync.Pool // of *encoder: 4 MB each after a text of 256 tokens
}

var _ embedding.Embedder = (*Embedder)(nil)

// New makes an embedder and reads nothing yet: the first Embed or Load does.
func New() *Embedder { return &Embedder{kernels: kernel.Active()} }

// Identity is builtin/all-MiniLM-L6-v2-int8/384.
func (e *Embedder) Identity() embedding.Identity {
	return embedding.Identity{Provider: Provider, Model: Model, Dimensions: Dimensions}
}

// Load reads the model ahead of the first text, which takes a few milliseconds. It may be called at any time.
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

// Embed makes a vector of each text; see embedding.Embedder. A text of which the vocabulary does not know half gets
// zeros. The model has one space for all modes. The context is looked at before each window.
func (e *Embedder) Embed(ctx context.Context, _ embedding.Mode, texts []string) ([][]float32, error) {
	return e.embedAll(ctx, texts, readable)
}

// embedAll gives zeros for the texts whose tokens do not pass.
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

// readable says whether the vocabulary knows at least half of a text. What it does not know (many scripts, emoji) is
// one and the same token to the model, so that all such texts would be alike.
func readable(ids []int32, unknown int32) bool {
	n := 0
	for _, id := range ids {
		if id == unknown {
			n++
		}
	}
	return 2*n <= len(ids)
}

// embed gives the vector of a text's tokens: of its only window, or the mean of its windows' unit vectors.
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
				WithHint("Please report the text that does this; text search finds it meanwhile.")
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
			WithHint("Please report the text that does this; text search finds it meanwhile.")
	}
	return sum, nil
}
