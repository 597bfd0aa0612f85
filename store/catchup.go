package store

import (
	"context"
	"strconv"

	"memory-graph/internal/memory"
)

// VectorKind is the kind of object that a vector belongs to.
type VectorKind string

// The kinds of vectors. In every embedding generation each kind has its own tables and its own change feed.
const (
	OfEpisodes VectorKind = "episode"
	OfEntities VectorKind = "entity" // entities and memories that answers show
)

// shownEntity is the condition under which a row of mg_entities as e has a vector. Hidden kinds, merged entities and
// archived ones have no vectors, so vector search does not find them.
const shownEntity = `e.kind IN ` + shownKinds + ` AND e.merged_into IS NULL AND e.archived_at IS NULL`

// vectorSource describes where the objects of a kind are stored.
type vectorSource struct {
	prefix  string // prefix of the names of its vec0 tables
	from    string // the table of the objects, as e
	where   string // the condition under which an object has a vector
	letter  memory.Kind
	columns string // the scope columns that VectorRow carries
}

func (k VectorKind) source() vectorSource {
	if k == OfEntities {
		return vectorSource{prefix: "mg_entity_embeddings_", from: "mg_entities e", where: shownEntity,
			letter:  memory.KindEntity,
			columns: `e.namespace, NULL, NULL, NULL, NULL, NULL`}
	}
	return vectorSource{prefix: "mg_episode_embeddings_", from: "mg_episodes e",
		where: readable, letter: memory.KindEpisode,
		columns: `e.namespace, e.project, e.user, e.session_id, e.role, e.occurred_at`}
}

// table returns the name of the vec0 table of an embedding generation.
func (k VectorKind) table(gen int64) string { return k.source().prefix + strconv.FormatInt(gen, 10) }

// catchUpChunk is the maximum number of embed jobs queued in one transaction. The write lock is free between
// transactions.
const catchUpChunk = 1000

// CatchUp queues an embed job for every episode and entity that has neither a vector in the embedding generation nor an
// open embed job. Such objects are older than the generation or were written by a process without an embedder. CatchUp
// is cheap if nothing is missing.
func (s *Store) CatchUp(ctx context.Context, gen int64) error {
	if err := s.catchUpKind(ctx, gen, OfEpisodes); err != nil {
		return err
	}
	return s.catchUpKind(ctx, gen, OfEntities)
}

func (s *Store) catchUpKind(ctx context.Context, gen int64, kind VectorKind) error {
	source := kind.source()
	subjects := EmbedPrefix(gen) + string(rune(source.letter))
	from, to := subjectRange(subjects)
	var missing int64
	err := s.readOne(ctx, "count missing vectors", func(c *conn) (err error) {
		missing, _, err = c.int64(ctx, `SELECT (SELECT count(*) FROM `+source.from+` WHERE `+source.where+`)
			- (SELECT count(*) FROM mg_vector_log WHERE embedder_id = ?1 AND kind = ?2 AND deleted = 0)
			- (SELECT count(*) FROM mg_jobs WHERE kind = 'embed' AND subject >= ?3 AND subject < ?4 AND status <>
			'done')`, gen, string(kind), from, to)
		return err
	})
	if err != nil || missing <= 0 {
		return err
	}
	for after := int64(0); ; {
		var last int64
		err := s.write(ctx, "queue missing vectors", func(c *conn) error {
			var live bool
			if _, live, err = c.int64(ctx, `SELECT 1 FROM mg_embedders WHERE id = ? AND state <> 'retired'`, gen); err != nil ||
				!live {
				return err
			}
			if last, _, err = c.int64(ctx, `SELECT max(id) FROM (SELECT e.id FROM `+source.from+
				` WHERE e.id > ? ORDER BY e.id LIMIT ?)`, after, catchUpChunk); err != nil {
				return err
			}
			_, err = c.exec(ctx, `INSERT INTO mg_jobs (kind, namespace, subject, status, next_at, created_at)
				SELECT 'embed', e.namespace, ?1 || e.id, 'pending', ?2, ?2 FROM
				`+source.from+` WHERE e.id > ?3 AND e.id <= ?4 AND
					`+source.where+`
				AND NOT EXISTS (SELECT 1 FROM mg_vector_log l WHERE l.embedder_id = ?5 AND l.kind = ?6 AND l.object_id = e.id AND
				l.deleted = 0)
				ON CONFLICT (kind, subject) WHERE status <> 'done' DO NOTHING`,
				subjects, memory.Millis(s.now()), after, last, gen, string(kind))
			return err
		})
		if err != nil || last == 0 {
			return err
		}
		after = last
	}
}
