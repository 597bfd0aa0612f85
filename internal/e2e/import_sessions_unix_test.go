//go:build unix

package e2e_test

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"memory-graph/internal/transfer/sessions/generated"
	"memory-graph/internal/waitfor"
)

// An import of a host's sessions is told to end, and the next one is killed. The last one stores the rest, and nothing
// twice.
func TestImportSessions_KilledAnywhereLosesAndRepeatsNothing(t *testing.T) {
	t.Parallel()
	home, db := t.TempDir(), newDB(t)
	all := generated.Options{Sessions: 60, Bytes: 24 << 20} // progress is told from 16 MiB on
	if full {
		all = generated.Options{Sessions: 2000, Bytes: 500_000_000, Image: 30 << 20}
	}
	if err := generated.Write(filepath.Join(home, ".claude", "projects"), all); err != nil {
		t.Fatal(err)
	}
	command := func(args ...string) *exec.Cmd {
		cmd := exec.Command(program, append([]string{"import", "--from", "claude-code", "--yes"}, args...)...)
		cmd.Env = environment(home, "MEMORY_GRAPH_DB="+db, "MEMORY_GRAPH_EMBEDDER=none")
		return cmd
	}
	for _, c := range []struct {
		at     string // the progress at which the signal comes
		signal syscall.Signal
	}{{"importing: 20 %", syscall.SIGINT}, {"importing: 40 %", syscall.SIGKILL}} {
		cmd, said := command(), &lockedBuffer{}
		cmd.Stderr = said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		hung := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
		waitfor.Until(t, c.at, func() bool { return strings.Contains(said.String(), c.at) })
		if err := cmd.Process.Signal(c.signal); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // its exit code is checked below
		hung.Stop()
		if code := cmd.ProcessState.ExitCode(); c.signal == syscall.SIGINT &&
			(code != 1 || !strings.Contains(said.String(), "The import was interrupted. Stored so far: ")) {
			t.Fatalf("exit code %d: %s", code, said.String())
		}
	}
	turns := all.Sessions * generated.Turns
	var last, again struct {
		Imported int `json:"imported"`
		Known    int `json:"known"`
		New      int `json:"new"`
	}
	for _, r := range []any{&last, &again} {
		out, err := command("--json").Output()
		if err != nil || json.Unmarshal(out, r) != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	if last.Imported+last.Known != turns || last.Known == 0 || last.Imported == 0 || again.New != 0 {
		t.Errorf("%+v, then %+v, of %d turns", last, again, turns)
	}
	show := exec.Command(program, "stats", "--json")
	show.Env = command().Env
	out, err := show.Output()
	var stats struct {
		Episodes int `json:"episodes"`
	}
	if err != nil || json.Unmarshal(out, &stats) != nil || stats.Episodes != turns {
		t.Errorf("%d turns are stored, not %d: %v", stats.Episodes, turns, err)
	}
}
