package store

import (
	"context"

	"memory-graph/internal/memory"
)

// Family is a group of relatives of a node in the hierarchy: the first ones by id, and how many there are.
type Family struct {
	Nodes []memory.Entity
	Total int
}

// Children returns the direct children of each node, keyed by the node's id, up to most for each. Nodes without
// children are left out. With a KnownAt it returns the children as they were known then. It runs one statement.
func (s *Store) Children(ctx context.Context, namespace string, ids []int64, at memory.AsOf,
	most int) (map[int64]Family, error) {
	return s.families(ctx, "read children", namespace, ids, at, most, `SELECT j.value AS of, c.id FROM json_each(?1) j
		CROSS JOIN mg_entities p ON p.id = j.value AND p.namespace = ?2 CROSS JOIN mg_entities c ON c.parent_id = p.id
		WHERE c.merged_into IS NULL AND c.kind IN `+shownKinds,
		`SELECT j.value AS of, c.id FROM json_each(?1) j JOIN believed c ON json_extract(c.snapshot, '$.parent_id') =
			j.value`)
}

// Siblings returns the other children of each node's parent, in the same way as Children.
func (s *Store) Siblings(ctx context.Context, namespace string, ids []int64, at memory.AsOf,
	most int) (map[int64]Family, error) {
	return s.families(ctx, "read siblings", namespace, ids, at, most, `SELECT j.value AS of, c.id FROM json_each(?1) j
		CROSS JOIN mg_entities n ON n.id = j.value AND n.namespace = ?2 CROSS JOIN mg_entities c ON c.parent_id = n.parent_id
		AND c.id <> n.id
		WHERE c.merged_into IS NULL AND c.kind IN `+shownKinds,
		`SELECT j.value AS of, c.id FROM json_each(?1) j JOIN believed n ON n.id = j.value
		JOIN believed c ON json_extract(c.snapshot, '$.parent_id') = json_extract(n.snapshot, '$.parent_id') AND c.id <>
		n.id`)
}

