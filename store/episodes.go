package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"time"

	"github.com/ncruces/go-sqlite3"

	"memory-graph/memory"
	"memory-graph/text"
)

// duplicateWindow is how long the same words of the same speaker, with nothing between, are one turn (decision 28).
const duplicateWindow = 10 * time.Minute

// NewEpisode is a turn to record. Its values are checked and masked by the caller; nothing is changed or cut here.
type NewEpisode struct {
	Scope          memory.Scope
	Role           memory.Role
	Speaker        string
	Source         string
	Content        string
	OccurredAt     time.Time // zero: now
	Origin         memory.Origin
	Status         string   // a memory.Status…
	Reasons        []string // why quarantined, skipped or masked
	IdempotencyKey string
	Jobs           []string // kinds of jobs to queue about it besides embedding, such as "extract"
	Actor          string   // for the event: the kind of caller
	Client         string
	CallID         string
}

// Recorded is what became of a turn.
type Recorded struct {
	Episode   memory.Episode // as stored; of a duplicate, the first one
	Duplicate bool
	// SameKey says that the duplicate was told by its idempotency key, Differs that the text under that key was another
	// one (which is not stored: a key stands for one turn).
	SameKey, Differs bool
}

// RecordEpisode writes a turn with its text index row, its jobs and its event in one transaction, unless it is a
// duplicate (decision 28): the same idempotency key in the namespace, or the same words of the same speaker as the
// session's last turn within ten minutes of the store's clock. When it returns, the turn survives a killed process and
// the next search finds it by text.
func (s *Store) RecordEpisode(ctx context.Context, in NewEpisode) (Recorded, error) {
	var out Recorded
	// What can be done outside the lock is.
	hash := sha256.Sum256([]byte(in.Content))
	content, speaker := text.Prepare(in.Content), text.Prepare(in.Speaker)
	err := s.write(ctx, "record episode", func(c *conn) error {
		now := s.now().UTC()
		var err error
		if out, err = findDuplicate(ctx, c, in, hash[:], now); err != nil || out.Duplicate {
			return err
		}
		e := memory.Episode{Scope: in.Scope, Role: in.Role, Speaker: in.Speaker, Source: in.Source, Content: in.Content,
			OccurredAt: in.OccurredAt, CreatedAt: now.Truncate(time.Millisecond), Origin: in.Origin, Status: in.Status}
		if e.OccurredAt.IsZero() {
			e.OccurredAt = now
		}
		e.OccurredAt = e.OccurredAt.UTC().Truncate(time.Second)
		if e.Seq, err = nextSeq(ctx, c, in.Scope); err != nil {
			return err
		}
		if e.ID, err = insertEpisode(ctx, c, e, in, hash[:]); err != nil {
			return err
		}
		if _, err := c.exec(ctx, `INSERT INTO mg_episodes_fts (rowid, content, speaker, scope) VALUES (?, ?, ?, ?)`,
			e.ID, content, speaker, scopeText(in.Scope, in.Role)); err != nil {
			return err
		}
		if err := s.enqueueFor(ctx, c, e, in.Jobs, now); err != nil {
			return err
		}
		if err := insertEvent(ctx, c, event{at: now, namespace: in.Scope.Namespace, actor: in.Actor, client: in.Client,
			callID: in.CallID, action: "store_episode", object: memory.EpisodeID(e.ID).String(), episode: e.ID}); err != nil {
			return err
		}
		out.Episode = e
		return nil
	})
	if err != nil {
		return Recorded{}, err
	}
	return out, nil
}

func findDuplicate(ctx context.Context, c *conn, in NewEpisode, hash []byte, now time.Time) (Recorded, error) {
	if in.IdempotencyKey != "" {
		id, ok, err := c.int64(ctx, `SELECT id FROM mg_episodes WHERE namespace = ? AND idempotency_key = ?`,
			in.Scope.Namespace, in.IdempotencyKey)
		if err != nil {
			return Recorded{}, err
		}
		if ok {
			first, err := episodeByID(ctx, c, in.Scope.Namespace, id)
			return Recorded{Episode: first, Duplicate: true, SameKey: true, Differs: first.Content != in.Content || first.Role != in.Role}, err
		}
	}
	id, ok, err := lastTurn(ctx, c, in, hash, now)
	if err != nil || !ok {
		return Recorded{}, err
	}
	first, err := episodeByID(ctx, c, in.Scope.Namespace, id)
	return Recorded{Episode: first, Duplicate: true}, err
}

