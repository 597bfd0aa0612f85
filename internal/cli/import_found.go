package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memory-graph/internal/config"
	"memory-graph/internal/engine"
	"memory-graph/internal/memory"
	"memory-graph/internal/transfer"
	"memory-graph/internal/transfer/vault"
	"memory-graph/store"
)

// importFile is the file of an import.
type importFile struct {
	name   string
	format transfer.Format
	src    *transfer.Source // nil for a database or a folder
	from   io.Reader        // src, read as the format needs
	// read reads a database or a folder; nil for a stream
	read  func(context.Context, transfer.Sink) error
	again func() (*importFile, error) // opens the file once more; nil if it is a stream that can be read once
	close func() error
}

// openImport opens what import reads, and recognises its format unless one is chosen.
func (a *app) openImport(ctx context.Context, cfg *config.Config, name string,
	chosen transfer.Format) (*importFile, error) {
	if ofBasicMemory(ctx, name, chosen) {
		return &importFile{name: name, format: transfer.BasicMemory, close: func() error { return nil },
			read: func(ctx context.Context, to transfer.Sink) error { return transfer.ReadNotes(ctx, name, to) }}, nil
	}
	src, err := a.source(ctx, name)
	if err != nil {
		return nil, err
	}
	f := &importFile{name: src.Name, format: chosen, src: src, from: src, close: src.Close}
	found, from, err := transfer.Detect(src)
	switch {
	case found == transfer.SQLite:
		return a.openDatabase(ctx, cfg, name, chosen, src)
	case chosen == "" && err != nil:
		return nil, errors.Join(err, src.Close())
	case chosen == "":
		f.format = found
	}
	f.from = from
	if name != "-" && src.Size > 0 { // a regular file
		f.again = func() (*importFile, error) { return a.openImport(ctx, cfg, name, f.format) }
	}
	return f, nil
}

// ofBasicMemory reports whether a path is a folder of basic-memory, and not a vault or other notes.
func ofBasicMemory(ctx context.Context, path string, chosen transfer.Format) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir() &&
		(chosen == transfer.BasicMemory || chosen == "" && !vault.IsVault(path) && transfer.HasNotes(ctx, path))
}

// openDatabase opens the database of another program.
func (a *app) openDatabase(ctx context.Context, cfg *config.Config, name string, chosen transfer.Format,
	src *transfer.Source) (*importFile, error) {
	if err := src.Close(); err != nil {
		return nil, err
	}
	if name == "-" || src.Packed {
		return nil, memory.Errorf(memory.InvalidArgument, "%s is a database, which cannot be read packed or as a stream.",
			src.Name).WithHint("Unpack it, and give its path.")
	}
	db, err := store.OpenForeign(ctx, name, cfg.Paths.Cache, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	format, err := transfer.DetectTables(db)
	if err == nil && chosen != "" && chosen != format {
		err = memory.Errorf(memory.InvalidArgument, "%s is a database of %s, not of %s.", name, format, chosen).
			WithHint("Leave --format out.")
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &importFile{name: name, format: format, close: db.Close,
		read: func(ctx context.Context, to transfer.Sink) error { return transfer.ReadTables(ctx, format, db, to) }}, nil
}

// scan describes the content of the file. ok is false if that is not known before the import.
func (f *importFile) scan(ctx context.Context) (found transfer.Found, ok bool, err error) {
	read := func(to transfer.Sink) error { return f.read(ctx, to) }
	switch {
	case f.format == transfer.Own, f.read == nil && f.again == nil:
		return found, false, nil
	case f.read == nil:
		once, err := f.again()
		if err != nil {
			return found, false, err
		}
		defer func() { _ = once.close() }() // opened read-only
		read = func(to transfer.Sink) error { return transfer.Read(ctx, once.format, once.from, to) }
	}
	found, err = transfer.Scan(time.Now(), read)
	if ctx.Err() != nil {
		return found, false, ctx.Err()
	}
	return found, true, nil // an error of the file is reported by the import
}

// request returns what the engine is asked to import.
func (f *importFile) request() engine.ImportRequest {
	name := filepath.Base(f.name)
	if f.name == "-" {
		name = ""
	}
	return engine.ImportRequest{Name: name, Format: f.format, From: f.from, Read: f.read}
}

// foundReport describes a file in the report of an import.
type foundReport struct {
	Kinds    map[string]int `json:"kinds"` // counts by the other program's words
	Facts    int            `json:"facts"`
	Ended    int            `json:"ended_facts"`
	First    string         `json:"first,omitempty"`
	Last     string         `json:"last,omitempty"`
	Users    []string       `json:"users"`
	Projects []string       `json:"projects"`
	LeftOut  map[string]int `json:"left_out"` // by reason
}

func newFoundReport(f transfer.Found) *foundReport {
	r := &foundReport{Kinds: f.Kinds, Facts: f.Facts, Ended: f.Ended, First: memory.RFC3339(f.First),
		Last: memory.RFC3339(f.Last), Users: f.Users, Projects: f.Projects, LeftOut: map[string]int{}}
	if r.Users == nil {
		r.Users = []string{}
	}
	if r.Projects == nil {
		r.Projects = []string{}
	}
	for why, n := range f.Passed {
		r.LeftOut[string(why)] = n
	}
	return r
}

// plurals has the irregular plurals.
var plurals = map[string]string{"memory": "memories", "entity": "entities", "summary": "summaries"}

// write prints a description of the file.
func (r *foundReport) write(w io.Writer, name, format string) {
	var kinds []string
	for _, kind := range slices.Sorted(maps.Keys(r.Kinds)) {
		several := plurals[kind]
		if several == "" {
			several = kind + "s"
		}
		kinds = append(kinds, many(int64(r.Kinds[kind]), kind, several))
	}
	if len(kinds) == 0 {
		kinds = []string{"nothing that can be imported"}
	}
	fmt.Fprintf(w, "Found in %s (%s): %s.\n", name, format, strings.Join(kinds, ", "))
	if r.Facts > 0 {
		fmt.Fprintf(w, "They state %s, of which %d ended.\n", many(int64(r.Facts), "fact", "facts"), r.Ended)
	}
	if r.First != "" {
		fmt.Fprintf(w, "From %s to %s.\n", r.First, r.Last)
	}
	for _, of := range []struct {
		word  string
		names []string
	}{{"Users", r.Users}, {"Projects", r.Projects}} {
		if n := len(of.names); n > 0 {
			const shown = 10
			names := visible(strings.Join(of.names[:min(n, shown)], ", "))
			if n > shown {
				names += fmt.Sprintf(" and %d more", n-shown)
			}
			fmt.Fprintf(w, "%s: %s.\n", of.word, names)
		}
	}
	for _, why := range slices.Sorted(maps.Keys(r.LeftOut)) {
		fmt.Fprintf(w, "Left out: %d (%s).\n", r.LeftOut[why], why)
	}
}
