package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"memory-graph/internal/memory"
)

// shownKinds are the kinds of nodes that answers show (memory.NodeKind.Shown).
const shownKinds = `('entity', 'memory')`

// entityColumns are the columns of mg_entities as e that scanEntity reads, in its order.
const entityColumns = `e.id, e.namespace, e.kind, e.canonical_name, e.name, e.type, e.description, e.confidence,
	e.observation_count, e.origin,
	e.layer, e.parent_id, e.merged_into, e.valid_from, e.valid_until, e.created_at, e.updated_at, e.last_seen_at,
	e.type_assumed,
	(SELECT json_group_array(alias) FROM (SELECT alias FROM mg_entity_aliases WHERE entity_id = e.id ORDER BY alias)),
	(SELECT p.kind FROM mg_entities p WHERE p.id = e.parent_id)`

// statedColumns are the same columns with the stated confidence, because reads at another time ignore decay.
var statedColumns = strings.Replace(entityColumns, "e.confidence,", "coalesce(e.unfaded, e.confidence),", 1)

// entityRow is an entity as read, plus what only the choice among namesakes needs.
type entityRow struct {
	memory.Entity
	typing typing
}

func scanEntity(s cursor) (entityRow, error) {
	var row [21]any // one call into SQLite for all columns
	if err := s.columns(row[:]); err != nil {
		return entityRow{}, err
	}
	str := func(i int) string { v, _ := row[i].(string); return v } // NULL is ""
	num := func(i int) int64 { v, _ := row[i].(int64); return v }
	e := memory.Entity{ID: num(0), Namespace: str(1), Kind: memory.NodeKind(str(2)), Canonical: str(3), Name: str(4),
		Type:        str(5),
		Description: str(6), Observations: num(8), Origin: memory.Origin(str(9)), ParentID: num(
			11), ParentKind: memory.NodeKind(str(20)), MergedInto: num(12)}
	e.Confidence, _ = row[7].(float64)
	if layer, ok := row[10].(int64); ok {
		l := int(layer)
		e.Layer = &l
	}
	for i, into := range []*time.Time{&e.ValidFrom, &e.ValidUntil, &e.CreatedAt, &e.UpdatedAt, &e.LastSeenAt} {
		var err error
		if *into, err = memory.ParseStored(str(13 + i)); err != nil {
			return entityRow{}, fmt.Errorf("times of entity %d: %w", e.ID, err)
		}
	}
	var aliases []string
	if err := json.Unmarshal([]byte(str(19)), &aliases); err != nil {
		return entityRow{}, fmt.Errorf("aliases of entity %d: %w", e.ID, err)
	}
	e.Aliases = aliasesBeside(aliases, e.Canonical)
	return entityRow{e, typing(num(18))}, nil
}

// scanSnapshot reads a node from its snapshot in the first column. The query has added the parent's kind to it.
func scanSnapshot(s cursor, namespace string) (entityRow, error) {
	snapshot, err := parseEntitySnapshot(s.text(0))
	if err != nil {
		return entityRow{}, err
	}
	e, err := snapshot.entity(namespace)
	return entityRow{e, typing(snapshot.Assumed)}, err
}

// EntitiesByID returns the entities and memories of the namespace with these ids, in the given order and each once. An
// id that was merged into another returns that other one. It omits hidden nodes, unknown ids and ids of other
// namespaces. With a KnownAt it returns the entities as believed then, and omits those not yet known.
func (s *Store) EntitiesByID(ctx context.Context, namespace string, ids []int64, at memory.AsOf) ([]memory.Entity,
	error) {
	return s.entities(ctx, "read entities", len(ids), func(c *conn) ([]entityRow, error) {
		return entitiesByID(ctx, c, namespace, ids, at)
	})
}

// NodesByID returns nodes of any kind, also those that answers do not list, such as topics. The name of one that is not
// listed joins turns and states nothing.
func (s *Store) NodesByID(ctx context.Context, namespace string, ids []int64) (list []memory.Node, err error) {
	err = s.readOne(ctx, "read nodes", func(c *conn) error {
		list = list[:0]
		return c.query(ctx, `SELECT e.id, e.kind, e.name, e.type FROM json_each(?) j
			CROSS JOIN mg_entities e ON e.id = j.value
			WHERE e.namespace = ?`, func(row cursor) error {
			list = append(list, memory.Node{ID: row.int64(0), Kind: memory.NodeKind(row.text(1)), Name: row.text(2),
				Type: row.text(3)})
			return nil
		}, idList(ids), namespace)
	})
	return list, err
}

// EntitiesNamed returns the entities and memories that have these canonical names (memory.Canonical) as name or as
// alias, each once. They are sorted by the given order of names and then by id. With a KnownAt it uses the names of
// that time.
func (s *Store) EntitiesNamed(ctx context.Context, namespace string, canonical []string,
	at memory.AsOf) ([]memory.Entity, error) {
	return s.entities(ctx, "read entities by name", len(canonical), func(c *conn) ([]entityRow, error) {
		return entitiesNamed(ctx, c, namespace, canonical, at)
	})
}

