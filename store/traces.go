package store

import (
	"context"
	"encoding/json"
	"time"

	"memory-graph/internal/memory"
)

// Trace is the record of how one question was answered. The store does not look into Request and Answer.
type Trace struct {
	ID        int64
	At        time.Time
	Namespace string
	Request   json.RawMessage
	Answer    json.RawMessage
	Took      time.Duration
}

// TraceDropped is the code of the counter of traces that were dropped because too many waited to be written.
const TraceDropped = "trace_dropped"

// AddTraces stores traces in one transaction, and adds to the counters of dropped traces. A trace from before the last
// forget of its namespace is not stored: it may name what is forgotten.
func (s *Store) AddTraces(ctx context.Context, traces []Trace, dropped map[string]int) error {
	if len(traces)+len(dropped) == 0 {
		return nil
	}
	return s.write(ctx, "store traces", func(c *conn) error {
		for _, t := range traces {
			if _, err := c.exec(ctx, `INSERT INTO mg_traces (at, namespace, request, answer, took_us)
				SELECT ?1, ?2, ?3, ?4, ?5 WHERE NOT EXISTS (SELECT 1 FROM mg_events INDEXED BY mg_events_when
				WHERE namespace = ?2 AND at >= ?1 AND action = '`+forgetAction+`')`,
				memory.Millis(t.At), t.Namespace, string(t.Request), string(t.Answer), t.Took.Microseconds()); err != nil {
				return err
			}
		}
		for namespace, n := range dropped {
			if err := count(ctx, c, namespace, TraceDropped, n, nil, s.now()); err != nil {
				return err
			}
		}
		return nil
	})
}

const traceColumns = `id, at, namespace, request, answer, took_us FROM mg_traces WHERE namespace = ?1`

func readTrace(row cursor) (Trace, error) {
	at, err := row.time(1)
	return Trace{ID: row.int64(0), At: at, Namespace: row.text(2), Request: json.RawMessage(row.text(3)),
		Answer: json.RawMessage(row.text(4)), Took: time.Duration(row.int64(5)) * time.Microsecond}, err
}

// Traces returns a page of the namespace's traces, newest first.
func (s *Store) Traces(ctx context.Context, namespace string, offset, limit int) (list []Trace, more bool, err error) {
	err = s.readOne(ctx, "list traces", func(c *conn) error {
		list = []Trace{}
		return c.query(ctx, `SELECT `+traceColumns+` ORDER BY id DESC LIMIT ?2 OFFSET ?3`, func(row cursor) error {
			t, err := readTrace(row)
			list = append(list, t)
			return err
		}, namespace, limit+1, offset)
	})
	if more = len(list) > limit; more {
		list = list[:limit]
	}
	return list, more, err
}

// TraceByID returns one trace of the namespace. The error is NotFound.
func (s *Store) TraceByID(ctx context.Context, namespace string, id int64) (Trace, error) {
	var found *Trace
	err := s.readOne(ctx, "read a trace", func(c *conn) error {
		return c.query(ctx, `SELECT `+traceColumns+` AND id = ?2`, func(row cursor) error {
			t, err := readTrace(row)
			found = &t
			return err
		}, namespace, id)
	})
	if err == nil && found == nil {
		err = memory.Errorf(memory.NotFound, "There is no trace %d in namespace %q.", id, namespace).
			WithHint("It may have expired; `memory-graph trace` lists the traces.")
	}
	if err != nil {
		return Trace{}, err
	}
	return *found, nil
}

// ExpireTraces deletes the traces of all namespaces from before a time, and returns how many there were.
func (s *Store) ExpireTraces(ctx context.Context, before time.Time) (n int64, err error) {
	err = s.write(ctx, "delete old traces", func(c *conn) error {
		n, err = c.exec(ctx, `DELETE FROM mg_traces WHERE at < ?`, memory.Millis(before))
		return err
	})
	return n, err
}
