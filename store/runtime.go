package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	// the WebAssembly build: SQLite 3.47.0 with FTS5 and sqlite-vec 0.1.6
	_ "github.com/asg017/sqlite-vec-go-bindings/ncruces"
	"github.com/ncruces/go-sqlite3"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"memory-graph/internal/memory"
	"memory-graph/internal/safety/private"
)

// memoryPages bounds one connection's WebAssembly memory: 4,096 pages of 64 KiB, 256 MiB. That is address space. Only
// the part that SQLite uses (mostly cache_size) becomes resident.
const memoryPages = 4096

var runtimeOnce struct {
	sync.Once
	err     error
	running atomic.Bool
}

// Starting reports whether this process is compiling SQLite or reading its compiled form right now.
func Starting() bool { return runtimeOnce.running.Load() }

// Warm loads SQLite before a database is opened, and returns when it is loaded. An error is ignored here: Open returns
// it again.
func Warm(cacheDir string, log *slog.Logger) { _ = startRuntime(cacheDir, log) }

// startRuntime compiles SQLite, once for the process: about 1.1 s of CPU, or 30 ms if cacheDir holds the compiled
// module of an earlier start. An unusable cache costs the time and a warning. So does one that another account could
// have written to, since its content is run as machine code. Only the first caller's cacheDir counts, since the driver
// has one runtime for the process.
func startRuntime(cacheDir string, log *slog.Logger) error {
	runtimeOnce.Do(func() {
		runtimeOnce.running.Store(true)
		defer runtimeOnce.running.Store(false)
		// A configuration that replaces the driver's must enable the driver's core features itself.
		config := wazero.NewRuntimeConfig().
			WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesThreads).
			WithMemoryLimitPages(memoryPages)
		if dir := cacheDir; dir != "" {
			cache, err := compilationCache(cacheDir)
			var refused *memory.Error
			if errors.As(err, &refused) {
				cacheDir = "" // startError must not touch its files
			}
			if err == nil {
				config = config.WithCompilationCache(cache)
				err = fillCache(cacheDir, config)
			}
			if err != nil {
				log.Warn("the cache of compiled modules cannot be used, starts take a second longer", "dir", dir, "err", err)
			}
		}
		sqlite3.RuntimeConfig = config
		if err := sqlite3.Initialize(); err != nil {
			runtimeOnce.err = startError(err, cacheDir)
		}
	})
	return runtimeOnce.err
}

// compilationCache opens the cache. The error is a memory.Error if others could have written to it. compilationCache
// writes a file first: wazero would accept a directory that is not writable and then fail on every compilation.
func compilationCache(dir string) (wazero.CompilationCache, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if err := private.CheckCode(dir); err != nil {
		return nil, err
	}
	probe, err := os.CreateTemp(dir, ".probe-*")
	if err != nil {
		return nil, err
	}
	if err := errors.Join(probe.Close(), os.Remove(probe.Name())); err != nil {
		return nil, err
	}
	cache, err := wazero.NewCompilationCacheWithDir(filepath.Clean(dir))
	if err != nil {
		return nil, fmt.Errorf("open compilation cache: %w", err)
	}
	return cache, nil
}

// fillCache compiles SQLite into an empty cache. It returns an error if the module cannot be stored, for example on a
// full disk. The driver initializes only once in a process and would fail with the same error. After fillCache it finds
// the module in the cache's memory.
func fillCache(dir string, config wazero.RuntimeConfig) error {
	if len(cached(dir)) > 0 {
		return nil // checking the module would take as long as using it
	}
	ctx := context.Background()
	_, err := wazero.NewRuntimeWithConfig(ctx, config).CompileModule(ctx, sqlite3.Binary)
	return err
}

// cached returns the files of the cache.
func cached(dir string) []string {
	files, err := filepath.Glob(filepath.Join(dir, "wazero-*", "*"))
	if err != nil {
		return nil // the directory has a pattern in its name: treat it as empty
	}
	return slices.DeleteFunc(files, func(f string) bool { return strings.HasSuffix(f, ".tmp") }) // being written
}

// startError explains why SQLite does not start. A damaged cached file would prevent every start, so it empties the
// cache.
func startError(err error, cacheDir string) error {
	worded := memory.Errorf(memory.Unavailable, "SQLite cannot be started: %w.", err)
	files := cached(cacheDir)
	if cacheDir == "" || len(files) == 0 {
		return worded.WithHint("Report it with the output of `memory-graph doctor`.")
	}
	for _, f := range files {
		if os.Remove(f) != nil {
			return worded.WithHint("Delete the cache %s and start again.", cacheDir)
		}
	}
	return worded.WithHint("The cache %s was damaged and has been emptied: start again.", cacheDir)
}