// families runs a statement that selects (of, id): now for the current rows, or then for the versions known at
// at.KnownAt.
func (s *Store) families(ctx context.Context, op, namespace string, ids []int64, at memory.AsOf, most int, now,
	then string) (map[int64]Family, error) {
	out := map[int64]Family{}
	if len(ids) == 0 {
		return out, nil
	}
	const counted = ` ranked AS (SELECT of, id, row_number() OVER (PARTITION BY of ORDER BY id) AS place, count(*) OVER
		(PARTITION BY of) AS total FROM family) `
	sql := `WITH family AS (` + now + `),` + counted + `SELECT ` + wholeEntitySQL +
		`, r.of, r.total FROM ranked r CROSS JOIN mg_entities e ON e.id = r.id WHERE r.place <= ?3 ORDER BY r.of, r.place`
	args := []any{idList(ids), namespace, most}
	if !at.KnownAt.IsZero() {
		sql = `WITH believed AS (SELECT v.entity_id AS id, v.snapshot FROM mg_entities e CROSS JOIN mg_entity_versions v ON
			v.entity_id = e.id
				WHERE e.namespace = ?2 AND v.created_at <= ?4 AND (v.expired_at IS NULL OR v.expired_at > ?4)
				AND json_extract(v.snapshot, '$.merged_into') IS NULL AND json_extract(v.snapshot, '$.kind') IN ` + shownKinds + `),
			family AS
			(` + then + `),` + counted + `SELECT
				` + snapshotWithParent + `, r.of, r.total FROM ranked r JOIN believed
				b ON b.id = r.id WHERE r.place <= ?3 ORDER BY r.of, r.place`
		args = append(args, memory.Millis(at.KnownAt))
	}
	err := s.readOne(ctx, op, func(c *conn) error {
		return c.query(ctx, sql, func(row cursor) error {
			e, err := snapshotEntity(row, namespace)
			of := row.int64(1)
			out[of] = Family{append(out[of].Nodes, e), row.int(2)}
			return err
		}, args...)
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// snapshotEntity reads a node from its snapshot in the first column.
func snapshotEntity(row cursor, namespace string) (memory.Entity, error) {
	f, err := scanSnapshot(row, namespace)
	return f.Entity, err
}

// Descendant is a node somewhere below another node, with the distance between them, from 1.
type Descendant struct {
	memory.Entity
	Depth int
}

// Descendants returns everything below a node, nearest first, then by id, and skips the first offset nodes. It is one
// lookup in the closure at any depth of the tree. more reports whether there are others.
func (s *Store) Descendants(ctx context.Context, namespace string, node int64, offset, limit int) (list []Descendant,
	more bool, err error) {
	list = []Descendant{}
	err = s.readOne(ctx, "read descendants", func(c *conn) error {
		return c.query(ctx, `SELECT
			`+wholeEntitySQL+`, k.depth FROM mg_closure k CROSS JOIN mg_entities e ON e.id =
			k.descendant_id
			WHERE k.ancestor_id = ?1 AND e.namespace = ?2 AND e.merged_into IS NULL AND e.kind IN
			`+shownKinds+` ORDER BY
				k.depth, e.id LIMIT ?3 OFFSET ?4`,
			func(row cursor) error {
				e, err := snapshotEntity(row, namespace)
				list = append(list, Descendant{e, row.int(1)})
				return err
			}, node, namespace, limit+1, offset)
	})
	if err != nil {
		return nil, false, err
	}
	if more = len(list) > limit; more {
		list = list[:limit]
	}
	return list, more, nil
}

// Orphans returns the memories without a parent, topmost layer first, then by id. Reflection may give them one. A given
// layer restricts them to that layer. Domains, layer 0, need no parent and are left out. It runs one statement.
func (s *Store) Orphans(ctx context.Context, namespace string, layer *int, offset, limit int) (list []memory.Entity,
	more bool, err error) {
	list = []memory.Entity{}
	err = s.readOne(ctx, "read orphans", func(c *conn) error {
		return c.query(ctx, `SELECT
			`+entityColumns+` FROM mg_entities e WHERE e.namespace = ?1 AND e.kind = 'memory' AND
			e.parent_id IS NULL AND e.merged_into IS NULL
			AND coalesce(e.layer, 2) > 0 AND (?2 IS NULL OR e.layer = ?2) ORDER BY coalesce(e.layer, 2), e.id LIMIT ?3 OFFSET
			?4`,
			func(row cursor) error {
				f, err := scanEntity(row)
				list = append(list, f.Entity)
				return err
			}, namespace, optional(layer), limit+1, offset)
	})
	if err != nil {
		return nil, false, err
	}
	if more = len(list) > limit; more {
		list = list[:limit]
	}
	return list, more, nil
}

// MemoriesAt returns memories as they were at an instant, in the given order: the latest version that was valid at
// ValidAt among those known at KnownAt. Memories that were not valid then are left out.
func (s *Store) MemoriesAt(ctx context.Context, namespace string, ids []int64, at memory.AsOf) ([]memory.Entity,
	error) {
	out := make([]memory.Entity, 0, len(ids))
	known := "9999"
	if !at.KnownAt.IsZero() {
		known = memory.Millis(at.KnownAt)
	}
	err := s.readOne(ctx, "read memories", func(c *conn) error {
		return c.query(ctx, `SELECT
			`+snapshotWithParent+`, v.valid_until FROM json_each(?1) j CROSS JOIN mg_entities e ON
			e.id = j.value AND e.namespace = ?2
			CROSS JOIN mg_entity_versions v ON v.version_id = (SELECT max(x.version_id) FROM mg_entity_versions x WHERE
			x.entity_id = e.id AND x.created_at <= ?3
				AND x.valid_from <= ?4 AND (x.valid_until IS NULL OR x.valid_until > ?4))
			WHERE json_extract(v.snapshot, '$.kind') IN
			`+shownKinds+` AND json_extract(v.snapshot, '$.merged_into') IS NULL
				ORDER BY j.key`,
			func(row cursor) error {
				e, err := snapshotEntity(row, namespace)
				if err == nil && !row.null(1) {
					e.ValidUntil, err = row.time(1)
				}
				out = append(out, e)
				return err
			}, idList(ids), namespace, known, memory.Seconds(at.Valid()))
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}
