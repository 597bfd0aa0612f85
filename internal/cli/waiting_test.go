package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memory-graph/internal/hooks/spool"
	"memory-graph/internal/memory"
)

func TestDoctor_WarnsOfTurnsThatNobodyStores(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	d := spool.Beside(filled(t, home))
	name, err := d.Put(spool.Entry{Namespace: "default", Role: memory.RoleUser, Content: "x"}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	const says = "1 turn of a hook waits in the spool"
	if r := doctor(t, home, 0); strings.Contains(findings(r, "warning"), says) {
		t.Error("a turn that was just written down is worth a warning")
	}
	before := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(string(d), name), before, before); err != nil {
		t.Fatal(err)
	}
	if r := doctor(t, home, 0); !strings.Contains(findings(r, "warning"), says) ||
		!strings.Contains(findings(r, "warning"), "hook.log") {
		t.Errorf("warnings: %s", findings(r, "warning"))
	}
	d.Attend(time.Now())
	if r := doctor(t, home, 0); strings.Contains(findings(r, "warning"), says) {
		t.Error("a server is at it, and doctor warns")
	}
	if _, stdout, _ := run(t, home, "stats"); !strings.Contains(stdout, "1 turn waits to be stored") ||
		!strings.Contains(stdout, "turns        2") {
		t.Errorf("stats: %s", stdout)
	}
}

// An unreadable spool, such as another user's, does not hide the rest of the report.
func TestStats_GoOnWhereTheSpoolCannotBeRead(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	db := filled(t, home)
	write(t, string(spool.Beside(db)), "no directory: for root too nothing can be read in it")
	code, stdout, stderr := run(t, home, "stats")
	if code != 0 || !strings.Contains(stdout, "hooks        unknown: the spool cannot be read (") ||
		!strings.Contains(stdout, "turns        2") {
		t.Errorf("exit code %d, %s%s", code, stdout, stderr)
	}
	r := doctor(t, home, 1)
	if problems := findings(r, "problem"); problems != string(spool.Beside(db))+" is a file, not a directory. "+
		"Hooks and servers do not use this directory, so the turns of hooks are lost. "+
		"Remove it: a directory is then created in its place." {
		t.Errorf("problems: %s", problems)
	}
	if h, ok := r["hooks"].(map[string]any); !ok || h["turns"] != -1.0 || h["unknown"] == nil {
		t.Errorf("hooks = %v", r["hooks"])
	}
}
