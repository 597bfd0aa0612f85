package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"memory-graph/internal/memory"
)

// turnSnapshot is what an event stores of a turn whose status or trust changes: it goes into or out of quarantine, its
// origin changes, or its import is undone or redone.
type turnSnapshot struct {
	Status string        `json:"status"`
	Origin memory.Origin `json:"origin,omitempty"` // if it changes

	// What a withdrawn turn has lost.
	Key      string            `json:"key,omitempty"`
	Mentions []mentionSnapshot `json:"mentions,omitempty"`
}

type mentionSnapshot struct {
	Entity int64  `json:"entity_id"`
	Role   string `json:"role"`
	Start  *int64 `json:"start,omitempty"`
	Stop   *int64 `json:"stop,omitempty"`
}

// json returns the snapshot as JSON.
func (s turnSnapshot) json() string {
	text, _ := json.Marshal(s) // plain values never fail
	return string(text)
}

// moveTurn changes a turn's status and origin, and writes the event.
func (w *writing) moveTurn(ctx context.Context, id int64, from, to turnSnapshot) error {
	if _, err := w.c.exec(ctx, `UPDATE mg_episodes SET status = ?2, origin = coalesce(?3, origin) WHERE id = ?1`, id,
		to.Status, nullable(to.Origin)); err != nil {
		return err
	}
	_, err := w.log(ctx, memory.EpisodeID(id), from.json(), to.json())
	return err
}

// raiseTurn raises the trust of a stored turn to that of a new one with the same key and text. What is found in it now
// gets the new trust.
func (w *writing) raiseTurn(ctx context.Context, in NewEpisode, out *Recorded) error {
	e := out.Episode
	w.scope, w.episode = e.Scope, e.ID
	if err := w.moveTurn(ctx, e.ID, turnSnapshot{Status: e.Status, Origin: e.Origin},
		turnSnapshot{Status: in.Status, Origin: in.Origin}); err != nil {
		return err
	}
	out.Raised, out.Episode.Origin, out.Episode.Status = true, in.Origin, in.Status
	if in.RulesRead {
		if _, err := w.c.exec(ctx, `UPDATE mg_episodes SET rules_read = 1 WHERE id = ?`, e.ID); err != nil {
			return err
		}
	}
	if err := w.addFindings(ctx, out.Episode, in.Found, &out.Found); err != nil {
		return err
	}
	for _, kind := range in.Jobs {
		if err := enqueue(ctx, w.c, kind, e.Scope.Namespace, memory.EpisodeID(e.ID).String(), w.now); err != nil {
			return err
		}
	}
	return nil
}

// turnTarget is a turn's current and target state in an undo.
type turnTarget struct {
	id       int64
	is, want turnSnapshot
}

// addTurn adds the reversal of a turn's change. It refuses to undo a release if a later call of the model has read the
// turn. Only a person can release a turn from quarantine, even by undoing the undo of a release.
func (u *undoing) addTurn(ctx context.Context, e changeEvent) error {
	w := u.w
	found, err := episodeIfThere(ctx, w.c, w.scope.Namespace, e.object.Num)
	if err != nil || found == nil { // forgotten since
		return err
	}
	t := turnTarget{id: e.object.Num, is: turnSnapshot{Status: found.Status},
		want: turnSnapshot{Status: memory.StatusWithdrawn}}
	if e.before != "" {
		if err := json.Unmarshal([]byte(e.before), &t.want); err != nil {
			return fmt.Errorf("event %d: before: %w", e.id, err)
		}
	}
	if t.want.Origin != "" {
		t.is.Origin = found.Origin
	}
	if t.want.Status == memory.StatusWithdrawn || t.is.Status == memory.StatusWithdrawn {
		u.turns = append(u.turns, t)
		return nil
	}
	if t.is.Status == memory.StatusQuarantined && memory.SuppliedOrigin(w.by.Actor) != memory.OriginUser {
		return memory.Errorf(memory.Conflict, "%s is in quarantine, and only a person releases it.", e.object).
			WithHint("Ask the user to run `memory-graph quarantine release %s`.", e.object)
	}
	read, err := w.c.text(ctx, `SELECT v.call_id FROM mg_events v WHERE v.namespace = ? AND v.episode_id = ? AND v.action =
		'`+extractAction+`'
		AND v.undone_by IS NULL AND `+changedMeaning+` ORDER BY v.id DESC LIMIT 1`, w.scope.Namespace, e.object.Num)
	if err != nil {
		return err
	}
	if read != "" {
		return memory.Errorf(memory.Conflict, "%s was read by the model since, by the call %s (%s).", e.object, read,
			extractAction).
			WithHint("Undo that call first.")
	}
	u.turns = append(u.turns, t)
	return nil
}

