//go:build unix

package e2e_test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"memory-graph/internal/waitfor"
)

// An import that is told to end does so with the first signal, also while it waits for more to read. What was stored
// stays, and the same import again stores the rest.
func TestImport_EndsWithTheFirstSignalAndGoesOnLater(t *testing.T) {
	t.Parallel()
	const all, sent = 12_000, 11_000 // entities; progress is told every 10,000 lines, and reading begins behind 1 MiB
	var file strings.Builder
	for i := range all {
		fmt.Fprintf(&file, `{"type":"entity","name":"Lamp %d","entityType":"lamp","observations":["stands in row %d%s"]}`+
			"\n", i, i, strings.Repeat(".", 100))
	}
	lines := strings.SplitAfter(file.String(), "\n")
	path := filepath.Join(t.TempDir(), "lamps.jsonl")
	if err := os.WriteFile(path, []byte(file.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			db, home := newDB(t), t.TempDir()
			command := func(args ...string) *exec.Cmd {
				cmd := exec.Command(program, args...)
				cmd.Env = environment(home, "MEMORY_GRAPH_DB="+db, "MEMORY_GRAPH_EMBEDDER=none")
				return cmd
			}
			cmd := command("import", "-")
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			var out strings.Builder
			said := &lockedBuffer{}
			cmd.Stdout, cmd.Stderr = &out, said
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			hung := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
			t.Cleanup(func() { hung.Stop(); _ = cmd.Process.Kill() })
			if _, err := io.WriteString(in, strings.Join(lines[:sent], "")); err != nil {
				t.Fatal(err)
			}
			waitfor.Until(t, "progress", func() bool { return strings.Contains(said.String(), "10000 lines read") })
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			err = cmd.Wait() // its stdin is still open
			if cmd.ProcessState.ExitCode() != 1 ||
				!strings.Contains(said.String(), "The import was interrupted after line 1") ||
				!strings.Contains(said.String(), "Run the same import again") ||
				!strings.Contains(out.String(), "Imported from stdin") {
				t.Fatalf("%v: %s\n%s", err, said.String(), out.String())
			}
			_ = in.Close()
			counts := func() (r struct {
				New   map[string]int `json:"new"`
				Known int            `json:"known"`
			}) {
				raw, err := command("import", path, "--json").Output()
				if err != nil || json.Unmarshal(raw, &r) != nil {
					t.Fatalf("%v: %s", err, raw)
				}
				return r
			}
			if r := counts(); r.Known < 10_000 || r.New["entity"] != all-r.Known {
				t.Errorf("the rest: %+v", r)
			}
			if r := counts(); r.Known != all || len(r.New) > 0 {
				t.Errorf("once more: %+v", r)
			}
			sound(t, db, 0)
		})
	}
}

// The first signal ends an import from a pipe whose writer is silent. Nothing is written.
func TestImport_FromASilentPipeEndsWithTheFirstSignal(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"nothing is written":     "",
		"a part of a line":       `{"type":"entity","name":"Lamp","entityType":"la`,
		"less than is looked at": `{"type":"entity","name":"Lamp","entityType":"lamp","observations":[]}` + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, pipe := newDB(t), filepath.Join(t.TempDir(), "pipe")
			if err := syscall.Mkfifo(pipe, 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(program, "import", pipe)
			cmd.Env = environment(t.TempDir(), "MEMORY_GRAPH_DB="+db, "MEMORY_GRAPH_EMBEDDER=none")
			said := &lockedBuffer{}
			cmd.Stdout, cmd.Stderr = said, said
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			hung := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
			t.Cleanup(func() { hung.Stop(); _ = cmd.Process.Kill() })
			w, err := os.OpenFile(pipe, os.O_WRONLY, 0) // returns once the import has opened the pipe
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = w.Close() }()
			if _, err := io.WriteString(w, text); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			err = cmd.Wait()
			if cmd.ProcessState.ExitCode() != 1 ||
				!strings.Contains(said.String(), "The import was interrupted before anything was imported from "+pipe) {
				t.Errorf("%v: %s", err, said.String())
			}
			if exists(db) {
				t.Error("a database was created")
			}
		})
	}
}
