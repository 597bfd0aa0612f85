package store_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

func TestRestore_SaysWhyAFileIsNoBackup(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	s := open(t, at("memory.db"), store.Options{})
	if _, err := s.Backup(t.Context(), at("sound.db"), false); err != nil {
		t.Fatal(err)
	}
	sound, err := os.ReadFile(at("sound.db"))
	if err != nil {
		t.Fatal(err)
	}
	write := func(name string, content []byte) {
		if err := os.WriteFile(at(name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("text", []byte("no database"))
	write("cut", sound[:9000])
	write("empty", nil)
	rawExec(t, at("other"), `CREATE TABLE t (a)`)
	write("newer", sound)
	rawExec(t, at("newer"), `INSERT INTO mg_schema_versions (version_id, is_applied) VALUES (9999, 1)`)
	for name, want := range map[string]string{"text": "is not a SQLite database", "cut": "is damaged",
		"empty": "is empty", "other": "another program", "newer": "9999, newer than", "missing": "There is no file"} {
		_, err := store.Restore(t.Context(), at(name), at("restored.db"), false, store.Options{})
		e := memory.AsError(err)
		if err == nil || !strings.Contains(e.Message, want) || !strings.Contains(e.Message, at(name)) {
			t.Errorf("%s: %v; want %q", name, err, want)
			continue
		}
		if strings.Contains(e.Hint, "MEMORY_GRAPH_DB") || (name == "newer") != strings.Contains(e.Hint, "Update") {
			t.Errorf("%s: the hint is %q", name, e.Hint)
		}
		if _, err := os.Stat(at("restored.db")); err == nil {
			t.Errorf("%s: there is a database now", name)
		}
	}
}
