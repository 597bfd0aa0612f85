package e2e_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"memory-graph/migrations"
)

// What is not a database of this program, or none any more, is refused with words for the host, left as it is, and the
// server goes on: when a usable file takes its place, the same process works with it.
func TestDatabase_OfNoUse(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		make func(t *testing.T, db string)
		says string // in every error
	}{
		{"a directory", func(t *testing.T, db string) {
			if err := os.Mkdir(db, 0o700); err != nil {
				t.Fatal(err)
			}
		}, "is a directory"},
		{"a file that is no database", func(t *testing.T, db string) { writeNoise(t, db) }, "is not a SQLite database"},
		{"the database of another program", func(t *testing.T, db string) {
			execRaw(t, db, "CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES ('soup')")
		}, "another program"},
		{"a database of a newer version", func(t *testing.T, db string) {
			makeDB(t, db, 1)
			execRaw(t, db, fmt.Sprintf("INSERT INTO %s (version_id, is_applied, tstamp) VALUES (%d, 1, datetime())",
				migrations.Table, migrations.Latest()+1))
		}, "newer"},
		{"a database whose first page is damaged", func(t *testing.T, db string) {
			makeDB(t, db, 1)
			overwrite(t, db, 100, 3000)
		}, "The database"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			db := newDB(t)
			tt.make(t, db)
			before := content(t, db)
			h := start(t, db, "MEMORY_GRAPH_BUSY_TIMEOUT=1s", "MEMORY_GRAPH_EMBEDDER=none")
			h.initialize()
			for range 2 {
				for _, refused := range []*toolError{
					h.refuses("store_episode", arguments{"content": "a turn"}, "unavailable"),
					h.refuses("retrieve", arguments{"query": "a turn"}, "unavailable"),
				} {
					if !strings.Contains(refused.Message, tt.says) || !strings.Contains(refused.Message, db) {
						t.Errorf("%q; want that it %q, and the path", refused.Message, tt.says)
					}
				}
			}
			if d := doctor(t, db); d.OK || len(d.Findings) == 0 {
				t.Errorf("doctor: %+v; want a problem", d)
			}
			if !bytes.Equal(content(t, db), before) {
				t.Error("the file was changed")
			}
			for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
				if err := os.RemoveAll(db + suffix); err != nil {
					t.Fatal(err)
				}
			}
			h.eventually("store_episode", arguments{"content": "a turn in a new file"})
			h.stop()
			if d := doctor(t, db); !d.OK || d.Database.Episodes != 1 {
				t.Errorf("doctor: %+v; want the one turn", d)
			}
		})
	}
}

// A page in the middle is damaged: what does not touch it goes on, what does says so, and nothing ends the server.
func TestDatabase_DamagedInTheMiddle(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	makeDB(t, db, 300)
	info, err := os.Stat(db)
	if err != nil {
		t.Fatal(err)
	}
	overwrite(t, db, info.Size()/3, info.Size()/2)
	h := start(t, db, "MEMORY_GRAPH_EMBEDDER=none")
	h.initialize()
	refused := 0
	for i := range 40 {
		for tool, args := range map[string]arguments{
			"store_episode": {"content": fmt.Sprintf("after the damage %d", i)},
			"retrieve":      {"query": fmt.Sprintf("turn %d of many", i*7), "limit": 50},
		} {
			if _, err := h.call(tool, args); err != nil {
				h.refuses(tool, args, "unavailable")
				refused++
			}
		}
	}
	if refused == 0 {
		t.Error("nothing noticed that a sixth of the file is noise")
	}
	if _, err := h.ask("ping", nil); err != nil {
		t.Errorf("ping: %v", err)
	}
	h.stop()
	d := doctor(t, db)
	if d.OK || !strings.Contains(fmt.Sprint(d.Findings), "damaged") {
		t.Errorf("doctor: %+v; want that it is damaged", d)
	}
}

// makeDB makes a database with n turns in one file.
func makeDB(t testing.TB, db string, n int) {
	t.Helper()
	h := start(t, db, "MEMORY_GRAPH_EMBEDDER=none")
	answers := make(chan reply, n)
	for i := range n {
		h.begin(answers, "store_episode",
			arguments{"content": fmt.Sprintf("turn %d of many, %s", i, strings.Repeat("with some more words ", 10))})
	}
	for range n {
		if a, err := (<-answers).read(); err != nil || a.Status != "stored" {
			t.Fatalf("store: %+v, %v", a, err)
		}
	}
	h.stop()
}

func writeNoise(t testing.TB, path string) {
	t.Helper()
	if err := os.WriteFile(path, noise(8192), 0o600); err != nil {
		t.Fatal(err)
	}
}

// noise gives bytes without any sense, the same in every run.
func noise(n int64) []byte {
	b := make([]byte, n)
	_, _ = rand.NewChaCha8([32]byte{1}).Read(b) // never fails
	return b
}

// overwrite puts noise into a file from one offset up to another.
func overwrite(t testing.TB, path string, from, to int64) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt(noise(to-from), from); err != nil {
		t.Fatal(err)
	}
}

// content gives a file's bytes; a directory has none.
func content(t testing.TB, path string) []byte {
	t.Helper()
	if info, err := os.Stat(path); err != nil || info.IsDir() {
		return nil
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
