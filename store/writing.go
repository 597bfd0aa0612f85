package store

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"memory-graph/internal/memory"
)

// writing is one call's transaction on the graph. All its changes have the same time and the same call, so that the
// call can be undone as a whole (docs/decisions.md, "Every change can be undone").
type writing struct {
	s       *Store
	c       *conn
	scope   memory.Scope
	now     time.Time // whole milliseconds
	by      memory.Caller
	action  string             // the tool or command, for the events
	episode int64              // the episode that is the evidence, 0 for none
	passing int64              // the fact that is being superseded, which is not a rival of its successor; 0 for none
	held    int64              // the quarantined turn that holds what is written, 0 for none
	finding bool               // an extractor found what is written in the episode: two that agree raise the confidence
	meant   map[string]meaning // by canonical name: what the call says that names mean which several may have
}

// writeGraph runs do in one transaction. op is a verb with its object, for errors. action names the call in the event
// log.
func (s *Store) writeGraph(ctx context.Context, op, action string, scope memory.Scope, by memory.Caller,
	do func(context.Context, *writing) error) error {
	if by.CallID == "" { // undo reverses calls, so each call needs an id
		id, err := uuid.NewV7()
		if err != nil {
			return memory.AsError(fmt.Errorf("%s: make a call id: %w", op, err))
		}
		by.CallID = id.String()
	}
	return s.write(ctx, op, func(c *conn) error {
		return do(ctx, &writing{s: s, c: c, scope: scope, now: s.now().UTC().Truncate(time.Millisecond), by: by,
			action: action})
	})
}

// attempt runs one item of a list. If the item fails, only its own writes are rolled back. An error that is not the
// caller's mistake ends the whole call.
func (w *writing) attempt(do func() error) (mistake *memory.Error, err error) {
	if err := w.c.script("SAVEPOINT item"); err != nil {
		return nil, err
	}
	failed := do()
	if failed == nil {
		return nil, w.c.script("RELEASE item")
	}
	mistake = memory.AsError(failed)
	switch mistake.Code {
	case memory.Internal, memory.Unavailable, memory.ReadOnly:
		return nil, failed // the whole transaction is rolled back
	}
	if err := w.c.script("ROLLBACK TO item; RELEASE item"); err != nil {
		return nil, err
	}
	return mistake, nil
}

// log writes an event about an object and returns the event's id. before and after are snapshots, "" for none.
func (w *writing) log(ctx context.Context, object memory.ID, before, after string) (int64, error) {
	var episode any
	if w.episode != 0 {
		episode = w.episode
	}
	_, err := w.c.exec(ctx, `INSERT INTO mg_events (at, namespace, actor, client, call_id, action, object, before, after,
		reason, episode_id)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		memory.Millis(w.now), w.scope.Namespace, w.by.Actor, nullable(w.by.Client), nullable(
			w.by.CallID), w.action, object.String(),
		nullable(before), nullable(after), nullable(w.by.Reason), episode)
	if err != nil {
		return 0, err
	}
	return w.c.lastID(), nil
}

// text returns the first column of the first row as text, "" for no row.
func (c *conn) text(ctx context.Context, sql string, args ...any) (string, error) {
	var out string
	err := c.query(ctx, sql, textInto(&out), args...)
	return out, err
}
