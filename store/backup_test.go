package store_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// turnsOf counts the turns of the database at path, and checks that it is sound.
func turnsOf(t *testing.T, path string) int64 {
	t.Helper()
	s, err := store.Open(t.Context(), path, store.Options{ReadOnly: true, CacheDir: cacheDir})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	findings, err := s.IntegrityCheck(t.Context())
	faults, failed := s.CheckGraph(t.Context())
	if err != nil || failed != nil || len(findings) > 0 || len(faults) > 0 {
		t.Errorf("%s: %v, %v, %v, %v", path, findings, faults, err, failed)
	}
	n, err := s.CountEpisodes(t.Context(), "default")
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestBackup_DuringWritesHasWhatWasAcknowledgedBefore(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "memory.db")
	reading, writing := open(t, path, store.Options{}), open(t, path, store.Options{})
	var acknowledged atomic.Int64
	ctx, stop := context.WithCancel(t.Context())
	written := make(chan struct{}, 1) // a turn was acknowledged
	var writer sync.WaitGroup
	writer.Go(func() {
		for n := 0; ctx.Err() == nil; n++ {
			if _, err := writing.RecordEpisode(t.Context(), turn("s", fmt.Sprintf("turn %d of many", n))); err != nil {
				t.Error(err)
				return
			}
			acknowledged.Add(1)
			select {
			case written <- struct{}{}:
			default:
			}
		}
	})
	for n := range 5 {
		<-written // the writer goes on between two backups
		before := acknowledged.Load()
		backup := filepath.Join(dir, fmt.Sprintf("backup%d.db", n))
		counts, err := reading.Backup(t.Context(), backup, false)
		if err != nil {
			t.Fatal(err)
		}
		restored := filepath.Join(dir, fmt.Sprintf("restored%d.db", n))
		if _, err := store.Restore(t.Context(), backup, restored, false, store.Options{CacheDir: cacheDir}); err != nil {
			t.Fatal(err)
		}
		if got := turnsOf(t, restored); got != counts.Episodes || got < before {
			t.Errorf("restored %d turns, backed up %d, acknowledged before %d", got, counts.Episodes, before)
		}
	}
	stop()
	writer.Wait()
	if left, err := filepath.Glob(filepath.Join(dir, ".*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestBackup_OverwritesOnlyWhenAsked(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, filepath.Join(dir, "memory.db"), store.Options{})
	record(t, s, turn("s", "first"))
	backup := filepath.Join(dir, "backup.db")
	if err := os.WriteFile(backup, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Backup(t.Context(), backup, false); code(err) != memory.Conflict {
		t.Errorf("%v", err)
	}
	if text, err := os.ReadFile(backup); err != nil || string(text) != "mine" {
		t.Errorf("%q, %v", text, err)
	}
	if n, err := s.Backup(t.Context(), backup, true); err != nil || n.Episodes != 1 {
		t.Errorf("%+v, %v", n, err)
	}
	if _, err := s.Backup(t.Context(), s.Path(), true); code(err) != memory.InvalidArgument {
		t.Errorf("over itself: %v", err)
	}
	if _, err := s.Backup(t.Context(), filepath.Join(dir, "no", "backup.db"), false); code(err) != memory.Unavailable {
		t.Errorf("into no directory: %v", err)
	}
	if n := turnsOf(t, backup); n != 1 {
		t.Errorf("%d turns", n)
	}
	link, target := filepath.Join(dir, "link.db"), filepath.Join(dir, "target.db")
	if err := os.WriteFile(target, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	if _, err := s.Backup(t.Context(), link, true); err != nil {
		t.Errorf("over a symbolic link: %v", err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 || turnsOf(t, target) != 1 {
		t.Errorf("the link is replaced: %v", err)
	}
	if runtime.GOOS != "windows" {
		null := filepath.Join(dir, "null")
		if err := os.Symlink(os.DevNull, null); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Backup(t.Context(), null, true); code(err) != memory.InvalidArgument {
			t.Errorf("over a device: %v", err)
		}
	}
}

func TestRestore_ReplacesOnlyWhatNobodyUses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, backup := filepath.Join(dir, "memory.db"), filepath.Join(dir, "backup.db")
	restore := func(force bool) (store.Restored, error) {
		return store.Restore(t.Context(), backup, path, force, store.Options{CacheDir: cacheDir, BusyTimeout: 1})
	}
	s, err := store.Open(t.Context(), path, store.Options{CacheDir: cacheDir})
	if err != nil {
		t.Fatal(err)
	}
	record(t, s, turn("s", "first"))
	if _, err := s.Backup(t.Context(), backup, false); err != nil {
		t.Fatal(err)
	}
	record(t, s, turn("s", "second"))
	if _, err := restore(false); code(err) != memory.Conflict {
		t.Errorf("without force: %v", err)
	}
	if _, err := restore(true); code(err) != memory.Unavailable {
		t.Errorf("while it is open: %v", err)
	}
	record(t, s, turn("s", "third"))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if n := turnsOf(t, path); n != 3 {
		t.Errorf("%d turns after what was refused", n)
	}
	if r, err := restore(true); err != nil || r.Counts.Episodes != 1 || r.Aside != "" {
		t.Errorf("%+v, %v", r, err)
	}
	again := open(t, path, store.Options{})
	record(t, again, turn("s", "fourth"))
	if n := turnsOf(t, path); n != 2 {
		t.Errorf("%d turns", n)
	}
}

func TestRestore_RefusesADamagedBackupAndKeepsADamagedDatabase(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, filepath.Join(dir, "source.db"), store.Options{})
	for n := range 200 {
		record(t, s, turn("s", fmt.Sprintf("turn %d, long enough to fill some pages of the file", n)))
	}
	backup, path := filepath.Join(dir, "backup.db"), filepath.Join(dir, "memory.db")
	if _, err := s.Backup(t.Context(), backup, false); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(backup)
	if err != nil {
		t.Fatal(err)
	}
	torn := append([]byte{}, whole...)
	for i := len(torn) / 2; i < len(torn)/2+20*4096; i++ {
		torn[i] = 0xa5
	}
	bad := filepath.Join(dir, "bad.db")
	for name, content := range map[string][]byte{"torn": torn, "text": []byte("not a database at all, but text")} {
		if err := os.WriteFile(bad, content, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := store.Restore(t.Context(), bad, path, true, store.Options{CacheDir: cacheDir})
		if e := memory.AsError(err); e == nil || e.Code != memory.Unavailable || e.Hint == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("a damaged backup was restored: %v", err)
	}
	if err := os.WriteFile(path, []byte("what was once a database, and is now text"), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := store.Restore(t.Context(), backup, path, true, store.Options{CacheDir: cacheDir})
	if err != nil || r.Counts.Episodes != 200 || r.Aside != path+".damaged" {
		t.Errorf("%+v, %v", r, err)
	}
	if text, err := os.ReadFile(r.Aside); err != nil || len(text) == 0 {
		t.Errorf("%q, %v", text, err)
	}
	if n := turnsOf(t, path); n != 200 {
		t.Errorf("%d turns", n)
	}
}
