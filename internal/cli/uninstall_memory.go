package cli

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"memory-graph/internal/hooks/spool"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// readMemory counts what the memory holds, and finds out whether another process uses it.
func (u *uninstallRun) readMemory(ctx context.Context) error {
	if err := u.whose(ctx); err != nil || u.foreign != "" {
		return err
	}
	waits, _ := spool.Beside(u.cfg.DB).Waiting() // its files are listed either way
	if !hasDatabase(u.cfg.DB) && waits.Turns == 0 {
		return nil
	}
	m := &uninstallMemory{Database: u.cfg.DB, Turns: int64(waits.Turns), Bytes: fileBytes(u.cfg.DB) + waits.Bytes}
	u.report.Memory = m
	if !hasDatabase(u.cfg.DB) {
		return nil
	}
	o := u.memoryOptions()
	s, err := store.Open(ctx, u.cfg.DB, o)
	if err == nil {
		var n store.Counts
		if n, err = s.Counts(ctx); err == nil {
			m.Turns, m.Facts, m.Entities = m.Turns+n.Episodes, n.Relationships, n.Entities
		}
		_ = s.Close() // nothing was written
	}
	if err != nil {
		m.Turns, m.Facts, m.Entities = -1, -1, -1
	}
	// This comes last, because its connection removes the files that a reading connection leaves beside the database.
	if m.InUse, err = store.InUse(ctx, u.cfg.DB, o); err != nil && u.f.data {
		return err
	}
	return ctx.Err()
}

// whose finds out whether the database of the settings is a memory of this program. If it is not, it sets foreign, and
// no file beside the database is ours. With --data this is an error, because the user wants to delete the file.
func (u *uninstallRun) whose(ctx context.Context) error {
	db := u.cfg.DB
	info, err := os.Stat(db)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !exists(db), err == nil && info.Mode().IsRegular() && info.Size() == 0 &&
		filepath.Dir(db) == filepath.Clean(u.cfg.Paths.Data): // an interrupted first start left it
		return nil
	case err != nil:
		u.foreign = "This file cannot be read: " + memory.Reason(err).Error() + "."
	case info.IsDir():
		u.foreign = "This is a directory and not a memory."
	case !info.Mode().IsRegular():
		u.foreign = "This is not a regular file, so it is not a memory."
	default:
		ours, err := store.IsMemory(db)
		if err == nil && !ours { // the mark of a new memory may still be in its journal
			var s *store.Store
			if s, err = store.Open(ctx, db, u.memoryOptions()); err == nil {
				return s.Close()
			}
		}
		if !ours {
			u.foreign = "This file is not a memory of memory-graph."
		}
	}
	if u.foreign == "" || !u.f.data || ctx.Err() != nil {
		return ctx.Err()
	}
	return memory.Errorf(memory.InvalidArgument, "%s cannot be deleted as a memory. %s", db, u.foreign).
		WithHint("Nothing was removed. Give the file of the memory with --db or MEMORY_GRAPH_DB, or leave --data out.")
}

func (u *uninstallRun) memoryOptions() store.Options {
	return store.Options{ReadOnly: true, AnySchema: true, BusyTimeout: time.Second, CacheDir: u.usedCache(),
		Log: slog.New(slog.DiscardHandler)}
}

// usedCache returns the cache's directory if SQLite is compiled into it, else "": uninstall does not fill it.
func (u *uninstallRun) usedCache() string {
	if found, _ := filepath.Glob(filepath.Join(u.cfg.Paths.Cache, "wazero-*")); len(found) > 0 {
		return u.cfg.Paths.Cache
	}
	return ""
}

// memoryFilesOf matches the names of a memory and of the files that belong to it.
func memoryFilesOf(db string) *regexp.Regexp {
	return regexp.MustCompile(`^` + regexp.QuoteMeta(filepath.Base(db)) + `(-wal|-shm|-journal|\.damaged[0-9]*.*)?$`)
}

// besideMemory returns the memory that a file belongs to: itself, or the one whose journal or waiting turn it is; "" if
// it belongs to none.
func besideMemory(path string) string {
	of := []string{path, strings.TrimSuffix(filepath.Dir(path), "-spool")}
	for _, suffix := range []string{"-wal", "-shm", "-journal"} {
		of = append(of, strings.TrimSuffix(path, suffix))
	}
	if db, _, ok := strings.Cut(path, ".damaged"); ok {
		of = append(of, db)
	}
	for _, db := range of {
		if info, err := os.Stat(db); err == nil && info.Mode().IsRegular() {
			if is, err := store.IsMemory(db); err == nil && is {
				return db
			}
		}
	}
	return ""
}

// others reports a file in our directory that stays, because it belongs to another memory or to somebody else.
func (u *uninstallRun) others(path string) {
	if slices.ContainsFunc(u.report.Left, func(l setupLeft) bool { return l.Path == path }) {
		return
	}
	db := besideMemory(path)
	switch {
	case db == "":
		u.left(path, "memory-graph did not write this file.", "")
	case db == path:
		u.left(path, "This is another memory than that of the settings.",
			"To delete it: memory-graph uninstall --data --db "+db)
	default:
		u.left(path, "It belongs to another memory than that of the settings: "+db+".", "")
	}
}
