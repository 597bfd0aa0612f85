package store

import (
	"context"

	"memory-graph/internal/memory"
)

// readMemory stores the text of a memory as a turn of the call, with the facts that it states, if it states any. It
// ends the facts that only earlier texts of the memory stated. A new text of lower trust than such a fact does not end
// it.
func (w *writing) readMemory(ctx context.Context, id int64, in NewMemory, from moment, out *Written) error {
	defer func(old int64) { w.episode = old }(w.episode)
	current := int64(0)
	if in.Text != nil {
		turn := *in.Text
		turn.Imported = true // undo takes the text back with the call
		rec, err := w.recordEpisode(ctx, turn, prepareEpisode(turn))
		if err != nil {
			return err
		}
		current, w.episode = rec.Episode.ID, rec.Episode.ID
		if err := belongs(ctx, w.c, current, id, memory.MentionSelf); err != nil {
			return err
		}
		if !rec.Duplicate {
			if err := w.addFindings(ctx, rec.Episode, turn.Found, out); err != nil {
				return err
			}
		}
	}
	stale, err := w.activeOn(ctx, `r.namespace = ?1 AND r.id IN (SELECT v.relationship_id FROM mg_mentions m
			CROSS JOIN mg_episodes t ON t.id = m.episode_id CROSS JOIN mg_evidence v ON v.episode_id = t.id
			WHERE m.entity_id = ?2 AND m.role = 'self' AND t.source = 'call' AND t.id <> ?3)
		AND NOT EXISTS (SELECT 1 FROM mg_evidence v WHERE v.relationship_id = r.id AND v.episode_id NOT IN
			(SELECT m.episode_id FROM mg_mentions m CROSS JOIN mg_episodes t ON t.id = m.episode_id
				WHERE m.entity_id = ?2 AND m.role = 'self' AND t.source = 'call' AND t.id <> ?3))`,
		w.scope.Namespace, id, current)
	if err != nil {
		return err
	}
	for _, f := range stale {
		if f.origin.Trust() > in.Origin.Trust() {
			continue
		}
		if err := w.endAt(ctx, f, from.after(f.begin()), 0, causeUnlinked); err != nil {
			return err
		}
	}
	return w.hideTexts(ctx, id, current)
}

// hideTexts withdraws the turns of earlier texts of a memory: no search finds them beside the current one. They stay
// turns of the memory, so forgetting it deletes them.
func (w *writing) hideTexts(ctx context.Context, id, current int64) error {
	var old []turnTarget
	if err := w.c.query(ctx, `SELECT t.id, t.status FROM mg_mentions m CROSS JOIN mg_episodes t ON t.id = m.episode_id
		WHERE m.entity_id = ?1 AND m.role = 'self' AND t.source = 'call' AND t.id <> ?2
		AND t.status NOT IN ('`+memory.StatusWithdrawn+`', '`+memory.StatusQuarantined+`')`, func(row cursor) error {
		old = append(old, turnTarget{id: row.int64(0), is: turnSnapshot{Status: row.text(1)},
			want: turnSnapshot{Status: memory.StatusWithdrawn}})
		return nil
	}, id, current); err != nil {
		return err
	}
	for _, t := range old {
		w.episode = t.id
		if err := w.hide(ctx, t); err != nil {
			return err
		}
	}
	return nil
}
