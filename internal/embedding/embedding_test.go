package embedding_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/embedding"
	"memory-graph/internal/memory"
)

func TestQuantize_UsesTheWholeRange(t *testing.T) {
	t.Parallel()
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range []struct {
		name string
		in   []float32
		want []int8
	}{
		{"largest becomes 127", []float32{.01, -.02, .005, 0}, []int8{64, -127, 32, 0}},
		{"positive largest", []float32{2, -1, .5}, []int8{127, -64, 32}},
		{"zero", []float32{0, 0}, []int8{0, 0}},
		{"denormal", []float32{1e-44, -1e-44}, []int8{127, -127}},
		{"huge", []float32{math.MaxFloat32, -math.MaxFloat32}, []int8{127, -127}},
		{"NaN", []float32{1, nan}, []int8{0, 0}},
		{"infinite", []float32{-inf, 1}, []int8{0, 0}},
		{"empty", nil, []int8{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, embedding.Quantize(c.in)); diff != "" {
				t.Errorf("Quantize(%v) (-want +got):\n%s", c.in, diff)
			}
		})
	}
}

func FuzzQuantize_NeverGivesMinus128(f *testing.F) {
	f.Add(float32(1), float32(-1), float32(.5))
	f.Add(float32(math.SmallestNonzeroFloat32), float32(0), float32(-math.MaxFloat32))
	f.Fuzz(func(t *testing.T, a, b, c float32) {
		in := []float32{a, b, c}
		largest := 0
		for i, q := range embedding.Quantize(in) {
			if q == -128 {
				t.Fatalf("Quantize(%v)[%d] = -128", in, i)
			}
			if q != 0 && (q < 0) != (in[i] < 0) {
				t.Fatalf("Quantize(%v)[%d] = %d: the sign changed", in, i, q)
			}
			largest = max(largest, int(q), -int(q))
		}
		if largest != 0 && largest != 127 {
			t.Fatalf("Quantize(%v): largest component %d, want 127", in, largest)
		}
	})
}

func TestNormalize_GivesLengthOneOrLeavesTheVector(t *testing.T) {
	t.Parallel()
	v := []float32{3, 4}
	if !embedding.Normalize(v) || v[0] != .6 || v[1] != .8 {
		t.Errorf("Normalize gave %v, want [.6 .8]", v)
	}
	for _, bad := range [][]float32{{0, 0}, {float32(math.NaN()), 1}, {float32(math.Inf(-1)), 1}, {}} {
		if embedding.Normalize(bad) {
			t.Errorf("Normalize(%v) = true, want false", bad)
		}
	}
}

func TestNone_HasNoDimensionsAndRefusesToEmbed(t *testing.T) {
	t.Parallel()
	var e embedding.Embedder = embedding.None{}
	if e.Identity().Enabled() || e.Identity().Provider != "none" {
		t.Errorf("Identity() = %v, want provider none, not enabled", e.Identity())
	}
	_, err := e.Embed(context.Background(), embedding.Query, []string{"x"})
	var me *memory.Error
	if !errors.As(err, &me) || me.Code != memory.Unavailable {
		t.Errorf("Embed gave %v, want an Unavailable error", err)
	}
	if rows, err := e.Embed(context.Background(), embedding.Query, nil); err != nil || rows == nil || len(rows) != 0 {
		t.Errorf("Embed of no texts returned %v, %v; want an empty list", rows, err)
	}
}
