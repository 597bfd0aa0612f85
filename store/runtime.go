package store

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	_ "github.com/asg017/sqlite-vec-go-bindings/ncruces" // the WebAssembly build: SQLite 3.47.0 with FTS5 and sqlite-vec 0.1.6
	"github.com/ncruces/go-sqlite3"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// memoryPages bounds one connection's WebAssembly memory: 4,096 pages of 64 KiB, 256 MiB. It is address space, of which
// only what SQLite uses (mostly cache_size) becomes resident.
const memoryPages = 4096

var runtimeOnce struct {
	sync.Once
	err error
}

// startRuntime compiles SQLite, once for the process: about 1.1 s of CPU, or 30 ms when cacheDir holds the compiled
// module of an earlier start. A cache that cannot be used costs the time and a warning. Only the first caller's cacheDir
// counts, since the driver has one runtime for the process.
func startRuntime(cacheDir string, log *slog.Logger) error {
	runtimeOnce.Do(func() {
		// The core features must be given back when the configuration is not the driver's own.
		config := wazero.NewRuntimeConfig().
			WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesThreads).
			WithMemoryLimitPages(memoryPages)
		if cacheDir != "" {
			cache, err := compilationCache(cacheDir)
			if err != nil {
				log.Warn("the cache of compiled modules cannot be used, starts take a second longer", "dir", cacheDir, "err", err)
			} else {
				config = config.WithCompilationCache(cache)
			}
		}
		sqlite3.RuntimeConfig = config
		runtimeOnce.err = sqlite3.Initialize()
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
