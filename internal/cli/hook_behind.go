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
	"memory-graph/internal/safety/private"
)

// behindFlag marks the background drainer, which a hook starts.
const behindFlag = "behind"

// How long a background drainer runs in total, and how long it retries while nothing can be stored.
const (
	behindMost     = 2 * time.Minute
	behindPatience = 30 * time.Second
)

// late returns why a hook ran out of time, and a hint on what to do about it.
func (h *hooking) late(m hookMemory) (why, hint string) {
	cache := h.cfg.Paths.Cache
	switch {
	case h.starting() && !canCache(cache):
		return "SQLite was not ready: it is compiled at each start, since its cache cannot be used",
			fmt.Sprintf("`memory-graph doctor` says what is wrong with %q", cache)
	case h.starting():
		return "SQLite was not ready: after an update it is compiled, which takes seconds, and a busy machine may " +
				"load it slowly",
			"nothing to do: a background process compiles it, and later hooks answer"
	case !m.Opened():
		return "the database was not open in time", "another process may lock it: `memory-graph doctor` checks it"
	}
	return "the search took too long", "the machine may be busy; --max gives a hook more time"
}

// canCache reports whether the compiled SQLite can be stored in dir.
func canCache(dir string) bool {
	return dir != "" && canCreateIn(dir) == nil && private.CheckCode(dir) == nil
}

// leaveBehind starts the background drainer if turns wait or SQLite is not yet in the cache. It starts none while
// another drainer or a server runs. The host already has its answer, and waits only for this process to end.
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
		h.log.Warn("could not start the background drainer; the next hook retries", "error", err)
	}
}

// workplace returns the directory in which the background drainer marks that it is at work: the spool, or, if the
// database is read-only, the cache, since the drainer then only fills the cache.
func workplace(cfg *config.Config) spool.Dir {
	if cfg.ReadOnly {
		if dir, err := filepath.EvalSymlinks(cfg.Paths.Cache); err == nil { // the cache may be a symbolic link
			return spool.Dir(dir)
		}
		return spool.Dir(cfg.Paths.Cache)
	}
	return spool.Beside(cfg.DB)
}

// leaveBehind starts this program as a background drainer, detached from the host, with the same settings.
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

// storeBehind stores turns until none wait. Meanwhile hooks do not store turns themselves, as if a server ran.
func storeBehind(ctx context.Context, cfg *config.Config, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(ctx, behindMost)
	defer cancel()
	e, err := engine.Start(cfg, log, engine.As(engine.Writer))
	if err != nil {
		log.Warn("cannot open the memory", "error", err)
		return
	}
	defer e.Close()
	d := workplace(cfg)
	if cfg.ReadOnly { // only open the database, which fills the cache
		defer attend(ctx, d)()
		_, _ = e.Store(ctx) // each hook logs the error
		return
	}
	for drainAll(ctx, d, e, log) { // more turns may have come, because hooks leave storing to a running drainer
		if w, err := d.Waiting(); err != nil || w.Turns == 0 || !d.Claim(time.Now()) {
			return
		}
	}
}

// drainer stores the turns that wait.
type drainer interface {
	Drain(ctx context.Context) (spool.Report, error)
}

// drainAll stores the waiting turns, and reports whether none are left. It gives up if nothing could be stored for a
// while; the time in which all of them are held does not count. While it runs, a marker in the spool says so.
func drainAll(ctx context.Context, d spool.Dir, m drainer, log *slog.Logger) bool {
	defer attend(ctx, d)()
	for progress := time.Now(); ; {
		r, err := m.Drain(ctx)
		if r.Stored > 0 || r.Left == 0 && err == nil && len(r.Errs) == 0 {
			progress = time.Now()
		}
		if w, unknown := d.Waiting(); w.Turns == 0 {
			return unknown == nil
		}
		if ctx.Err() != nil || time.Since(progress) > behindPatience {
			log.Warn("turns wait in the spool; they cannot be stored now", "error", errors.Join(append(r.Errs, err)...))
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

// attend marks a directory as attended by this process, and renews the mark in the background, since a long turn, a
// locked database or compiling SQLite can take longer than a mark is valid. leave removes the mark.
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
