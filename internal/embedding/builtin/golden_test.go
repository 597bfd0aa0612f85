package builtin

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/embedding/kernel"
)

// golden is a text with its tokens and vector from testdata/reference.py.
type golden struct {
	Text   string  `json:"text"`
	IDs    []int32 `json:"ids"`    // without [CLS] and [SEP]
	Vector []byte  `json:"vector"` // base64 of little-endian int16, a multiple of the unit vector
}

func (g golden) vector() []float32 {
	v := make([]float32, len(g.Vector)/2)
	for i := range v {
		v[i] = float32(int16(binary.LittleEndian.Uint16(g.Vector[2*i:])))
	}
	return v
}

func readGolden(t *testing.T) []golden {
	t.Helper()
	b, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []golden
	if err := json.Unmarshal(b, &all); err != nil {
		t.Fatal(err)
	}
	if len(all) < 50 {
		t.Fatalf("golden.json has %d texts, want at least 50", len(all))
	}
	return all
}

func short(s string) string { return fmt.Sprintf("%.40q", s) }

func TestTokens_EqualTheReference(t *testing.T) {
	t.Parallel()
	p, err := load()
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range readGolden(t) {
		if diff := cmp.Diff(g.IDs, p.tokenizer.Append([]int32{}, g.Text)); diff != "" {
			t.Errorf("%s (-reference +got):\n%s", short(g.Text), diff)
		}
	}
}

func TestEmbed_EqualsTheFloat32Reference(t *testing.T) {
	t.Parallel()
	lowest := 1.0
	for _, g := range readGolden(t) {
		want := .999
		if len(g.IDs) <= 1 {
			want = .998
		}
		var first []float32
		for _, set := range kernel.Available() {
			if set == kernel.Scalar() && len(g.IDs) > 32 && len(kernel.Available()) > 1 {
				continue // they take seconds each and cover nothing beyond the fast kernels
			}
			e := &Embedder{kernels: set}
			rows, err := e.EmbedExactly(context.Background(), []string{g.Text})
			if err != nil {
				t.Fatal(err)
			}
			got := rows[0]
			c := cosine(g.vector(), got)
			if !(c >= want) {
				t.Errorf("%s: %s, %d tokens: cosine %.5f, want at least %.3f", set.Name(), short(g.Text), len(g.IDs), c, want)
			}
			if l := length(got); !(math.Abs(l-1) <= 1e-6) {
				t.Errorf("%s: %s: length %v, want 1", set.Name(), short(g.Text), l)
			}
			if first == nil {
				first = got
			} else if c := cosine(first, got); !(c >= 1-1e-5) {
				t.Errorf("%s: cosine %.7f between the kernels, want 1 within 1e-5", short(g.Text), c)
			}
			lowest = min(lowest, c)
		}
	}
	t.Logf("lowest cosine %.5f", lowest)
}
