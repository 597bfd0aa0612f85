package spool_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/hooks/spool"
	"memory-graph/internal/memory"
)

var when = time.Date(2026, 11, 22, 3, 0, 0, 0, time.UTC)

func turn(text string) spool.Entry {
	return spool.Entry{Namespace: "default", Project: "shop", Session: "s", Role: memory.RoleUser,
		Source: "hook:claude-code", Content: text, At: when, Key: "hook:claude-code:" + text}
}

func put(t *testing.T, d spool.Dir, turn spool.Entry, at time.Time) {
	t.Helper()
	if _, err := d.Put(turn, at); err != nil {
		t.Fatal(err)
	}
}

func newDir(t *testing.T) spool.Dir { return spool.Beside(filepath.Join(t.TempDir(), "memory.db")) }

func TestDrain_StoresInTheOrderInWhichItWasSaid(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	put(t, d, turn("second"), when.Add(time.Millisecond))
	put(t, d, turn("third"), when.Add(time.Second))
	put(t, d, turn("first"), when)
	var got []spool.Entry
	r := d.Drain(t.Context(), when, func(_ context.Context, t spool.Entry) error { got = append(got, t); return nil })
	if diff := cmp.Diff([]spool.Entry{turn("first"), turn("second"), turn("third")}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if r.Stored != 3 || r.Left != 0 || r.Errs != nil {
		t.Errorf("report %+v", r)
	}
	if names, err := d.Names(when); len(names) != 0 || err != nil {
		t.Errorf("left: %v, %v", names, err)
	}
}

func TestNames_LeaveOutWhatIsHeld(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	count := func(now time.Time) int {
		names, err := d.Names(now)
		if err != nil {
			t.Fatal(err)
		}
		return len(names)
	}
	name, err := d.Hold(turn("held"), when, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Hold(turn("of a process that is killed"), when, 2*time.Hour); err != nil {
		t.Fatal(err)
	}
	if w, err := d.Waiting(); err != nil || w.Turns != 2 || count(when) != 0 {
		t.Errorf("%+v wait, %v; %d are ready", w, err, count(when))
	}
	if count(when.Add(time.Minute)) != 1 || count(when.Add(spool.MaxHold)) != 2 || count(when.Add(-24*time.Hour)) != 2 {
		t.Error("turns wait for ever, or because of another clock")
	}
	d.Release(name, when)
	if got := count(when); got != 1 {
		t.Errorf("%d turns are ready after one was released", got)
	}
}

func TestDrain_WhatBecomesOfAFileIsSaidByTheError(t *testing.T) {
	t.Parallel()
	const waits, aside = "waits", "aside"
	for name, tc := range map[string]struct {
		err  error
		want string
	}{
		"locked":     {memory.Errorf(memory.Unavailable, "locked."), waits},
		"read only":  {memory.Errorf(memory.ReadOnly, "read only."), waits},
		"a fault":    {errors.New("disk"), waits},
		"too long":   {memory.Errorf(memory.TooLarge, "long."), aside},
		"not a turn": {memory.Errorf(memory.InvalidArgument, "empty."), aside},
	} {
		d := newDir(t)
		put(t, d, turn("a"), when)
		r := d.Drain(t.Context(), when, func(context.Context, spool.Entry) error { return tc.err })
		names, _ := d.Names(when)
		broken, _ := filepath.Glob(filepath.Join(string(d), "*.broken"))
		if got := map[bool]string{true: waits, false: aside}[len(names) == 1 && len(broken) == 0]; got != tc.want ||
			len(r.Errs) != 1 || len(names)+len(broken) != 1 {
			t.Errorf("%s: %d wait, %d aside, %v", name, len(names), len(broken), r.Errs)
		}
	}
}

func TestDrain_PutsAsideWhatHoldsNoTurn(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	put(t, d, turn("good"), when.Add(time.Hour))
	for i, content := range []string{"", "{", "null", `{"namespace":"n","key":"k","role":"user"}`, `[1]`} {
		if err := os.WriteFile(filepath.Join(string(d), fmt.Sprintf("2026%d.json", i)), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := d.Drain(t.Context(), when, func(context.Context, spool.Entry) error { return nil })
	if r.Stored != 1 || r.Left != 0 || len(r.Errs) != 5 {
		t.Errorf("report %+v", r)
	}
	if broken, _ := filepath.Glob(filepath.Join(string(d), "*.broken")); len(broken) != 5 {
		t.Errorf("aside: %v", broken)
	}
}

func TestDrain_SeveralAtOnceLoseNothing(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	const n = 40
	for i := range n {
		put(t, d, turn(fmt.Sprint(i)), when.Add(time.Duration(i)*time.Millisecond))
	}
	var mu sync.Mutex
	seen := map[string]int{}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			r := d.Drain(t.Context(), when, func(_ context.Context, t spool.Entry) error {
				mu.Lock()
				defer mu.Unlock()
				seen[t.Key]++
				return nil
			})
			if len(r.Errs) > 0 {
				t.Errorf("errors: %v", r.Errs)
			}
		})
	}
	all.Wait()
	if names, _ := d.Names(when); len(seen) != n || len(names) != 0 {
		t.Errorf("%d of %d were passed to store, %d wait", len(seen), n, len(names))
	}
}

func TestDrain_EndsWithItsContext(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	put(t, d, turn("a"), when)
	put(t, d, turn("b"), when.Add(time.Second))
	ctx, cancel := context.WithCancel(t.Context())
	r := d.Drain(ctx, when, func(ctx context.Context, _ spool.Entry) error { cancel(); return ctx.Err() })
	if names, _ := d.Names(when); r.Stored != 0 || r.Left != 2 || len(names) != 2 {
		t.Errorf("report %+v, %d wait", r, len(names))
	}
}

func TestPut_GivesAKeyOfItsOwnAndIsForThisUserOnly(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	keyless := turn("a")
	keyless.Key = ""
	put(t, d, keyless, when)
	put(t, d, keyless, when)
	names, err := d.Names(when)
	if err != nil || len(names) != 2 {
		t.Fatalf("%v, %v", names, err)
	}
	keys := map[string]bool{}
	for _, name := range names {
		got, err := d.Read(name)
		if err != nil || !strings.HasPrefix(got.Key, memory.OnceKey) {
			t.Errorf("key %q, %v", got.Key, err)
		}
		keys[got.Key] = true
		if info, err := os.Stat(filepath.Join(string(d), name)); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("mode %v, %v", info.Mode(), err)
		}
	}
	if len(keys) != 2 {
		t.Error("two deliveries have the same key")
	}
}

