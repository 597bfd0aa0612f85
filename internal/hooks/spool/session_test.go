package spool_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestAnnounce_CountsForTheProcessAndItsTime(t *testing.T) {
	t.Parallel()
	d := newDir(t)
	d.Announce([]int{7}, "before any turn", when)
	if got := d.SessionOf(7, time.Time{}); got != "" {
		t.Errorf("without a directory: %q", got)
	}
	put(t, d, turn("a"), when)
	now := time.Now()
	d.Announce([]int{7, 8}, "first", now)
	d.Announce([]int{7}, "second", now)
	for pid, want := range map[int]string{7: "second", 8: "first", 9: ""} {
		if got := d.SessionOf(pid, now.Add(-time.Minute)); got != want {
			t.Errorf("process %d has %q, want %q", pid, got, want)
		}
	}
	if got := d.SessionOf(7, now.Add(time.Hour)); got != "" {
		t.Errorf("what an earlier process of that id announced counts: %q", got)
	}
	later := now.Add(2 * time.Hour)
	d.Announce([]int{7}, "second", later) // the session goes on
	if got := d.SessionOf(7, now.Add(time.Hour)); got != "second" {
		t.Errorf("renewed: %q", got)
	}
	d.Withdraw([]int{7, 8}, "second", later)
	if got := d.SessionOf(7, time.Time{}) + d.SessionOf(8, time.Time{}); got != "first" {
		t.Errorf("withdrawn: %q", got)
	}
	old := now.Add(-8 * 24 * time.Hour)
	if err := os.Chtimes(filepath.Join(string(d), "host-8"), old, old); err != nil {
		t.Fatal(err)
	}
	d.Withdraw([]int{7}, "second", now)
	if got := d.SessionOf(8, time.Time{}); got != "" {
		t.Errorf("a killed host's announcement stays: %q", got)
	}
	if names, err := d.Names(now); len(names) != 1 || err != nil {
		t.Errorf("turns that wait: %q, %v", names, err)
	}
}
