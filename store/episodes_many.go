package store

import (
	"context"
	"crypto/sha256"
	"strings"
	"time"

	"memory-graph/internal/memory"
)

// RecordedTurn is the result of one of several turns: stored, or refused.
type RecordedTurn struct {
	Recorded
	Refused *memory.Error
}

// RecordEpisodes is RecordEpisode for several turns of one call in one transaction. A turn that is refused does not
// affect the others.
func (s *Store) RecordEpisodes(ctx context.Context, turns []NewEpisode, by memory.Caller) ([]RecordedTurn, error) {
	out := make([]RecordedTurn, len(turns))
	values := make([]prepared, len(turns))
	for i, in := range turns {
		values[i] = prepareEpisode(in)
	}
	err := s.writeGraph(ctx, "record episodes", importAction, memory.Scope{}, by,
		func(ctx context.Context, call *writing) error {
			for i, in := range turns {
				one := *call
				one.scope = in.Scope
				var err error
				if out[i].Refused, err = one.attempt(func() (err error) {
					out[i].Recorded, err = one.record(ctx, in, values[i])
					return err
				}); err != nil {
					return err
				}
			}
			return nil
		})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// StoredTurn is what tells whether a turn of an import is stored already.
type StoredTurn struct {
	ID     int64
	Key    string
	Role   memory.Role
	Hash   [sha256.Size]byte // of the content
	At     time.Time         // when it was said; of a call's turn, when it was stored
	Origin memory.Origin
	Hooked bool // it came from a hook
	Called bool // it came from a call of a tool
}

// SessionTurns calls visit with the turns of a session.
func (s *Store) SessionTurns(ctx context.Context, namespace, session string, visit func(StoredTurn)) error {
	return s.storedTurns(ctx, visit, `session_id = ?`, namespace, session)
}

// CalledTurns calls visit with the turns that came from calls of tools and name no source.
func (s *Store) CalledTurns(ctx context.Context, namespace string, visit func(StoredTurn)) error {
	return s.storedTurns(ctx, visit, `source IS NULL`, namespace)
}

func (s *Store) storedTurns(ctx context.Context, visit func(StoredTurn), which string, args ...any) error {
	return s.readOne(ctx, "read stored turns", func(c *conn) error {
		return c.query(ctx, `SELECT id, coalesce(idempotency_key, ''), role, content_hash, occurred_at, created_at, origin,
			coalesce(source, '') FROM mg_episodes WHERE namespace = ? AND `+which+` AND status <> '`+memory.StatusWithdrawn+
			`'`, func(r cursor) error {
			t := StoredTurn{ID: r.int64(0), Key: r.text(1), Role: memory.Role(r.text(2)), Origin: memory.Origin(r.text(6))}
			copy(t.Hash[:], r.rawBlob(3))
			source := r.text(7)
			t.Hooked, t.Called = strings.HasPrefix(source, memory.HookSource), source == ""
			column := 4
			if t.Called {
				column = 5
			}
			var err error
			if t.At, err = r.time(column); err == nil {
				visit(t)
			}
			return err
		}, args...)
	})
}
