package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// healRelationAction names the calls of HealRelations in the event log. undo without a call's id passes over them.
const healRelationAction = "heal_relation"

// healedAStep is how many facts one step changes, so that it holds the write lock only briefly. Tests make it small.
var healedAStep = 20

// HealRelations renames the relations of facts that are stored under another name than today's (docs/facts.md, "Linked
// relations"): facts of an older version, imported ones, and those whose head or tail got its type later. If the same
// fact is active under both names, or a symmetric one from both ends, the older row stays, with the evidence of both.
// Of two facts that contradict each other under one name, the later one ends the earlier one as if it had been given
// now. Each fact is a separate call, which undo reverses and which is not repeated. HealRelations finishes the run and
// returns the number of changed facts. The error is ErrRunLost if another process has taken over the run; that process
// continues it.
func (s *Store) HealRelations(ctx context.Context, r *Run) (healed int, err error) {
	return healed, s.stepRun(ctx, r, "heal relations", func(c *conn, after int64) (int64, bool, error) {
		last, done, n, err := s.healRelations(ctx, c, after)
		healed += n
		return last, done, err
	})
}

// healRelations examines the facts after an id. last is the last one that it has examined.
func (s *Store) healRelations(ctx context.Context, c *conn, after int64) (last int64, done bool, healed int,
	err error) {
	last, done, err = c.chunkEnd(ctx, "mg_relationships", after)
	if err != nil {
		return 0, false, 0, err
	}
	linked, names := relationIn(graph.Linked())
	mirrored, symmetric := relationIn(slices.DeleteFunc(graph.Known(), func(name string) bool {
		return !graph.Mirrored(name)
	}))
	rows, err := misnamedFacts(ctx, c, `r.id > ? AND r.id <= ? AND (`+linked+` OR `+mirrored+` AND r.valid_until IS NULL
		AND EXISTS (SELECT 1 FROM mg_relationships o WHERE o.namespace = r.namespace AND o.head_id = r.tail_id AND
			o.relation = r.relation AND o.tail_id = r.head_id AND o.valid_until IS NULL AND o.id < r.id))`,
		slices.Concat([]any{after, last}, names, symmetric)...)
	for i, r := range rows {
		if err != nil {
			break
		}
		if i == healedAStep {
			return rows[i-1].id, false, healed, nil
		}
		id, failed := uuid.NewV7()
		if failed != nil {
			return 0, false, healed, fmt.Errorf("make a call id: %w", failed)
		}
		w := &writing{s: s, c: c, scope: memory.Scope{Namespace: r.namespace}, now: s.now().UTC().Truncate(time.Millisecond),
			by: memory.Caller{Actor: "system", CallID: id.String(), Reason: fmt.Sprintf("%s is stored as %s", r.relation,
				r.to.Relation)}, action: healRelationAction}
		changed := true
		if r.to.Relation == r.relation {
			w.by.Reason = r.relation + " says the same from both ends"
			changed, err = w.joinMirrored(ctx, r.fact)
		} else {
			err = w.renameRelation(ctx, r.fact, r.to)
		}
		if changed {
			healed++
		}
	}
	return last, done, healed, err
}

// misnamed is a fact that is stored under another name than today's, or from the other end.
type misnamed struct {
	fact
	namespace string
	to        graph.Stored
}

// misnamedFacts returns the facts r that match a condition and are stored under another name than today's, and those of
// a symmetric relation. If a call that renamed a fact was undone, the fact keeps its name.
func misnamedFacts(ctx context.Context, c *conn, where string, args ...any) (rows []misnamed, err error) {
	err = c.query(ctx, `SELECT `+factColumns+`, r.namespace, h.type, t.type FROM mg_relationships r
		JOIN mg_entities h ON h.id = r.head_id JOIN mg_entities t ON t.id = r.tail_id
		WHERE `+where+` AND NOT EXISTS (SELECT 1 FROM mg_events v WHERE v.namespace = r.namespace AND
			v.object = 'r' || r.id AND v.action = '`+healRelationAction+`') ORDER BY r.id`,
		func(cur cursor) error {
			f := scanFact(cur)
			to := graph.Store(f.relation, cur.text(15), cur.text(16))
			if to.Relation != f.relation || graph.Mirrored(f.relation) {
				rows = append(rows, misnamed{f, cur.text(14), to})
			}
			return nil
		}, args...)
	return rows, err
}

