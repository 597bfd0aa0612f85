package store_test

import (
	"fmt"
	"testing"
	"time"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// sqlGraph writes rows of a graph directly, to test reading without the writing code.
type sqlGraph struct {
	t testing.TB
	s *store.Store
}

func newSQLGraph(t testing.TB) sqlGraph { return sqlGraph{t, openNew(t)} }

func (g sqlGraph) exec(sql string, args ...any) {
	g.t.Helper()
	if err := g.s.ExecOnWriter(fmt.Sprintf(sql, args...)); err != nil {
		g.t.Fatalf("%v\n%s", err, fmt.Sprintf(sql, args...))
	}
}

// node adds an entity under its name, with a first version of the same time.
func (g sqlGraph) node(id int64, name, typ string) {
	g.t.Helper()
	g.nodeOf("default", id, name, typ, "entity")
}

const born = "2026-01-01 00:00:00.000"

func (g sqlGraph) nodeOf(namespace string, id int64, name, typ, kind string) {
	g.t.Helper()
	canonical := memory.Canonical(name)
	g.exec(`INSERT INTO mg_entities (id, namespace, kind, canonical_name, name, type, confidence, origin, created_at,
		updated_at, last_seen_at)
		VALUES (%d, '%s', '%s', '%s', '%s', '%s', .9, 'agent', '%s', '%s',
		'%s')`, id, namespace, kind, canonical, name, typ, born, born, born)
	g.exec(`INSERT INTO mg_entities_fts (rowid, name, description, aliases) VALUES (%d, '%s', '', '%s')`, id, name,
		canonical)
	g.alias(namespace, id, canonical)
	g.version(id, born)
}

func (g sqlGraph) alias(namespace string, id int64, alias string) {
	g.t.Helper()
	g.exec(`INSERT INTO mg_entity_aliases (namespace, alias, entity_id, created_at) VALUES ('%s', '%s', %d, '%s')`,
		namespace, alias, id, born)
}

// version closes the open version of a node and writes one of its current state.
func (g sqlGraph) version(id int64, at string) {
	g.t.Helper()
	g.exec(`UPDATE mg_entity_versions SET expired_at = '%s' WHERE entity_id = %d AND expired_at IS NULL`, at, id)
	g.exec(`INSERT INTO mg_entity_versions (entity_id, snapshot, created_at, cause) SELECT e.id, `+store.EntitySnapshotSQL+
		`, '%s', 'x' FROM mg_entities e WHERE id = %d`, at, id)
}

// factRow is a row of mg_relationships; "" is NULL.
type factRow struct {
	id, head, tail         int64
	relation, class        string
	confidence             float64
	from, until, expires   string
	seen                   string
	namespace, description string
}

func (g sqlGraph) fact(f factRow) {
	g.t.Helper()
	for _, d := range []struct {
		of   *string
		with string
	}{{&f.relation, "knows"}, {&f.class, memory.Semantic}, {&f.seen, born}, {&f.namespace, "default"}} {
		if *d.of == "" {
			*d.of = d.with
		}
	}
	if f.confidence == 0 {
		f.confidence = .9
	}
	null := func(s string) string {
		if s == "" {
			return "NULL"
		}
		return "'" + s + "'"
	}
	g.exec(`INSERT INTO mg_relationships (id, namespace, head_id, relation, tail_id, label, edge_class, fact, confidence,
		origin, method, valid_from, valid_until,
		expires_at, created_at, last_observed_at) VALUES (%d, '%s', %d, '%s', %d, '%s', '%s', '%s', %g, 'agent', 'supplied',
		%s, %s, %s, '%s', '%s')`,
		f.id, f.namespace, f.head, f.relation, f.tail, f.relation, f.class, f.description, f.confidence, null(f.from), null(
			f.until), null(f.expires), born, f.seen)
	g.factVersion(f.id, born)
}

// factVersion closes the open version of a fact and writes one of its current state.
func (g sqlGraph) factVersion(id int64, at string) {
	g.t.Helper()
	g.exec(`UPDATE mg_relationship_versions SET expired_at = '%s' WHERE relationship_id = %d AND expired_at IS NULL`, at,
		id)
	g.exec(`INSERT INTO mg_relationship_versions (relationship_id, namespace, head_id, relation, tail_id, edge_class, fact,
		confidence, strength, valid_from,
		valid_until, expires_at, superseded_by, origin, method, created_at, cause) SELECT id, namespace, head_id, relation,
		tail_id, edge_class, fact,
		confidence, strength, valid_from, valid_until, expires_at, superseded_by, origin, method, '%s', 'x' FROM
		mg_relationships WHERE id = %d`, at, id)
}

func instant(s string) time.Time {
	t, err := memory.ParseStored(s)
	if err != nil {
		panic(err)
	}
	return t
}
