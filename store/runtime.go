package store

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

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

// startRuntime compiles SQLite, once for the process: about 1.1 s of CPU, or 15 ms if cacheDir holds the compiled
// module of an earlier start. An unusable cache costs the time and a warning. So does one that another account could
// have written to, since its content is run as machine code. Only the first caller's cacheDir is used, since the driver
// has one runtime for the process.
func startRuntime(cacheDir string, log *slog.Logger) error {
	runtimeOnce.Do(func() {
		runtimeOnce.running.Store(true)
		defer runtimeOnce.running.Store(false)
		// A configuration that replaces the driver's must enable the driver's core features itself.
		config := wazero.NewRuntimeConfig().
			WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesThreads).
			WithMemoryLimitPages(memoryPages)
		if cacheDir != "" {
			var err error
			if config, err = withCache(cacheDir, config); err != nil {
				log.Warn("the cache of compiled modules cannot be used, starts take a second longer", "dir", cacheDir, "err",
					err)
			}
		}
		sqlite3.RuntimeConfig = config
		if err := sqlite3.Initialize(); err != nil {
			runtimeOnce.err = memory.Errorf(memory.Unavailable, "SQLite cannot be started: %w.", err).
				WithHint("Report it with the output of `memory-graph doctor`.")
		}
	})
	return runtimeOnce.err
}

// withCache returns the configuration with a cache that holds the compiled SQLite, and makes the driver use its outline
// if dir has the code for it. Otherwise SQLite is compiled. An error means that dir cannot be used; the configuration
// is valid all the same.
func withCache(dir string, config wazero.RuntimeConfig) (wazero.RuntimeConfig, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return config, err
	}
	if err := private.CheckCode(dir); err != nil {
		return config, err
	}
	short, err := outline(sqlite3.Binary)
	if err != nil {
		return config, fmt.Errorf("SQLite's module: %w", err)
	}
	cache, err := wazero.NewCompilationCacheWithDir(dir)
	if err != nil {
		return config, fmt.Errorf("open compilation cache: %w", err)
	}
	if compile(cached, config.WithCompilationCache(cache), short) == nil {
		sqlite3.Binary = short // the driver finds its code in the cache's memory
		return config.WithCompilationCache(cache), nil
	}
	return fillCache(dir, config, short)
}

// fillCache compiles SQLite and stores its code in the cache under the name of its outline's. A damaged file is
// replaced. The configuration that it returns has the compiled module in memory, also if it cannot be stored.
func fillCache(dir string, config wazero.RuntimeConfig, short []byte) (wazero.RuntimeConfig, error) {
	work, err := os.MkdirTemp(dir, workPrefix+"*")
	if err != nil {
		return config, err
	}
	defer func() { removeWork(dir, work) }()
	code, of := filepath.Join(work, "code"), filepath.Join(work, "outline")
	cache, err := wazero.NewCompilationCacheWithDir(code)
	if err != nil {
		return config, err
	}
	config = config.WithCompilationCache(cache)
	if err := compile(anew, config, sqlite3.Binary); err != nil {
		return config, err
	}
	if cache, err = wazero.NewCompilationCacheWithDir(of); err != nil {
		return config, err
	}
	// The empty functions are compiled only for the name of their file.
	if err := compile(anew, config.WithCompilationCache(cache), short); err != nil {
		return config, err
	}
	from, err := onlyFile(code)
	if err != nil {
		return config, err
	}
	name, err := onlyFile(of)
	if err != nil {
		return config, err
	}
	to := filepath.Join(dir, strings.TrimPrefix(name, of))
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return config, err
	}
	return config, os.Rename(from, to)
}

// anew and cached are the contexts of compile. cached has ended, which only the compilation workers check. So a module
// that is not in the cache is an error. Empty functions must never get into the cache.
var (
	anew   = experimental.WithCompilationWorkers(context.Background(), runtime.GOMAXPROCS(0))
	cached = func() context.Context {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		return experimental.WithCompilationWorkers(ctx, 2)
	}()
)

// compile compiles a module or reads its code from the cache. The code stays in memory, with the configuration's cache.
func compile(ctx context.Context, config wazero.RuntimeConfig, module []byte) error {
	_, err := wazero.NewRuntimeWithConfig(ctx, config).CompileModule(ctx, module)
	return err
}

// onlyFile returns the only file in a cache.
func onlyFile(dir string) (string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "wazero-*", "*"))
	if err == nil && len(files) != 1 {
		err = fmt.Errorf("%d files in a new cache", len(files))
	}
	if err != nil {
		return "", err
	}
	return files[0], nil
}

// workPrefix begins the names of the directories in which SQLite is being compiled.
const workPrefix = "compiling-"

// removeWork removes the directory of a compilation, and those that killed processes left.
func removeWork(dir, own string) {
	_ = os.RemoveAll(own)
	entries, _ := os.ReadDir(dir) // what is left costs only space
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && strings.HasPrefix(e.Name(), workPrefix) && time.Since(info.ModTime()) > time.Hour {
			_ = os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
}
