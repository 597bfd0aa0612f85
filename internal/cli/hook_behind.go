package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"memory-graph/internal/config"
	"memory-graph/internal/engine"
	"memory-graph/internal/hooks/spool"
)

// behindFlag is what tells the process that a hook leaves behind from a hook.
const behindFlag = "behind"

// How long such a process goes on: at all, and while nothing can be stored.
const (
	behindMost     = 2 * time.Minute
	behindPatience = 30 * time.Second
)

// late says what the time of a hook went by with, and what to do about it.
func (h *hooking) late(m hookMemory) (why, hint string) {
	cache := h.cfg.Paths.Cache
	switch {
	case h.starting() && !canCache(cache):
		return "SQLite was not ready by then: it is compiled anew with each start, since its cache cannot be written",
			fmt.Sprintf("give this user the right to write in %q, or set XDG_CACHE_HOME", cache)
	case h.starting():
		return "SQLite was not ready by then: after an update it is compiled, which takes seconds, and a busy machine may " +
				"be late with what is compiled, too",
			"nothing: a process that is left behind goes on with it, and the hooks after that answer"
	case !m.Opened():
		return "the database was not open by then", "another process may hold it: `memory-graph doctor` looks at it"
	}
	return "the search took longer", "the machine may be busy; --max gives a hook more time"
}

// canCache says whether what is compiled can be kept in a directory.
func canCache(dir string) bool { return dir != "" && canCreateIn(dir) == nil }

// leaveBehind lets another process do what there was no time for: store what waits, and compile SQLite into the cache.
// While one is at it, or a server, there is nothing to leave. The host has its answer and waits for nothing but this
// process's end.
func (h *hooking) leaveBehind() {
	stores := !h.cfg.ReadOnly && h.waiting()
	if !stores && !(h.starting() && canCache(h.cfg.Paths.Cache)) {
		return
	}
	work := workplace(h.cfg)
	if !work.Claim(h.now()) {
		return
	}
	if err := h.leave(); err != nil {
		work.Leave()
		h.log.Warn("no process could be left behind to store what waits: the next hook tries again", "error", err)
	}
}

// workplace is where a process that is left behind says that it is at work: in the spool, or, where nothing may be
// written beside the database, in the cache, which is all that it fills then.
func workplace(cfg *config.Config) spool.Dir {
	if cfg.ReadOnly {
		if dir, err := filepath.EvalSymlinks(cfg.Paths.Cache); err == nil { // a cache may lie behind a link
			return spool.Dir(dir)
		}
		return spool.Dir(cfg.Paths.Cache)
	}
	return spool.Beside(cfg.DB)
}

// leaveBehind starts this program once more, detached from the host, with the same settings.
func (a *app) leaveBehind() error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	cmd := exec.Command(self, append(slices.Clone(a.args), "--"+behindFlag)...)
	cmd.Args[0], cmd.Env = os.Args[0], a.env
	detach(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	return cmd.Process.Release()
}

// storeBehind stores what waits until nothing does. Meanwhile hooks leave storing to it, as they do to a server.
func storeBehind(ctx context.Context, cfg *config.Config, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(ctx, behindMost)
	defer cancel()
	e, err := engine.Start(cfg, log, engine.As(engine.Writer))
	if err != nil {
		log.Warn("the memory cannot be opened", "error", err)
		return
	}
	defer e.Close()
	d := workplace(cfg)
	if cfg.ReadOnly { // opening it is all that there is to do
		defer attend(ctx, d)()
		_, _ = e.Store(ctx) // why it cannot be opened is told by each hook
		return
	}
	for drainAll(ctx, d, e, log) { // hooks that saw it at work left to it what came since
		if w, err := d.Waiting(); err != nil || w.Turns == 0 || !d.Claim(time.Now()) {
			return
		}
	}
}

// drainer stores what waits.
type drainer interface {
	Drain(ctx context.Context) (spool.Report, error)
}

// drainAll stores what waits, and says whether nothing does any more; it ends too when nothing could be stored for as
// long as it is patient. While it runs, it says so in the spool.
func drainAll(ctx context.Context, d spool.Dir, m drainer, log *slog.Logger) bool {
	defer attend(ctx, d)()
	for progress := time.Now(); ; {
		r, err := m.Drain(ctx)
		if r.Stored > 0 {
			progress = time.Now()
		}
		if w, unknown := d.Waiting(); w.Turns == 0 {
			return unknown == nil
		}
		if ctx.Err() != nil || time.Since(progress) > behindPatience {
			log.Warn("turns wait beside the database, and cannot be stored now", "error", errors.Join(append(r.Errs, err)...))
			return false
		}
		if r.Stored == 0 {
			select {
			case <-ctx.Done():
			case <-time.After(spool.AttendEvery):
			}
		}
	}
}

// attend says in a directory that this process is at work, beside the work: a long turn, a locked database or SQLite's
// compilation takes longer than one word counts. The function that comes back takes it back.
func attend(ctx context.Context, d spool.Dir) (leave func()) {
	attending, stop := context.WithCancel(ctx)
	var said sync.WaitGroup
	said.Go(func() {
		again := time.NewTicker(spool.AttendEvery)
		defer again.Stop()
		for attending.Err() == nil {
			d.Attend(time.Now())
			select {
			case <-attending.Done():
			case <-again.C:
			}
		}
	})
	return func() { stop(); said.Wait(); d.Leave() }
}
