// Package store is the only package that knows SQL (its schema is in package migrations). An exported method is one
// transaction, and its error is one for the caller (see memory.Error); unexported functions on a connection are the
// SQL.
package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"memory-graph/internal/memory"
)

// Options are what a Store can be told. The zero value is good.
type Options struct {
	ReadOnly bool
	// with ReadOnly: open a file of an older version too, for the methods that look at no more than that has
	AnySchema   bool
	Synchronous string        // off, normal (default), full or extra: see the pragma's reason below
	BusyTimeout time.Duration // how long to wait for another process's lock; default 10 s
	CacheDir    string        // of compiled modules; "" has none, and a start takes a second longer
	Readers     int           // connections that read side by side, 1–16; default 2
	RetryFailed time.Duration // after which a job that gave up is tried again; default 15 min (F12)
	Now         func() time.Time
	Log         *slog.Logger
}

// Store is one database file. It is safe for use by several goroutines, and several processes may have the same file
// open.
type Store struct {
	path     string
	file     os.FileInfo // of the file that is open
	readOnly bool
	now      func() time.Time
	log      *slog.Logger
	writer   *pool // nil when read-only
	readers  *pool
	retry    time.Duration // Options.RetryFailed
	onQueued func(kind string)
	embeds   atomic.Bool // this process has an embedder: new episodes get an embed job
	closing  sync.Once
	closeErr error
}

// pragma is one setting of a connection.
type pragma struct{ name, value, why string }

// connectionPragmas are given to every connection.
var connectionPragmas = []pragma{
	{"foreign_keys", "on", "SQLite leaves references unchecked unless asked"},
	{"trusted_schema", "off", "a file from elsewhere must not run functions with side effects from its schema"},
	{"temp_store", "memory", "sorting needs no directory that can be written, and leaves no text of a turn behind in one"},
	{"cache_size", "-8192", "8 MiB: the pages of 10,000 turns' text index; the system's own cache stands behind it"},
}

// writerPragmas are given to the one writing connection as well.
func writerPragmas(synchronous string) []pragma {
	return []pragma{
		{"journal_mode", "wal", "readers go on while one process writes; it stays with the file"},
		{"synchronous", synchronous,
			"normal outlives a killed process and costs a sync only at checkpoints; over a power loss only full keeps the " +
				"last commits"},
		{"journal_size_limit", "67108864", "a write-ahead log that once grew is cut back to 64 MiB"},
		{"secure_delete", "on",
			"what is deleted is overwritten, so that nothing of a forgotten text stays in the file's free places"},
	}
}

// readerPragmas are given to reading connections as well.
var readerPragmas = []pragma{
	{"query_only", "on", "a write that strays to a reading connection fails instead of taking the lock"},
}

// Open opens the database file at path, which is made with its directories when missing (unless read-only), and brings
// it to this program's schema version. It waits for other processes that have the file locked, up to BusyTimeout.
// The error is a memory.Error: Unavailable for what is locked, damaged, of a newer version or of another program,
// ReadOnly for what cannot be written, InvalidArgument for an option out of range.
func Open(ctx context.Context, path string, o Options) (*Store, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	abs, err := filepath.Abs(path)
	if err != nil || path == "" || strings.ContainsRune(path, 0) {
		return nil, memory.Errorf(memory.InvalidArgument, "%q is not the path of a file.",
			path).WithHint("Set MEMORY_GRAPH_DB to a file path.")
	}
	s := &Store{path: abs, readOnly: o.ReadOnly, now: o.Now, retry: o.RetryFailed, log: o.Log}
	if err := startRuntime(o.CacheDir, o.Log); err != nil {
		return nil, memory.AsError(fmt.Errorf("start sqlite: %w", err))
	}
	if err := prepareFile(abs, o.ReadOnly); err != nil {
		return nil, err
	}
	if err := s.open(ctx, o); err != nil {
		return nil, s.edge(ctx, "open store", err)
	}
	if s.file, err = os.Stat(abs); err != nil {
		return nil, s.edge(ctx, "open store", errors.Join(err, s.Close()))
	}
	return s, nil
}

