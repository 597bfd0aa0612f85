package store

import (
	"context"
	"time"

	"memory-graph/internal/memory"
)

// VaultEntity is an entity or a memory with what its page in a vault shows.
type VaultEntity struct {
	memory.Entity                       // with the stated confidence
	Own           string                // the description without the entity observations
	Notes         []string              // entity observations, in order
	Facts         []memory.Relationship // of which it is the head, by id, ended ones included
}

// VaultTurn has the properties that decide the place of a turn in a vault.
type VaultTurn struct {
	ID      int64
	Session string    // "" for none
	At      time.Time // when it was said
}

// VaultReader reads one state of a namespace.
type VaultReader struct {
	c         *conn
	namespace string
}

// Vault runs read on one state of a namespace. What a turn in quarantine holds back is not read.
func (s *Store) Vault(ctx context.Context, namespace string, read func(*VaultReader) error) error {
	return s.read(ctx, "read the vault", func(c *conn) error { return read(&VaultReader{c, namespace}) })
}

// notHeld is the condition on nodes e whose name no turn in quarantine holds back.
const notHeld = `NOT EXISTS (SELECT 1 FROM mg_mentions m CROSS JOIN mg_episodes p ON p.id = m.episode_id
	WHERE m.entity_id = e.id AND m.role IN ` + heldRoles + ` AND p.status = '` + memory.StatusQuarantined + `')`

// shownNode is the condition on nodes e that have a page.
const shownNode = `e.namespace = ?1 AND e.kind IN ` + shownKinds + ` AND e.merged_into IS NULL AND ` + notHeld

// Names visits the nodes that have a page, in the order of their ids.
func (v *VaultReader) Names(ctx context.Context, visit func(id memory.ID, name, typ string) error) error {
	return v.c.query(ctx, `SELECT e.id, e.kind, e.name, e.type FROM mg_entities e WHERE `+shownNode+` ORDER BY e.id`,
		func(row cursor) error {
			return visit(memory.NodeID(memory.NodeKind(row.text(1)), row.int64(0)), row.text(2), row.text(3))
		}, v.namespace)
}

// vaultChunk is how many nodes are read at once.
const vaultChunk = 500

// Entities visits the nodes with these ids that have a page, in the order of ids.
func (v *VaultReader) Entities(ctx context.Context, ids []int64, visit func(VaultEntity) error) error {
	for len(ids) > 0 {
		n := min(len(ids), vaultChunk)
		list, err := v.chunk(ctx, ids[:n])
		if err != nil {
			return err
		}
		for _, e := range list {
			if err := visit(e); err != nil {
				return err
			}
		}
		ids = ids[n:]
	}
	return nil
}

func (v *VaultReader) chunk(ctx context.Context, ids []int64) ([]VaultEntity, error) {
	rows, err := queryEntities(ctx, v.c, `SELECT `+statedColumns+` FROM json_each(?2) j CROSS JOIN mg_entities e ON e.id =
		j.value WHERE `+shownNode+` ORDER BY j.key`, v.namespace, idList(ids))
	if err != nil {
		return nil, err
	}
	list, place := make([]VaultEntity, len(rows)), map[int64]int{}
	for i, r := range rows {
		list[i], place[r.ID] = VaultEntity{Entity: r.Entity}, i
	}
	if err := v.c.query(ctx, `SELECT o.entity_id, o.content FROM json_each(?1) j CROSS JOIN mg_observations o ON
		o.entity_id = j.value WHERE o.expired_at IS NULL ORDER BY o.entity_id, o.id`, func(row cursor) error {
		if i, ok := place[row.int64(0)]; ok {
			list[i].Notes = append(list[i].Notes, row.text(1))
		}
		return nil
	}, idList(ids)); err != nil {
		return nil, err
	}
	for i, e := range list {
		list[i].Own = ownWords(e.Description, e.Notes)
	}
	facts, err := v.facts(ctx, ids)
	for _, f := range facts {
		if i, ok := place[f.Head.ID]; ok {
			list[i].Facts = append(list[i].Facts, f)
		}
	}
	return list, err
}

