package store_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// wantError fails unless err is a memory.Error with the code and a text that contains all parts.
func wantError(t *testing.T, err error, code memory.Code, parts ...string) {
	t.Helper()
	var e *memory.Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want a %s error", err, code)
	}
	if e.Code != code || e.Hint == "" {
		t.Errorf("got code %s, hint %q (%v; cause %v), want %s and a hint", e.Code, e.Hint, err, e.Err, code)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not say %q", err, part)
		}
	}
}

// rawExec runs SQL on a file as another program would.
func rawExec(t *testing.T, path, sql string) *sqlite3.Conn {
	t.Helper()
	c, err := sqlite3.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	if err := c.Exec(sql); err != nil {
		t.Fatal(err)
	}
	return c
}

func openErr(path string, o store.Options) error {
	o.CacheDir = cacheDir
	s, err := store.Open(context.Background(), path, o)
	if err == nil {
		_ = s.Close()
	}
	return err
}

func TestOpen_MakesAPrivateFileWithItsDirectories(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a b", "ü?#%20")
	path := filepath.Join(dir, "memory 1.db")
	s := open(t, path, store.Options{})
	record(t, s, turn("s", "hello"))
	if runtime.GOOS == "windows" {
		t.Skip("this system has no file modes")
	}
	for p, want := range map[string]fs.FileMode{dir: 0o700, path: 0o600, path + "-wal": 0o600, path + "-shm": 0o600} {
		info, err := os.Stat(p)
		if err != nil {
			t.Error(err)
		} else if info.Mode().Perm() != want {
			t.Errorf("%s has mode %v, want %v", p, info.Mode().Perm(), want)
		}
	}
}

func TestOpen_AgainFindsWhatWasStored(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "memory.db")
	s := open(t, path, store.Options{})
	r := record(t, s, turn("s", "hello"))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("a second close: %v", err)
	}
	_, err := s.RecordEpisode(context.Background(), turn("s", "late"))
	wantError(t, err, memory.Unavailable, "shutting down")
	again := open(t, path, store.Options{})
	found, err := again.Episodes(context.Background(), "default", []int64{r.Episode.ID})
	if err != nil || len(found) != 1 || found[0].Content != "hello" {
		t.Errorf("found %v, %v", found, err)
	}
}

func TestOpen_SaysWhatIsWrongWithAFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	write := func(name, content string) string {
		if err := os.WriteFile(file(name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return file(name)
	}
	rawExec(t, file("other.db"), `CREATE TABLE customers (id INTEGER)`)
	rawExec(t, file("marked.db"), `PRAGMA application_id = 7; CREATE TABLE t (x)`)
	good := openNewAt(t, file("newer.db"))
	_ = good.Close()
	rawExec(t, file("newer.db"), `INSERT INTO mg_schema_versions (version_id, is_applied) VALUES (9999, 1)`)
	rawExec(t, file("unborn.db"), `PRAGMA user_version = 0`)
	for name, c := range map[string]struct {
		path  string
		o     store.Options
		code  memory.Code
		parts []string
	}{
		"a directory": {dir, store.Options{}, memory.Unavailable, []string{"is a directory"}},
		"no path":     {"", store.Options{}, memory.InvalidArgument, nil},
		"missing, read-only": {file("none.db"), store.Options{ReadOnly: true}, memory.Unavailable,
			[]string{"no database at", "none.db"}},
		"not SQLite": {write("text.db", strings.Repeat("this is a text file. ", 100)), store.Options{},
			memory.Unavailable, []string{"not a SQLite database", "text.db"}},
		"another program's":   {file("other.db"), store.Options{}, memory.Unavailable, []string{"another program"}},
		"another one, marked": {file("marked.db"), store.Options{}, memory.Unavailable, []string{"another program"}},
		"newer": {file("newer.db"), store.Options{}, memory.Unavailable,
			[]string{"9999", "Update memory-graph"}},
		"newer, read-only": {file("newer.db"), store.Options{ReadOnly: true}, memory.Unavailable, []string{"9999"}},
		"empty, read-only": {write("empty.db", ""), store.Options{ReadOnly: true}, memory.Unavailable,
			[]string{"bring it up to date"}},
		"bad synchronous":  {file("x.db"), store.Options{Synchronous: "maybe"}, memory.InvalidArgument, []string{"maybe"}},
		"too many readers": {file("x.db"), store.Options{Readers: 99}, memory.InvalidArgument, []string{"99"}},
	} {
		t.Run(name, func(t *testing.T) {
			wantError(t, openErr(c.path, c.o), c.code, c.parts...)
		})
	}
	// A refused file is unchanged.
	if mode := rawText(t, file("other.db"), `PRAGMA journal_mode`); mode != "delete" {
		t.Errorf("another program's file was changed to journal mode %s", mode)
	}
}

func openNewAt(t *testing.T, path string) *store.Store {
	t.Helper()
	s, err := store.Open(context.Background(), path, store.Options{CacheDir: cacheDir})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func rawText(t *testing.T, path, sql string) string {
	t.Helper()
	c := rawExec(t, path, "")
	st, _, err := c.Prepare(sql)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = st.Close() }()
	st.Step()
	return st.ColumnText(0)
}

func TestOpen_DamagedFileIsSaidAndNotAPanic(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "memory.db")
	s := openNewAt(t, path)
	for i := range 200 {
		record(t, s, turn("s", strings.Repeat("words ", i+1)))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	noise := []byte(strings.Repeat("\xa5\x5a\x00\xff", 1024))
	for page := int64(4096); page < info.Size(); page += 4096 { // everything but the header
		if _, err := f.WriteAt(noise, page); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	s, err = store.Open(context.Background(), path, store.Options{CacheDir: cacheDir})
	if err == nil {
		defer func() { _ = s.Close() }()
		_, err = s.RecordEpisode(context.Background(), turn("s", "more"))
	}
	wantError(t, err, memory.Unavailable, "damaged", path)
}

func TestOpen_LockedByAnotherConnection(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "memory.db")
	s := open(t, path, store.Options{BusyTimeout: 50 * time.Millisecond})
	record(t, s, turn("s", "before"))
	other := rawExec(t, path, `BEGIN IMMEDIATE`)

	_, err := s.RecordEpisode(context.Background(), turn("s", "locked out"))
	wantError(t, err, memory.Unavailable, "locked by another process")
	if got := searchIDs(t, s, "before", memory.Filter{Namespace: "default"}); len(got) != 1 {
		t.Errorf("reading while another writes: %v", got)
	}
	if err := other.Exec(`ROLLBACK`); err != nil {
		t.Fatal(err)
	}
	record(t, s, turn("s", "after")) // the connection still works
}

func TestOpen_WaitsForAnExclusiveLockAndSaysSo(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "memory.db")
	rawExec(t, path, `PRAGMA locking_mode = exclusive; BEGIN EXCLUSIVE`)
	wantError(t, openErr(path, store.Options{BusyTimeout: 50 * time.Millisecond}), memory.Unavailable, "locked")
}

