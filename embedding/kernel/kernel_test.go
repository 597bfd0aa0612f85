package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// sets are the kernels of this machine, each to be held against plain formulas. On a machine without AVX2 only the
// scalar ones are tested.
func sets() []*Set {
	all := []*Set{Scalar()}
	if n := native(); n != nil {
		all = append(all, n)
	}
	return all
}

// eachSet runs a test with every set of kernels.
func eachSet(t *testing.T, f func(t *testing.T, s *Set)) {
	t.Parallel()
	for _, s := range sets() {
		t.Run(s.Name(), func(t *testing.T) {
			t.Parallel()
			f(t, s)
		})
	}
}

func randomInt8(r *rand.Rand, n int) []int8 {
	v := make([]int8, n)
	for i := range v {
		v[i] = int8(r.IntN(256) - 128)
	}
	return v
}

func randomFloats(r *rand.Rand, n int) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return v
}

func near(a, b, scale float64) bool { return math.Abs(a-b) <= 1e-5*(1+scale) }

func TestChoose_ObeysTheVariable(t *testing.T) {
	t.Parallel()
	if got := choose("scalar").Name(); got != "scalar" {
		t.Errorf("choose(scalar) = %q", got)
	}
	want := "scalar"
	if native() != nil {
		want = "avx2"
	}
	for _, v := range []string{"", "avx2", "other"} {
		if got := choose(v).Name(); got != want {
			t.Errorf("choose(%q) = %q, want %q", v, got, want)
		}
	}
	if Name() != Active().Name() {
		t.Errorf("Name() = %q, Active().Name() = %q", Name(), Active().Name())
	}
}
