package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"memory-graph/internal/embedding/builtin/internal/weights"
)

// tensors holds the arrays of a safetensors file by name. The file is 8 bytes with the header's length, a JSON header,
// and raw data (https://huggingface.co/docs/safetensors).
type tensors struct {
	header map[string]tensor
	data   []byte
}

type tensor struct {
	Type    string `json:"dtype"`
	Shape   []int  `json:"shape"`
	Offsets [2]int `json:"data_offsets"` // within the data after the header
}

func parseTensors(file []byte) (*tensors, error) {
	if len(file) < 8 {
		return nil, fmt.Errorf("%d bytes are too few for a safetensors file", len(file))
	}
	n := binary.LittleEndian.Uint64(file)
	if n > uint64(len(file)-8) {
		return nil, fmt.Errorf("the header claims %d bytes of a file of %d", n, len(file))
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(file[8:8+n], &raw); err != nil {
		return nil, fmt.Errorf("read header: %w", err)
	}
	t := &tensors{header: make(map[string]tensor, len(raw)), data: file[8+n:]}
	for name, message := range raw {
		if name == "__metadata__" {
			continue
		}
		var h tensor
		if err := json.Unmarshal(message, &h); err != nil {
			return nil, fmt.Errorf("read header of %s: %w", name, err)
		}
		t.header[name] = h
	}
	return t, nil
}

// floats returns a float32 array, which must have exactly this shape.
func (t *tensors) floats(name string, shape ...int) ([]float32, error) {
	h, ok := t.header[name]
	if !ok {
		return nil, fmt.Errorf("there is no tensor %s", name)
	}
	n := 1
	for _, d := range shape {
		n *= d
	}
	begin, end := h.Offsets[0], h.Offsets[1]
	if h.Type != "F32" || !slices.Equal(h.Shape, shape) || begin < 0 || end > len(t.data) || end-begin != 4*n {
		return nil, fmt.Errorf("tensor %s is %s %v at %v, want F32 %v", name, h.Type, h.Shape, h.Offsets, shape)
	}
	v := make([]float32, n)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(t.data[begin+4*i:]))
	}
	return v, nil
}

// reader remembers the first error, so build can list the tensors without checking each.
type reader struct {
	*tensors
	err error
}

func (r *reader) take(name string, shape ...int) []float32 {
	if r.err != nil {
		return nil
	}
	v, err := r.floats(name, shape...)
	r.err = err
	return v
}

func (r *reader) norm(name string) weights.Norm {
	return weights.Norm{
		Weight: r.take(name+".weight", weights.Dimensions),
		Bias:   r.take(name+".bias", weights.Dimensions),
	}
}

// layer concatenates one or more linear layers of the same width.
func (r *reader) layer(rows, columns int, names ...string) full {
	f := full{rows: rows * len(names), columns: columns}
	for _, name := range names {
		f.weights = append(f.weights, r.take(name+".weight", rows, columns)...)
		f.bias = append(f.bias, r.take(name+".bias", rows)...)
	}
	return f
}

// build reads the model's tensors and rounds its matrices.
func build(t *tensors, vocab string) (*weights.Model, error) {
	const d, wide = weights.Dimensions, weights.Wide
	r := &reader{tensors: t}
	m := &weights.Model{VocabText: vocab}

	words := r.take("embeddings.word_embeddings.weight", weights.Vocabulary, d)
	positions := r.take("embeddings.position_embeddings.weight", 512, d) // the model was trained for the first 256
	types := r.take("embeddings.token_type_embeddings.weight", 2, d)
	m.Norm = r.norm("embeddings.LayerNorm")
	var published [weights.Layers]fullLayer
	for i := range m.Layers {
		p := fmt.Sprintf("encoder.layer.%d.", i)
		self := p + "attention.self."
		published[i] = fullLayer{
			qkv:  r.layer(d, d, self+"query", self+"key", self+"value"),
			out:  r.layer(d, d, p+"attention.output.dense"),
			up:   r.layer(wide, d, p+"intermediate.dense"),
			down: r.layer(d, wide, p+"output.dense"),
		}
		m.Layers[i].AttentionNorm = r.norm(p + "attention.output.LayerNorm")
		m.Layers[i].OutputNorm = r.norm(p + "output.LayerNorm")
	}
	if r.err != nil {
		return nil, r.err
	}
	m.Word = weights.Quantize(words, weights.Vocabulary, d)
	m.Position = positions[:weights.MaxTokens*d]
	for i := range m.Position {
		m.Position[i] += types[i%d] // every text has token type 0
	}

	c, err := newCalibration(m)
	if err != nil {
		return nil, err
	}
	for i := range m.Layers {
		if err := c.layer(&m.Layers[i], published[i]); err != nil {
			return nil, fmt.Errorf("layer %d: %w", i, err)
		}
	}
	return m, nil
}
