package store

import (
	"context"
	"encoding/json"
	"fmt"

	"memory-graph/internal/memory"
)

// factSnapshot is a fact as events store it (relationshipSnapshot). Its keys are the columns of mg_relationships.
type factSnapshot struct {
	ID           int64   `json:"id"`
	Head         int64   `json:"head_id"`
	Relation     string  `json:"relation"`
	Tail         int64   `json:"tail_id"`
	Label        string  `json:"label"`
	EdgeClass    string  `json:"edge_class"`
	Fact         string  `json:"fact"`
	Confidence   float64 `json:"confidence"`
	Strength     float64 `json:"strength"`
	Origin       string  `json:"origin"`
	Method       string  `json:"method"`
	ValidFrom    *string `json:"valid_from"`
	ValidUntil   *string `json:"valid_until"`
	ExpiresAt    *string `json:"expires_at"`
	SupersededBy *int64  `json:"superseded_by"`
	FromUnit     *string `json:"from_unit"`
	UntilUnit    *string `json:"until_unit"`
}

func parseFactSnapshot(s string) (factSnapshot, error) {
	var out factSnapshot
	if err := json.Unmarshal([]byte(s), &out); err != nil {
		return out, fmt.Errorf("read the snapshot of a relationship: %w", err)
	}
	return out, nil
}

// live reports whether the fact is active at an instant, in seconds as stored.
func (f factSnapshot) live(now string) bool {
	return f.ValidUntil == nil && (f.ExpiresAt == nil || *f.ExpiresAt > now)
}

// expired returns the fact with its scheduled end as its end, if that is due.
func (f factSnapshot) expired(now string) factSnapshot {
	if f.ValidUntil == nil && !f.live(now) {
		f.ValidUntil = f.ExpiresAt
	}
	return f
}

// retracted returns the fact as one that was never true: it ends where it began. If its beginning is unknown, its end,
// or now, becomes its beginning.
func (f factSnapshot) retracted(now string) factSnapshot {
	f = f.expired(now)
	switch {
	case f.ValidFrom != nil:
		f.ValidUntil = f.ValidFrom
	case f.ValidUntil == nil:
		f.ValidFrom, f.ValidUntil = &now, &now
	default:
		f.ValidFrom, f.FromUnit = f.ValidUntil, f.UntilUnit
	}
	return f
}

// never reports whether the fact was never true.
func (f factSnapshot) never() bool {
	return f.ValidFrom != nil && f.ValidUntil != nil && *f.ValidFrom == *f.ValidUntil
}

// factTarget is the state that a fact is to get, and the state that it has.
type factTarget struct {
	before string // the current snapshot
	want   factSnapshot
}

// taken returns the id of the active fact with the same head, relation and tail as want; 0 for none. It ignores the
// facts in the list others.
func (w *writing) taken(ctx context.Context, want factSnapshot, others string) (int64, error) {
	found, err := w.rows(ctx, w.activeOn, fact{head: want.Head, relation: want.Relation, tail: want.Tail},
		` AND r.id NOT IN (SELECT value FROM json_each(?5))`, others)
	if err != nil || len(found) == 0 {
		return 0, err
	}
	return found[0].id, nil
}

// sound adapts a snapshot from another time to now: a due scheduled end becomes the end, and a reference to a forgotten
// fact is removed.
func (w *writing) sound(ctx context.Context, f factSnapshot) (factSnapshot, error) {
	f = f.expired(memory.Seconds(w.now))
	if err := w.mustStand(ctx, f); err != nil || f.SupersededBy == nil {
		return f, err
	}
	_, there, err := w.c.int64(ctx, `SELECT 1 FROM mg_facts WHERE id = ?`, *f.SupersededBy)
	if err == nil && !there {
		f.SupersededBy = nil
	}
	return f, err
}

// park takes facts out of the index of active facts, so that they can swap places.
func (w *writing) park(ctx context.Context, ids string) error {
	_, err := w.c.exec(ctx,
		`UPDATE mg_relationships SET valid_until = '' WHERE id IN (SELECT value FROM json_each(?)) AND valid_until IS NULL`,
		ids)
	return err
}

// writeFact writes a fact's target state to its row, with a version and an event if the meaning changes.
func (w *writing) writeFact(ctx context.Context, t factTarget, cause string) error {
	f := t.want
	if _, err := w.c.exec(ctx, `UPDATE mg_relationships SET head_id = ?2, relation = ?3, tail_id = ?4, label = ?5,
		edge_class = ?6, fact = ?7,
		confidence = ?8, strength = ?9, origin = ?10, method = ?11, valid_from = ?12, valid_until = ?13, expires_at = ?14,
		superseded_by = ?15, from_unit = ?17, until_unit = ?18,
		expired_at = CASE WHEN ?13 IS NULL THEN NULL ELSE coalesce(expired_at, ?16) END WHERE id = ?1`,
		f.ID, f.Head, f.Relation, f.Tail, f.Label, f.EdgeClass, f.Fact, f.Confidence, f.Strength, f.Origin, f.Method,
		optional(f.ValidFrom), optional(f.ValidUntil), optional(f.ExpiresAt), optional(f.SupersededBy), memory.Millis(
			w.now), optional(f.FromUnit), optional(f.UntilUnit)); err != nil {
		return err
	}
	return w.relationshipChanged(ctx, f.ID, cause, t.before)
}

// optional returns the value of a pointer as a parameter, NULL for nil.
func optional[T any](v *T) any {
	if v == nil {
		return nil
	}
	return *v
}
