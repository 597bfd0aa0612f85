package weights_test

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/embedding/builtin/internal/weights"
)

// fill returns a model of the right shape in which neighbouring numbers differ.
func fill() *weights.Model {
	next := uint32(0)
	floats := func(n int) []float32 {
		v := make([]float32, n)
		for i := range v {
			next += 0x9E3779B9
			v[i] = float32(next)
		}
		return v
	}
	matrix := func(rows, columns int) weights.Matrix {
		m := weights.Matrix{Rows: rows, Columns: columns, Weights: make([]int8, rows*columns), Scale: floats(rows),
			Bias: floats(rows)}
		for i := range m.Weights {
			m.Weights[i] = int8(i*7 + rows)
		}
		return m
	}
	const d = weights.Dimensions
	norm := func() weights.Norm { return weights.Norm{Weight: floats(d), Bias: floats(d)} }
	m := &weights.Model{Word: matrix(weights.Vocabulary, d), Position: floats(weights.MaxTokens * d), Norm: norm(),
		VocabText: "a\nb\n"}
	m.Word.Bias = nil
	for i := range m.Layers {
		m.Layers[i] = weights.Layer{
			QKV: matrix(3*d, d), Out: matrix(d, d), AttentionNorm: norm(),
			Up: matrix(weights.Wide, d), Down: matrix(d, weights.Wide), OutputNorm: norm(),
		}
	}
	return m
}

func TestParse_GivesWhatWasEncodedAtAnyAlignment(t *testing.T) {
	t.Parallel()
	want := fill()
	file, err := weights.Encode(want)
	if err != nil {
		t.Fatal(err)
	}
	for shift := range 5 {
		moved := strings.Repeat(" ", shift) + string(file) // floats at every alignment
		got, err := weights.Parse(moved[shift:])
		if err != nil {
			t.Fatal(err)
		}
		if !equal(reflect.ValueOf(want), reflect.ValueOf(got)) {
			t.Fatalf("shift %d: the model changes when it is written and read", shift)
		}
	}
}

// equal is a fast reflect.DeepEqual for models, which takes seconds for their 23 million numbers.
func equal(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Pointer:
		return equal(a.Elem(), b.Elem())
	case reflect.Struct:
		for i := range a.NumField() {
			if !equal(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Array:
		for i := range a.Len() {
			if !equal(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	}
	switch x := a.Interface().(type) {
	case []float32:
		y, ok := b.Interface().([]float32)
		return ok && slices.Equal(x, y)
	case []int8:
		y, ok := b.Interface().([]int8)
		return ok && slices.Equal(x, y)
	}
	return reflect.DeepEqual(a.Interface(), b.Interface())
}

func TestEncode_RefusesAModelOfAnotherShape(t *testing.T) {
	t.Parallel()
	m := fill()
	m.Layers[3].Down.Bias = m.Layers[3].Down.Bias[1:]
	if _, err := weights.Encode(m); err == nil {
		t.Error("a layer without a bias was encoded")
	}
}

func TestParse_RefusesDamagedFiles(t *testing.T) {
	t.Parallel()
	file, err := weights.Encode(fill())
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 5, 16, 17, 1000, 12_000_000, len(file) - 5, len(file) - 4} {
		if _, err := weights.Parse(string(file[:n])); err == nil {
			t.Errorf("the first %d of %d bytes were accepted", n, len(file))
		}
	}
	file[3]++
	if _, err := weights.Parse(string(file)); err == nil {
		t.Error("a file with another magic number was accepted")
	}
}

func TestQuantize_StaysWithinHalfAStep(t *testing.T) {
	t.Parallel()
	in := []float32{.5, -1, .25, 0, 0, 0, 3, 1e-3, -2}
	m := weights.Quantize(in, 3, 3)
	for i, x := range in {
		back := float64(m.Weights[i]) * float64(m.Scale[i/3])
		if math.Abs(back-float64(x)) > float64(m.Scale[i/3])/2*1.001 {
			t.Errorf("%v became %v", x, back)
		}
	}
	if diff := cmp.Diff([]int8{64, -127, 32, 0, 0, 0, 127, 0, -85}, m.Weights); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
