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
)

// memoryPages bounds one connection's WebAssembly memory: 4,096 pages of 64 KiB, 256 MiB. It is address space, of which
// only what SQLite uses (mostly cache_size) becomes resident.
const memoryPages = 4096

var runtimeOnce struct {
	sync.Once
	err     error
	running atomic.Bool
}

// Starting says whether this process makes SQLite ready right now: it is compiled, or its compiled form is read.
func Starting() bool { return runtimeOnce.running.Load() }

// startRuntime compiles SQLite, once for the process: about 1.1 s of CPU, or 30 ms when cacheDir holds the compiled
// module of an earlier start. A cache that cannot be used costs the time and a warning. Only the first caller's
// cacheDir counts, since the driver has one runtime for the process.
func startRuntime(cacheDir string, log *slog.Logger) error {
	runtimeOnce.Do(func() {
		runtimeOnce.running.Store(true)
		defer runtimeOnce.running.Store(false)
		// The core features must be given back when the configuration is not the driver's own.
		config := wazero.NewRuntimeConfig().
			WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesThreads).
			WithMemoryLimitPages(memoryPages)
		if cacheDir != "" {
			cache, err := compilationCache(cacheDir)
			if err == nil {
				config = config.WithCompilationCache(cache)
				err = fillCache(cacheDir, config)
			}
			if err != nil {
				log.Warn("the cache of compiled modules cannot be used, starts take a second longer", "dir", cacheDir, "err", err)
			}
		}
		sqlite3.RuntimeConfig = config
		if err := sqlite3.Initialize(); err != nil {
			runtimeOnce.err = startError(err, cacheDir)
		}
	})
	return runtimeOnce.err
}

// compilationCache opens the cache. It writes a file first: wazero would take a directory that cannot be written for
// good and fail on every compilation.
func compilationCache(dir string) (wazero.CompilationCache, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
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

// fillCache compiles SQLite into a cache that holds nothing. The error is that the module cannot be kept, as on a full
// disk: the driver, which tries once for a process, would fail with it, and so finds the module in the cache's memory.
func fillCache(dir string, config wazero.RuntimeConfig) error {
	if len(cached(dir)) > 0 {
		return nil // trying it would take as long as using it
	}
	ctx := context.Background()
	_, err := wazero.NewRuntimeWithConfig(ctx, config).CompileModule(ctx, sqlite3.Binary)
	return err
}

// cached gives the files of the cache.
func cached(dir string) []string {
	files, err := filepath.Glob(filepath.Join(dir, "wazero-*", "*"))
	if err != nil {
		return nil // a directory with a pattern in its name: it is taken for empty, and tried
	}
	return slices.DeleteFunc(files, func(f string) bool { return strings.HasSuffix(f, ".tmp") }) // being written
}

// startError words why SQLite does not start. With a damaged file in the cache it never would: the cache is emptied.
func startError(err error, cacheDir string) error {
	worded := memory.Errorf(memory.Unavailable, "SQLite cannot be started: %w.", err)
	files := cached(cacheDir)
	if cacheDir == "" || len(files) == 0 {
		return worded.WithHint("Report it with what `memory-graph doctor` says.")
	}
	for _, f := range files {
		if os.Remove(f) != nil {
			return worded.WithHint("Delete the cache %s and start again.", cacheDir)
		}
	}
	return worded.WithHint("The cache %s was damaged and has been emptied: start again.", cacheDir)
}
