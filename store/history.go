package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// DefaultHistory is the number of rows that EdgeHistory returns if limit is 0.
const DefaultHistory = 100

// EdgeHistory returns all facts with the head source that match a predicate, ended facts too, and with a relation also
// the facts that are stored as its inverse. They are sorted by
// valid_from, latest first, and facts with an unknown beginning come last. The predicate matches any part of the fact's
// sentence, its relation or its label, ignoring case. "" matches all, and the predicate has no wildcards. relation
// selects one relation, "" all. EdgeHistory skips the first offset facts and reports whether there are more than limit.
// A limit of 0 means DefaultHistory.
func (s *Store) EdgeHistory(ctx context.Context, namespace string, source int64, predicate, relation string, offset,
	limit int) (facts []memory.Relationship, more bool, err error) {
	if limit <= 0 {
		limit = DefaultHistory
	}
	w := new(where)
	if predicate != "" {
		like := "%" + escapeLike(predicate) + "%"
		w.and(`(r.fact LIKE ? ESCAPE '\' OR r.relation LIKE ? ESCAPE '\' OR r.label LIKE ? ESCAPE '\')`, like, like, like)
	}
	direct, turned := graph.Names(words(relation))
	ids, args := edgesOf(outEdges, direct, source, w)
	if len(turned) > 0 {
		more, moreArgs := edgesOf(inEdges, turned, source, w)
		ids, args = ids+` UNION `+more, append(args, moreArgs...)
	}
	err = s.read(ctx, "read edge history", func(c *conn) (err error) {
		if err := needNode(ctx, c, namespace, source); err != nil {
			return err
		}
		// The page is chosen before its facts are read whole, so a hub costs little more than its index entries.
		facts, err = queryRelationships(ctx, c, memory.AsOf{}, `FROM (`+ids+` ORDER BY 2 DESC, 1 DESC LIMIT ? OFFSET ?) j
			CROSS JOIN mg_facts r ON r.id = j.id`, `r.namespace = ? ORDER BY r.valid_from DESC, r.id DESC`,
			append(args, limit+1, offset, namespace)...)
		return err
	})
	if err != nil {
		return nil, false, err
	}
	if len(facts) > limit {
		return facts[:limit], true, nil
	}
	return facts, false, nil
}

// edgesOf selects the ids and the beginnings of all facts of a node on one side, of these relations or of all, that a
// condition on r allows. Active, past and archived facts have separate indexes.
func edgesOf(side edgeSide, relations []string, node int64, also *where) (sql string, args []any) {
	w := new(where)
	w.and("r."+side.node+" = ?", node)
	w.in("r.relation", relations)
	if len(also.args) > 0 {
		w.and(also.sql.String(), also.args...)
	}
	of := func(index, more string) string {
		return `SELECT r.id, r.valid_from FROM ` + index + ` WHERE ` + w.sql.String() + more
	}
	return of(`mg_relationships r INDEXED BY `+side.stored, ` AND r.valid_until IS NULL`) + ` UNION ALL ` +
		of(`mg_relationships r INDEXED BY `+side.past, ` AND r.valid_until IS NOT NULL`) + ` UNION ALL ` +
		of(`mg_archive r INDEXED BY `+side.archived, ``), slices.Concat(w.args, w.args, w.args)
}

// words returns a list of the word, empty for "".
func words(word string) []string {
	if word == "" {
		return nil
	}
	return []string{word}
}

var likeEscaper = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// escapeLike escapes a text so that a LIKE pattern with ESCAPE '\' matches it literally.
func escapeLike(s string) string { return likeEscaper.Replace(s) }

const eventColumns = `v.id, v.at, v.actor, v.client, v.call_id, v.action, v.object, v.reason, v.episode_id,
	(SELECT coalesce(u.call_id, '') FROM mg_events u WHERE u.id = v.undone_by)`

// scanEvent reads eventColumns beginning at column from. It returns the zero Event if there is none.
func scanEvent(s cursor, from int) (memory.Event, error) {
	if s.null(from) {
		return memory.Event{}, nil
	}
	e := memory.Event{ID: s.int64(from), Actor: s.text(from + 2), Client: s.text(from + 3),
		CallID: s.text(from + 4),
		Action: s.text(from + 5), Reason: s.text(from + 7), EpisodeID: s.int64(
			from + 8), UndoneBy: s.text(from + 9)}
	var err error
	if e.At, err = s.time(from + 1); err != nil {
		return e, fmt.Errorf("event %d: at: %w", e.ID, err)
	}
	if object := s.text(from + 6); object != "" {
		if e.Object, err = memory.ParseID(object); err != nil {
			return e, fmt.Errorf("event %d: object: %w", e.ID, err)
		}
	}
	return e, nil
}

