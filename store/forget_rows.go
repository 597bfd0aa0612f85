package store

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"memory-graph/internal/memory"
)

// run deletes the rows. Rows that refer to another row go before that row.
func (f *forgetting) run(ctx context.Context) error {
	for _, step := range []func(context.Context) error{f.unname, f.orphanChildren, f.scrub, f.dropCommunities,
		f.dropVectors, f.dropWork, f.markCalls, f.dropLog, f.dropFacts, f.dropNodes, f.dropEpisodes,
		f.takeBackEnds, f.nameCommunities} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	// Deleting only marks a row of a contentless index. Its words stay until the index's segments are merged.
	for _, index := range []string{"mg_episodes_fts", "mg_entities_fts"} {
		if _, err := f.w.c.exec(ctx, `INSERT INTO `+index+` (`+index+`) VALUES ('optimize')`); err != nil {
			return err
		}
	}
	return nil
}

// exec runs statements in which ?1 are the episodes, ?2 the facts, ?3 the nodes and ?4 the namespace.
func (f *forgetting) exec(ctx context.Context, statements ...string) error {
	args := []any{f.episodes.list(), f.facts.list(), f.nodes.list(), f.w.scope.Namespace}
	for _, sql := range statements {
		// Naming all four gives every statement the same parameters.
		if _, err := f.w.c.exec(ctx, `WITH p AS (SELECT ?1, ?2, ?3, ?4) `+sql, args...); err != nil {
			return err
		}
	}
	return nil
}

const (
	goneEpisodes = ` IN (SELECT value FROM json_each(?1))`
	goneFacts    = ` IN (SELECT value FROM json_each(?2))`
	goneNodes    = ` IN (SELECT value FROM json_each(?3))`
)

// orphanChildren removes the parent of children that stay when their parent is deleted.
func (f *forgetting) orphanChildren(ctx context.Context) error {
	w := f.w
	children, err := w.ids(ctx,
		`SELECT c.id FROM json_each(?1) j CROSS JOIN mg_entities c ON c.parent_id = j.value WHERE c.id NOT IN (SELECT value
			FROM json_each(?1)) ORDER BY c.id`, f.nodes.list())
	if err != nil {
		return err
	}
	if err := w.orphan(ctx, children); err != nil {
		return err
	}
	return f.exec(ctx, `DELETE FROM mg_closure WHERE ancestor_id`+goneNodes,
		`DELETE FROM mg_closure WHERE descendant_id`+goneNodes)
}

// scrub removes the names and descriptions of deleted nodes from the versions and events of nodes that they were once
// merged into.
func (f *forgetting) scrub(ctx context.Context) error {
	w := f.w
	hosts, err := w.ids(ctx, `SELECT DISTINCT json_extract(b.snapshot, '$.merged_into') AS host FROM json_each(?1) j CROSS
		JOIN mg_entity_versions b ON b.entity_id = j.value
		WHERE host IS NOT NULL AND host NOT IN (SELECT value FROM json_each(?1))`, f.nodes.list())
	if err != nil {
		return err
	}
	const theirs = `(SELECT json_extract(b.snapshot, '$.description') FROM mg_entity_versions b WHERE b.entity_id IN
		(SELECT value FROM json_each(?1)))`
	const names = `(SELECT a.value FROM mg_entity_versions b CROSS JOIN json_each(b.snapshot, '$.aliases') a WHERE
		b.entity_id IN (SELECT value FROM json_each(?1))
		EXCEPT SELECT alias FROM mg_entity_aliases WHERE entity_id = ?2)`
	clean := func(host int64, table, column, where string) error {
		_, err := w.c.exec(ctx, `UPDATE `+table+` SET `+column+` = json_set(`+column+`,
			'$.aliases', json((SELECT json_group_array(a.value) FROM
			json_each(`+column+`, '$.aliases') a WHERE a.value NOT IN
				`+names+`)),
			'$.description',
			iif(`+column+` ->> '$.description' IN
				`+theirs+` AND
				`+column+` ->> '$.description' <>
				e.description, '', `+column+` ->> '$.description'))
			FROM (SELECT description FROM mg_entities WHERE id = ?2) e WHERE
			`+column+` IS NOT NULL AND
				`+where, f.nodes.list(), host, w.scope.Namespace)
		return err
	}
	for _, host := range hosts {
		const ofHost = `?3 = namespace AND object IN ('e' || ?2, 'm' || ?2)`
		if err := cmp.Or(clean(host, "mg_entity_versions", "snapshot", `?3 = ?3 AND entity_id = ?2`),
			clean(host, "mg_events", "before", ofHost), clean(host, "mg_events", "after", ofHost)); err != nil {
			return err
		}
	}
	return nil
}

// dropVectors overwrites the vectors before deleting them. vec0 leaves the bytes of a deleted vector in the file, and a
// vector reveals much of its text.
func (f *forgetting) dropVectors(ctx context.Context) error {
	live, err := liveGenerations(ctx, f.w.c, withoutBase)
	if err != nil {
		return err
	}
	for kind, ids := range map[VectorKind]idSet{OfEpisodes: f.episodes, OfEntities: f.nodes} {
		for _, id := range slices.Sorted(maps.Keys(ids)) {
			for _, g := range live {
				if err := zeroVector(ctx, f.w.c, kind.table(g.ID), g.Dimensions, id); err != nil {
					return err
				}
			}
			if err := forgetVectors(ctx, f.w.c, kind, id); err != nil {
				return err
			}
		}
	}
	return nil
}

