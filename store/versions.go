package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"memory-graph/internal/memory"
)

// Causes of a version: why an object changed.
const (
	causeCreated    = "created"
	causeObserved   = "observed"
	causeReinforced = "reinforced"
	causeSuperseded = "superseded"
	causeEnded      = "ended"
	causeScheduled  = "scheduled"
	causeRestored   = "restored" // the fact that had ended it was denied
	causeExpired    = "expired"
	causeUpdated    = "updated"
	causeMerged     = "merged"
	causeNamed      = "named" // a speaker was merged with the name that the speaker stated
	causeUnmerged   = "unmerged"
	causeUndone     = "undone"
)

func textInto(into *string) func(cursor) error {
	return func(s cursor) error { *into = s.text(0); return nil }
}

// relationshipSnapshot is a row of mg_relationships, as r, as JSON with the columns as keys. Events store it before and
// after a change, and undo restores it.
const relationshipSnapshot = `json_object('id', r.id, 'head_id', r.head_id, 'relation', r.relation, 'tail_id',
	r.tail_id, 'label', r.label,
	'edge_class', r.edge_class, 'fact', r.fact, 'confidence', r.confidence, 'strength', r.strength, 'origin', r.origin,
	'method', r.method,
	'valid_from', r.valid_from, 'valid_until', r.valid_until, 'expires_at', r.expires_at, 'superseded_by',
	r.superseded_by, 'from_unit', r.from_unit, 'until_unit', r.until_unit)`

// relationshipSnapshot returns a relationship's current meaning. Every change begins with it, so it moves an archived
// fact back to where facts are changed.
func (w *writing) relationshipSnapshot(ctx context.Context, id int64) (string, error) {
	if err := w.unarchive(ctx, id); err != nil {
		return "", err
	}
	return w.c.text(ctx, `SELECT `+relationshipSnapshot+` FROM mg_relationships r WHERE r.id = ? AND r.namespace = ?`, id,
		w.scope.Namespace)
}

// relationshipChanged writes the version and the event of a change that has been made; before is the snapshot from
// before it, "" for a new fact. If the meaning is the same, it writes nothing.
func (w *writing) relationshipChanged(ctx context.Context, id int64, cause, before string) error {
	after, err := w.relationshipSnapshot(ctx, id)
	if err != nil || after == before {
		return err
	}
	event, err := w.log(ctx, memory.RelationshipID(id), before, after)
	if err != nil {
		return err
	}
	if before != "" {
		if err := w.communityEnded(ctx, id); err != nil {
			return err
		}
	}
	at, err := w.closeVersion(ctx, "mg_relationship_versions", "relationship_id", id)
	if err != nil {
		return err
	}
	_, err = w.c.exec(ctx, `INSERT INTO mg_relationship_versions (relationship_id, namespace, head_id, relation, tail_id,
		edge_class, fact, confidence,
		strength, valid_from, valid_until, expires_at, superseded_by, origin, method, from_unit, until_unit, created_at,
		cause, event_id)
		SELECT id, namespace, head_id, relation, tail_id, edge_class, fact, confidence, strength, valid_from, valid_until,
		expires_at, superseded_by, origin, method, from_unit, until_unit, ?2, ?3, ?4 FROM mg_relationships WHERE id = ?1`,
		id, at, cause, event)
	return err
}

// closeVersion closes an object's open version and returns when its next one begins: now, but never before the open one
// began, even if the clock was set back.
func (w *writing) closeVersion(ctx context.Context, table, column string, id int64) (string, error) {
	at := memory.Millis(w.now)
	last, err := w.c.text(ctx, `SELECT created_at FROM `+table+` WHERE `+column+` = ? AND expired_at IS NULL`, id)
	if err != nil || last == "" {
		return at, err
	}
	at = max(at, last)
	_, err = w.c.exec(ctx, `UPDATE `+table+` SET expired_at = ? WHERE `+column+` = ? AND expired_at IS NULL`, at, id)
	return at, err
}

