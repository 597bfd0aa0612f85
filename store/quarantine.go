package store

import (
	"context"
	"encoding/json"
	"fmt"

	"memory-graph/internal/memory"
)

// releaseAction is the action in the event log that lets a turn out of quarantine.
const releaseAction = "release"

// QuarantinedTurn is a turn that looks like an attack.
type QuarantinedTurn struct {
	memory.Episode
	Reasons []string // for the quarantine; never nil
}

// QuarantinedTurns returns up to limit quarantined turns of the namespace with ids greater than after, oldest first.
func (s *Store) QuarantinedTurns(ctx context.Context, namespace string, after int64, limit int) ([]QuarantinedTurn,
	error) {
	found := []QuarantinedTurn{}
	err := s.readOne(ctx, "read the quarantine", func(c *conn) error {
		return c.query(ctx, `SELECT
			`+episodeColumns+`, e.reasons FROM mg_episodes e WHERE e.namespace = ? AND e.status =
			'quarantined'
			AND e.status IN ('pending', 'failed', 'quarantined') AND e.id > ? ORDER BY e.id LIMIT
			?`, func(row cursor) error {
			e, err := scanEpisode(row)
			if err != nil {
				return err
			}
			q := QuarantinedTurn{e, []string{}}
			if text := row.text(episodeFields); text != "" {
				if err := json.Unmarshal([]byte(text), &q.Reasons); err != nil {
					return fmt.Errorf("episode %d: reasons: %w", e.ID, err)
				}
			}
			found = append(found, q)
			return nil
		}, namespace, after, limit)
	})
	return found, err
}

// Release describes a turn to release from quarantine, with what the rules find in it now.
type Release struct {
	Namespace string
	Episode   int64
	Status    string // its new status: pending with jobs, done or skipped
	Reading
}

// ReleaseTurn releases a turn from quarantine: from now on it is a turn like any other. All writes are one call, which
// undo reverses. Errors: NotFound, and Conflict for a turn that is not in quarantine.
func (s *Store) ReleaseTurn(ctx context.Context, r Release, by memory.Caller) (Written, error) {
	var out Written
	err := s.writeGraph(ctx, "release from quarantine", releaseAction, memory.Scope{Namespace: r.Namespace}, by,
		func(ctx context.Context, w *writing) error {
			out = Written{}
			e, err := episodeByID(ctx, w.c, r.Namespace, r.Episode)
			if err != nil {
				return err
			}
			if e.Status != memory.StatusQuarantined {
				return memory.Errorf(memory.Conflict, "%s is not in quarantine: its status is %s.", memory.EpisodeID(e.ID),
					e.Status).
					WithHint("`memory-graph quarantine list` lists the turns that are.")
			}
			w.scope, w.episode = e.Scope, e.ID
			if err := w.moveTurn(ctx, e.ID, turnSnapshot{Status: e.Status}, turnSnapshot{Status: r.Status}); err != nil {
				return err
			}
			if err := w.addFindings(ctx, e, r.Found, &out); err != nil {
				return err
			}
			if r.RulesRead {
				if _, err := w.c.exec(ctx, `UPDATE mg_episodes SET rules_read = 1 WHERE id = ?`, e.ID); err != nil {
					return err
				}
			}
			for _, kind := range r.Jobs {
				if err := enqueue(ctx, w.c, kind, r.Namespace, memory.EpisodeID(e.ID).String(), w.now); err != nil {
					return err
				}
			}
			return nil
		})
	if err != nil {
		return Written{}, err
	}
	return out, nil
}
