package store

import (
	"context"

	"memory-graph/internal/memory"
)

// A turn takes part in edges through a hidden node of its own, which it has in the role self. The node is made with
// the turn's first link. Its name is the turn's id, so it repeats no word of the turn.

// liveTurn is the condition under which a row of mg_entities as e stands for a turn that may be linked.
const liveTurn = `e.kind = '` + string(memory.NodeTurn) + `' AND EXISTS (SELECT 1 FROM mg_mentions s CROSS JOIN
	mg_episodes p ON p.id = s.episode_id WHERE s.entity_id = e.id AND s.role = '` + memory.MentionSelf + `' AND p.status
	NOT IN ('` + memory.StatusWithdrawn + `', '` + memory.StatusNote + `', '` + memory.StatusQuarantined + `'))`

// linkableTurn is the condition under which a row of mg_episodes as e may be linked (Linkable).
const linkableTurn = readable + ` AND e.status <> '` + memory.StatusQuarantined + `' AND e.role IN ('user',
	'assistant') AND e.source IS NOT '` + CallSource + `' AND length(e.content) >= 20`

// leastLinked is the length of the shortest turn that is linked, in characters. Shorter ones are alike by chance.
const leastLinked = 20

// LinkableTurn reports whether a turn may be linked to similar turns: it was said by a user or an assistant, is long
// enough to say something, and does not look like an attack.
func LinkableTurn(e memory.Episode) bool {
	switch e.Status {
	case memory.StatusWithdrawn, memory.StatusNote, memory.StatusQuarantined:
		return false
	}
	return (e.Role == memory.RoleUser || e.Role == memory.RoleAssistant) && e.Source != CallSource &&
		len([]rune(e.Content)) >= leastLinked
}

// TurnNodes returns the nodes that stand for episodes of a namespace. With create it makes those that are missing.
// Episodes that do not exist have none.
func (s *Store) TurnNodes(ctx context.Context, namespace string, episodes []int64, create bool) (map[int64]int64,
	error) {
	var out map[int64]int64
	read := func(ctx context.Context, c *conn) error {
		out = map[int64]int64{}
		return c.query(ctx, `SELECT m.episode_id, e.id FROM json_each(?) j CROSS JOIN mg_mentions m ON m.episode_id = j.value
			AND m.role = ? CROSS JOIN mg_entities e ON e.id = m.entity_id WHERE e.namespace = ? AND e.kind = ?`,
			func(row cursor) error {
				out[row.int64(0)] = row.int64(1)
				return nil
			}, idList(episodes), memory.MentionSelf, namespace, string(memory.NodeTurn))
	}
	if !create {
		err := s.readOne(ctx, "read the nodes of turns", func(c *conn) error { return read(ctx, c) })
		return out, err
	}
	err := s.writeGraph(ctx, "make nodes of turns", linkAction, memory.Scope{Namespace: namespace},
		memory.Caller{Actor: "system"}, func(ctx context.Context, w *writing) error {
			if err := read(ctx, w.c); err != nil {
				return err
			}
			for _, id := range episodes {
				if out[id] != 0 {
					continue
				}
				origin, err := w.c.text(ctx, `SELECT origin FROM mg_episodes WHERE id = ? AND namespace = ?`, id, namespace)
				if err != nil {
					return err
				}
				if origin == "" {
					continue
				}
				node, err := w.hiddenNode(ctx, memory.NodeTurn, string(memory.NodeTurn), memory.EpisodeID(id).String(),
					memory.Origin(origin), memory.MethodSimilarity)
				if err != nil {
					return err
				}
				if err := belongs(ctx, w.c, id, node, memory.MentionSelf); err != nil {
					return err
				}
				out[id] = node
			}
			return nil
		})
	return out, err
}

// unlinkTurn ends the links of the node that stands for a turn.
func (w *writing) unlinkTurn(ctx context.Context, episode int64) error {
	ids, err := w.ids(ctx, `SELECT r.id FROM mg_mentions m CROSS JOIN mg_entities e ON e.id = m.entity_id AND e.kind =
		'`+string(memory.NodeTurn)+`' CROSS JOIN mg_relationships r ON (r.head_id = e.id OR r.tail_id = e.id) AND
		r.valid_until IS NULL WHERE m.episode_id = ? AND m.role = '`+memory.MentionSelf+`' ORDER BY r.id`, episode)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := w.unlink(ctx, id); err != nil {
			return err
		}
	}
	return nil
}
