package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"memory-graph/internal/memory"
)

// queueLinks queues a link job for each node whose vector was written, in the same transaction. It skips a generation
// that is still building, because nothing can be ranked with it: CatchUpLinks queues all nodes once it is active.
func (s *Store) queueLinks(ctx context.Context, c *conn, gen int64, vectors []Vector) error {
	var ids, turns []int64
	for _, v := range vectors {
		switch {
		case !v.Link || v.Vec == nil:
		case v.Kind == OfEntities:
			ids = append(ids, v.ID)
		default:
			turns = append(turns, v.ID)
		}
	}
	if len(ids)+len(turns) == 0 {
		return nil
	}
	_, active, err := c.int64(ctx, `SELECT 1 FROM mg_embedders WHERE id = ? AND state = 'active'`, gen)
	if err != nil || !active {
		return err
	}
	type subject struct{ namespace, id string }
	var subjects []subject
	err = c.query(ctx,
		`SELECT e.namespace, e.kind, e.id FROM json_each(?) j CROSS JOIN mg_entities e ON e.id = j.value WHERE `+
			shownEntity, func(row cursor) error {
			id := memory.NodeID(memory.NodeKind(row.text(1)), row.int64(2))
			subjects = append(subjects, subject{row.text(0), id.String()})
			return nil
		}, idList(ids))
	if err != nil {
		return err
	}
	err = c.query(ctx, `SELECT e.namespace, e.id FROM json_each(?) j CROSS JOIN mg_episodes e ON e.id = j.value`,
		func(row cursor) error {
			subjects = append(subjects, subject{row.text(0), memory.EpisodeID(row.int64(1)).String()})
			return nil
		}, idList(turns))
	if err != nil {
		return err
	}
	for _, of := range subjects {
		if err := enqueueAgain(ctx, c, KindLink, of.namespace, of.id, s.now()); err != nil {
			return err
		}
	}
	return nil
}

// LinkedBy is a sort of link for which all nodes of one kind are examined.
type LinkedBy struct {
	name string
	kind memory.NodeKind
}

// The sorts of links.
var (
	MemoriesByLikeness = LinkedBy{"links.memory", memory.NodeMemory}
	EntitiesByLikeness = LinkedBy{"links.entity", memory.NodeEntity}
	TurnsByLikeness    = LinkedBy{"links.turn", memory.NodeTurn}
	MemoriesByModel    = LinkedBy{"links.memory.model", memory.NodeMemory}
)

// CatchUpLinks queues a link job for every node of a sort that was not yet examined with the active embedding
// generation: the embedder or the settings changed, or the file is older than links. It is cheap if all are examined.
func (s *Store) CatchUpLinks(ctx context.Context, sorts []LinkedBy) (queued bool, err error) {
	gen, ok, err := s.ActiveGeneration(ctx)
	if err != nil || !ok {
		return false, err
	}
	done := strconv.FormatInt(gen.ID, 10)
	for _, sort := range sorts {
		is := ""
		if err := s.readOne(ctx, "look which links were made", func(c *conn) (err error) {
			is, err = c.text(ctx, `SELECT value FROM mg_metadata WHERE key = ?`, sort.name)
			return err
		}); err != nil {
			return queued, err
		}
		if is == done {
			continue
		}
		n := int64(0)
		err := s.write(ctx, "queue links", func(c *conn) (err error) {
			letter, from := string(rune(memory.NodeID(sort.kind, 0).Kind)), `mg_entities e WHERE e.kind = ?5 AND `+shownEntity
			if sort.kind == memory.NodeTurn {
				letter, from = string(rune(memory.KindEpisode)), `mg_episodes e WHERE ?5 = ?5 AND `+linkableTurn
			}
			if n, err = c.exec(ctx, `INSERT INTO mg_jobs (kind, namespace, subject, status, next_at, created_at)
				SELECT ?1, e.namespace, ?2 || e.id, ?3, ?4, ?4 FROM `+from+`
				ON CONFLICT (kind, subject) WHERE status <> 'done' DO
				NOTHING`, KindLink, letter, jobPending, memory.Millis(s.now()), string(sort.kind)); err != nil {
				return err
			}
			_, err = c.exec(ctx,
				`INSERT INTO mg_metadata (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2`, sort.name, done)
			return err
		})
		if err != nil {
			return queued, err
		}
		queued = queued || n > 0
	}
	return queued, nil
}

// RecentMemories returns at most n memories of a namespace, without id, those that changed last first. Memories with a
// model-made link to id come before all others, so that these links are examined again; links of the relations in
// except do not count.
func (s *Store) RecentMemories(ctx context.Context, namespace string, id int64, except []string,
	n int) (list []memory.Entity, err error) {
	names, err := json.Marshal(except)
	if err != nil {
		return nil, fmt.Errorf("write relations: %w", err)
	}
	var ids []int64
	err = s.readOne(ctx, "read recent memories", func(c *conn) error {
		ids = nil
		return c.query(ctx, `SELECT e.id FROM mg_entities e WHERE e.namespace = ?1 AND e.kind = 'memory' AND e.merged_into IS
			NULL AND e.id <> ?2
			ORDER BY EXISTS (SELECT 1 FROM mg_relationships r WHERE r.valid_until IS NULL AND r.relation NOT IN
				(SELECT value FROM json_each(?3))
				AND r.method = 'model_linked' AND (r.head_id = ?2 AND r.tail_id = e.id OR r.head_id = e.id AND r.tail_id = ?2))
				DESC,
				e.updated_at DESC, e.id DESC LIMIT ?4`, func(row cursor) error {
			ids = append(ids, row.int64(0))
			return nil
		}, namespace, id, string(names), n)
	})
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	return s.EntitiesByID(ctx, namespace, ids, memory.AsOf{})
}

// NodeVector returns the stored vector of a node in the active generation; nil if it has none. A repeated link job
// compares this vector, so nothing is embedded again.
func (s *Store) NodeVector(ctx context.Context, namespace string, id int64) (vec []int8, err error) {
	return s.vector(ctx, OfEntities, namespace, id)
}

// TurnVector is NodeVector for a turn.
func (s *Store) TurnVector(ctx context.Context, namespace string, id int64) (vec []int8, err error) {
	return s.vector(ctx, OfEpisodes, namespace, id)
}

func (s *Store) vector(ctx context.Context, kind VectorKind, namespace string, id int64) (vec []int8, err error) {
	gen, ok, err := s.ActiveGeneration(ctx)
	if err != nil || !ok {
		return nil, err
	}
	err = s.readOne(ctx, "read a vector", func(c *conn) error {
		vec = nil
		return c.query(ctx, `SELECT embedding FROM `+kind.table(gen.ID)+` WHERE rowid = ? AND namespace = ?`,
			func(row cursor) error {
				vec = slices.Clone(asVector(row.rawBlob(0)))
				return nil
			}, id, namespace)
	})
	return vec, err
}