// renameRelations gives the active facts of a node the names that they have now that the node has a type. The origin
// of the type may not change what is more trusted.
func (w *writing) renameRelations(ctx context.Context, node int64, typed memory.Origin) error {
	linked, names := relationIn(graph.Linked())
	rows, err := misnamedFacts(ctx, w.c, linked+` AND r.valid_until IS NULL AND r.namespace = ? AND
		(r.head_id = ? OR r.tail_id = ?)`, append(names, w.scope.Namespace, node, node)...)
	for _, r := range rows {
		if err == nil && r.origin.Trust() <= typed.Trust() {
			err = w.renameRelation(ctx, r.fact, r.to)
		}
	}
	return err
}

// joinMirrored joins a fact of a symmetric relation with the older fact that says the same from the other end. It
// changes nothing if one of the two is the toolset reference's, which keeps both directions.
func (w *writing) joinMirrored(ctx context.Context, f fact) (changed bool, err error) {
	f, err = w.finalise(ctx, f)
	if err != nil || f.validUntil != "" {
		return f.validUntil != "", err
	}
	f.head, f.tail = f.tail, f.head
	twins, err := w.rows(ctx, w.activeOn, f, ` AND r.id <> ?5`, f.id)
	if err != nil || len(twins) == 0 {
		return false, err
	}
	for _, one := range []fact{f, twins[0]} {
		if reference, err := w.byReference(ctx, one); err != nil || reference {
			return false, err
		}
	}
	return true, w.joinFacts(ctx, twins[0], f)
}

// renameRelation stores a fact under another name of its relation.
func (w *writing) renameRelation(ctx context.Context, f fact, to graph.Stored) error {
	f, err := w.finalise(ctx, f)
	if err != nil {
		return err
	}
	f.relation = to.Relation
	if to.Swap {
		f.head, f.tail = f.tail, f.head
	}
	const set = `relation = ?2, head_id = ?3, tail_id = ?4`
	if f.validUntil != "" {
		return w.change(ctx, f.id, causeUpdated, set, f.relation, f.head, f.tail)
	}
	twins, err := w.rows(ctx, w.activeOn, f, ` AND r.id <> ?5`, f.id)
	if err != nil {
		return err
	}
	if len(twins) > 0 {
		stay, ends := twins[0], f
		if f.id < stay.id {
			stay, ends = f, stay
		}
		return w.joinFacts(ctx, stay, ends)
	}
	if err := w.change(ctx, f.id, causeUpdated, set, f.relation, f.head, f.tail); err != nil {
		return err
	}
	reference, err := w.byReference(ctx, f)
	if err != nil || reference {
		return err
	}
	if ended, err := w.endAsKnown(ctx, f); err != nil || ended {
		return err
	}
	return w.settle(ctx, f)
}

// endAsKnown ends an active fact if the same fact is known to have ended after it began.
func (w *writing) endAsKnown(ctx context.Context, f fact) (bool, error) {
	past, err := w.rows(ctx, w.facts, f, ` AND r.valid_until > ?5
		AND (r.valid_from IS NULL OR r.valid_from < r.valid_until) ORDER BY r.valid_until DESC, r.id`, f.validFrom)
	if err != nil {
		return false, err
	}
	for _, p := range past {
		reference, err := w.byReference(ctx, p)
		if err != nil {
			return false, err
		}
		if mayEnd(p, f) && !reference {
			return true, w.endAt(ctx, f, moment{p.validUntil, p.untilUnit}, f.supersededBy, causeEnded)
		}
	}
	return false, nil
}