// dropWork deletes jobs about the deleted rows, with any prefix of their subjects ("t5", "2/t5"). It also deletes
// traces of answers, which may contain any text.
func (f *forgetting) dropWork(ctx context.Context) error {
	return f.exec(ctx,
		`DELETE FROM mg_jobs WHERE namespace = ?4 AND substr(subject, instr(subject, '/') + 1) IN (SELECT 't' || value FROM
			json_each(?1)
			UNION ALL SELECT 'r' || value FROM json_each(?2) UNION ALL SELECT 'e' || value FROM json_each(?3) UNION ALL SELECT
			'm' || value FROM json_each(?3))`,
		`UPDATE mg_jobs SET last_error = NULL WHERE namespace = ?4`, // an endpoint's error may quote a turn
		`UPDATE mg_counters SET last_error = NULL WHERE namespace = ?4`,
		`DELETE FROM mg_traces WHERE namespace = ?4`)
}

// dropLog removes the contents of the events. Only the record that something happened remains.
func (f *forgetting) dropLog(ctx context.Context) error {
	return f.exec(ctx,
		`UPDATE mg_events SET before = NULL, after = NULL, reason = NULL WHERE namespace = ?4 AND object IN (SELECT 't' ||
			value FROM json_each(?1)
			UNION ALL SELECT 'r' || value FROM json_each(?2) UNION ALL SELECT 'e' || value FROM json_each(?3) UNION ALL SELECT
			'm' || value FROM json_each(?3))`,
		`UPDATE mg_events SET episode_id = NULL, reason = '' WHERE namespace = ?4 AND episode_id`+goneEpisodes)
}

// markCalls marks the events of nodes of the calls that wrote the deleted rows with an empty reason, which no call
// gives. Such events keep no node alive if its other references are forgotten later.
func (f *forgetting) markCalls(ctx context.Context) error {
	calls, err := f.calls(ctx)
	if err != nil {
		return err
	}
	_, err = f.w.c.exec(ctx, `UPDATE mg_events SET reason = '' WHERE namespace = ?1 AND call_id IN (SELECT value FROM
		json_each(?2)) AND object GLOB '[em]*'`, f.w.scope.Namespace, calls)
	return err
}

func (f *forgetting) dropFacts(ctx context.Context) error {
	return f.exec(ctx,
		`UPDATE mg_relationships SET superseded_by = NULL WHERE superseded_by`+goneFacts,
		`UPDATE mg_archive SET superseded_by = NULL WHERE superseded_by`+goneFacts,
		`UPDATE mg_relationship_versions SET superseded_by = NULL WHERE superseded_by`+goneFacts,
		`DELETE FROM mg_relationship_versions WHERE relationship_id`+goneFacts,
		`DELETE FROM mg_relationship_versions WHERE head_id`+goneNodes, // of facts that a merged node had for some time
		`DELETE FROM mg_relationship_versions WHERE tail_id`+goneNodes,
		`DELETE FROM mg_merged_evidence WHERE source_id`+goneFacts+` OR target_id`+goneFacts+` OR episode_id`+goneEpisodes,
		`DELETE FROM mg_evidence WHERE relationship_id`+goneFacts,
		`DELETE FROM mg_evidence WHERE episode_id`+goneEpisodes,
		`DELETE FROM mg_archive WHERE id`+goneFacts,
		`DELETE FROM mg_relationships WHERE id`+goneFacts,
		`DELETE FROM mg_relations WHERE namespace = ?4 AND NOT EXISTS (SELECT 1 FROM mg_facts r WHERE r.namespace =
			mg_relations.namespace AND r.relation = mg_relations.relation)`)
}

func (f *forgetting) dropNodes(ctx context.Context) error {
	return f.exec(ctx,
		`DELETE FROM mg_mentions WHERE entity_id`+goneNodes,
		`DELETE FROM mg_merged_mentions WHERE from_id`+goneNodes+` OR into_id`+goneNodes+` OR episode_id`+goneEpisodes,
		`DELETE FROM mg_entity_versions WHERE entity_id`+goneNodes,
		`DELETE FROM mg_entities_fts WHERE rowid`+goneNodes,
		`UPDATE mg_episodes SET memory_id = NULL WHERE memory_id`+goneNodes,
		// references between these nodes and the unique index of names would block the deletion
		`UPDATE mg_entities SET parent_id = NULL, merged_into = NULL, kind = 'memory' WHERE id`+goneNodes,
		`DELETE FROM mg_entities WHERE id`+goneNodes)
}

func (f *forgetting) dropEpisodes(ctx context.Context) error {
	return f.exec(ctx,
		`DELETE FROM mg_observations WHERE episode_id`+goneEpisodes,
		`DELETE FROM mg_mentions WHERE episode_id`+goneEpisodes,
		`DELETE FROM mg_episodes_fts WHERE rowid`+goneEpisodes,
		`DELETE FROM mg_episodes WHERE id`+goneEpisodes)
}

// mustStand refuses to restore a fact whose head or tail was forgotten.
func (w *writing) mustStand(ctx context.Context, f factSnapshot) error {
	both, _, err := w.c.int64(ctx, `SELECT count(*) FROM mg_entities AS h, mg_entities AS t WHERE h.id = ? AND t.id = ?`,
		f.Head, f.Tail)
	if err == nil && both == 0 {
		err = memory.Errorf(memory.Conflict, "The head or the tail of %s has been forgotten.",
			memory.RelationshipID(f.ID)).WithHint("Store it again.")
	}
	return err
}
