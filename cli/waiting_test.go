package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memory-graph/memory"
	"memory-graph/spool"
)

func TestDoctor_WarnsOfTurnsThatNobodyStores(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	d := spool.Beside(filled(t, home))
	name, err := d.Put(spool.Turn{Namespace: "default", Role: memory.RoleUser, Content: "x"}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	const says = "1 turn of a hook waits beside the database"
	if r := doctor(t, home, 0); strings.Contains(findings(r, "warning"), says) {
		t.Error("a turn that was just written down is worth a warning")
	}
	before := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(string(d), name), before, before); err != nil {
		t.Fatal(err)
	}
	if r := doctor(t, home, 0); !strings.Contains(findings(r, "warning"), says) || !strings.Contains(findings(r, "warning"), "hook.log") {
		t.Errorf("warnings: %s", findings(r, "warning"))
	}
	d.Attend(time.Now())
	if r := doctor(t, home, 0); strings.Contains(findings(r, "warning"), says) {
		t.Error("a server is at it, and doctor warns")
	}
	if _, stdout, _ := run(t, home, "stats"); !strings.Contains(stdout, "1 turn waits to be stored") || !strings.Contains(stdout, "turns        2") {
		t.Errorf("stats: %s", stdout)
	}
}
