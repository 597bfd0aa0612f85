package cli

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"memory-graph/internal/config"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// programPath returns the absolute path with which hosts start memory-graph: the named one, or the one that started
// this process. Links are not resolved, since a package manager's link outlives the version that it points to.
func programPath(named string) (string, error) {
	if named != "" {
		path, err := filepath.Abs(named)
		if err != nil {
			return "", memory.AsError(err)
		}
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			return "", memory.Errorf(memory.InvalidArgument, "--program %s is not a program.",
				path).WithHint("Give the path of memory-graph.")
		}
		return path, nil
	}
	self, err := os.Executable() // Linux resolves links here
	if err != nil {
		return "", memory.Errorf(memory.Unavailable, "Cannot find the path of this program: %w.",
			err).WithHint("Set it with --program.")
	}
	if strings.Contains(filepath.ToSlash(self), "/go-build") {
		return "", memory.Errorf(memory.InvalidArgument,
			"This program is a temporary build of `go run` and will be deleted: %s.", self).
			WithHint("Build it with `go build -o memory-graph .`, install it, and run setup with the installed program.")
	}
	found, err := exec.LookPath(os.Args[0]) // as the shell finds it
	if err != nil {
		return self, nil
	}
	if found, err = filepath.Abs(found); err != nil {
		return self, nil
	}
	a, errA := os.Stat(found)
	b, errB := os.Stat(self)
	if errA != nil || errB != nil || !os.SameFile(a, b) {
		return self, nil
	}
	return found, nil
}

// warm compiles SQLite into the cache, which makes the host's first start as fast as later ones. A failure only makes
// that start slower.
func (a *app) warm(ctx context.Context, cfg *config.Config) {
	dir, err := os.MkdirTemp("", "memory-graph-setup-")
	if err == nil {
		defer func() { _ = os.RemoveAll(dir) }() // the system cleans its temporary directory
		var s *store.Store
		s, err = store.Open(ctx, filepath.Join(dir, "warm.db"),
			store.Options{CacheDir: cfg.Paths.Cache, Log: slog.New(slog.DiscardHandler)})
		if err == nil {
			err = s.Close()
		}
	}
	if err != nil {
		fmt.Fprintf(a.stderr,
			"The first start takes a second longer, since SQLite could not be compiled in advance: %v\n", err)
	}
}
