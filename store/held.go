package store

import (
	"cmp"
	"context"
	"strings"

	"memory-graph/internal/memory"
)

// The roles of mentions by which a turn in quarantine holds a node back. A node is withheld while one of its turns is
// in quarantine.
const (
	heldRole     = "held"      // the node's type or description came with the turn
	heldNameRole = "held_name" // its name came with the turn, so its facts are withheld too

	heldRoles = `('` + heldRole + `', '` + heldNameRole + `')`
)

// withheldQuery reads entities (?1) and facts (?2) of a namespace (?3). Its columns: whether the row is a fact, the id,
// and whether the name is withheld too. With the partial index mg_mentions_held its cost does not depend on the number
// of mentions.
const withheldQuery = `SELECT 0, m.entity_id, max(m.role = '` + heldNameRole + `') FROM json_each(?1) j
		CROSS JOIN mg_mentions m ON m.entity_id = j.value AND m.role IN ` + heldRoles + `
		CROSS JOIN mg_episodes p ON p.id = m.episode_id
		WHERE p.namespace = ?3 AND p.status = '` + memory.StatusQuarantined + `' GROUP BY m.entity_id
	UNION ALL SELECT 1, r.id, 0 FROM json_each(?2) j CROSS JOIN mg_facts r ON r.id = j.value
		WHERE r.namespace = ?3 AND EXISTS (SELECT 1 FROM mg_evidence v WHERE v.relationship_id = r.id)
		AND NOT EXISTS (SELECT 1 FROM mg_evidence v CROSS JOIN mg_episodes p ON p.id = v.episode_id
			WHERE v.relationship_id = r.id AND p.status <> '` + memory.StatusQuarantined + `')`

// Withheld returns which of these entities and facts are withheld. It runs one statement.
func (s *Store) Withheld(ctx context.Context, namespace string, entities, facts []int64) (memory.Withheld, error) {
	out := memory.Withheld{Entities: map[int64]bool{}, Names: map[int64]bool{}, Facts: map[int64]bool{}}
	if len(entities)+len(facts) == 0 {
		return out, nil
	}
	err := s.readOne(ctx, "read withheld objects", func(c *conn) error {
		return c.query(ctx, withheldQuery,
			func(row cursor) error {
				id := row.int64(1)
				switch {
				case row.bool(0):
					out.Facts[id] = true
				case row.bool(2):
					out.Names[id] = true
					fallthrough
				default:
					out.Entities[id] = true
				}
				return nil
			}, idList(entities), idList(facts), namespace)
	})
	return out, err
}

// holding runs do, which writes the arguments of a call. If the arguments look like an attack, holding first stores
// them as a turn in quarantine, which holds back the nodes that do creates or changes.
func (w *writing) holding(ctx context.Context, s *memory.Suspicion, origin memory.Origin, do func() error) error {
	if s == nil {
		return do()
	}
	in := NewEpisode{Episode: memory.Episode{Scope: w.scope, Role: roleOf(origin), Source: CallSource,
		Content: s.Text, Origin: origin, Status: memory.StatusQuarantined}, Reasons: s.Reasons,
		Imported: true} // undo takes the turn back with the call
	e, err := w.newTurn(ctx, in, prepareEpisode(in)) // never a duplicate, because the older turn may have been released
	if err != nil {
		return err
	}
	return w.heldBy(e.ID, do)
}

// heldBy runs do. The given turn in quarantine holds back everything that do creates or changes.
func (w *writing) heldBy(episode int64, do func() error) error {
	defer func(old int64) { w.held = old }(w.held)
	w.held = episode
	return do()
}

// hold records which properties of a node came with the turn in quarantine. was is nil for a new node.
func (w *writing) hold(ctx context.Context, was *entitySnapshot, is entitySnapshot) error {
	role := heldNameRole
	switch {
	case w.held == 0:
		return nil
	case was == nil || memory.Canonical(is.Name) != memory.Canonical(was.Name):
	case is.Desc != was.Desc || is.Type != was.Type:
		role = heldRole
	default:
		return nil
	}
	_, err := w.c.exec(ctx,
		`INSERT INTO mg_mentions (episode_id, entity_id, role) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
		w.held, is.ID, role)
	return cmp.Or(err, linkEntity(ctx, w.c, w.held, is.ID))
}

// spelled returns a node's name for the text of a call episode, or its id while the name is withheld.
func (w *writing) spelled(ctx context.Context, n node) (string, error) {
	_, held, err := w.c.int64(ctx, `SELECT 1 FROM mg_mentions m CROSS JOIN mg_episodes p ON p.id = m.episode_id
		WHERE m.entity_id = ? AND m.role = '`+heldNameRole+`' AND p.status = '`+memory.StatusQuarantined+`' LIMIT 1`, n.id)
	if err != nil || held {
		return n.ref().String(), err
	}
	return n.name, nil
}

// mayForget refuses to forget a turn in quarantine without the nodes that it holds back. They would no longer be
// withheld.
func (f *forgetting) mayForget(ctx context.Context) error {
	var left []string
	err := f.w.c.query(ctx, `SELECT DISTINCT e.kind, e.id FROM json_each(?1) j
		CROSS JOIN mg_mentions m ON m.episode_id = j.value AND m.role IN `+heldRoles+`
		CROSS JOIN mg_episodes p ON p.id = m.episode_id CROSS JOIN mg_entities e ON e.id = m.entity_id
		WHERE p.status = '`+memory.StatusQuarantined+`' AND e.kind IN `+shownKinds+` AND e.merged_into IS NULL
		AND e.id NOT IN (SELECT value FROM json_each(?2)) AND e.id NOT IN (SELECT value FROM json_each(?3))
		ORDER BY e.id LIMIT 5`,
		func(row cursor) error {
			left = append(left, memory.NodeID(memory.NodeKind(row.text(0)), row.int64(1)).String())
			return nil
		}, f.episodes.list(), f.nodes.list(), f.going.list())
	if err != nil || len(left) == 0 {
		return err
	}
	return memory.Errorf(memory.Conflict, "A turn in quarantine holds %s back.", strings.Join(left, ", ")).
		WithHint("Forget %s too, undo the call that wrote it, or release the turn first.", strings.Join(left, ", "))
}
