package store

import (
	"context"

	"memory-graph/internal/memory"
)

// WithdrawTurns takes imported turns back whose file says something else now: no read finds them, and facts that they
// alone state end when they began. It returns the turns that stay, because others depend on them. Undo restores all.
func (s *Store) WithdrawTurns(ctx context.Context, namespace string, ids []int64, by memory.Caller) (stayed []memory.ID,
	err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	err = s.writeGraph(ctx, "withdraw turns", importAction, memory.Scope{Namespace: namespace}, by,
		func(ctx context.Context, w *writing) error {
			alone, err := w.ids(ctx, `SELECT DISTINCT v.relationship_id FROM json_each(?1) j
				CROSS JOIN mg_evidence v ON v.episode_id = j.value CROSS JOIN mg_facts r ON r.id = v.relationship_id
				WHERE r.namespace = ?2 AND (r.valid_until IS NULL OR r.valid_from IS NULL OR r.valid_from < r.valid_until)
				AND NOT EXISTS (SELECT 1 FROM mg_events e WHERE e.namespace = ?2 AND e.episode_id = v.episode_id AND e.action =
				'`+extractAction+`' AND e.undone_by IS NULL)
				AND NOT EXISTS (SELECT 1 FROM mg_evidence x CROSS JOIN mg_episodes p ON p.id = x.episode_id
				WHERE x.relationship_id = v.relationship_id AND p.status <> '`+memory.StatusWithdrawn+`'
				AND x.episode_id NOT IN (SELECT value FROM json_each(?1)))`, idList(ids), namespace)
			if err != nil {
				return err
			}
			for _, id := range alone {
				f, err := w.factByID(ctx, id)
				if err != nil {
					return err
				}
				if err := w.retractFact(ctx, f); err != nil {
					return err
				}
			}
			u := &undoing{w: w}
			var turns []turnTarget
			for _, id := range ids {
				found, err := episodeIfThere(ctx, w.c, namespace, id)
				if err != nil {
					return err
				}
				if found != nil && found.Status != memory.StatusWithdrawn {
					turns = append(turns, turnTarget{id: id, is: turnSnapshot{Status: found.Status},
						want: turnSnapshot{Status: memory.StatusWithdrawn}})
				}
			}
			err = u.withdraw(ctx, turns)
			stayed = u.stayed
			return err
		})
	return stayed, err
}
