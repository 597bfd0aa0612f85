package store

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"time"

	"github.com/ncruces/go-sqlite3"

	"memory-graph/internal/memory"
)

// ExecOnWriter runs SQL on the writing connection, outside a transaction.
func (s *Store) ExecOnWriter(sql string) error {
	return s.writer.with(context.Background(), func(c *conn) error { return c.script(sql) })
}

// EnqueueJob queues a job that is due now.
func (s *Store) EnqueueJob(ctx context.Context, kind, namespace, subject string) error {
	return s.write(ctx, "enqueue job", func(c *conn) error { return enqueue(ctx, c, kind, namespace, subject, s.now()) })
}

// QueryInts returns the first column of a statement's rows.
func (s *Store) QueryInts(sql string) (out []int64, err error) {
	err = s.readers.with(context.Background(), func(c *conn) error {
		return c.query(context.Background(), sql, func(row cursor) error { out = append(out, row.int64(0)); return nil })
	})
	return out, err
}

func (s *Store) EnqueueAndFail(ctx context.Context, kind, namespace, subject string) error {
	return s.write(ctx, "enqueue job", func(c *conn) error {
		return errors.Join(enqueue(ctx, c, kind, namespace, subject, s.now()), errors.New("the test fails it"))
	})
}

// Backoff is the waiting time after a failure, where nothing else is set.
func Backoff(failures int) time.Duration { return backoff(failures, 15*time.Minute) }

// EntitySnapshotSQL writes a row of mg_entities as e in the form of version snapshots.
const EntitySnapshotSQL = entitySnapshotSQL

// Steps returns how many instructions SQLite's machine has run, and how often it has sorted, on all reading
// connections.
func (s *Store) Steps() (steps, sorts int) {
	for range cap(s.readers.slots) {
		c := <-s.readers.slots
		if c != nil {
			for _, st := range c.stmts {
				steps += st.Status(sqlite3.STMTSTATUS_VM_STEP, false)
				sorts += st.Status(sqlite3.STMTSTATUS_SORT, false)
			}
		}
		s.readers.slots <- c
	}
	return steps, sorts
}

// prepares returns how often a prepared statement was prepared again.
func (c *conn) prepares(sql string) int {
	return c.stmts[sql].Status(sqlite3.STMTSTATUS_REPREPARE, false)
}

// PackedEdge parses one packed edge.
func PackedEdge(row []byte) (memory.Edge, error) {
	l := edgeList{known: map[string]string{}, seen: map[int64]bool{}}
	return l.edge(row)
}

// Functions of the reading side that have their own tests.
var (
	StoredTime  = storedTime
	MatchNames  = matchNames
	IndexedName = indexedName
	EscapeLike  = escapeLike
)

// QueryTexts returns the first column of a statement's rows as text.
func (s *Store) QueryTexts(sql string) (out []string, err error) {
	err = s.readers.with(context.Background(), func(c *conn) error {
		return c.query(context.Background(), sql,
			func(row cursor) error { out = append(out, row.text(0)); return nil })
	})
	return out, err
}

// In tests decay and healing take several steps for a handful of rows.
func init() {
	fadeChunk, healedAStep = 7, 2
	if os.Getenv("MEMORY_GRAPH_FACTS") == "" {
		evictFacts, evictEntities, purgeStep = 4, 2, 3
	}
}

// QueryFloats returns the second column of a statement's rows by the first.
func (s *Store) QueryFloats(sql string) (map[int64]float64, error) {
	out := map[int64]float64{}
	err := s.readers.with(context.Background(), func(c *conn) error {
		return c.query(context.Background(), sql,
			func(row cursor) error { out[row.int64(0)] = row.float(1); return nil })
	})
	return out, err
}

// MigrateTo begins like Open on a new file, and stops when a number of migrations are applied. The next one is under
// way: its transaction has written, and is open.
func MigrateTo(ctx context.Context, path, cache string, version int64) error {
	if err := startRuntime(cache, slog.New(slog.DiscardHandler)); err != nil {
		return err
	}
	if err := prepareFile(path, false); err != nil {
		return err
	}
	c, err := dial(ctx, fileURI(path, nil), forWriting, time.Second, connectionPragmas)
	if err != nil {
		return err
	}
	if err := c.set(writerPragmas("normal")); err != nil {
		return err
	}
	if version > 0 {
		if err := migrate(ctx, path, time.Second, version); err != nil {
			return err
		}
	}
	return c.script("BEGIN IMMEDIATE; CREATE TABLE mg_half (x); PRAGMA user_version = 7")
}
