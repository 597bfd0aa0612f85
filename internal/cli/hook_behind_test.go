package cli

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"memory-graph/internal/hooks/spool"
	"memory-graph/internal/memory"
)

func TestHook_LeavesOneProcessBehindWhereThereIsWorkForIt(t *testing.T) {
	t.Parallel()
	start := `{"session_id":"s1","cwd":"/src/shop","source":"startup"}`
	attended := func(h *hooking) { spool.Beside(h.cfg.DB).Claim(h.now()) }
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	uncached := func(h *hooking) { h.cfg.Paths.Cache = filepath.Join(file, "cache") }
	for name, tc := range map[string]struct {
		event, payload string
		m              slowMemory
		change         func(*hooking)
		want           int
	}{
		"a turn waits":               {"UserPromptSubmit", prompt, slowMemory{answers: time.Minute}, nil, 1},
		"nothing waits":              {"SessionStart", start, slowMemory{answers: time.Minute}, nil, 0},
		"nothing waits, SQLite does": {"SessionStart", start, slowMemory{answers: time.Minute, compiles: true}, nil, 1},
		"somebody is at it": {"UserPromptSubmit", prompt, slowMemory{answers: time.Minute, compiles: true},
			attended, 0},
		"read only": {"UserPromptSubmit", prompt, slowMemory{answers: time.Minute},
			func(h *hooking) { h.cfg.ReadOnly = true }, 0},
		"read only, SQLite is compiled": {"UserPromptSubmit", prompt, slowMemory{answers: time.Minute, compiles: true},
			func(h *hooking) { h.cfg.ReadOnly = true }, 1},
		"a turn waits, no cache": {"UserPromptSubmit", prompt, slowMemory{answers: time.Minute, compiles: true},
			uncached, 1},
		"nothing waits, no cache": {"SessionStart", start, slowMemory{answers: time.Minute, compiles: true}, uncached,
			0},
		"read only, no cache": {"UserPromptSubmit", prompt, slowMemory{answers: time.Minute, compiles: true},
			func(h *hooking) {
				uncached(h)
				h.cfg.ReadOnly = true
			}, 0},
		"nowhere to keep a cache": {"SessionStart", start, slowMemory{answers: time.Minute, compiles: true},
			func(h *hooking) { h.cfg.Paths.Cache = "" }, 0},
		"all is done in time": {"UserPromptSubmit", prompt, slowMemory{}, nil, 0},
	} {
		got := runHook(t, &tc.m, tc.event, tc.payload, func(h *hooking) {
			if tc.change != nil {
				tc.change(h)
			}
		})
		if got.left != tc.want {
			t.Errorf("%s: %d processes, want %d", name, got.left, tc.want)
		}
	}
}

func TestHook_AProcessThatCannotBeLeftBehindLeavesTheNextHookToTry(t *testing.T) {
	t.Parallel()
	var db string
	got := runHook(t, &slowMemory{answers: time.Minute}, "UserPromptSubmit", prompt, func(h *hooking) {
		db = h.cfg.DB
		h.leave = func() error { return errors.New("no more processes") }
	})
	if !strings.Contains(got.log, "no more processes") || spool.Beside(db).Attended(time.Now()) {
		t.Errorf("attended by nobody; the log says %s", got.log)
	}
}

// Beside a read-only database nothing may be written; still only one process at a time compiles SQLite.
func TestHook_LeavesOneProcessBehindForAMemoryThatIsOnlyRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	left := 0
	for range 3 {
		left += runHook(t, &slowMemory{answers: time.Minute, compiles: true}, "UserPromptSubmit", prompt, func(h *hooking) {
			h.cfg.DB, h.cfg.Paths.Cache, h.cfg.ReadOnly = filepath.Join(dir, "memory.db"), filepath.Join(dir, "cache"), true
			h.now = func() time.Time { return time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC) }
		}).left
	}
	if left != 1 {
		t.Errorf("%d processes for three hooks", left)
	}
	if _, err := os.Stat(string(spool.Beside(filepath.Join(dir, "memory.db")))); !os.IsNotExist(err) {
		t.Errorf("something is beside the database: %v", err)
	}
}

// A drainer does not remove the mark of a server.
func TestHook_LeavesAServersWordAlone(t *testing.T) {
	t.Parallel()
	var db string
	now := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	runHook(t, &slowMemory{answers: time.Minute, compiles: true}, "UserPromptSubmit", prompt, func(h *hooking) {
		db = h.cfg.DB
		h.now = func() time.Time { return now }
		h.cfg.ReadOnly = true
		h.leave = func() error { return errors.New("no more processes") }
		if !spool.Beside(db).Claim(now) {
			t.Error("the server cannot say that it runs")
		}
	})
	if !spool.Beside(db).Attended(now) {
		t.Error("the server's word is gone")
	}
}

// drainsInRounds stores one turn per call, or fails.
type drainsInRounds struct {
	d     spool.Dir
	err   error
	after func(round int)
	round int
}

func (m *drainsInRounds) Drain(ctx context.Context) (r spool.Report, err error) {
	time.Sleep(10 * time.Second)
	if m.round++; m.after != nil {
		m.after(m.round)
	}
	names, _ := m.d.Names(time.Now())
	if m.err != nil || len(names) == 0 {
		return spool.Report{Left: len(names)}, m.err
	}
	return spool.Report{Stored: 1}, m.d.Remove(names[0])
}

func TestDrainAll_GoesOnUntilNothingWaitsAndSaysSo(t *testing.T) {
	t.Parallel()
	d := spool.Beside(filepath.Join(t.TempDir(), "memory.db"))
	put := func() {
		if _, err := d.Put(spool.Entry{Namespace: "n", Role: memory.RoleUser, Content: "x"}, time.Now()); err != nil {
			t.Error(err)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		put()
		put()
		m := drainsInRounds{d: d, after: func(round int) {
			if !d.Attended(time.Now()) {
				t.Error("hooks do not see it at work")
			}
			if round == 2 {
				put() // by a hook that saw it
			}
		}}
		if !drainAll(t.Context(), d, &m, slog.New(slog.DiscardHandler)) || d.Attended(time.Now()) {
			t.Error("it does not end, or does not say so")
		}
		if w, _ := d.Waiting(); w.Turns != 0 || m.round != 3 {
			t.Errorf("%d wait after %d rounds", w.Turns, m.round)
		}
		put()
		m = drainsInRounds{d: d, err: errors.New("locked")}
		if drainAll(t.Context(), d, &m, slog.New(slog.DiscardHandler)) || d.Attended(time.Now()) || m.round > 5 {
			t.Errorf("it goes on without hope: %d rounds", m.round)
		}
	})
}

// A turn is held while its hook answers. That time is not one in which nothing could be stored.
func TestDrainAll_WaitsForAHeldTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := spool.Beside(filepath.Join(t.TempDir(), "memory.db"))
		const held = behindPatience + 10*time.Second
		if _, err := d.Hold(spool.Entry{Namespace: "n", Role: memory.RoleUser, Content: "held"}, time.Now(),
			held); err != nil {
			t.Fatal(err)
		}
		if !drainAll(t.Context(), d, keeps{d}, slog.New(slog.DiscardHandler)) {
			t.Error("it gives up")
		}
	})
}

// keeps stores all that may be stored.
type keeps struct{ d spool.Dir }

func (k keeps) Drain(ctx context.Context) (spool.Report, error) {
	return k.d.Drain(ctx, time.Now(), func(context.Context, spool.Entry) error { return nil }), nil
}
