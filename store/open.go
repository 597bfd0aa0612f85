// Package store holds all SQL; its schema is in package migrations. An exported method is one transaction, and its
// error is a memory.Error for the caller. Unexported functions run SQL on a connection.
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

	"memory-graph/internal/aliases"
	"memory-graph/internal/memory"
)

// Options configure a Store. The zero value is valid.
type Options struct {
	ReadOnly bool
	// with ReadOnly: also open a file with an older schema, for methods that read only what that schema has
	AnySchema   bool
	Synchronous string        // off, normal (default), full or extra: see the pragma's reason below
	BusyTimeout time.Duration // how long to wait for another process's lock; default 10 s
	CacheDir    string        // of compiled modules; "" for no cache: a start then takes a second longer
	Readers     int           // concurrent reading connections, 1–16; default 2
	LateWriter  bool          // open the writing connection with the first write: for a process that rarely writes
	RetryFailed time.Duration // delay before a job that gave up is retried; default 15 min
	Now         func() time.Time
	Log         *slog.Logger
}

// Store is one open database file. It is safe for concurrent use, and several processes may open the same file.
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
	embeds   atomic.Bool    // this process has an embedder: new episodes get an embed job
	techs    *aliases.Table // other names of technologies
	closing  sync.Once
	closeErr error
}

// pragma is one setting of a connection.
type pragma struct{ name, value, why string }

// connectionPragmas apply to every connection.
var connectionPragmas = []pragma{
	{"foreign_keys", "on", "SQLite does not check references by default"},
	{"trusted_schema", "off", "a file from elsewhere must not run functions with side effects from its schema"},
	{"temp_store", "memory", "sorting needs no writable directory and leaves no text of a turn in a file"},
	{"cache_size", "-8192", "8 MiB: the text index of 10,000 turns; the operating system caches the rest"},
}

// writerPragmas also apply to the one writing connection.
func writerPragmas(synchronous string) []pragma {
	return []pragma{
		{"journal_mode", "wal", "readers continue while one process writes; the file keeps this mode"},
		{"synchronous", synchronous,
			"normal survives a killed process and syncs only at checkpoints; only full keeps the last commits after a " +
				"power loss"},
		{"journal_size_limit", "1048576", "a write-ahead log that begins anew is cut back to 1 MiB: see shortenLog"},
		{"secure_delete", "on",
			"deleted content is overwritten, so no forgotten text stays in free pages of the file"},
	}
}

// readerPragmas also apply to reading connections.
var readerPragmas = []pragma{
	{"query_only", "on", "a mistaken write on a reading connection fails instead of taking the lock"},
}

// Open opens the database file at path and upgrades it to this program's schema version. Unless read-only, it creates a
// missing file and its directories. It waits up to BusyTimeout for other processes that lock the file. The error is a
// memory.Error: Unavailable for a file that is locked, damaged, of a newer version or of another program, ReadOnly for
// a file that cannot be written, InvalidArgument for an option out of range.
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
	techs, err := aliases.Technologies()
	if err != nil {
		return nil, memory.AsError(fmt.Errorf("read the names of technologies: %w", err))
	}
	s := &Store{path: abs, readOnly: o.ReadOnly, now: o.Now, retry: o.RetryFailed, log: o.Log, techs: techs}
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
	writers, readers := make([]*conn, 1), make([]*conn, o.Readers)
	if o.LateWriter {
		readers[0] = first
		if err := first.set(readerPragmas); err != nil {
			return errors.Join(err, first.close())
		}
	} else {
		writers[0] = first
		shortenLog(first, s.path)
	}
	s.writer = newPool(writers, func(ctx context.Context) (*conn, error) {
		c, err := dial(ctx, uri, forWriting, o.BusyTimeout, writing)
		if err == nil {
			shortenLog(c, s.path)
		}
		return c, err
	})
	s.readers = newPool(readers, readerDial(uri, forWriting, o.BusyTimeout))
	return nil
}

func readerDial(uri string, how access, busy time.Duration) func(context.Context) (*conn, error) {
	reading := append(connectionPragmas[:len(connectionPragmas):len(connectionPragmas)], readerPragmas...)
	return func(ctx context.Context) (*conn, error) { return dial(ctx, uri, how, busy, reading) }
}

// openReadOnly opens a file without changing it. If its directory is not writable and there is no write-ahead log,
// SQLite can read the file only as immutable.
func (s *Store) openReadOnly(ctx context.Context, o Options) error {
	if inWAL(s.path) {
		_ = matchShm(s.path) // fails in a directory that is not writable
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
				s.log.Warn("the database's directory is not writable: reading the file as immutable", "path",
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

// fileURI returns an absolute path as SQLite's URI. This build of SQLite has no support for Windows paths, so a drive
// letter follows the scheme directly. SQLite decodes %20, not +. https://sqlite.org/uri.html
func fileURI(path string, query url.Values) string {
	raw := strings.ReplaceAll(query.Encode(), "+", "%20")
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path), OmitHost: true, RawQuery: raw}).String()
}

// Path returns the absolute path of the database file.
func (s *Store) Path() string { return s.path }

// Close waits for running calls, moves as much as possible of the write-ahead log into the file, and closes the file. A
// second call does nothing.
func (s *Store) Close() error {
	s.closing.Do(func() {
		if s.writer != nil {
			if err := s.writer.with(context.Background(), func(c *conn) error {
				return c.script("PRAGMA wal_checkpoint(PASSIVE)")
			}); err != nil {
				s.log.Warn("the last checkpoint failed; the write-ahead log keeps all data", "err", err)
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

// readOne runs fn, which is a single statement and needs no transaction.
func (s *Store) readOne(ctx context.Context, op string, fn func(*conn) error) error {
	if err := s.present(); err != nil {
		return err
	}
	return s.edge(ctx, op, s.readers.with(ctx, fn))
}

// write runs fn in one IMMEDIATE transaction: it takes the lock before it reads, so nobody else changes what fn read.
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
		if err := c.end(fn(c)); err != nil {
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
