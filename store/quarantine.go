package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"github.com/ncruces/go-sqlite3"

	"memory-graph/memory"
)

// releaseAction is what lets a turn out of quarantine, in the event log.
const releaseAction = "release"

// QuarantinedTurn is a turn that looks like an attack.
type QuarantinedTurn struct {
	memory.Episode
	Reasons []string // why; never nil
}

// QuarantinedTurns gives up to limit turns in the namespace's quarantine behind the id after, oldest first.
func (s *Store) QuarantinedTurns(ctx context.Context, namespace string, after int64, limit int) ([]QuarantinedTurn, error) {
	found := []QuarantinedTurn{}
	err := s.readOne(ctx, "read the quarantine", func(c *conn) error {
		return c.query(ctx, `SELECT `+episodeColumns+`, e.reasons FROM mg_episodes e WHERE e.namespace = ? AND e.status = 'quarantined'
			AND e.status IN ('pending', 'failed', 'quarantined') AND e.id > ? ORDER BY e.id LIMIT ?`, func(row *sqlite3.Stmt) error {
			e, err := scanEpisode(row)
			if err != nil {
				return err
			}
			q := QuarantinedTurn{e, []string{}}
			if text := row.ColumnText(14); text != "" {
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

// Release lets a turn out of quarantine, with what the rules find in it now.
type Release struct {
	Namespace string
	Episode   int64
	Status    string // what it becomes: pending with jobs, done or skipped
	Jobs      []string
	RulesRead bool
	Mentions  []Mention
	Found     Found
}

// ReleaseTurn lets a turn out of quarantine: from now on it is a turn like any other. What is written is one call, which
// undo takes back. Errors: NotFound, and Conflict for a turn that is not in quarantine.
func (s *Store) ReleaseTurn(ctx context.Context, r Release, by memory.Caller) (Written, error) {
	var out Written
	err := s.writeGraph(ctx, "release from quarantine", releaseAction, memory.Scope{Namespace: r.Namespace}, by, func(ctx context.Context, w *writing) error {
		out = Written{}
		e, err := episodeByID(ctx, w.c, r.Namespace, r.Episode)
		if err != nil {
			return err
		}
		if e.Status != memory.StatusQuarantined {
			return memory.Errorf(memory.Conflict, "%s is not in quarantine: its status is %s.", memory.EpisodeID(e.ID), e.Status).
				WithHint("`memory-graph quarantine list` shows what is.")
		}
		w.scope, w.episode = e.Scope, e.ID
		if err := w.moveTurn(ctx, e.ID, e.Status, r.Status); err != nil {
			return err
		}
		if err := w.found(ctx, e.ID, r.Found, &out); err != nil {
			return err
		}
		if err := w.linkMentions(ctx, e, r.Mentions); err != nil {
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

// turnSnapshot is what an event keeps of a turn that went into quarantine or out of it.
type turnSnapshot struct {
	Status string `json:"status"`
}

// moveTurn changes a turn's status, with the event of it.
func (w *writing) moveTurn(ctx context.Context, id int64, from, to string) error {
	before, _ := json.Marshal(turnSnapshot{from}) // of a plain value: never fails
	after, _ := json.Marshal(turnSnapshot{to})
	if _, err := w.c.exec(ctx, `UPDATE mg_episodes SET status = ? WHERE id = ?`, to, id); err != nil {
		return err
	}
	_, err := w.log(ctx, memory.EpisodeID(id), string(before), string(after))
	return err
}

// turnTarget is a turn whose release is taken back, or done again.
type turnTarget struct {
	id       int64
	is, want string // statuses
}

// addTurn works out what taking back the release of a turn means. It is refused once the model has read the turn, by a
// call of its own.
func (u *undoing) addTurn(ctx context.Context, e changeEvent) error {
	w := u.w
	is, err := w.c.text(ctx, `SELECT status FROM mg_episodes WHERE id = ? AND namespace = ?`, e.object.Num, w.scope.Namespace)
	if err != nil || is == "" { // forgotten since
		return err
	}
	var was turnSnapshot
	if err := json.Unmarshal([]byte(e.before), &was); err != nil {
		return fmt.Errorf("event %d: before: %w", e.id, err)
	}
	read, err := w.c.text(ctx, `SELECT v.call_id FROM mg_events v WHERE v.namespace = ? AND v.episode_id = ? AND v.action = '`+extractAction+`'
		AND v.undone_by IS NULL AND `+changedMeaning+` ORDER BY v.id DESC LIMIT 1`, w.scope.Namespace, e.object.Num)
	if err != nil {
		return err
	}
	if read != "" {
		return memory.Errorf(memory.Conflict, "%s was read by the model since, by the call %s (%s).", e.object, read, extractAction).
			WithHint("Undo that call first.")
	}
	u.turns = append(u.turns, turnTarget{e.object.Num, is, was.Status})
	return nil
}

// moveTurns puts turns back into quarantine, or out of it again. In it a turn mentions nothing but what its caller
// supplied with it, and waits for nobody.
func (u *undoing) moveTurns(ctx context.Context) error {
	w := u.w
	defer func(old int64) { w.episode = old }(w.episode)
	for _, t := range u.turns {
		w.episode = t.id
		if err := w.moveTurn(ctx, t.id, t.is, t.want); err != nil {
			return err
		}
		subject := memory.EpisodeID(t.id).String()
		if t.want != memory.StatusQuarantined {
			if t.want == memory.StatusPending || t.want == memory.StatusFailed {
				if err := enqueue(ctx, w.c, KindExtract, w.scope.Namespace, subject, w.now); err != nil {
					return err
				}
			}
			continue
		}
		const supplied = `SELECT CAST(substr(v.object, 2) AS INTEGER) FROM mg_events v WHERE v.episode_id = ?1 AND v.action = 'store_episode' AND v.object GLOB '[em]*'
			UNION SELECT r.head_id FROM mg_evidence x JOIN mg_relationships r ON r.id = x.relationship_id WHERE x.episode_id = ?1 AND x.method = 'supplied'
			UNION SELECT r.tail_id FROM mg_evidence x JOIN mg_relationships r ON r.id = x.relationship_id WHERE x.episode_id = ?1 AND x.method = 'supplied'`
		_, gone := w.c.exec(ctx, `DELETE FROM mg_mentions WHERE episode_id = ?1 AND entity_id NOT IN (`+supplied+`)`, t.id)
		_, freed := w.c.exec(ctx, `DELETE FROM mg_jobs WHERE kind = ? AND subject = ? AND status <> 'done'`, KindExtract, subject)
		_, unread := w.c.exec(ctx, `UPDATE mg_episodes SET rules_read = 0, model_read = 0 WHERE id = ?`, t.id)
		if err := cmp.Or(gone, freed, unread); err != nil {
			return err
		}
	}
	return nil
}