// entitySnapshot is a node as versions and events store it. Its keys are the columns of mg_entities.
type entitySnapshot struct {
	ID         int64    `json:"id"`
	Kind       string   `json:"kind"`
	Canonical  string   `json:"canonical_name"`
	Name       string   `json:"name"`
	Type       string   `json:"type"`
	Assumed    int      `json:"type_assumed"`
	Desc       string   `json:"description"`
	Confidence float64  `json:"confidence"`
	Origin     string   `json:"origin"`
	Layer      *int     `json:"layer"`
	ParentID   *int64   `json:"parent_id"`
	MergedInto *int64   `json:"merged_into"`
	ValidFrom  *string  `json:"valid_from"`
	ValidUntil *string  `json:"valid_until"`
	CreatedAt  string   `json:"created_at"`
	LastSeenAt string   `json:"last_seen_at"`
	Aliases    []string `json:"aliases"` // canonical, sorted, with the canonical name
	Notes      []string `json:"observations,omitempty"`
	NotedBy    []string `json:"observed_by,omitempty"` // the origin of each of Notes

	// ParentKind is set when a node is read whole, and is never stored: it belongs to the parent.
	ParentKind memory.NodeKind `json:"parent_kind,omitempty"`
}

// entitySnapshotSQL is a row of mg_entities as e, with the stored confidence: decay is not a change of meaning.
const entitySnapshotSQL = `json_object('id', e.id, 'kind', e.kind, 'canonical_name', e.canonical_name, 'name', e.name,
	'type', e.type,
	'type_assumed', e.type_assumed, 'description', e.description, 'confidence', coalesce(e.unfaded, e.confidence),
	'origin', e.origin, 'layer', e.layer,
	'parent_id', e.parent_id, 'merged_into', e.merged_into, 'valid_from', e.valid_from, 'valid_until', e.valid_until,
	'created_at', e.created_at, 'last_seen_at', e.last_seen_at,
	'aliases', (SELECT json_group_array(alias) FROM (SELECT alias FROM mg_entity_aliases WHERE entity_id = e.id ORDER BY
	alias)),
	'observations', ` + notesOf + `, 'observed_by', ` + notedBy + `)`

// notesOf is the JSON list of a node e's observations, in their order.
const notesOf = `(SELECT json_group_array(content) FROM (SELECT content FROM mg_observations WHERE entity_id = e.id AND
	expired_at IS NULL ORDER BY id))`

// notedBy is the JSON list of the origins of those observations.
const notedBy = `(SELECT json_group_array(origin) FROM (SELECT origin FROM mg_observations WHERE entity_id = e.id AND
	expired_at IS NULL ORDER BY id))`

// snapshotWithParent is the column snapshot with the kind of the parent added, which decides the letter of the parent's
// id. The kinds of shown nodes never change, so today's kind is right for the past too.
const snapshotWithParent = `json_set(snapshot, '$.parent_kind', (SELECT p.kind FROM mg_entities p WHERE p.id =
	json_extract(snapshot, '$.parent_id')))`

// wholeEntitySQL is a node e as it is now: the snapshot with the decayed confidence and the kind of the parent.
const wholeEntitySQL = `json_set(` + entitySnapshotSQL +
	`, '$.confidence', e.confidence, '$.parent_kind', (SELECT p.kind FROM mg_entities p WHERE p.id = e.parent_id))`

// wholeEntity returns the entitySnapshot with the decayed confidence and the kind of the parent.
func (w *writing) wholeEntity(ctx context.Context, id int64) (string, error) {
	return w.c.text(ctx, `SELECT `+wholeEntitySQL+` FROM mg_entities e WHERE e.id = ? AND e.namespace = ?`, id,
		w.scope.Namespace)
}

func (w *writing) entitySnapshot(ctx context.Context, id int64) (string, error) {
	return w.c.text(ctx, `SELECT `+entitySnapshotSQL+` FROM mg_entities e WHERE e.id = ? AND e.namespace = ?`, id,
		w.scope.Namespace)
}

