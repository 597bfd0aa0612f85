package store

import (
	"context"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// deny ends a fact that is said never to have held: at its own beginning, or now if that is unknown or in the future.
// The facts that it superseded become active again, unless they now have a rival or are active already. If exactly one
// does, it supersedes the denied fact.
func (w *writing) deny(ctx context.Context, f fact) error {
	at := f.begin()
	if at.at == "" || at.at > memory.Seconds(w.now) {
		at = w.present()
	}
	if err := w.endAt(ctx, f, at, 0, causeEnded); err != nil {
		return err
	}
	restored, err := w.restoreReplaced(ctx, f)
	if err != nil || len(restored) != 1 {
		return err
	}
	return w.change(ctx, f.id, causeSuperseded, `superseded_by = ?2`, restored[0])
}

// restoreReplaced makes the facts that a fact superseded active again, unless they now have a rival or are active
// already. It returns their ids.
func (w *writing) restoreReplaced(ctx context.Context, f fact) (restored []int64, err error) {
	replaced, err := w.facts(ctx, `r.namespace = ? AND r.superseded_by = ? ORDER BY r.id`, w.scope.Namespace, f.id)
	if err != nil {
		return nil, err
	}
	for _, old := range replaced {
		typ, err := w.c.text(ctx, `SELECT type FROM mg_entities WHERE id = ?`, old.head)
		if err != nil {
			return nil, err
		}
		against, err := w.rivals(ctx, old, typ, false)
		if err != nil {
			return nil, err
		}
		again, err := w.rows(ctx, w.activeOn, old, ` AND r.id <> ?5`, old.id)
		if err != nil {
			return nil, err
		}
		if len(against)+len(again) > 0 {
			continue
		}
		if err := w.change(ctx, old.id, causeRestored, `valid_until = NULL, expires_at = NULL, expired_at = NULL,
			superseded_by = NULL, until_unit = NULL`); err != nil {
			return nil, err
		}
		restored = append(restored, old.id)
	}
	return restored, nil
}

// callOff takes back the ends that a plan had scheduled, after the plan ended before it began.
func (w *writing) callOff(ctx context.Context, plan fact, end string) error {
	if plan.validFrom <= memory.Seconds(w.now) || end > plan.validFrom {
		return nil
	}
	_, err := w.restoreReplaced(ctx, plan)
	return err
}

// restoreStill handles a claim that a superseded fact still holds ("I still live in Oslo", "Larder still uses MySQL").
// If trust allows, and the same turn does not state the fact that superseded it, it denies that one. It returns the
// restored fact.
func (w *writing) restoreStill(ctx context.Context, a assertion, out *memory.RelationWrite) ([]fact, error) {
	names := []string{a.relation}
	if graph.Lookup(a.relation).Kinds {
		names = graph.KindRelations()
	}
	in, args := relationIn(names)
	over, err := w.activeOn(ctx, `r.namespace = ? AND r.id IN (SELECT r.superseded_by FROM mg_facts r
		WHERE r.head_id = ? AND r.tail_id = ? AND `+in+`)`, append([]any{w.scope.Namespace, a.head, a.tail}, args...)...)
	if err != nil || len(over) != 1 || !mayEnd(a.fact, over[0]) {
		return nil, err
	}
	_, here, err := w.c.int64(ctx, `SELECT 1 FROM mg_evidence WHERE relationship_id = ? AND episode_id = ?`, over[0].id,
		w.episode)
	if err != nil || here {
		return nil, err
	}
	if err := w.deny(ctx, over[0]); err != nil {
		return nil, err
	}
	out.Superseded = append(out.Superseded, over[0].id)
	return w.activeOn(ctx, `r.namespace = ? AND r.head_id = ? AND r.relation = ? AND r.tail_id = ?`, w.scope.Namespace,
		a.head, a.relation, a.tail)
}
