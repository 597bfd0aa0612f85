package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// eachSet runs a test with every set of kernels that this machine can run.
func eachSet(t *testing.T, f func(t *testing.T, s *Set)) {
	t.Parallel()
	for _, s := range Available() {
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

// randomInt16 returns activations within ±8,191.
func randomInt16(r *rand.Rand, n int) []int16 {
	v := make([]int16, n)
	for i := range v {
		v[i] = int16(r.IntN(2*8191+1) - 8191)
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
	all := Available()
	if all[len(all)-1] != Scalar() {
		t.Errorf("the last set is %q, want scalar", all[len(all)-1].Name())
	}
	can := map[string]bool{}
	for _, s := range all {
		can[s.Name()] = true
	}
	for _, v := range []string{"", "avx512", "avx2", "scalar", "other", "AVX2"} {
		want := all[0].Name()
		if can[v] {
			want = v
		}
		if got := choose(v).Name(); got != want {
			t.Errorf("choose(%q) = %q, want %q", v, got, want)
		}
	}
	if Name() != Active().Name() {
		t.Errorf("Name() = %q, Active().Name() = %q", Name(), Active().Name())
	}
}