// parseEntitySnapshot parses the JSON of entitySnapshot.
func parseEntitySnapshot(s string) (entitySnapshot, error) {
	var out entitySnapshot
	if err := json.Unmarshal([]byte(s), &out); err != nil {
		return out, fmt.Errorf("read the snapshot of an entity: %w", err)
	}
	return out, nil
}

// entity returns the snapshot as a domain value, without UpdatedAt and Observations.
func (s entitySnapshot) entity(namespace string) (memory.Entity, error) {
	e := memory.Entity{ID: s.ID, Namespace: namespace, Kind: memory.NodeKind(s.Kind), Canonical: s.Canonical, Name: s.Name,
		Type:        s.Type,
		Description: s.Desc, Confidence: s.Confidence, Origin: memory.Origin(
			s.Origin), Layer: s.Layer, Aliases: aliasesBeside(s.Aliases, s.Canonical)}
	if s.ParentID != nil {
		e.ParentID, e.ParentKind = *s.ParentID, s.ParentKind
	}
	if s.MergedInto != nil {
		e.MergedInto = *s.MergedInto
	}
	var err error
	parse := func(text string) time.Time {
		t, e := memory.ParseStored(text)
		if err == nil {
			err = e
		}
		return t
	}
	if s.ValidFrom != nil {
		e.ValidFrom = parse(*s.ValidFrom)
	}
	if s.ValidUntil != nil {
		e.ValidUntil = parse(*s.ValidUntil)
	}
	e.CreatedAt, e.LastSeenAt = parse(s.CreatedAt), parse(s.LastSeenAt)
	return e, err
}

// aliasesBeside returns the aliases without the canonical name.
func aliasesBeside(aliases []string, canonical string) []string {
	out := make([]string, 0, len(aliases))
	for _, a := range aliases {
		if a != canonical {
			out = append(out, a)
		}
	}
	return out
}

// sameMeaning reports whether two snapshots have the same meaning; when the node was last seen does not count.
func (s entitySnapshot) sameMeaning(o entitySnapshot) bool {
	a, b := s, o
	a.LastSeenAt, b.LastSeenAt = "", ""
	if len(a.NotedBy) != len(a.Notes) || len(b.NotedBy) != len(b.Notes) { // one is older than the stored origins
		a.NotedBy, b.NotedBy = nil, nil
	}
	x, _ := json.Marshal(a) // plain values never fail
	y, _ := json.Marshal(b)
	return slices.Equal(x, y)
}

// entityChanged writes the version and the event of a change that has been made; before is the snapshot from before it,
// "" for a new node. If the meaning is the same, it writes nothing.
func (w *writing) entityChanged(ctx context.Context, id int64, cause, before string) error {
	after, err := w.entitySnapshot(ctx, id)
	if err != nil {
		return err
	}
	is, err := parseEntitySnapshot(after)
	if err != nil {
		return err
	}
	var was *entitySnapshot
	if before != "" {
		parsed, err := parseEntitySnapshot(before)
		if err != nil || parsed.sameMeaning(is) {
			return err
		}
		was = &parsed
	}
	if err := w.hold(ctx, was, is); err != nil {
		return err
	}
	event, err := w.log(ctx, memory.NodeID(memory.NodeKind(is.Kind), id), before, after)
	if err != nil {
		return err
	}
	at, err := w.closeVersion(ctx, "mg_entity_versions", "entity_id", id)
	if err != nil {
		return err
	}
	_, err = w.c.exec(ctx, `INSERT INTO mg_entity_versions (entity_id, snapshot, valid_from, valid_until, created_at,
		cause, event_id)
		SELECT id, ?2, valid_from, valid_until, ?3, ?4, ?5 FROM mg_entities WHERE id = ?1`, id, after, at, cause, event)
	return err
}