func TestNames_TakesAwayWhatTheDeadLeftHalfWritten(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	put(t, d, turn("a"), when)
	part := filepath.Join(string(d), "2026.part")
	if err := os.WriteFile(part, []byte(`{"na`), 0o600); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	if names, err := d.Names(now); len(names) != 1 || err != nil {
		t.Errorf("%v, %v", names, err)
	}
	if _, err := os.Stat(part); err != nil {
		t.Errorf("a file that may still be written is gone: %v", err)
	}
	if _, err := d.Names(now.Add(2 * time.Hour)); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(part); err == nil {
		t.Error("it stays")
	}
}

func TestAttended_EndsWithTheServer(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	d.Attend(when)
	if d.Attended(when) {
		t.Error("a missing spool is attended")
	}
	put(t, d, turn("a"), when)
	if d.Attended(when) {
		t.Error("the spool is attended without a server")
	}
	d.Attend(when)
	if !d.Attended(when.Add(2*time.Second)) || d.Attended(when.Add(time.Minute)) || d.Attended(when.Add(-time.Hour)) {
		t.Error("attended by a server that is gone, or not by a current one")
	}
	if names, _ := d.Names(when); len(names) != 1 {
		t.Errorf("turns: %v", names)
	}
	d.Leave()
	if d.Attended(when) {
		t.Error("attended after the server left")
	}
}

func TestDrain_ATurnThatTakesTooLongHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	put(t, d, turn("long"), when)
	for i := range 3 {
		put(t, d, turn(fmt.Sprint("small ", i)), when.Add(time.Duration(i+1)*time.Second))
	}
	var got []string
	hook := func() { // the process was killed during a long turn
		ctx, cancel := context.WithCancel(t.Context())
		d.Drain(ctx, when, func(ctx context.Context, turn spool.Entry) error {
			if turn.Content == "long" {
				cancel()
				return ctx.Err()
			}
			got = append(got, turn.Content)
			return nil
		})
	}
	hook()
	put(t, d, turn("small 3"), when.Add(time.Minute))
	hook()
	if diff := cmp.Diff([]string{"small 0", "small 1", "small 2", "small 3"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	r := d.Drain(t.Context(), when, func(_ context.Context,
		turn spool.Entry) error {
		got = append(got, turn.Content)
		return nil
	})
	if r.Stored != 1 || got[len(got)-1] != "long" {
		t.Errorf("%d stored, the last is %q", r.Stored, got[len(got)-1])
	}
}

func TestDrain_ALockedDatabaseChangesNoOrder(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	put(t, d, turn("first"), when)
	put(t, d, turn("second"), when.Add(time.Second))
	for range 3 {
		d.Drain(t.Context(), when, func(context.Context, spool.Entry) error {
			return memory.Errorf(memory.Unavailable, "locked.")
		})
	}
	var got []string
	d.Drain(t.Context(), when, func(_ context.Context,
		turn spool.Entry) error {
		got = append(got, turn.Content)
		return nil
	})
	if diff := cmp.Diff([]string{"first", "second"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestWaiting_CountsAndChangesNothing(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	if w, err := d.Waiting(); w != (spool.Waiting{}) || err != nil {
		t.Errorf("without a directory: %+v, %v", w, err)
	}
	for i := range 3 {
		put(t, d, turn(fmt.Sprint(i)), when.Add(time.Duration(i)*time.Second))
	}
	d.Attend(when)
	names, _ := d.Names(when)
	oldest := when.Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(string(d), names[1]), oldest, oldest); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Aside(names[0]); err != nil {
		t.Fatal(err)
	}
	w, err := d.Waiting()
	if w.Turns != 2 || w.Broken != 1 || w.Bytes < 300 || !w.Oldest.Equal(oldest) || err != nil {
		t.Errorf("%+v, %v", w, err)
	}
	if now, _ := d.Names(when); len(now) != 2 {
		t.Errorf("%d wait now", len(now))
	}
}

func TestClaim_IsForOneProcess(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	if !d.Claim(when) || d.Claim(when) {
		t.Error("two processes hold the claim")
	}
	if !d.Claim(when.Add(time.Minute)) {
		t.Error("nobody can claim the spool after its holder died")
	}
}