func (o Options) withDefaults() (Options, error) {
	o.Synchronous = strings.ToLower(o.Synchronous)
	switch o.Synchronous {
	case "":
		o.Synchronous = "normal"
	case "off", "normal", "full", "extra":
	default:
		return o, memory.Errorf(memory.InvalidArgument, "synchronous: %q is unknown.",
			o.Synchronous).WithHint("Use off, normal, full or extra.")
	}
	if o.BusyTimeout <= 0 {
		o.BusyTimeout = 10 * time.Second
	}
	if o.RetryFailed <= 0 {
		o.RetryFailed = 15 * time.Minute
	}
	if o.Readers == 0 {
		o.Readers = 2
	}
	if o.Readers < 1 || o.Readers > 16 {
		return o, memory.Errorf(memory.InvalidArgument, "readers: %d is out of range.", o.Readers).WithHint("Use 1 to 16.")
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o, nil
}

func (s *Store) open(ctx context.Context, o Options) error {
	if s.readOnly {
		return s.openReadOnly(ctx, o)
	}
	uri := fileURI(s.path, url.Values{"modeof": {s.path}}) // the write-ahead log holds turns too: it gets the file's mode
	writing := append(connectionPragmas[:len(connectionPragmas):len(connectionPragmas)], writerPragmas(o.Synchronous)...)
	first, err := upgrade(ctx, s.path, uri, o)
	if err != nil {
		return err
	}
	s.writer = newPool([]*conn{first}, func(ctx context.Context) (*conn, error) {
		return dial(ctx, uri, forWriting, o.BusyTimeout, writing)
	})
	s.readers = newPool(make([]*conn, o.Readers), readerDial(uri, forWriting, o.BusyTimeout))
	return nil
}

func readerDial(uri string, how access, busy time.Duration) func(context.Context) (*conn, error) {
	reading := append(connectionPragmas[:len(connectionPragmas):len(connectionPragmas)], readerPragmas...)
	return func(ctx context.Context) (*conn, error) { return dial(ctx, uri, how, busy, reading) }
}

// openReadOnly opens a file that nothing here may change. Where its directory cannot be written and no process has left
// a write-ahead log, SQLite can read it only as a file that nobody changes.
func (s *Store) openReadOnly(ctx context.Context, o Options) error {
	if inWAL(s.path) {
		_ = matchShm(s.path) // not in a directory that cannot be written
	}
	uri := fileURI(s.path, url.Values{"mode": {"ro"}})
	check := func(uri string) error {
		c, err := dial(ctx, uri, forReading, o.BusyTimeout, connectionPragmas)
		if err != nil {
			return err
		}
		err = checkReadable(ctx, c, s.path, o.AnySchema)
		return errors.Join(err, c.close())
	}
	err := check(uri)
	if needsWriting(err) {
		if _, e := os.Stat(s.path + "-wal"); errors.Is(e, fs.ErrNotExist) {
			uri = fileURI(s.path, url.Values{"mode": {"ro"}, "immutable": {"1"}})
			if err = check(uri); err == nil {
				s.log.Warn("the database's directory cannot be written: reading the file as one that nobody changes", "path",
					s.path)
			}
		}
	}
	if err != nil {
		return err
	}
	s.readers = newPool(make([]*conn, o.Readers), readerDial(uri, forReading, o.BusyTimeout))
	return nil
}

// fileURI writes an absolute path as SQLite's URI. This build of SQLite knows nothing of Windows, so a drive's letter
// follows the scheme directly; and it decodes %20, not +. https://sqlite.org/uri.html
func fileURI(path string, query url.Values) string {
	raw := strings.ReplaceAll(query.Encode(), "+", "%20")
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path), OmitHost: true, RawQuery: raw}).String()
}

// Path gives the absolute path of the database file.
func (s *Store) Path() string { return s.path }

// Close waits for what runs, moves what it can of the write-ahead log into the file and closes it. A second call does
// nothing.
func (s *Store) Close() error {
	s.closing.Do(func() {
		if s.writer != nil {
			if err := s.writer.with(context.Background(), func(c *conn) error {
				return c.script("PRAGMA wal_checkpoint(PASSIVE)")
			}); err != nil {
				s.log.Warn("checkpoint at the end failed; the write-ahead log keeps everything", "err", err)
			}
			s.closeErr = s.writer.close()
		}
		s.closeErr = errors.Join(s.closeErr, s.readers.close())
	})
	return s.edge(context.Background(), "close store", s.closeErr)
}

// read runs fn in one read transaction: all its statements see the same state of the file.
func (s *Store) read(ctx context.Context, op string, fn func(*conn) error) error {
	if err := s.present(); err != nil {
		return err
	}
	return s.edge(ctx, op, s.readers.with(ctx, func(c *conn) error {
		if err := c.script("BEGIN"); err != nil {
			return err
		}
		return c.end(fn(c))
	}))
}

// readOne runs fn, which is a single statement and so needs no transaction around it.
func (s *Store) readOne(ctx context.Context, op string, fn func(*conn) error) error {
	if err := s.present(); err != nil {
		return err
	}
	return s.edge(ctx, op, s.readers.with(ctx, fn))
}

// write runs fn in one IMMEDIATE transaction: the lock is taken before anything is read, so what was read holds.
func (s *Store) write(ctx context.Context, op string, fn func(*conn) error) error {
	if s.readOnly {
		return memory.Errorf(memory.ReadOnly,
			"The memory is open read-only.").WithHint("Start without MEMORY_GRAPH_READ_ONLY to write.")
	}
	if err := s.present(); err != nil {
		return err
	}
	return s.edge(ctx, op, s.writer.with(ctx, func(c *conn) error {
		if err := c.script("BEGIN IMMEDIATE"); err != nil {
			return err
		}
		c.queued = c.queued[:0]
		if err := c.finish(ctx, fn(c)); err != nil {
			return err
		}
		for _, kind := range c.queued {
			if s.onQueued != nil {
				s.onQueued(kind)
			}
		}
		return nil
	}))
}
