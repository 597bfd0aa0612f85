package store

import (
	"context"
	"crypto/sha256"
	"slices"

	"memory-graph/internal/memory"
)

// find looks for a row of an export in this file: by its own id, then by its content. same reports whether it is the
// same row rather than a namesake. id is 0 if there is none.
func (m *Importer) find(ctx context.Context, t *transferred) (id int64, same bool, err error) {
	last, err := m.before(ctx, t.record)
	if err != nil || last == 0 {
		return 0, false, err // the table was empty before the import
	}
	look := lookups[t.record.name]
	args := make([]any, len(look.args))
	for i, name := range look.args {
		switch name {
		case "id":
			args[i] = t.id
		case "namespace":
			args[i] = m.namespace
		case "lowered after": // as the row looks after an import without --trusted
			args[i] = t.values["after"]
			if low, is := lowered(t)["after"]; is {
				args[i] = low
			}
		case "content_hash":
			hash := sha256.Sum256([]byte(t.text("content")))
			args[i] = hash[:]
		default:
			args[i] = t.values[name]
		}
	}
	for _, sql := range look.sql {
		stmt, err := m.w.c.prepare(sql)
		if err != nil {
			return 0, false, err
		}
		err = m.w.c.query(ctx, sql, func(row cursor) error {
			if id == 0 || !same {
				id, same = row.int64(0), row.bool(1)
			}
			return nil
		}, args[:stmt.BindCount()]...)
		if err == nil && t.record.name == "relationship" {
			err = m.w.unarchive(ctx, id)
		}
		if err != nil || id != 0 {
			return id, same, err
		}
	}
	return 0, false, nil
}

// lookups say how a row is found: statements that return an id and whether it is the same row. The first statement with
// a result counts. Each statement uses a prefix of the arguments in args.
var lookups = map[string]struct {
	args []string
	sql  []string
}{
	"episode": {[]string{"id", "namespace", "created_at", "content_hash", "role", "occurred_at", "idempotency_key"},
		[]string{
			`SELECT id, 1 FROM mg_episodes WHERE id = ?1 AND namespace = ?2 AND created_at = ?3 AND content_hash = ?4 AND role =
				?5`,
			`SELECT id, 1 FROM mg_episodes WHERE namespace = ?2 AND idempotency_key = ?7`,
			`SELECT id, 1 FROM mg_episodes WHERE namespace = ?2 AND occurred_at = ?6 AND created_at = ?3 AND content_hash = ?4
				AND role = ?5`}},
	"entity": {[]string{"id", "namespace", "canonical_name", "kind", "created_at", "type", "merged"}, []string{
		`SELECT id, 1 FROM mg_entities WHERE id = ?1 AND namespace = ?2 AND canonical_name = ?3 AND kind = ?4 AND created_at =
			?5`,
		`SELECT id, created_at = ?5 FROM mg_entities WHERE namespace = ?2 AND canonical_name = ?3 AND type = ?6 AND kind = ?4
			AND kind <> 'memory' AND merged_into IS NULL
			AND ?7 = 0`,
		`SELECT e.id, 1 FROM mg_entity_aliases a JOIN mg_entities e ON e.id = a.entity_id WHERE a.namespace = ?2 AND a.alias =
			?3 AND e.kind = ?4 AND e.created_at = ?5
			AND e.canonical_name = ?3 AND ?7 = 0`,
		`SELECT id, 1 FROM mg_entities WHERE merged_into IS NOT NULL AND namespace = ?2 AND canonical_name = ?3 AND type = ?6
			AND kind = ?4 AND created_at = ?5
			AND ?7 <> 0`}},
	"observation": {[]string{"id", "entity_id", "created_at", "content"}, []string{
		`SELECT id, 1 FROM mg_observations WHERE id = ?1 AND entity_id = ?2 AND created_at = ?3 AND content = ?4`,
		`SELECT id, 1 FROM mg_observations WHERE entity_id = ?2 AND created_at = ?3 AND content = ?4`}},
	"relationship": {[]string{"id", "head_id", "relation", "tail_id", "created_at", "valid_until", "namespace"}, []string{
		`SELECT id, 1 FROM mg_facts WHERE id = ?1 AND head_id = ?2 AND relation = ?3 AND tail_id = ?4 AND created_at = ?5`,
		`SELECT id, created_at = ?5 FROM mg_relationships WHERE namespace = ?7 AND head_id = ?2 AND relation = ?3 AND tail_id
			= ?4 AND valid_until IS NULL
			AND (?6 IS NULL OR created_at = ?5)`,
		`SELECT id, 1 FROM mg_facts WHERE head_id = ?2 AND valid_until IS NOT NULL AND relation = ?3 AND tail_id = ?4
			AND created_at = ?5`}},
	"event": {[]string{"id", "namespace", "object", "at", "action", "call_id", "after", "lowered after"}, []string{
		`SELECT id, 1 FROM mg_events WHERE id = ?1 AND namespace = ?2 AND object = ?3 AND at = ?4 AND action = ?5 AND call_id
			IS ?6`,
		`SELECT id, 1 FROM mg_events WHERE namespace = ?2 AND object = ?3 AND at = ?4 AND action = ?5 AND call_id IS ?6 AND
			(after IS ?7 OR after IS ?8)`}},
	"entity_version": {[]string{"id", "entity_id", "created_at", "cause", "event_id"}, []string{
		`SELECT version_id, 1 FROM mg_entity_versions WHERE version_id = ?1 AND entity_id = ?2 AND created_at = ?3 AND cause =
			?4`,
		`SELECT version_id, 1 FROM mg_entity_versions WHERE entity_id = ?2 AND created_at = ?3 AND cause = ?4 AND event_id IS
			?5`}},
	"relationship_version": {[]string{"id", "relationship_id", "created_at", "cause", "event_id"}, []string{
		`SELECT version_id, 1 FROM mg_relationship_versions WHERE version_id = ?1 AND relationship_id = ?2 AND created_at = ?3
			AND cause = ?4`,
		`SELECT version_id, 1 FROM mg_relationship_versions WHERE relationship_id = ?2 AND created_at = ?3 AND cause = ?4 AND
			event_id IS ?5`}},
}

// observe adds an observation to an entity that exists here under the same name, and so to its description and its
// versions.
func (m *Importer) observe(ctx context.Context, t *transferred) error {
	id := t.values["entity_id"].(int64)
	if t.values["expired_at"] != nil {
		m.out.Kept++
		return nil
	}
	before, is, err := m.w.snapshots(ctx, id)
	if err != nil {
		return err
	}
	content := t.text("content")
	if slices.Contains(shownNotes(is.Desc, is.Notes), content) {
		m.out.Known++
		return m.vouchNote(ctx, before, is, note{content, memory.Origin(t.text("origin"))})
	}
	m.count("observation", true)
	to := is.said()
	to.notes = append(to.notes, note{content, memory.Origin(t.text("origin"))})
	_, err = m.w.rewrite(ctx, before, is, to, vouched{})
	return err
}

// vouchNote raises the trust of an existing observation to what the file claims, if the user vouches for the file.
func (m *Importer) vouchNote(ctx context.Context, before string, is entitySnapshot, claimed note) error {
	to, raised := is.said(), false
	for i, n := range to.notes {
		if n.text == claimed.text && n.unvouched() && !claimed.unvouched() {
			to.notes[i].origin, raised = claimed.origin, true
		}
	}
	if !m.o.Trusted || !raised {
		return nil
	}
	m.out.Raised++
	m.out.Known--
	_, err := m.w.rewrite(ctx, before, is, to, vouched{raise: true})
	return err
}
