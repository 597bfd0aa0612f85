package e2e_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A cache of the compiled SQLite that cannot be written costs a slower start and a warning.
func TestCache_ThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	db, home := newDB(t), t.TempDir()
	if err := os.WriteFile(filepath.Join(home, "memory-graph"), nil, 0o600); err != nil { // in place of the directory
		t.Fatal(err)
	}
	h := start(t, db, "XDG_CACHE_HOME="+home, "LOCALAPPDATA="+home, "MEMORY_GRAPH_EMBEDDER=none")
	h.initialize()
	h.store(arguments{"content": "stored all the same"})
	h.stop()
	if log := h.stderr.String(); !strings.Contains(log, "level=WARN") || !strings.Contains(log, home) {
		t.Errorf("no warning of the cache: %q", log)
	}
}

// A damaged file in the cache is replaced.
func TestCache_ThatIsDamaged(t *testing.T) {
	t.Parallel()
	db, home := newDB(t), t.TempDir()
	h := start(t, db, "MEMORY_GRAPH_EMBEDDER=none")
	h.store(arguments{"content": "stored with a good cache"})
	h.stop()
	settings := []string{"XDG_CACHE_HOME=" + home, "LOCALAPPDATA=" + home, "MEMORY_GRAPH_EMBEDDER=none"}
	good, damaged := doctor(t, db).Places.Cache, doctor(t, newDB(t), settings...).Places.Cache
	if err := os.CopyFS(damaged, os.DirFS(good)); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(damaged, "*", "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files in the cache %s: %v", good, err)
	}
	for _, f := range files {
		if err := os.Truncate(f, 100_000); err != nil {
			t.Fatal(err)
		}
	}
	h = start(t, db, settings...)
	if a := h.retrieve(arguments{"query": "cache"}); len(a.Episodes) != 1 {
		t.Errorf("found %+v; want one", a.Episodes)
	}
	h.stop()
	if log := h.stderr.String(); log != "" {
		t.Errorf("the log says %q", log)
	}
	whole := 0
	again, err := filepath.Glob(filepath.Join(damaged, "*", "*"))
	for _, f := range again {
		if info, err := os.Stat(f); err == nil && info.Size() > 1<<20 {
			whole++
		}
	}
	if err != nil || whole == 0 {
		t.Errorf("of %d files in the cache none is whole: %v", len(again), err)
	}
}
