package classifier

import (
	"context"
	"crypto/sha256"
	_ "embed" // the models made ahead
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"

	"memory-graph/embedding"
)

//go:generate go run ./train

//go:embed model/builtin.json
var builtinFile []byte

//go:embed model/words.json
var wordsFile []byte

var (
	shippedBuiltin = sync.OnceValues(func() (*model, error) { return shipped(builtinFile) })
	shippedWords   = sync.OnceValues(func() (*model, error) { return shipped(wordsFile) })
)

func shipped(file []byte) (*model, error) {
	m, err := decode(file)
	if err != nil {
		return nil, fmt.Errorf("read the classifier's own model: %w", err)
	}
	return m, nil
}

// version changes with everything that changes what a model means and is neither an exemplar nor in the lexicon.
const version = "1"

// source is the digest of what models are made of.
var source = sync.OnceValue(func() string {
	h := sha256.New()
	fmt.Fprintln(h, version)
	fmt.Fprint(h, lexiconText)
	names, _ := fs.Glob(exemplarFiles, "exemplars/*.txt") // the pattern is right
	for _, name := range names {
		text, _ := fs.ReadFile(exemplarFiles, name) // embedded: it is there
		fmt.Fprintf(h, "%s %d\n%s", name, len(text), text)
	}
	return hex.EncodeToString(h.Sum(nil))
})

// file is a model as it is kept: weights by name, in the order of the classes, so that people can read why.
type file struct {
	Source    string                      `json:"source"`   // digest of exemplars and lexicon
	Identity  string                      `json:"identity"` // of the embedder
	Classes   []string                    `json:"classes"`
	Scale     float64                     `json:"scale"`
	Bias      [classes]float32            `json:"bias"`
	Signals   []named                     `json:"signals"`
	Terms     map[string][classes]float32 `json:"terms"`
	Like      [][classes]float32          `json:"like,omitempty"`      // of the cosines with the centroids and the last turn
	Vector    [][classes]float32          `json:"vector,omitempty"`    // of the vector's components
	Centroids [][]byte                    `json:"centroids,omitempty"` // int8
}

type named struct {
	Name    string           `json:"name"`
	Weights [classes]float32 `json:"weights"`
}

func encode(m *model) ([]byte, error) {
	f := file{Source: source(), Identity: m.identity, Classes: classNames[:], Scale: m.scale, Bias: m.bias, Terms: map[string][classes]float32{}}
	rest := m.weights
	for i, name := range m.signals {
		f.Signals = append(f.Signals, named{name, rest[i]})
	}
	rest = rest[len(m.signals):]
	if m.dimensions > 0 {
		n := len(m.centroids) + 1
		f.Like, f.Vector, rest = rest[:n], rest[n:n+m.dimensions], rest[n+m.dimensions:]
		for _, c := range m.centroids {
			raw := make([]byte, len(c))
			for i, x := range embedding.Quantize(c) {
				raw[i] = byte(x)
			}
			f.Centroids = append(f.Centroids, raw)
		}
	}
	for t, i := range m.vocabulary {
		f.Terms[t] = rest[i]
	}
	raw, err := json.MarshalIndent(f, "", " ")
	if err != nil {
		return nil, err
	}
	return append(weightLines.ReplaceAllFunc(raw, func(list []byte) []byte { return spaces.ReplaceAll(list, nil) }), '\n'), nil
}

// Four weights stand on one line.
var (
	weightLines = regexp.MustCompile(`\[[-+.,\de\s]+\]`)
	spaces      = regexp.MustCompile(`\s+`)
)

// decode reads a model, and refuses one that is not of these exemplars, signals and classes.
func decode(raw []byte) (*model, error) {
	var f file
	if err := json.Unmarshal(raw, &f); err != nil {
		return nil, err
	}
	if f.Source != source() || !slices.Equal(f.Classes, classNames[:]) || !(f.Scale > 0) {
		return nil, fmt.Errorf("it is of other exemplars or another version")
	}
	m := &model{identity: f.Identity, dimensions: len(f.Vector), bias: f.Bias, scale: f.Scale, vocabulary: make(map[string]int, len(f.Terms))}
	names := signalsOf(Message{}, nil).names
	for i, s := range f.Signals {
		if i >= len(names) || names[i] != s.Name {
			return nil, fmt.Errorf("its signal %q is not known", s.Name)
		}
		m.weights = append(m.weights, s.Weights)
	}
	if len(f.Signals) != len(names) {
		return nil, fmt.Errorf("it has %d signals and not %d", len(f.Signals), len(names))
	}
	m.signals = names
	if m.dimensions > 0 {
		if len(f.Centroids) != int(classes) || len(f.Like) != len(f.Centroids)+1 {
			return nil, fmt.Errorf("it has %d centroids", len(f.Centroids))
		}
		for _, raw := range f.Centroids {
			if len(raw) != m.dimensions {
				return nil, fmt.Errorf("a centroid has %d components and not %d", len(raw), m.dimensions)
			}
			q := make([]int8, len(raw))
			for i, b := range raw {
				q[i] = int8(b)
			}
			m.centroids = append(m.centroids, unpack(q))
		}
		m.weights = append(append(m.weights, f.Like...), f.Vector...)
	}
	for t, w := range f.Terms {
		m.vocabulary[t] = len(m.vocabulary)
		m.weights = append(m.weights, w)
	}
	return m, nil
}

// Train makes the model of an embedder, or of words alone for embedding.None, as a file: what `go generate` commits for the
// built-in embedder, and what New keeps in the cache for others.
func Train(ctx context.Context, emb embedding.Embedder) ([]byte, error) {
	m, err := train(ctx, emb)
	if err != nil {
		return nil, err
	}
	return encode(m)
}

// cacheFile is where the model of an embedder is kept.
func cacheFile(dir, identity string) string {
	sum := sha256.Sum256([]byte(identity))
	return filepath.Join(dir, "classifier-"+hex.EncodeToString(sum[:8])+".json")
}

// maxCache bounds what is read, in bytes: a model of 4,096 dimensions takes about 1 MB.
const maxCache = 16 << 20

// readCache gives the model kept for an embedder, nil where there is none that can be used.
func readCache(dir string, id embedding.Identity) *model {
	name := cacheFile(dir, id.String())
	if info, err := os.Stat(name); err != nil || info.Size() > maxCache {
		return nil
	}
	raw, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	m, err := decode(raw)
	if err != nil || m.identity != id.String() || m.dimensions != id.Dimensions {
		return nil
	}
	return m
}

// writeCache keeps a model. Readers see the whole file or none.
func writeCache(dir string, m *model) error {
	raw, err := encode(m)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "classifier-*.tmp")
	if err != nil {
		return err
	}
	_, err = f.Write(raw)
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(f.Name(), cacheFile(dir, m.identity))
	}
	if err != nil {
		_ = os.Remove(f.Name()) // it was of no use
	}
	return err
}
