package classifier

import (
	"context"
	"crypto/sha256"
	_ "embed" // the models made ahead
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"memory-graph/internal/atomicfile"
	"memory-graph/internal/embedding"
)

//go:generate go run ./train

//go:embed model/builtin.tsv
var builtinFile string

//go:embed model/words.tsv
var wordsFile string

// A test checks that the shipped models are of the exemplars; reading them again takes a hook more than a millisecond.
var (
	shippedBuiltin = sync.OnceValues(func() (*model, error) { return shipped(builtinFile) })
	shippedWords   = sync.OnceValues(func() (*model, error) { return shipped(wordsFile) })
)

func shipped(file string) (*model, error) {
	m, err := decode(file)
	if err != nil {
		return nil, fmt.Errorf("read the classifier's own model: %w", err)
	}
	return m, nil
}

// version changes with everything that changes what a model means and is neither an exemplar nor in the lexicon.
const version = "4"

// source is the digest of what models are made of.
var source = sync.OnceValue(func() string {
	h := sha256.New()
	fmt.Fprintln(h, version)
	fmt.Fprint(h, lexiconText)
	names, _ := fs.Glob(exemplarFiles, "exemplars/*.txt") // the patterns are right
	ofAsks, _ := fs.Glob(exemplarFiles, asksFiles)
	ofPersonal, _ := fs.Glob(exemplarFiles, personalFiles)
	for _, name := range slices.Concat(names, ofAsks, ofPersonal) {
		text, _ := fs.ReadFile(exemplarFiles, name) // embedded: it is there
		fmt.Fprintf(h, "%s %d\n%s", name, len(text), text)
	}
	return hex.EncodeToString(h.Sum(nil))
})

// Train trains the model for an embedder, or for words alone with embedding.None, and returns it in the file format.
// `go generate` commits the file for the built-in embedder; New caches the files for others.
func Train(ctx context.Context, emb embedding.Embedder) ([]byte, error) {
	m, err := train(ctx, emb)
	if err != nil {
		return nil, err
	}
	return encode(m), nil
}

// cacheFile is where the model of an embedder is kept.
func cacheFile(dir, identity string) string {
	sum := sha256.Sum256([]byte(identity))
	return filepath.Join(dir, "classifier-"+hex.EncodeToString(sum[:8])+".tsv")
}

// maxCache bounds what is read, in bytes: a model of 4,096 dimensions takes about 1 MB.
const maxCache = 16 << 20

// readCache returns the model kept for an embedder; nil if there is none that can be used.
func readCache(dir string, id embedding.Identity) *model {
	name := cacheFile(dir, id.String())
	if info, err := os.Stat(name); err != nil || info.Size() > maxCache {
		return nil
	}
	raw, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	m, err := decode(string(raw))
	if err != nil || m.source != source() || m.identity != id.String() || m.dimensions != id.Dimensions {
		return nil
	}
	return m
}

// writeCache keeps a model. Readers see the whole file or none.
func writeCache(dir string, m *model) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return atomicfile.Replace(cacheFile(dir, m.identity), func(f *os.File) error {
		_, err := f.Write(encode(m))
		return err
	})
}
