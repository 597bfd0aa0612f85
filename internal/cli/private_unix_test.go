//go:build unix

package cli_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"memory-graph/internal/cli"
	"memory-graph/internal/hooks/spool"
)

func TestDoctor_SaysWhatIsWrongWithTheDirectoryOfHooks(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	dir := string(spool.Beside(filled(t, home)))
	says := func(severity string, code int, parts ...string) {
		t.Helper()
		found := findings(doctor(t, home, code, "--quick"), severity)
		for _, part := range parts {
			if !strings.Contains(found, part) {
				t.Errorf("%ss %q do not say %q", severity, found, part)
			}
		}
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o755); err != nil { // independent of the umask
		t.Fatal(err)
	}
	// The next hook takes the permissions away, and stores its turn.
	says("warning", 0, "The directory "+dir+" can be used by other users (mode 0755)", "chmod 700")
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("doctor changed it: %v, %v", info.Mode(), err)
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "socket"), "")
	says("problem", 1, "socket is a file, not a socket", "Remove it")
	if os.Geteuid() == 0 {
		if err := os.Chown(dir, 65534, 65534); err != nil {
			t.Fatal(err)
		}
		says("problem", 1, dir+" belongs to another user (uid 65534, and this process runs as 0)", "remove it")
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(t.TempDir(), dir); err != nil {
		t.Fatal(err)
	}
	says("problem", 1, dir+" is a symbolic link, not a directory", "Remove it")
}

func TestDoctor_NamesALinkInThePlaceOfTheDatabase(t *testing.T) {
	t.Parallel()
	link := filepath.Join(t.TempDir(), "link.db")
	if err := os.Symlink(filepath.Join(t.TempDir(), "gone.db"), link); err != nil {
		t.Fatal(err)
	}
	if problems := findings(doctor(t, t.TempDir(), 1, "--db", link), "problem"); !strings.Contains(problems,
		"gone.db, which does not exist") {
		t.Errorf("problems: %s", problems)
	}
	if code, _, stderr := run(t, t.TempDir(), "stats", "--db", link); code != 1 ||
		!strings.Contains(stderr, "gone.db, which does not exist") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}

// Opening a named pipe does not block.
func TestRun_WaitsForNoNamedPipe(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	filled(t, home)
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		flag string
		code int
		says string
	}{
		{"--log-file", 1, "it is a named pipe without a reader"},
		{"--config", 2, "it is a pipe, a socket or a device, not a file"},
		{"--db", 1, "is a named pipe, not a database file"},
	} {
		done := make(chan struct{})
		go func() {
			defer close(done)
			if code, _, stderr := run(t, home, "stats", tt.flag, pipe); code != tt.code || !strings.Contains(stderr, tt.says) {
				t.Errorf("%s: exit code %d, %s", tt.flag, code, stderr)
			}
		}()
		select {
		case <-done:
		case <-time.After(20 * time.Second):
			t.Fatalf("%s: it does not end", tt.flag)
		}
	}
}

// Opening a named pipe without a writer blocks, and so does reading one whose writer is silent. An import ends all the
// same when its context does, which the first signal ends.
func TestImport_FromANamedPipeEndsWithItsContext(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	pipe := filepath.Join(home, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	var said bytes.Buffer
	done := make(chan int)
	go func() {
		done <- cli.Run(ctx, []string{"import", pipe}, []string{"HOME=" + home, "USERPROFILE=" + home,
			"LOCALAPPDATA=" + home, "XDG_CACHE_HOME=" + cacheHome()}, strings.NewReader(""), &said, &said)
	}()
	select {
	case code := <-done:
		if want := "The import was interrupted before anything was imported from " + pipe + "."; code != 1 ||
			!strings.Contains(said.String(), want) {
			t.Errorf("exit code %d, %s", code, said.String())
		}
	case <-time.After(20 * time.Second):
		t.Fatal("it does not end")
	}
	if left, err := os.ReadDir(home); err != nil || len(left) != 1 {
		t.Errorf("the import left %v, %v", left, err)
	}
}