// facts returns the facts of heads. It leaves out derived links, facts that are held back, retracted facts, and facts
// whose head or tail has no page. A retracted fact ended at its own beginning, and was superseded by nothing or by the
// same fact of a merged entity.
func (v *VaultReader) facts(ctx context.Context, heads []int64) ([]memory.Relationship, error) {
	var ids []int64 // first, because the indexes by head are partial
	if err := v.c.query(ctx, `SELECT f.id FROM json_each(?1) j CROSS JOIN mg_relationships f ON f.head_id = j.value WHERE
		f.valid_until IS NULL
		UNION ALL SELECT f.id FROM json_each(?1) j CROSS JOIN mg_relationships f ON f.head_id = j.value WHERE f.valid_until
		IS NOT NULL
		UNION ALL SELECT f.id FROM json_each(?1) j CROSS JOIN mg_archive f ON f.head_id = j.value`, func(row cursor) error {
		ids = append(ids, row.int64(0))
		return nil
	}, idList(heads)); err != nil {
		return nil, err
	}
	return queryRelationships(ctx, v.c, memory.AsOf{},
		`FROM (SELECT value AS id FROM json_each(?1)) j CROSS JOIN mg_facts r ON r.id = j.id`,
		`r.namespace = ?2 AND r.method NOT IN ('`+string(memory.MethodSimilarity)+`', '`+string(memory.MethodMetadata)+`')
		AND NOT (r.valid_until IS NOT NULL AND r.valid_until IS r.valid_from AND (r.superseded_by IS NULL OR EXISTS
		(SELECT 1 FROM mg_facts s WHERE s.id = r.superseded_by AND s.head_id = r.head_id AND s.relation = r.relation
		AND s.tail_id = r.tail_id)))
		AND NOT (`+undoneFact+`)
		AND t.merged_into IS NULL AND t.kind IN `+shownKinds+`
		AND t.id IN (SELECT e.id FROM mg_entities e WHERE e.id = t.id AND `+notHeld+`)
		AND (NOT EXISTS (SELECT 1 FROM mg_evidence v WHERE v.relationship_id = r.id) OR EXISTS (SELECT 1 FROM mg_evidence v
		CROSS JOIN mg_episodes p ON p.id = v.episode_id WHERE v.relationship_id = r.id AND p.status <>
		'`+memory.StatusQuarantined+`')) ORDER BY r.id`, idList(ids), v.namespace)
}

// Turns visits the turns that have a place in a vault, session by session, those without a session last. A session's
// turns are in their order, the others by the time when they were said.
func (v *VaultReader) Turns(ctx context.Context, visit func(VaultTurn) error) error {
	return v.c.query(ctx, `SELECT e.id, coalesce(e.session_id, ''), e.occurred_at FROM mg_episodes e WHERE e.namespace = ?
		AND e.status NOT IN ('`+memory.StatusQuarantined+`', '`+memory.StatusWithdrawn+`', '`+memory.StatusNote+`')
		ORDER BY e.session_id IS NULL, e.session_id, CASE WHEN e.session_id IS NULL THEN e.occurred_at END, e.seq, e.id`,
		func(row cursor) error {
			at, err := row.time(2)
			if err != nil {
				return err
			}
			return visit(VaultTurn{row.int64(0), row.text(1), at})
		}, v.namespace)
}

// Episodes returns the turns with these ids, in the given order.
func (v *VaultReader) Episodes(ctx context.Context, ids []int64) ([]memory.Episode, error) {
	found := make([]memory.Episode, 0, len(ids))
	err := v.c.query(ctx, `SELECT `+episodeColumns+` FROM json_each(?1) j CROSS JOIN mg_episodes e ON e.id = j.value
		WHERE e.namespace = ?2 ORDER BY j.key`, collectEpisodes(&found), idList(ids), v.namespace)
	return found, err
}

// Undone reports whether a call, or a part of it, has been undone.
func (v *VaultReader) Undone(ctx context.Context, callID string) (bool, error) {
	n, _, err := v.c.int64(ctx, `SELECT count(*) FROM mg_events v WHERE v.namespace = ? AND v.call_id = ? AND NOT
		`+inForce, v.namespace, callID)
	return n > 0, err
}

// RetractRelation records that a fact never held, whether it is active or has ended: it ends when it began, or else
// now. It is a deliberate act, so trust is not checked, and what the fact superseded stays ended. Undo restores it. The
// error is NotFound.
func (s *Store) RetractRelation(ctx context.Context, namespace string, id int64, by memory.Caller) error {
	return s.writeGraph(ctx, "retract relation", "retract_relation", memory.Scope{Namespace: namespace}, by,
		func(ctx context.Context, w *writing) error {
			f, err := w.factByID(ctx, id)
			if err != nil {
				return err
			}
			return w.retractFact(ctx, f)
		})
}

func (w *writing) retractFact(ctx context.Context, f fact) error {
	at := f.begin()
	if now := w.present(); at.at == "" || at.at > now.at {
		at = now
	}
	return w.change(ctx, f.id, causeEnded, `valid_from = ?2, valid_until = ?2, from_unit = ?3, until_unit = ?3,
		expires_at = NULL, superseded_by = NULL, expired_at = coalesce(expired_at, ?4)`, at.at, nullable(string(at.unit)),
		memory.Millis(w.now))
}

// RetractEntity takes an entity or a memory out of the graph: its facts end, and a hidden name remains. History still
// shows what was believed before, and undo restores it. The error is NotFound.
func (s *Store) RetractEntity(ctx context.Context, namespace string, id memory.ID, by memory.Caller) error {
	return s.writeGraph(ctx, "retract entity", "retract_entity", memory.Scope{Namespace: namespace}, by,
		func(ctx context.Context, w *writing) error {
			n, err := w.need(ctx, id.String(), "")
			if err != nil {
				return err
			}
			return w.retract(ctx, n)
		})
}