// History returns the versions of an entity, a memory or a relationship, newest first, each with the event that wrote
// it. It skips the first offset ones and reports whether there are more than limit. A merged entity has its own
// history. Errors: NotFound, and InvalidArgument for ids of objects without versions.
func (s *Store) History(ctx context.Context, namespace string, id memory.ID, offset,
	limit int) (versions []memory.Version, more bool, err error) {
	var read func(context.Context, *conn, string, memory.ID, int, int) ([]memory.Version, error)
	var exists string
	switch id.Kind {
	case memory.KindEntity, memory.KindMemory:
		read, exists = entityVersions, `SELECT kind = 'memory' FROM mg_entities WHERE id = ? AND namespace = ?`
	case memory.KindRelationship:
		read, exists = relationshipVersions, `SELECT 0 FROM mg_facts WHERE id = ? AND namespace = ?`
	default:
		return nil, false, memory.Errorf(memory.InvalidArgument, "%s has no versions.",
			id).WithHint("Ask for an entity (e12), a memory (m7) or a relationship (r34).")
	}
	err = s.read(ctx, "read history", func(c *conn) error {
		isMemory, ok, err := c.int64(ctx, exists, id.Num, namespace)
		if err != nil {
			return err
		}
		if !ok || (isMemory == 1) != (id.Kind == memory.KindMemory) {
			return memory.Errorf(memory.NotFound, "There is no %s in namespace %q.", id,
				namespace).WithHint("Search for it with search_graph.")
		}
		versions, err = read(ctx, c, namespace, id, offset, limit+1)
		return err
	})
	if err != nil {
		return nil, false, err
	}
	if len(versions) > limit {
		return versions[:limit], true, nil
	}
	return versions, false, nil
}

// versionNumber is the position of a version among those of its object, from 1.
const versionNumber = `row_number() OVER (ORDER BY r.version_id)`

// entityVersions returns the versions of an entity or a memory. A memory's replaced version ends at its valid_until.
func entityVersions(ctx context.Context, c *conn, namespace string, id memory.ID, offset, limit int) ([]memory.Version,
	error) {
	list := []memory.Version{}
	err := c.query(ctx, `SELECT r.number, r.version_id, r.created_at, r.expired_at, r.cause,
		json_set(`+snapshotWithParent+`, '$.valid_until', r.valid_until), `+eventColumns+`
		FROM (SELECT
		`+versionNumber+` AS number, r.* FROM mg_entity_versions r WHERE r.entity_id = ?) r LEFT JOIN mg_events v
			ON v.id = r.event_id
		ORDER BY r.number DESC LIMIT ? OFFSET ?`, func(s cursor) error {
		v, err := scanVersion(s, id)
		if err != nil {
			return err
		}
		snapshot, err := parseEntitySnapshot(s.text(5))
		if err != nil {
			return err
		}
		e, err := snapshot.entity(namespace)
		v.Entity = &e
		list = append(list, v)
		return err
	}, id.Num, limit, offset)
	return list, err
}

// relationshipVersions returns the versions of a fact. Head and tail have their current names.
func relationshipVersions(ctx context.Context, c *conn, _ string, id memory.ID, offset, limit int) ([]memory.Version,
	error) {
	list := []memory.Version{}
	err := c.query(ctx, `SELECT r.number, r.version_id, r.created_at, r.expired_at, r.cause, NULL,
		`+eventColumns+`,
		`+relationshipColumnsThen+`
		FROM (SELECT `+versionNumber+` AS number, r.* FROM mg_relationship_versions r WHERE r.relationship_id = ?2) r
		CROSS JOIN mg_entities h ON h.id = r.head_id CROSS JOIN mg_entities t ON t.id = r.tail_id LEFT JOIN mg_events v ON
		v.id = r.event_id
		ORDER BY r.number DESC LIMIT ?3 OFFSET ?4`, func(s cursor) error {
		v, err := scanVersion(s, id)
		if err != nil {
			return err
		}
		r, err := scanRelationship(s, 16)
		v.Relationship = &r
		list = append(list, v)
		return err
	}, `9999`, id.Num, limit, offset)
	return list, err
}

func scanVersion(s cursor, of memory.ID) (memory.Version, error) {
	v := memory.Version{Of: of, Number: s.int(0), ID: s.int64(1), Cause: s.text(4)}
	var err error
	if v.CreatedAt, err = s.time(2); err != nil {
		return v, fmt.Errorf("version %d: created_at: %w", v.ID, err)
	}
	if v.ExpiredAt, err = s.time(3); err != nil {
		return v, fmt.Errorf("version %d: expired_at: %w", v.ID, err)
	}
	v.Event, err = scanEvent(s, 6)
	return v, err
}

// needNode fails with NotFound if the namespace has no such node.
func needNode(ctx context.Context, c *conn, namespace string, id int64) error {
	_, ok, err := c.int64(ctx, `SELECT 1 FROM mg_entities WHERE id = ? AND namespace = ?`, id, namespace)
	if err == nil && !ok {
		err = unknownEntity(memory.NodeID(memory.NodeEntity, id).String(), namespace)
	}
	return err
}
