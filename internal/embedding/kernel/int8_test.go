package kernel

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDotInt8_IsExactAtEveryLength(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		r := rand.New(rand.NewPCG(1, 2))
		for n := range 600 {
			a, b := randomInt8(r, n), randomInt8(r, n)
			var want int32
			for i := range a {
				want += int32(a[i]) * int32(b[i])
			}
			if got := s.DotInt8(a, b); got != want {
				t.Fatalf("length %d: got %d, want %d", n, got, want)
			}
		}
	})
}

func TestDotInt8_HoldsAtTheExtremes(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		const n = 131071
		for _, c := range [][2]int8{{-128, -128}, {-128, 127}, {127, 127}, {127, -127}} {
			a, b := make([]int8, n), make([]int8, n)
			for i := range a {
				a[i], b[i] = c[0], c[1]
			}
			if got, want := s.DotInt8(a, b), int32(c[0])*int32(c[1])*n; got != want {
				t.Errorf("%v × %d: got %d, want %d", c, n, got, want)
			}
		}
	})
}

func TestScanInt8_EqualsOneDotForEachRow(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		r := rand.New(rand.NewPCG(3, 4))
		for _, dims := range []int{0, 1, 7, 15, 16, 17, 31, 32, 33, 48, 100, 255, 256, 383, 384, 385, 1536} {
			for n := range 14 {
				query := randomInt8(r, dims+3) // a longer query is cut at dims
				rows := randomInt8(r, n*dims)
				got, want := make([]int32, n+1), make([]int32, n+1)
				got[n], want[n] = 77, 77 // a guard behind the output
				for i := range want[:n] {
					for j := range dims {
						want[i] += int32(query[j]) * int32(rows[i*dims+j])
					}
				}
				s.ScanInt8(query, rows, dims, got[:n])
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("dims %d, %d rows (-want +got):\n%s", dims, n, diff)
				}
			}
		}
	})
}

func TestScanInt8_RefusesAShortMatrix(t *testing.T) {
	eachSet(t, func(t *testing.T, s *Set) {
		defer func() {
			if recover() == nil {
				t.Error("a matrix of 3 rows was scanned for 4")
			}
		}()
		s.ScanInt8(make([]int8, 32), make([]int8, 3*32), 32, make([]int32, 4))
	})
}

func FuzzInt8_NativeEqualsScalar(f *testing.F) {
	f.Add([]byte{1, 2, 3}, []byte{4, 5, 6, 128, 127}, 2)
	f.Add(make([]byte, 384), make([]byte, 384*5+1), 384)
	f.Fuzz(func(t *testing.T, q, m []byte, dims int) {
		dims = max(0, min(dims, len(q)))
		query, rows := make([]int8, len(q)), make([]int8, len(m))
		for i, b := range q {
			query[i] = int8(b)
		}
		for i, b := range m {
			rows[i] = int8(b)
		}
		n := 3
		if dims > 0 {
			n = len(rows) / dims
		}
		want := make([]int32, n)
		Scalar().ScanInt8(query, rows, dims, want)
		for _, s := range Available() {
			got := make([]int32, n)
			s.ScanInt8(query, rows, dims, got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s, dims %d, %d rows (-scalar +got):\n%s", s.Name(), dims, n, diff)
			}
			k := min(len(query), len(rows))
			if a, b := s.DotInt8(query[:k], rows[:k]), Scalar().DotInt8(query[:k], rows[:k]); a != b {
				t.Fatalf("%s: DotInt8 %d, scalar %d", s.Name(), a, b)
			}
		}
	})
}

func BenchmarkScanInt8(b *testing.B) {
	const n, dims = 100_000, 384
	r := rand.New(rand.NewPCG(15, 16))
	rows, query, out := randomInt8(r, n*dims), randomInt8(r, dims), make([]int32, n)
	for _, s := range Available() {
		b.Run(fmt.Sprintf("%s/%dx%d", s.Name(), n, dims), func(b *testing.B) {
			for b.Loop() {
				s.ScanInt8(query, rows, dims, out)
			}
		})
	}
}
