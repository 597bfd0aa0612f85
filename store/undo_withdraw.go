package store

import (
	"cmp"
	"context"

	"memory-graph/internal/memory"
)

// withdraw takes imported turns out of everything that is read: the text index, the vectors, the mentions, the queue.
// The rows stay, so that facts undone with them still have their source and the undo can be undone. A turn stays
// unchanged if others depend on it: it is the only evidence of a fact from another call, a memory was made from it, or
// a model has read it in another call.
func (u *undoing) withdraw(ctx context.Context, turns []turnTarget) error {
	if len(turns) == 0 {
		return nil
	}
	w := u.w
	ids := make([]int64, len(turns))
	for i, t := range turns {
		ids[i] = t.id
		if _, err := w.c.exec(ctx, `UPDATE mg_episodes SET status = ? WHERE id = ?`, memory.StatusWithdrawn,
			t.id); err != nil {
			return err
		}
	}
	needed, err := w.ids(ctx, `SELECT e.id FROM json_each(?1) j CROSS JOIN mg_episodes e ON e.id = j.value WHERE
		e.memory_id IS NOT NULL
		OR e.id IN (SELECT episode_id FROM mg_observations WHERE episode_id IS NOT NULL)
		OR e.id IN (SELECT v.episode_id FROM mg_events v WHERE v.namespace = ?2 AND v.action =
		'`+extractAction+`' AND v.episode_id IS NOT NULL AND v.undone_by IS NULL AND `+changedMeaning+`)
		OR EXISTS (SELECT 1 FROM mg_evidence v CROSS JOIN mg_facts r ON r.id = v.relationship_id
			WHERE v.episode_id = e.id AND (r.valid_until IS NULL OR r.valid_from IS NULL OR r.valid_from < r.valid_until) AND NOT
			EXISTS
			(SELECT 1 FROM mg_evidence x CROSS JOIN mg_episodes p ON p.id = x.episode_id WHERE x.relationship_id = r.id AND
			p.status <> '`+memory.StatusWithdrawn+`'))`,
		idList(ids), w.scope.Namespace)
	if err != nil {
		return err
	}
	stays := idSet{}
	stays.add(needed...)
	for _, t := range turns {
		if stays[t.id] {
			u.stayed = append(u.stayed, memory.EpisodeID(t.id))
			if _, err := w.c.exec(ctx, `UPDATE mg_episodes SET status = ? WHERE id = ?`, t.is.Status, t.id); err != nil {
				return err
			}
			continue
		}
		w.episode = t.id
		if err := w.hide(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// hide withdraws one turn, and stores its former fields in the event.
func (w *writing) hide(ctx context.Context, t turnTarget) (err error) {
	if t.is.Key, err = w.c.text(ctx, `SELECT idempotency_key FROM mg_episodes WHERE id = ?`, t.id); err != nil {
		return err
	}
	err = w.c.query(ctx,
		`SELECT entity_id, role, start, stop FROM mg_mentions WHERE episode_id = ? ORDER BY entity_id, role`, func(
			row cursor) error {
			m := mentionSnapshot{Entity: row.int64(0), Role: row.text(1)}
			if !row.null(2) {
				start, stop := row.int64(2), row.int64(3)
				m.Start, m.Stop = &start, &stop
			}
			t.is.Mentions = append(t.is.Mentions, m)
			return nil
		}, t.id)
	if err != nil {
		return err
	}
	if err := w.unlinkTurn(ctx, t.id); err != nil {
		return err
	}
	if err := w.moveTurn(ctx, t.id, t.is, t.want); err != nil {
		return err
	}
	// the same import may come again
	_, unkeyed := w.c.exec(ctx, `UPDATE mg_episodes SET idempotency_key = NULL WHERE id = ?`, t.id)
	_, unfound := w.c.exec(ctx, `DELETE FROM mg_episodes_fts WHERE rowid = ?`, t.id)
	// keep the link of a memory's text to the memory, so that both are forgotten together
	_, unnamed := w.c.exec(ctx, `DELETE FROM mg_mentions WHERE episode_id = ?1 AND NOT (role = 'self' AND EXISTS
		(SELECT 1 FROM mg_episodes WHERE id = ?1 AND source = '`+CallSource+`'))`, t.id)
	_, freed := w.c.exec(ctx, dropExtractJob, KindExtract, memory.EpisodeID(t.id).String())
	return cmp.Or(unkeyed, unfound, unnamed, freed, forgetVectors(ctx, w.c, OfEpisodes, t.id))
}

// readmit restores a withdrawn turn. The error is Conflict if the turn has been imported again since.
func (w *writing) readmit(ctx context.Context, t turnTarget) error {
	if t.want.Key != "" {
		again, taken, err := w.c.int64(ctx, `SELECT id FROM mg_episodes WHERE namespace = ? AND idempotency_key = ?`,
			w.scope.Namespace, t.want.Key)
		if err != nil {
			return err
		}
		if taken {
			return memory.Errorf(memory.Conflict, "%s has been imported again since, as %s.", memory.EpisodeID(t.id),
				memory.EpisodeID(again)).
				WithHint("Undo that import first.")
		}
	}
	e, err := episodeByID(ctx, w.c, w.scope.Namespace, t.id)
	if err != nil {
		return err
	}
	if err := w.moveTurn(ctx, t.id, turnSnapshot{Status: t.is.Status},
		turnSnapshot{Status: t.want.Status, Origin: t.want.Origin}); err != nil {
		return err
	}
	_, keyed := w.c.exec(ctx, `UPDATE mg_episodes SET idempotency_key = ? WHERE id = ?`, nullable(t.want.Key), t.id)
	if keyed != nil {
		return keyed
	}
	for _, m := range t.want.Mentions {
		if _, err := w.c.exec(ctx,
			`INSERT INTO mg_mentions (episode_id, entity_id, role, start, stop) SELECT ?1, id, ?3, ?4, ?5 FROM mg_entities WHERE
				id = ?2 ON CONFLICT DO NOTHING`,
			t.id, m.Entity, m.Role, optional(m.Start), optional(m.Stop)); err != nil {
			return err
		}
	}
	if err := w.reindexTurns(ctx, []int64{t.id}); err != nil {
		return err
	}
	if err := w.s.enqueueFor(ctx, w.c, e, nil, w.now); err != nil {
		return err
	}
	return w.requeue(ctx, t)
}