func (s *Store) entities(ctx context.Context, op string, asked int,
	read func(*conn) ([]entityRow, error)) ([]memory.Entity, error) {
	out := make([]memory.Entity, 0, asked)
	if asked == 0 {
		return out, nil
	}
	err := s.readOne(ctx, op, func(c *conn) error {
		list, err := read(c)
		for _, f := range list {
			out = append(out, f.Entity)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// followMerges is the tail of a query over asked (key, id). It returns each row, or the node it was merged into, sorted
// by key. UNION would end a cycle, though merges make none.
func followMerges(at memory.AsOf) string {
	columns := entityColumns
	if !at.Now() {
		columns = statedColumns
	}
	return ` UNION SELECT a.key, e.merged_into FROM asked a CROSS JOIN mg_entities e ON e.id = a.id WHERE e.merged_into IS
		NOT NULL)
	SELECT
	` + columns + ` FROM (SELECT id, min(key) AS key FROM asked GROUP BY id) a CROSS JOIN mg_entities e ON e.id =
		a.id
	WHERE e.namespace = ?2 AND e.merged_into IS NULL AND e.kind IN ` + shownKinds + ` ORDER BY a.key, e.id`
}

// believedVersion is the condition under which the version v was believed at ?3.
const believedVersion = `v.created_at <= ?3 AND (v.expired_at IS NULL OR v.expired_at > ?3)`

// followMergesThen does the same for the versions of an instant. There, asked is (key, id, snapshot).
const followMergesThen = ` UNION SELECT a.key, v.entity_id, v.snapshot FROM asked a
		CROSS JOIN mg_entity_versions v ON v.entity_id = json_extract(a.snapshot, '$.merged_into') WHERE
		` + believedVersion + `)
	SELECT ` + snapshotWithParent + ` FROM (SELECT id, snapshot, min(key) AS key FROM asked GROUP BY id)
	WHERE json_extract(snapshot, '$.merged_into') IS NULL AND json_extract(snapshot, '$.kind') IN
	` + shownKinds + ` ORDER
		BY key, id`

func entitiesByID(ctx context.Context, c *conn, namespace string, ids []int64, at memory.AsOf) ([]entityRow, error) {
	if at.KnownAt.IsZero() {
		return queryEntities(ctx, c, `WITH RECURSIVE asked (key, id) AS (SELECT j.key, j.value FROM json_each(?1) j`+
			followMerges(at), idList(ids), namespace)
	}
	return querySnapshots(ctx, c, `WITH RECURSIVE asked (key, id, snapshot) AS (SELECT j.key, v.entity_id, v.snapshot FROM
		json_each(?1) j
		CROSS JOIN mg_entities e ON e.id = j.value CROSS JOIN mg_entity_versions v ON v.entity_id = e.id
		WHERE e.namespace = ?2 AND
		`+believedVersion+followMergesThen, namespace, idList(ids), namespace, memory.Millis(at.KnownAt))
}

func entitiesNamed(ctx context.Context, c *conn, namespace string, canonical []string, at memory.AsOf) ([]entityRow,
	error) {
	names, err := json.Marshal(canonical)
	if err != nil {
		return nil, fmt.Errorf("write names: %w", err)
	}
	if at.KnownAt.IsZero() {
		return queryEntities(ctx, c, `WITH RECURSIVE asked (key, id) AS (SELECT j.key, a.entity_id FROM json_each(?1) j
			CROSS JOIN mg_entity_aliases a ON a.namespace = ?2 AND a.alias = j.value`+followMerges(at), string(names), namespace)
	}
	// A node that had the name at that time still has it, or a version of that time has been closed since.
	return querySnapshots(ctx, c, `WITH RECURSIVE candidates (id, snapshot) AS (
			SELECT v.entity_id, v.snapshot FROM json_each(?1) j CROSS JOIN mg_entity_aliases a ON a.namespace = ?2 AND a.alias =
			j.value
				CROSS JOIN mg_entity_versions v ON v.entity_id = a.entity_id WHERE `+believedVersion+`
			UNION SELECT v.entity_id, v.snapshot FROM mg_entity_versions v CROSS JOIN mg_entities e ON e.id = v.entity_id
				WHERE v.expired_at > ?3 AND v.created_at <= ?3 AND e.namespace = ?2),
		asked (key, id, snapshot) AS (SELECT j.key, c.id, c.snapshot FROM candidates c CROSS JOIN json_each(c.snapshot,
		'$.aliases') a
			CROSS JOIN json_each(?1) j ON j.value =
			a.value`+followMergesThen, namespace, string(names), namespace, memory.Millis(at.KnownAt))
}

func queryEntities(ctx context.Context, c *conn, sql string, args ...any) (out []entityRow, err error) {
	err = c.query(ctx, sql, func(s cursor) error {
		e, err := scanEntity(s)
		out = append(out, e)
		return err
	}, args...)
	return out, err
}

func querySnapshots(ctx context.Context, c *conn, sql, namespace string, args ...any) (out []entityRow, err error) {
	err = c.query(ctx, sql, func(s cursor) error {
		e, err := scanSnapshot(s, namespace)
		out = append(out, e)
		return err
	}, args...)
	return out, err
}
