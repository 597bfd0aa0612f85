//go:build unix

package e2e_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// nobody is a user without rights of its own.
const nobody = 65534

// startAsNobody runs the server as a user who may only do what the modes of others allow. Who is not root already is
// one.
func startAsNobody(t *testing.T, db string, settings ...string) *host {
	t.Helper()
	cache, err := nobodysCache()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program)
	cmd.Env = environment(filepath.Dir(db),
		append([]string{"MEMORY_GRAPH_DB=" + db, "MEMORY_GRAPH_EMBEDDER=none", "XDG_CACHE_HOME=" + cache}, settings...)...)
	cmd.Dir = "/"
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	return run(t, cmd)
}

// openDir makes a directory that every user may enter, unlike t.TempDir, and gives the path of a database in it.
func openDir(t *testing.T) (db string) {
	t.Helper()
	top, err := os.MkdirTemp("", "memory-graph-e2e-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(top) })
	dir := filepath.Join(top, "data")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	chmod(t, 0o755, top)
	return filepath.Join(dir, "memory.db")
}

// nobodysCache is a directory of the user who runs the server, for SQLite to be compiled once for all of these tests.
var nobodysCache = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(filepath.Dir(program), "cache")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", err
	}
	if os.Getuid() != 0 {
		return dir, nil
	}
	return dir, os.Chown(dir, nobody, nobody)
})

func chmod(t *testing.T, mode os.FileMode, paths ...string) {
	t.Helper()
	for _, p := range paths {
		if err := os.Chmod(p, mode); err != nil {
			t.Fatal(err)
		}
	}
}

// Each of the file and its directory without the right to write: told to the host, the file stays as it is, and when
// the right comes the same process goes on.
func TestDatabase_ThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name      string
		file, dir os.FileMode
	}{
		{"file", 0o444, 0o777},
		{"directory", 0o666, 0o555},
		{"both", 0o444, 0o555},
	} {
		t.Run(tt.name, func(t *testing.T) { // one after the other: the first compiles SQLite for the others
			db := openDir(t)
			dir := filepath.Dir(db)
			makeDB(t, db, 3)
			chmod(t, tt.file, db)
			chmod(t, tt.dir, dir)
			t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
			before := content(t, db)

			reader := startAsNobody(t, db, "MEMORY_GRAPH_READ_ONLY=true")
			reader.initialize()
			if a := reader.retrieve(arguments{"query": "turn"}); len(a.Episodes) != 3 {
				t.Errorf("read-only, found %+v; want three", a.Episodes)
			}
			reader.stop()

			h := startAsNobody(t, db, "MEMORY_GRAPH_BUSY_TIMEOUT=500ms")
			h.initialize()
			refused := h.refuses("store_episode", arguments{"content": "not allowed"}, "read_only", "unavailable")
			if !strings.Contains(refused.Message, db) {
				t.Errorf("%q does not name the file", refused.Message)
			}
			if _, err := h.ask("tools/list", nil); err != nil {
				t.Errorf("tools/list: %v", err)
			}
			if string(content(t, db)) != string(before) {
				t.Error("the file was changed")
			}
			chmod(t, 0o666, db)
			chmod(t, 0o777, dir)
			h.eventually("store_episode", arguments{"content": "allowed now"})
			if a := h.retrieve(arguments{"query": "allowed"}); len(a.Episodes) != 1 {
				t.Errorf("found %+v; want one", a.Episodes)
			}
			h.stop()
		})
	}
}

// The directory of the database cannot be made.
func TestDatabase_ThatCannotBeCreated(t *testing.T) {
	t.Parallel()
	dir := filepath.Dir(openDir(t))
	chmod(t, 0o555, dir)
	t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
	db := filepath.Join(dir, "deep", "memory.db")
	h := startAsNobody(t, db, "MEMORY_GRAPH_BUSY_TIMEOUT=500ms")
	h.initialize()
	h.refuses("store_episode", arguments{"content": "nowhere"}, "unavailable")
	h.refuses("retrieve", arguments{"query": "nowhere"}, "unavailable")
	chmod(t, 0o777, dir)
	h.eventually("store_episode", arguments{"content": "somewhere"})
	h.stop()
}

// The cache of the compiled SQLite is machine code. One that others could have written to is not used, which costs a
// slower start and one warning.
func TestCache_ThatOthersCanChangeIsNotUsed(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(home, dir string) error{
		"a directory of everybody": func(_, dir string) error { return os.Chmod(dir, 0o777) },
		"a link": func(_, dir string) error {
			return errors.Join(os.Rename(dir, dir+"2"), os.Symlink(dir+"2", dir))
		},
		"a parent of everybody": func(home, _ string) error { return os.Chmod(home, 0o777) },
		"another user's": func(_, dir string) error {
			if os.Geteuid() != 0 {
				return errors.ErrUnsupported
			}
			return os.Chown(dir, nobody, nobody)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, home := newDB(t), filepath.Join(t.TempDir(), "cache")
			dir := filepath.Join(home, "memory-graph")
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := spoil(home, dir); errors.Is(err, errors.ErrUnsupported) {
				t.Skip("only root can give a file to another user")
			} else if err != nil {
				t.Fatal(err)
			}
			settings := []string{"XDG_CACHE_HOME=" + home, "MEMORY_GRAPH_EMBEDDER=none"}
			h := start(t, db, settings...)
			h.initialize()
			h.store(arguments{"content": "stored all the same"})
			h.stop()
			if log := h.stderr.String(); strings.Count(log, "level=WARN") != 1 || !strings.Contains(log, home) {
				t.Errorf("the log: %q", log)
			}
			if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
				t.Errorf("the cache was used: %v, %v", files, err)
			}
			if d := doctor(t, db, settings...); !d.OK || !strings.Contains(d.warnings(), "is therefore not used") {
				t.Errorf("doctor: %+v", d)
			}
		})
	}
}
