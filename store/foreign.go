package store

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"memory-graph/internal/memory"
)

// Foreign is the SQLite file of another program, open for reading. Nothing is written to the file or beside it.
type Foreign struct {
	c      *conn
	dir    string // of the copy that is read; "" if the file itself is read
	tables map[string][]string
}

// OpenForeign opens the SQLite file of another program. A file with a journal beside it is in use or was not closed.
// Then a private copy of both is read. Otherwise the file itself is read, without locks. cacheDir holds compiled
// SQLite, as for Open. The error is InvalidArgument if the file is not a sound SQLite file.
func OpenForeign(ctx context.Context, path, cacheDir string, log *slog.Logger) (_ *Foreign, err error) {
	if err := startRuntime(cacheDir, log); err != nil {
		return nil, err
	}
	f := &Foreign{tables: map[string][]string{}}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.Close())
		}
	}()
	name, query := path, url.Values{"immutable": {"1"}}
	if hasJournal(path) {
		if f.dir, err = os.MkdirTemp("", "memory-graph-import-"); err != nil {
			return nil, memory.Errorf(memory.Unavailable, "Cannot create a temporary directory: %w.", err)
		}
		name, query = filepath.Join(f.dir, "copy.db"), nil
		if err := copyForeign(ctx, path, name); err != nil {
			return nil, notForeign(path, err)
		}
	}
	how := forReading
	if f.dir != "" {
		how = forWriting // of the copy: its journal is applied
	}
	if name, err = filepath.Abs(name); err != nil {
		return nil, notForeign(path, err)
	}
	// A schema that somebody else wrote must not run functions with side effects.
	pragmas := []pragma{{name: "trusted_schema", value: "off"}, {name: "cell_size_check", value: "on"}}
	if f.c, err = dial(ctx, fileURI(name, query), how, 0, pragmas); err != nil {
		return nil, notForeign(path, err)
	}
	if err := f.list(ctx); err != nil {
		return nil, notForeign(path, err)
	}
	return f, nil
}

// journals are the suffixes of the files in which SQLite keeps what is not in the file yet.
var journals = []string{"-wal", "-journal"}

func hasJournal(path string) bool {
	for _, suffix := range journals {
		if info, err := os.Stat(path + suffix); err == nil && info.Size() > 0 {
			return true
		}
	}
	return false
}

// copyForeign copies a file with its journals.
func copyForeign(ctx context.Context, from, to string) error {
	for _, suffix := range append([]string{""}, journals...) {
		in, err := os.Open(from + suffix)
		if errors.Is(err, fs.ErrNotExist) && suffix != "" {
			continue
		}
		if err != nil {
			return err
		}
		out, err := os.OpenFile(to+suffix, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			_, err = io.Copy(out, reading{ctx, in})
			err = errors.Join(err, out.Close())
		}
		if err = errors.Join(err, in.Close()); err != nil {
			return err
		}
	}
	return nil
}

// reading is a reader that fails when its context ends.
type reading struct {
	ctx context.Context
	r   io.Reader
}

func (r reading) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}

func notForeign(path string, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return memory.Errorf(memory.InvalidArgument, "%s cannot be read as a SQLite file: %w.", path, memory.Reason(err)).
		WithHint("It may be damaged. End the program that it belongs to, or let that program export it, and try again.")
}

// list reads the names of the tables and their columns. It leaves out views and virtual tables, which run code.
func (f *Foreign) list(ctx context.Context) error {
	var names []string
	err := f.c.query(ctx, `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'
		AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name`, func(row cursor) error {
		names = append(names, row.text(0))
		return nil
	})
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := f.c.query(ctx, `SELECT name FROM pragma_table_info(?)`, func(row cursor) error {
			f.tables[name] = append(f.tables[name], row.text(0))
			return nil
		}, name); err != nil {
			return err
		}
	}
	return nil
}

// Columns returns the names of a table's columns, and nil if there is no such table.
func (f *Foreign) Columns(table string) []string { return f.tables[table] }

// Rows calls visit with each row of a table in the order of its row ids, by the names of the columns, as string, int64
// or float64. NULL and blobs are left out. The map is visit's own. A table that does not exist has no rows. The error
// is InvalidArgument if the file is damaged.
func (f *Foreign) Rows(ctx context.Context, table string, visit func(map[string]any) error) error {
	columns := f.tables[table]
	if columns == nil {
		return nil
	}
	quoted := make([]string, len(columns))
	for i, c := range columns {
		quoted[i] = quoteName(c)
	}
	read := make([]any, len(columns))
	var refused error
	defer f.c.setInterrupt(f.c.setInterrupt(ctx))
	err := f.c.query(ctx, `SELECT `+strings.Join(quoted, ", ")+` FROM `+quoteName(table), func(row cursor) error {
		if err := row.columns(read); err != nil {
			return err
		}
		values := make(map[string]any, len(columns))
		for i, c := range columns {
			switch read[i].(type) {
			case string, int64, float64:
				values[c] = read[i]
			}
		}
		refused = visit(values)
		return refused
	})
	if err != nil && refused == nil {
		return notForeign("Table "+table, err)
	}
	return err
}

func quoteName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// Close closes the file and removes the copy.
func (f *Foreign) Close() error {
	var err error
	if f.c != nil {
		err = f.c.close()
	}
	if f.dir != "" {
		err = errors.Join(err, os.RemoveAll(f.dir))
	}
	return err
}
