package store

import (
	"context"
	"encoding/json"
	"fmt"

	"memory-graph/internal/memory"
)

// factSnapshot is a fact as events keep it (relationshipSnapshot). Its keys are the columns of mg_relationships.
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
}

func parseFactSnapshot(s string) (factSnapshot, error) {
	var out factSnapshot
	if err := json.Unmarshal([]byte(s), &out); err != nil {
		return out, fmt.Errorf("read the snapshot of a relationship: %w", err)
	}
	return out, nil
}

// live says whether the fact is active at an instant in seconds as stored.
func (f factSnapshot) live(now string) bool {
	return f.ValidUntil == nil && (f.ExpiresAt == nil || *f.ExpiresAt > now)
}

// expired gives the fact with its scheduled end as its end, if that has come.
func (f factSnapshot) expired(now string) factSnapshot {
	if f.ValidUntil == nil && !f.live(now) {
		f.ValidUntil = f.ExpiresAt
	}
	return f
}

// retracted gives the fact as one that never held: it ends where it began. Of a past fact whose beginning nobody knows
// nothing can be taken away, since no read at any time takes it.
func (f factSnapshot) retracted(now string) factSnapshot {
	switch {
	case f.ValidFrom != nil:
		f.ValidUntil = f.ValidFrom
	case f.ValidUntil == nil:
		f.ValidUntil = &now
	}
	return f
}

// factTarget is what a fact is to become, and what it was before.
type factTarget struct {
	before string // the snapshot as it is now
	want   factSnapshot
}

// taken gives the active fact, other than those, that stands where a fact wants to be active; 0 for none.
func (w *writing) taken(ctx context.Context, want factSnapshot, others string) (int64, error) {
	found, err := w.activeOn(ctx,
		`r.namespace = ? AND r.head_id = ? AND r.relation = ? AND r.tail_id = ? AND r.id NOT IN (SELECT value FROM
			json_each(?))`,
		w.scope.Namespace, want.Head, want.Relation, want.Tail, others)
	if err != nil || len(found) == 0 {
		return 0, err
	}
	return found[0].id, nil
}

// sound makes what was right at another time right now: an end that has come is one, and nothing refers to what has
// been forgotten since.
func (w *writing) sound(ctx context.Context, f factSnapshot) (factSnapshot, error) {
	f = f.expired(memory.Seconds(w.now))
	if err := w.mustStand(ctx, f); err != nil || f.SupersededBy == nil {
		return f, err
	}
	_, there, err := w.c.int64(ctx, `SELECT 1 FROM mg_relationships WHERE id = ?`, *f.SupersededBy)
	if err == nil && !there {
		f.SupersededBy = nil
	}
	return f, err
}

// park takes facts out of the index of what is active, so that they can change places among themselves.
func (w *writing) park(ctx context.Context, ids string) error {
	_, err := w.c.exec(ctx,
		`UPDATE mg_relationships SET valid_until = '' WHERE id IN (SELECT value FROM json_each(?)) AND valid_until IS NULL`,
		ids)
	return err
}

// writeFact brings a fact's row to what it is to become, with its version and event where that means something else.
func (w *writing) writeFact(ctx context.Context, t factTarget, cause string) error {
	f := t.want
	if _, err := w.c.exec(ctx, `UPDATE mg_relationships SET head_id = ?2, relation = ?3, tail_id = ?4, label = ?5,
		edge_class = ?6, fact = ?7,
		confidence = ?8, strength = ?9, origin = ?10, method = ?11, valid_from = ?12, valid_until = ?13, expires_at = ?14,
		superseded_by = ?15,
		expired_at = CASE WHEN ?13 IS NULL THEN NULL ELSE coalesce(expired_at, ?16) END WHERE id = ?1`,
		f.ID, f.Head, f.Relation, f.Tail, f.Label, f.EdgeClass, f.Fact, f.Confidence, f.Strength, f.Origin, f.Method,
		optional(f.ValidFrom), optional(f.ValidUntil), optional(f.ExpiresAt), optional(f.SupersededBy), memory.Millis(
			w.now)); err != nil {
		return err
	}
	return w.relationshipChanged(ctx, f.ID, cause, t.before)
}

// optional binds what a pointer points to, NULL for nil.
func optional[T any](v *T) any {
	if v == nil {
		return nil
	}
	return *v
}