// moveTurns gives turns their target states.
func (u *undoing) moveTurns(ctx context.Context) error {
	w := u.w
	defer func(old int64) { w.episode = old }(w.episode)
	var going, coming []turnTarget
	for _, t := range u.turns {
		w.episode = t.id
		var err error
		switch {
		case t.is.Status == t.want.Status && t.is.Origin == t.want.Origin:
		case t.want.Status == memory.StatusWithdrawn:
			going = append(going, t)
		case t.is.Status == memory.StatusWithdrawn: // it counts as evidence when others are withdrawn
			coming = append(coming, t)
			_, err = w.c.exec(ctx, `UPDATE mg_episodes SET status = ? WHERE id = ?`, t.want.Status, t.id)
		default:
			err = w.restand(ctx, t)
		}
		if err != nil {
			return err
		}
	}
	if err := u.withdraw(ctx, going); err != nil {
		return err
	}
	for _, t := range coming { // after the turns that replaced them and took their keys
		w.episode = t.id
		if err := w.readmit(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// restand moves a turn back into quarantine or out of it, or restores its origin. A turn in quarantine mentions only
// what its caller supplied, and has no extract job.
func (w *writing) restand(ctx context.Context, t turnTarget) error {
	if err := w.moveTurn(ctx, t.id, t.is, t.want); err != nil {
		return err
	}
	if t.want.Status != memory.StatusQuarantined {
		return w.requeue(ctx, t)
	}
	const supplied = `SELECT CAST(substr(v.object, 2) AS INTEGER) FROM mg_events v WHERE v.episode_id = ?1 AND v.action =
		'store_episode' AND v.object GLOB '[em]*'
		UNION SELECT r.head_id FROM mg_evidence x JOIN mg_facts r ON r.id = x.relationship_id WHERE x.episode_id = ?1
		AND x.method = 'supplied'
		UNION SELECT r.tail_id FROM mg_evidence x JOIN mg_facts r ON r.id = x.relationship_id WHERE x.episode_id = ?1
		AND x.method = 'supplied'`
	_, gone := w.c.exec(ctx, `DELETE FROM mg_mentions WHERE episode_id = ?1 AND role NOT IN `+heldRoles+
		` AND entity_id NOT IN (`+supplied+`)`, t.id)
	_, freed := w.c.exec(ctx, dropExtractJob, KindExtract, memory.EpisodeID(t.id).String())
	_, unread := w.c.exec(ctx, `UPDATE mg_episodes SET rules_read = 0, model_read = 0 WHERE id = ?`, t.id)
	return cmp.Or(gone, freed, unread)
}

const dropExtractJob = `DELETE FROM mg_jobs WHERE kind = ? AND subject = ? AND status <> 'done'`

// requeue queues the extract job of a turn that still waits for the model.
func (w *writing) requeue(ctx context.Context, t turnTarget) error {
	if t.want.Status != memory.StatusPending && t.want.Status != memory.StatusFailed {
		return nil
	}
	return enqueue(ctx, w.c, KindExtract, w.scope.Namespace, memory.EpisodeID(t.id).String(), w.now)
}