const lastTurnColumns = `SELECT id, role, coalesce(speaker, ''), content_hash, created_at, idempotency_key IS NOT NULL FROM mg_episodes `

// lastTurn gives the session's last turn when it says the same as in.
func lastTurn(ctx context.Context, c *conn, in NewEpisode, hash []byte, now time.Time) (id int64, same bool, err error) {
	row := func(s *sqlite3.Stmt) error {
		at, err := memory.ParseStored(s.ColumnText(4))
		if err != nil {
			return fmt.Errorf("episode %d: created_at: %w", s.ColumnInt64(0), err)
		}
		// A clock that was set back must not make a duplicate of everything until it has caught up.
		age := now.Sub(at).Abs()
		twoKeys := in.IdempotencyKey != "" && s.ColumnBool(5) // an equal key was found before
		id = s.ColumnInt64(0)
		same = age <= duplicateWindow && !twoKeys && s.ColumnText(1) == string(in.Role) &&
			s.ColumnText(2) == in.Speaker && bytes.Equal(s.ColumnRawBlob(3), hash)
		return nil
	}
	if in.Scope.SessionID != "" {
		err = c.query(ctx, lastTurnColumns+`WHERE namespace = ? AND session_id = ? ORDER BY seq DESC LIMIT 1`, row,
			in.Scope.Namespace, in.Scope.SessionID)
	} else {
		err = c.query(ctx, lastTurnColumns+`WHERE namespace = ? AND session_id IS NULL AND project IS ? AND user IS ? ORDER BY id DESC LIMIT 1`, row,
			in.Scope.Namespace, nullable(in.Scope.Project), nullable(in.Scope.User))
	}
	return id, same, err
}

// nextSeq gives the next place in the session, 0 without one.
func nextSeq(ctx context.Context, c *conn, scope memory.Scope) (int64, error) {
	if scope.SessionID == "" {
		return 0, nil
	}
	last, _, err := c.int64(ctx, `SELECT max(seq) FROM mg_episodes WHERE namespace = ? AND session_id = ?`, scope.Namespace, scope.SessionID)
	return last + 1, err
}

func insertEpisode(ctx context.Context, c *conn, e memory.Episode, in NewEpisode, hash []byte) (int64, error) {
	var reasons nullable
	if len(in.Reasons) > 0 {
		list, err := json.Marshal(in.Reasons)
		if err != nil {
			return 0, fmt.Errorf("write reasons: %w", err)
		}
		reasons = nullable(list)
	}
	_, err := c.exec(ctx, `INSERT INTO mg_episodes (namespace, project, user, session_id, seq, role, speaker, source, idempotency_key,
		occurred_at, created_at, origin, status, reasons, content_hash, content) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		e.Scope.Namespace, nullable(e.Scope.Project), nullable(e.Scope.User), nullable(e.Scope.SessionID), e.Seq, string(e.Role),
		nullable(e.Speaker), nullable(e.Source), nullable(in.IdempotencyKey), memory.Seconds(e.OccurredAt), memory.Millis(e.CreatedAt),
		string(e.Origin), e.Status, reasons, hash, e.Content)
	if err != nil {
		return 0, err
	}
	return c.LastInsertRowID(), nil
}

// event is one row of the log of changes (decision 32).
type event struct {
	at                                               time.Time
	namespace, actor, client, callID, action, object string
	episode                                          int64
}

func insertEvent(ctx context.Context, c *conn, e event) error {
	_, err := c.exec(ctx, `INSERT INTO mg_events (at, namespace, actor, client, call_id, action, object, episode_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		memory.Millis(e.at), e.namespace, e.actor, nullable(e.client), nullable(e.callID), e.action, e.object, e.episode)
	return err
}
