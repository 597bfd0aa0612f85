package store

import (
	"context"
	"slices"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// moveFact points one of b's facts at a.
func (m *merging) moveFact(ctx context.Context, f fact) error {
	w, moved := m.w, f
	if f.method.Linked() { // it was derived from b as a separate node; the links of a are derived again
		if f.validUntil != "" {
			return nil
		}
		return w.unlink(ctx, f.id)
	}
	if moved.head == m.b.id {
		moved.head = m.a.id
	}
	if moved.tail == m.b.id {
		moved.tail = m.a.id
	}
	if moved.head == moved.tail {
		m.out.Retracted = append(m.out.Retracted, f.id)
		return m.retract(ctx, f)
	}
	m.out.Moved++
	if f.validUntil != "" {
		return w.change(ctx, f.id, causeMerged, `head_id = ?2, tail_id = ?3, fact = ?4`, moved.head, moved.tail,
			m.retold(f.text))
	}
	twins, err := w.rows(ctx, w.openFacts, moved, ` AND r.id <> ?5`, f.id)
	if err != nil {
		return err
	}
	if len(twins) == 0 {
		m.moved = append(m.moved, moved)
		return w.change(ctx, f.id, causeMerged, `head_id = ?2, tail_id = ?3, fact = ?4`, moved.head, moved.tail,
			m.retold(f.text))
	}
	if twins[0].id < f.id {
		return m.join(ctx, twins[0], moved)
	}
	return m.join(ctx, moved, twins[0])
}

// retract ends a fact between the two nodes at its start. It still names the nodes it was stated about.
func (m *merging) retract(ctx context.Context, f fact) error {
	at := f.validFrom
	if at == "" {
		if f.validUntil != "" {
			return nil // past, with an unknown start: no read at any time finds it
		}
		at = memory.Seconds(m.w.now)
	}
	return m.w.change(ctx, f.id, causeMerged, `valid_until = ?2, expired_at = coalesce(expired_at, ?3)`, at,
		memory.Millis(m.w.now))
}

// join makes two active facts of one key one: the older row stays. Both have their new heads and tails already.
func (m *merging) join(ctx context.Context, stay, ends fact) error {
	w := m.w
	m.out.Joined = append(m.out.Joined, ends.id)
	at := ends.validFrom
	if at == "" {
		at = memory.Seconds(w.now)
	}
	var by any = stay.id
	if w.leadsTo(ctx, stay.id, ends.id) {
		by = nil // superseded_by leads from stay to ends, so naming stay would make a cycle
	}
	if err := w.change(ctx, ends.id, causeMerged,
		`head_id = ?2, tail_id = ?3, valid_until = ?4, superseded_by = ?5, expired_at = ?6`,
		ends.head, ends.tail, at, by, memory.Millis(w.now)); err != nil {
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
	if err := w.change(ctx, stay.id, causeMerged,
		`head_id = ?2, tail_id = ?3, confidence = max(confidence, ?4), origin = ?5, method = ?6, valid_from = ?7,
		from_unit = ?8`,
		stay.head, stay.tail, ends.confidence, string(memory.MostTrusted(stay.origin,
			ends.origin)), string(method), nullable(from.at), nullable(string(from.unit))); err != nil {
		return err
	}
	_, err := w.c.exec(ctx, `INSERT INTO mg_merged_evidence (from_id, source_id, target_id, episode_id, method)
		SELECT ?1, ?2, ?3, v.episode_id, v.method FROM mg_evidence v WHERE v.relationship_id = ?2 AND NOT EXISTS
		(SELECT 1 FROM mg_evidence x WHERE x.relationship_id = ?3 AND x.episode_id = v.episode_id AND x.method =
		v.method)`, m.b.id, ends.id, stay.id)
	return err
}

// recordMentions records which mentions of b are new to a.
func (w *writing) recordMentions(ctx context.Context, b, a int64) error {
	_, err := w.c.exec(ctx, `INSERT INTO mg_merged_mentions (from_id, into_id, episode_id, role)
		SELECT ?1, ?2, m.episode_id, m.role FROM mg_mentions m WHERE m.entity_id = ?1 AND NOT EXISTS
		(SELECT 1 FROM mg_mentions x WHERE x.entity_id = ?2 AND x.episode_id = m.episode_id AND x.role = m.role)`, b, a)
	return err
}

// linkMerged copies the recorded mentions and evidence of b to a, and adds b's count of observations. A fact has the
// copied evidence from now on: what was known before does not change.
func (w *writing) linkMerged(ctx context.Context, b, a int64) error {
	if _, err := w.c.exec(ctx, `INSERT INTO mg_mentions (episode_id, entity_id, role, start, stop) SELECT m.episode_id,
		r.into_id, m.role, m.start, m.stop
		FROM mg_merged_mentions r JOIN mg_mentions m ON m.episode_id = r.episode_id AND m.entity_id = r.from_id AND m.role =
		r.role
		WHERE r.from_id = ? AND r.into_id = ? ON CONFLICT DO NOTHING`, b, a); err != nil {
		return err
	}
	if _, err := w.c.exec(ctx, `INSERT INTO mg_evidence (relationship_id, episode_id, quote, method, confidence,
		created_at)
		SELECT r.target_id, v.episode_id, v.quote, v.method, v.confidence, ?2
		FROM mg_merged_evidence r JOIN mg_evidence v ON v.relationship_id = r.source_id AND v.episode_id = r.episode_id AND
		v.method = r.method
		WHERE r.from_id = ?1 ON CONFLICT DO NOTHING`, b, memory.Millis(w.now)); err != nil {
		return err
	}
	_, err := w.c.exec(ctx, `UPDATE mg_entities SET observation_count = observation_count + b.n, last_seen_at =
		max(last_seen_at, b.seen)
		FROM (SELECT observation_count AS n, last_seen_at AS seen FROM mg_entities WHERE id = ?2) b WHERE id = ?1`, a, b)
	return err
}

// unlinkMerged reverses linkMerged.
func (w *writing) unlinkMerged(ctx context.Context, b, a int64) error {
	if _, err := w.c.exec(ctx, `DELETE FROM mg_mentions WHERE (episode_id, entity_id, role) IN
		(SELECT episode_id, into_id, role FROM mg_merged_mentions WHERE from_id = ? AND into_id = ?)`, b, a); err != nil {
		return err
	}
	if _, err := w.c.exec(ctx, `DELETE FROM mg_evidence WHERE (relationship_id, episode_id, method) IN
		(SELECT target_id, episode_id, method FROM mg_merged_evidence WHERE from_id = ?)`, b); err != nil {
		return err
	}
	_, err := w.c.exec(ctx,
		`UPDATE mg_entities SET observation_count = max(1, observation_count - (SELECT observation_count FROM mg_entities
			WHERE id = ?2)) WHERE id = ?1`, a, b)
	return err
}

// contradictions lists the pairs of facts that contradict each other now that both belong to a. One of each pair came
// from b.
func (m *merging) contradictions(ctx context.Context) error {
	w := m.w
	var ids []int64
	for _, f := range m.moved {
		ids = append(ids, f.id)
	}
	for _, f := range m.moved {
		known := graph.Lookup(f.relation)
		if !known.One && len(known.Excludes) == 0 {
			continue
		}
		rivals, err := w.rivals(ctx, f, m.a.typ, false)
		if err != nil {
			return err
		}
		for _, r := range rivals {
			if r.relation == f.relation && f.head != m.a.id || slices.Contains(ids, r.id) {
				continue // they contradicted each other before the merge
			}
			if f.expiresAt != "" && f.expiresAt <= r.validFrom || r.expiresAt != "" && r.expiresAt <= f.validFrom {
				continue // they do not overlap in time
			}
			sentence, err := w.sentence(ctx, r)
			if err != nil {
				return err
			}
			m.out.Conflicts = append(m.out.Conflicts, memory.FactConflict{ID: r.id, Fact: sentence,
				Reason: "it cannot hold beside " + memory.RelationshipID(f.id).String() +
					", which came with the merge; supersede one of them"})
		}
	}
	return nil
}

// ids returns the first column of a statement's rows.
func (w *writing) ids(ctx context.Context, sql string, args ...any) ([]int64, error) {
	var out []int64
	err := w.c.query(ctx, sql, func(s cursor) error {
		out = append(out, s.int64(0))
		return nil
	}, args...)
	return out, err
}
