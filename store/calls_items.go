package store

import (
	"context"
	"encoding/json"
	"fmt"

	"memory-graph/internal/memory"
)

// calledNode is the condition on events v of nodes that answers show, before or after the event. For most nodes the row
// decides this, which costs less than reading the event.
const calledNode = `(v.object GLOB '[em]*' AND (v.action = '` + forgetAction + `'
	OR EXISTS (SELECT 1 FROM mg_entities e WHERE e.id = substr(v.object, 2) + 0 AND e.kind IN ` + shownKinds + `)
	OR v.before ->> '$.kind' IN ` + shownKinds + ` OR v.after ->> '$.kind' IN ` + shownKinds + `))`

// calledTurn is the condition on events v of turns, except turns that a call stored as the evidence of its facts.
const calledTurn = `(v.object LIKE 't%' AND NOT EXISTS (SELECT 1 FROM mg_episodes p
	WHERE p.id = substr(v.object, 2) + 0 AND p.source = 'call'))`

// actsOnNodes are the actions on entities and memories. Changes of facts only follow from them.
const actsOnNodes = `('create_entity', 'update_entity', 'merge_entities', 'unmerge', 'retain')`

// callItems returns what a call changed, and whether there is more. Storing a turn counts too. Without the hint, SQLite
// would read all events in the order of their objects.
func (c *conn) callItems(ctx context.Context, namespace, call string, offset, limit int) (items []memory.CallItem,
	more bool, err error) {
	items = []memory.CallItem{}
	err = c.query(ctx, `SELECT x.object, a.before, b.after, b.action FROM
		(SELECT v.object, min(v.id) AS first, max(v.id) AS last FROM mg_events v INDEXED BY mg_events_call
			WHERE v.namespace = ? AND v.call_id = ?
			AND (v.object LIKE 'r%' OR `+calledTurn+` OR `+calledNode+`) GROUP BY v.object
			ORDER BY CASE WHEN v.object GLOB '[em]*' THEN iif(v.action IN `+actsOnNodes+`, 0, 3) WHEN v.object LIKE 'r%'
			THEN 1 ELSE 2 END, first LIMIT ? OFFSET ?) x
		CROSS JOIN mg_events a ON a.id = x.first CROSS JOIN mg_events b ON b.id = x.last`, func(row cursor) error {
		it, err := newCallItem(row.text(0), row.text(1), row.text(2), row.text(3))
		items = append(items, it)
		return err
	}, namespace, call, limit+1, offset)
	if more = len(items) > limit; more {
		items = items[:limit]
	}
	return items, more, err
}

// objectItems returns the one object that an event without a call changed.
func (c *conn) objectItems(ctx context.Context, e memory.Event) (items []memory.CallItem, more bool, err error) {
	err = c.query(ctx, `SELECT v.object, v.before, v.after, v.action FROM mg_events v WHERE v.id = ?`,
		func(row cursor) error {
			it, err := newCallItem(row.text(0), row.text(1), row.text(2), row.text(3))
			items = append(items, it)
			return err
		}, e.ID)
	return items, false, err
}

// seenState is what the two snapshots of an event have in common: that of a fact, of a node and of a turn.
type seenState struct {
	ValidUntil   *string `json:"valid_until"`
	ExpiresAt    *string `json:"expires_at"`
	SupersededBy *int64  `json:"superseded_by"`
	MergedInto   *int64  `json:"merged_into"`
	Kind         string  `json:"kind"`
}

// newCallItem returns what a call did to an object, from the snapshots before and after it.
func newCallItem(object, before, after, action string) (memory.CallItem, error) {
	id, err := memory.ParseID(object)
	if err != nil {
		return memory.CallItem{}, fmt.Errorf("read an event: object: %w", err)
	}
	var was, is seenState
	for text, into := range map[string]*seenState{before: &was, after: &is} {
		if text != "" {
			if err := json.Unmarshal([]byte(text), into); err != nil {
				return memory.CallItem{}, fmt.Errorf("read an event of %s: %w", id, err)
			}
		}
	}
	it := memory.CallItem{Object: id}
	switch {
	case action == forgetAction:
		it.Did = memory.DeedForgotten
	case id.Kind == memory.KindRelationship:
		it.Did, it.By = factDeed(before == "", action, was, is)
	case id.Kind == memory.KindEpisode:
		it.Did = memory.DeedEdited
		if before == "" {
			it.Did = memory.DeedAdded
		}
	default:
		it.Did, it.By = nodeDeed(before == "", was, is)
	}
	return it, nil
}

func factDeed(isNew bool, action string, was, is seenState) (memory.Deed, memory.ID) {
	switch {
	case isNew && (is.ValidUntil == nil || is.SupersededBy == nil): // else the call stated a fact and what replaced it
		return memory.DeedAdded, memory.ID{}
	case is.ValidUntil != nil && was.ValidUntil == nil:
		if is.SupersededBy != nil {
			return memory.DeedSuperseded, memory.RelationshipID(*is.SupersededBy)
		}
		if action == "undo" {
			return memory.DeedRetracted, memory.ID{}
		}
		return memory.DeedEnded, memory.ID{}
	case is.ValidUntil == nil && was.ValidUntil != nil:
		return memory.DeedRestored, memory.ID{}
	case is.ExpiresAt != nil && was.ExpiresAt == nil:
		return memory.DeedPlanned, memory.ID{}
	}
	return memory.DeedEdited, memory.ID{}
}

func nodeDeed(isNew bool, was, is seenState) (memory.Deed, memory.ID) {
	shown := func(s seenState) bool { return memory.NodeKind(s.Kind).Shown() }
	switch {
	case isNew || !shown(was) && shown(is):
		return memory.DeedAdded, memory.ID{}
	case shown(was) && !shown(is):
		return memory.DeedRetracted, memory.ID{}
	case is.MergedInto != nil && was.MergedInto == nil:
		return memory.DeedMerged, memory.NodeID(memory.NodeKind(is.Kind), *is.MergedInto)
	case is.MergedInto == nil && was.MergedInto != nil:
		return memory.DeedSplit, memory.ID{}
	case is.ValidUntil != nil && was.ValidUntil == nil:
		return memory.DeedEnded, memory.ID{}
	}
	return memory.DeedEdited, memory.ID{}
}