// byReference reports whether all evidence of a fact comes from the toolset reference or from a file of its format.
// Such a fact ends no other one.
func (w *writing) byReference(ctx context.Context, f fact) (bool, error) {
	_, other, err := w.c.int64(ctx, `SELECT 1 FROM mg_evidence v JOIN mg_episodes p ON p.id = v.episode_id
		WHERE v.relationship_id = ?1 AND coalesce(p.source, '') <> 'import:reference' AND NOT (
			coalesce(p.source, '') = '`+CallSource+`' AND EXISTS (SELECT 1 FROM mg_relationship_versions x
			JOIN mg_events e ON e.id = x.event_id WHERE x.relationship_id = ?1 AND x.cause = '`+causeCreated+`'
			AND e.action = 'create_relations')) LIMIT 1`, f.id)
	return !other, err
}

// joinFacts joins two facts that state the same. Both already have their new relation, head and tail.
func (w *writing) joinFacts(ctx context.Context, stay, ends fact) error {
	at := ends.begin()
	if at.at == "" {
		at = w.present()
	}
	by := stay.id
	if w.leadsTo(ctx, stay.id, ends.id) {
		by = 0
	}
	if err := w.change(ctx, ends.id, causeMerged, `relation = ?2, head_id = ?3, tail_id = ?4, valid_until = ?5,
		until_unit = ?6, superseded_by = ?7, expired_at = ?8`, ends.relation, ends.head, ends.tail, at.at,
		nullable(string(at.unit)), nullableID(by), memory.Millis(w.now)); err != nil {
		return err
	}
	method := stay.method
	if ends.confidence > stay.confidence {
		method = ends.method
	}
	from := stay.begin()
	if from.at == "" || ends.validFrom != "" && ends.validFrom < from.at {
		from = ends.begin()
	}
	if err := w.change(ctx, stay.id, causeMerged, `relation = ?2, head_id = ?3, tail_id = ?4,
		confidence = max(confidence, ?5), origin = ?6, method = ?7, valid_from = ?8, from_unit = ?9`,
		stay.relation, stay.head, stay.tail, ends.confidence, string(memory.MostTrusted(stay.origin, ends.origin)),
		string(method), nullable(from.at), nullable(string(from.unit))); err != nil {
		return err
	}
	_, err := w.c.exec(ctx, `INSERT INTO mg_evidence (relationship_id, episode_id, quote, method, confidence, created_at)
		SELECT ?2, episode_id, quote, method, confidence, ?3 FROM mg_evidence WHERE relationship_id = ?1
		ON CONFLICT DO NOTHING`, ends.id, stay.id, memory.Millis(w.now))
	return err
}

// settle ends the facts that an active fact contradicts under its new name, or the fact itself. The later one stays
// active; of two that began together, the one that was stored later.
func (w *writing) settle(ctx context.Context, f fact) error {
	typ, err := w.c.text(ctx, `SELECT type FROM mg_entities WHERE id = ?`, f.head)
	if err != nil {
		return err
	}
	rivals, err := w.rivals(ctx, f, typ, false)
	if err != nil {
		return err
	}
	later := func(a, b fact) bool {
		return a.validFrom > b.validFrom || a.validFrom == b.validFrom && a.id > b.id
	}
	slices.SortFunc(rivals, func(a, b fact) int { return strings.Compare(a.validFrom, b.validFrom) })
	for _, r := range rivals {
		if reference, err := w.byReference(ctx, r); err != nil {
			return err
		} else if reference {
			continue
		}
		switch {
		case r.expiresAt != "" && r.expiresAt <= f.validFrom, f.expiresAt != "" && f.expiresAt <= r.validFrom:
		case later(f, r) && mayEnd(f, r):
			if err := w.endBy(ctx, r, f); err != nil {
				return err
			}
		case later(r, f) && mayEnd(r, f):
			return w.endBy(ctx, f, r)
		}
	}
	return nil
}

// endBy ends a fact where the one that supersedes it begins, or now if both beginnings are unknown.
func (w *writing) endBy(ctx context.Context, f, by fact) error {
	at := by.begin().after(f.begin())
	if at.at == "" {
		at = w.present()
	}
	id := by.id
	if w.leadsTo(ctx, by.id, f.id) {
		id = 0
	}
	return w.endAt(ctx, f, at, id, causeSuperseded)
}

// nullableID returns an id as a parameter, NULL for 0.
func nullableID(id int64) any {
	if id == 0 {
		return nil
	}
	return id
}
