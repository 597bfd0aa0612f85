package store_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/ncruces/go-sqlite3"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// their writes a database as another program would. With open it is still in use, and its last rows are only in the
// write-ahead log.
func their(t testing.TB, open bool) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "their.db")
	c, err := sqlite3.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	sql := `CREATE TABLE "odd ""name" (a TEXT, b INTEGER, c REAL, d BLOB, "e f" TEXT);
		CREATE VIEW v AS SELECT 1 AS a; CREATE VIRTUAL TABLE f USING fts5(x);
		INSERT INTO "odd ""name" VALUES ('x', 1, 1.5, x'00ff', NULL);`
	if open {
		sql = `PRAGMA journal_mode = wal; PRAGMA wal_autocheckpoint = 0;` + sql
		t.Cleanup(func() { _ = c.Close() })
	}
	if err := c.Exec(sql); err != nil {
		t.Fatal(err)
	}
	if !open {
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// files returns the hashes of the files of a directory, except the one that readers of a write-ahead log share.
func files(t testing.TB, dir string) map[string][32]byte {
	t.Helper()
	out := map[string][32]byte{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		out[e.Name()] = sha256.Sum256(text)
	}
	return out
}

func TestForeign_ReadsAFileAndWritesNothing(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]bool{"a file": false, "a file in use": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := their(t, open)
			before := files(t, filepath.Dir(path))
			f, err := store.OpenForeign(t.Context(), path, "", slog.New(slog.DiscardHandler))
			if err != nil {
				t.Fatal(err)
			}
			if f.Columns("v") != nil || f.Columns("f") != nil {
				t.Error("views or virtual tables are read")
			}
			var rows []map[string]any
			if err := f.Rows(t.Context(), `odd "name`, func(r map[string]any) error {
				rows = append(rows, r)
				return nil
			}); err != nil {
				t.Error(err)
			}
			if diff := cmp.Diff([]map[string]any{{"a": "x", "b": int64(1), "c": 1.5}}, rows); diff != "" {
				t.Error(diff)
			}
			refused := errors.New("refused")
			if err := f.Rows(t.Context(), `odd "name`, func(map[string]any) error { return refused }); !errors.Is(err, refused) {
				t.Error(err)
			}
			ended, cancel := context.WithCancel(t.Context())
			cancel()
			if err := f.Rows(ended, `odd "name`, func(map[string]any) error { return nil }); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
			if diff := cmp.Diff(before, files(t, filepath.Dir(path))); diff != "" {
				t.Errorf("the other program's files changed:\n%s", diff)
			}
		})
	}
}

func TestForeign_RefusesWhatIsNoDatabase(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(their(t, false))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"text": "hello", "a head": string(text[:100]),
		"damage": string(text[:600]) + string(make([]byte, len(text)-600))} {
		path := filepath.Join(t.TempDir(), "x.db")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := store.OpenForeign(t.Context(), path, "", slog.New(slog.DiscardHandler))
		if err == nil {
			err = f.Rows(t.Context(), `odd "name`, func(map[string]any) error { return nil })
			_ = f.Close()
		}
		if err == nil || memory.AsError(err).Code != memory.InvalidArgument {
			t.Errorf("%s: %v", name, err)
		}
	}
}
