package store

import (
	"context"
	"time"

	"memory-graph/internal/memory"
)

// CallFilter selects calls. Namespace is required; a zero value elsewhere does not narrow.
type CallFilter struct {
	Namespace    string
	Since, Until time.Time // Until is exclusive
	Entity       int64     // only calls that changed it or its facts
	Before       int64     // only calls whose newest change is older than this event, the last of the previous page
}

// callItemsShown is the number of objects that Calls names for each call. callsRead is the number of events that it
// reads at once.
const (
	callItemsShown = 3
	callsRead      = 32
)

// Calls returns the calls that changed a meaning, newest first, each call once. A change without a call counts as a
// call. It returns up to limit; more reports that there are others.
func (s *Store) Calls(ctx context.Context, f CallFilter, limit int) (calls []memory.Call, more bool, err error) {
	w, from := changesOf(f.Namespace, f.Since, f.Until, f.Entity)
	err = s.read(ctx, "read calls", func(c *conn) error {
		calls = []memory.Call{}
		if f.Entity != 0 {
			if err := needNode(ctx, c, f.Namespace, f.Entity); err != nil {
				return err
			}
		}
		r := callReader{c: c, namespace: f.Namespace, from: from, where: w, seen: map[string]bool{}}
		before := f.Before
		for len(calls) <= limit {
			events, err := r.page(ctx, before)
			if err != nil || len(events) == 0 {
				return err
			}
			for _, e := range events {
				before = e.ID
				call, first, ok, err := r.call(ctx, e)
				if err != nil {
					return err
				}
				if ok {
					if calls = append(calls, call); len(calls) > limit {
						break
					}
				}
				if first < e.ID { // the call wrote all events from first to this one
					before = first
					break
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, false, err
	}
	if more = len(calls) > limit; more {
		calls = calls[:limit]
	}
	return calls, more, nil
}

// callReader reads calls from their events, the newest first.
type callReader struct {
	c         *conn
	namespace string
	from      string
	where     *where
	seen      map[string]bool
}

func (r *callReader) page(ctx context.Context, before int64) (events []memory.Event, err error) {
	w, args := r.where.sql.String(), r.where.args
	if before != 0 {
		w, args = w+` AND v.id < ?`, append(args[:len(args):len(args)], before)
	}
	err = r.c.query(ctx, `SELECT `+eventColumns+` FROM `+r.from+` WHERE `+w+` ORDER BY v.id DESC LIMIT ?`,
		func(row cursor) error {
			e, err := scanEvent(row, 0)
			events = append(events, e)
			return err
		}, append(args[:len(args):len(args)], callsRead)...)
	return events, err
}

// call returns the call of an event, if the event is the newest of the call that was asked for. If nothing else was
// written between the call's events, first is the oldest of them, else the event itself.
func (r *callReader) call(ctx context.Context, e memory.Event) (call memory.Call, first int64, ok bool, err error) {
	call, first = memory.Call{Newest: e, Began: e.At}, e.ID
	if e.CallID == "" {
		call.First, _, err = r.c.objectItems(ctx, e)
		countItems(&call, call.First)
		return call, first, true, err
	}
	if r.seen[e.CallID] {
		return call, first, false, nil
	}
	r.seen[e.CallID] = true
	newest, _, err := r.c.int64(ctx, `SELECT v.id FROM mg_events v INDEXED BY mg_events_call WHERE `+r.where.sql.String()+
		` AND v.call_id = ? ORDER BY v.id DESC LIMIT 1`,
		append(r.where.args[:len(r.where.args):len(r.where.args)], e.CallID)...)
	if err != nil || newest != e.ID {
		return call, first, false, err
	}
	var last, events int64
	if err = r.c.query(ctx, `SELECT min(v.id), max(v.id), count(*),
		count(DISTINCT iif(v.object LIKE 'r%', v.object, NULL)), count(DISTINCT iif(`+calledTurn+`, v.object, NULL)),
		count(DISTINCT iif(`+calledNode+`, v.object, NULL)), min(v.at)
		FROM mg_events v INDEXED BY mg_events_call WHERE v.namespace = ? AND v.call_id = ?`, func(row cursor) (err error) {
		first, last, events = row.int64(0), row.int64(1), row.int64(2)
		call.Facts, call.Turns, call.Entities = row.int(3), row.int(4), row.int(5)
		call.Began, err = row.time(6)
		return err
	}, r.namespace, e.CallID); err != nil {
		return call, first, false, err
	}
	if last-first+1 != events {
		first = e.ID
	}
	call.First, _, err = r.c.callItems(ctx, r.namespace, e.CallID, 0, callItemsShown)
	return call, first, true, err
}

// countItems counts the objects of a change without a call.
func countItems(call *memory.Call, items []memory.CallItem) {
	for _, it := range items {
		switch it.Object.Kind {
		case memory.KindRelationship:
			call.Facts++
		case memory.KindEpisode:
			call.Turns++
		default:
			call.Entities++
		}
	}
}

// CallItems returns what a call changed: facts first, then turns, then entities; entities first if the call was about
// them. It skips the first offset objects and reports whether there are more than limit. The error is NotFound for a
// call that changed nothing here.
func (s *Store) CallItems(ctx context.Context, namespace, call string, offset, limit int) (items []memory.CallItem,
	more bool, err error) {
	err = s.read(ctx, "read a call", func(c *conn) error {
		items, more, err = c.callItems(ctx, namespace, call, offset, limit)
		if err == nil && len(items) == 0 && offset == 0 {
			err = memory.Errorf(memory.NotFound, "No call %q changed anything in namespace %q.", clip(call), namespace).
				WithHint("what_changed lists calls.")
		}
		return err
	})
	return items, more, err
}