func TestOpen_WaitingForALockEndsWithTheContext(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "memory.db")
	s := open(t, path, store.Options{BusyTimeout: time.Hour})
	rawExec(t, path, `BEGIN IMMEDIATE`)
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	if _, err := s.RecordEpisode(ctx, turn("s", "waiting")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want the context's end", err)
	}
}

func TestRead_ALongStatementEndsWithTheContext(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Counts(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's end", err)
	}
	if _, err := s.Counts(context.Background()); err != nil {
		t.Errorf("the next read: %v", err)
	}
}

func TestOpen_ReadOnlyReadsAndRefusesWrites(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "memory.db")
	writer := open(t, path, store.Options{})
	record(t, writer, turn("s", "written before"))
	s := open(t, path, store.Options{ReadOnly: true})
	if s.Path() != path {
		t.Errorf("path %s", s.Path())
	}
	f := memory.Filter{Namespace: "default"}
	if got := searchIDs(t, s, "written", f); len(got) != 1 {
		t.Errorf("found %v", got)
	}
	record(t, writer, turn("s", "written meanwhile"))
	if got := searchIDs(t, s, "written", f); len(got) != 2 {
		t.Errorf("another process's turn is not found: %v", got)
	}
	_, err := s.RecordEpisode(context.Background(), turn("s", "no"))
	wantError(t, err, memory.ReadOnly, "read-only")
	_, err = s.EnsureGeneration(context.Background(), store.Identity{Provider: "p", Model: "m", Dimensions: 4})
	wantError(t, err, memory.ReadOnly)
}

func TestOpen_ACacheThatCannotBeWrittenOnlyCostsTime(t *testing.T) {
	t.Parallel()
	// A process has only one runtime, so another process has to test this.
	file := filepath.Join(t.TempDir(), "not-a-directory")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	out := runChild(t, "open", filepath.Join(t.TempDir(), "memory.db"), filepath.Join(file, "cache"))
	if !strings.Contains(out, "cache of compiled modules cannot be used") || !strings.Contains(out, "opened") {
		t.Errorf("the process said %q", out)
	}
}

func TestWrite_AFullDiskIsSaidAndNothingIsHalfWritten(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	record(t, s, turn("s", "fits"))
	pages, err := s.QueryInts(`PRAGMA page_count`)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.ExecOnWriter(`PRAGMA max_page_count = ` + itoa(pages[0]+8)); err != nil {
		t.Fatal(err)
	}
	_, err = s.RecordEpisode(context.Background(), turn("s", strings.Repeat("does not fit ", 20_000)))
	wantError(t, err, memory.Unavailable, "full")
	if got := searchIDs(t, s, "fit", memory.Filter{Namespace: "default"}); len(got) != 1 {
		t.Errorf("found %v", got)
	}
	if err := s.ExecOnWriter(`PRAGMA max_page_count = 1000000`); err != nil {
		t.Fatal(err)
	}
	record(t, s, turn("s", strings.Repeat("does not fit ", 20_000)))
	findings, err := s.IntegrityCheck(context.Background())
	if err != nil || len(findings) > 0 {
		t.Errorf("integrity: %v, %v", findings, err)
	}
}
