package store

import (
	"context"
	"slices"
	"strings"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// sharedNode is the relation between a memory and a label of it. Two memories with one label are two hops apart.
const sharedNode = "shared_node"

// labelNode returns the shared hidden node of a label, and creates it if it is missing. Like a mention node it has no
// version and no event, because nothing is stated about it.
func (w *writing) labelNode(ctx context.Context, l memory.Label, origin memory.Origin) (int64, error) {
	return w.hiddenNode(ctx, memory.NodeMetadata, string(l.Kind), l.Name(), origin, memory.MethodMetadata)
}

// hiddenNode returns the hidden node of a kind and a name, and creates it if it is missing.
func (w *writing) hiddenNode(ctx context.Context, kind memory.NodeKind, typ, name string, origin memory.Origin,
	m memory.Method) (int64, error) {
	canonical := memory.Canonical(name)
	if canonical == "" {
		return 0, emptyName(name)
	}
	id, found, err := w.c.int64(ctx,
		`SELECT id FROM mg_entities WHERE namespace = ? AND canonical_name = ? AND type = ? AND kind <> 'memory' AND
			merged_into IS NULL AND kind = ?`, w.scope.Namespace, canonical, typ, string(kind))
	if err != nil || found {
		return id, err
	}
	_, err = w.c.exec(ctx, `INSERT INTO mg_entities (id, namespace, kind, canonical_name, name, type, confidence, origin,
		created_at, updated_at, last_seen_at)
		VALUES (`+freshID("mg_entities")+`, ?, ?, ?, ?, ?, ?, ?, ?8, ?8, ?8)`,
		w.scope.Namespace, string(kind), canonical, memory.Shown(name), typ, memory.Capped(nil, origin, m), string(origin),
		memory.Millis(w.now))
	return w.c.lastID(), err
}

// labelTurn notes the labels of a turn as mentions in the roles tag and type.
func (w *writing) labelTurn(ctx context.Context, episode int64, labels []memory.Label, origin memory.Origin) error {
	for _, l := range labels {
		id, err := w.labelNode(ctx, l, origin)
		if err != nil {
			return err
		}
		if err := belongs(ctx, w.c, episode, id, l.Kind.Role()); err != nil {
			return err
		}
	}
	return nil
}

// LabelsOf returns the metadata of turns, by turn, in the order of their names.
func (s *Store) LabelsOf(ctx context.Context, namespace string, turns []int64) (map[int64][]memory.Label, error) {
	if len(turns) == 0 {
		return map[int64][]memory.Label{}, nil
	}
	var of map[int64][]memory.Label
	err := s.readOne(ctx, "read metadata", func(c *conn) (err error) {
		of, err = labelsOf(ctx, c, namespace, turns)
		return err
	})
	return of, err
}

func labelsOf(ctx context.Context, c *conn, namespace string, turns []int64) (map[int64][]memory.Label, error) {
	of := map[int64][]memory.Label{}
	err := c.query(ctx, `SELECT m.episode_id, e.type, e.name FROM json_each(?1) j
			CROSS JOIN mg_mentions m ON m.episode_id = j.value AND m.role IN ('`+memory.MentionTag+`', '`+
		memory.MentionType+`') CROSS JOIN mg_entities e ON e.id = m.entity_id
			WHERE e.namespace = ?2 AND e.kind = '`+string(memory.NodeMetadata)+`' ORDER BY e.type, e.name`,
		func(row cursor) error {
			kind := row.text(1)
			of[row.int64(0)] = append(of[row.int64(0)], memory.Label{Kind: memory.LabelKind(kind),
				Value: strings.TrimPrefix(row.text(2), kind+": ")})
			return nil
		}, idList(turns), namespace)
	return of, err
}

// belongs notes that a node belongs to an episode in a role.
func belongs(ctx context.Context, c *conn, episode, node int64, role string) error {
	_, err := c.exec(ctx,
		`INSERT INTO mg_mentions (episode_id, entity_id, role) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`, episode, node, role)
	return err
}

// labelMemory gives a memory exactly these labels: it ends the shared_node facts of other labels and writes the missing
// ones. Their evidence is the memory's turn, or the note for metadata if it has none.
func (w *writing) labelMemory(ctx context.Context, id int64, labels []memory.Label, origin memory.Origin) error {
	want := make([]int64, 0, len(labels))
	for _, l := range labels {
		node, err := w.labelNode(ctx, l, origin)
		if err != nil {
			return err
		}
		if !slices.Contains(want, node) { // "Dashboard" and "dashboard"
			want = append(want, node)
		}
	}
	has, err := w.activeOn(ctx, `r.namespace = ? AND r.head_id = ? AND r.relation = ? AND r.method = ?`,
		w.scope.Namespace, id, sharedNode, string(memory.MethodMetadata))
	if err != nil {
		return err
	}
	for _, f := range has {
		if i := slices.Index(want, f.tail); i >= 0 {
			want = slices.Delete(want, i, i+1)
		} else if err := w.unlink(ctx, f.id); err != nil {
			return err
		}
	}
	for _, node := range want {
		if err := w.share(ctx, id, node, origin); err != nil {
			return err
		}
	}
	return nil
}

// share writes the shared_node fact between a memory and a label's node.
func (w *writing) share(ctx context.Context, head, tail int64, origin memory.Origin) error {
	a := assertion{label: sharedNode, class: graph.Lookup(sharedNode).Class,
		fact: fact{head: head, tail: tail, relation: sharedNode, origin: origin, method: memory.MethodMetadata,
			confidence: memory.Capped(nil, origin, memory.MethodMetadata), validFrom: memory.Seconds(w.now)}}
	return w.derived(ctx, a)
}

// derived writes a fact that nobody stated. Its evidence is the turn of the call, or the note of its method without
// one.
func (w *writing) derived(ctx context.Context, a assertion) error {
	id, err := w.insertFact(ctx, a)
	if err != nil {
		return err
	}
	defer func(old int64) { w.episode = old }(w.episode)
	if w.episode != 0 {
		a.method = memory.MethodSupplied
	} else if w.episode, err = w.linkEvidence(ctx, a.method); err != nil {
		return err
	}
	return w.addEvidence(ctx, id, a)
}

// MemoriesSharingLabels returns the memories that share a topic, a category or a repository with one of the turns,
// those that share most first, then the newest.
func (s *Store) MemoriesSharingLabels(ctx context.Context, namespace string, turns []int64, limit int) (ids []int64,
	err error) {
	err = s.readOne(ctx, "read memories with the same labels", func(c *conn) error {
		return c.query(ctx, `SELECT r.head_id FROM json_each(?) j CROSS JOIN mg_mentions m ON m.episode_id = j.value AND
			m.role = '`+memory.MentionTag+`' CROSS JOIN mg_relationships r ON r.tail_id = m.entity_id AND
			r.valid_until IS NULL AND r.method = '`+string(memory.MethodMetadata)+`' WHERE r.namespace = ?
			GROUP BY r.head_id ORDER BY count(*) DESC, r.head_id DESC LIMIT ?`, func(row cursor) error {
			ids = append(ids, row.int64(0))
			return nil
		}, idList(turns), namespace, limit)
	})
	return ids, err
}
