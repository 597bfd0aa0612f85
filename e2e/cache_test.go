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

// A damaged file in the cache must not keep the server from starting for ever.
func TestCache_ThatIsDamaged(t *testing.T) {
	t.Parallel()
	db, home := newDB(t), t.TempDir()
	settings := []string{"XDG_CACHE_HOME=" + home, "LOCALAPPDATA=" + home, "MEMORY_GRAPH_EMBEDDER=none"}
	h := start(t, db, settings...)
	h.store(arguments{"content": "stored with a good cache"})
	h.stop()
	files, err := filepath.Glob(filepath.Join(home, "*", "*", "*"))
	if more, _ := filepath.Glob(filepath.Join(home, "*", "*", "*", "*")); err != nil || len(files)+len(more) == 0 {
		t.Fatalf("no cache: %v", err)
	} else {
		files = append(files, more...) // Windows has one directory more
	}
	for _, f := range files {
		if info, err := os.Stat(f); err != nil || info.IsDir() {
			continue
		}
		if err := os.Truncate(f, 100_000); err != nil {
			t.Fatal(err)
		}
	}
	h = start(t, db, settings...)
	h.initialize()
	h.refuses("retrieve", arguments{"query": "cache"}, "unavailable")
	h.stop()
	h = start(t, db, settings...)
	if a := h.retrieve(arguments{"query": "cache"}); len(a.Episodes) != 1 {
		t.Errorf("found %+v; want one", a.Episodes)
	}
	h.stop()
}
