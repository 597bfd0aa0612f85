package store

import (
	"cmp"
	"context"
	"slices"
	"unsafe"

	"memory-graph/internal/memory"
)

// Vector is an object's int8 vector with the dimensions of its generation; a nil Vec deletes the stored one. Its norm
// has no meaning, because only the cosine is used.
type Vector struct {
	Kind VectorKind // "" is OfEpisodes
	ID   int64
	Vec  []int8
	Link bool // for a node: queue a link job (KindLink), once the vector can be ranked from
}

// Held are jobs that a holder has claimed.
type Held struct {
	Holder string
	IDs    []int64
}

// SaveVectors writes vectors of a generation, replaces existing ones, records them in the change feed and completes the
// jobs that made them, all in one transaction. If they were the last ones of a building generation, it becomes active
// and activated is true. Objects that are gone or hidden by now get no vector. The error is Conflict if the generation
// has been retired; its jobs are then gone too.
func (s *Store) SaveVectors(ctx context.Context, gen int64, vectors []Vector, jobs Held) (activated bool, err error) {
	err = s.write(context.WithoutCancel(ctx), "save vectors", func(c *conn) error {
		dimensions, live, err := c.int64(ctx, `SELECT dimensions FROM mg_embedders WHERE id = ? AND state <> 'retired'`, gen)
		if err != nil {
			return err
		}
		if !live {
			return memory.Errorf(memory.Conflict, "Embedding generation %d is retired.", gen)
		}
		for _, v := range vectors {
			if v.Kind == "" {
				v.Kind = OfEpisodes
			}
			if v.Vec != nil && len(v.Vec) != int(dimensions) {
				return memory.Errorf(memory.InvalidArgument, "The vector of %s %d has %d dimensions, but generation %d has %d.",
					v.Kind, v.ID, len(v.Vec), gen, dimensions)
			}
			if err := saveVector(ctx, c, gen, v); err != nil {
				return err
			}
		}
		if err := s.queueLinks(ctx, c, gen, vectors); err != nil {
			return err
		}
		if err := completeJobs(ctx, c, jobs.Holder, jobs.IDs); err != nil {
			return err
		}
		activated, err = activateIfReady(ctx, c, gen, s.now())
		return err
	})
	return activated && err == nil, err
}

func saveVector(ctx context.Context, c *conn, gen int64, v Vector) error {
	table, source := v.Kind.table(gen), v.Kind.source()
	// vec0 loses the int8 subtype on UPDATE: delete and insert
	had, err := dropVector(ctx, c, gen, v.Kind, v.ID)
	if err != nil {
		return err
	}
	var n int64
	if v.Vec != nil {
		if n, err = c.exec(ctx, `INSERT INTO `+table+` (rowid, namespace, embedding)
			SELECT e.id, e.namespace, vec_int8(?) FROM
			`+source.from+` WHERE e.id = ? AND
				`+source.where, asBytes(v.Vec), v.ID); err != nil {
			return err
		}
	}
	if n == 0 && !had {
		return nil
	}
	return logVector(ctx, c, gen, v.Kind, v.ID, n == 0)
}

// dropVector deletes a vector if there is one. It does not write to the change feed.
func dropVector(ctx context.Context, c *conn, gen int64, kind VectorKind, id int64) (had bool, err error) {
	if _, had, err = c.int64(ctx,
		`SELECT 1 FROM mg_vector_log WHERE embedder_id = ? AND kind = ? AND object_id = ? AND deleted = 0`,
		gen, string(kind), id); err != nil || !had {
		return false, err
	}
	_, err = c.exec(ctx, `DELETE FROM `+kind.table(gen)+` WHERE rowid = ?`, id)
	return true, err
}

func logVector(ctx context.Context, c *conn, gen int64, kind VectorKind, id int64, deleted bool) error {
	_, err := c.exec(ctx,
		`INSERT OR REPLACE INTO mg_vector_log (embedder_id, kind, object_id, deleted) VALUES (?, ?, ?, ?)`, gen, string(
			kind), id, deleted)
	return err
}

// forgetVectors deletes an object's vectors from every generation, and the jobs that would make them.
func forgetVectors(ctx context.Context, c *conn, kind VectorKind, id int64) error {
	live, err := liveGenerations(ctx, c, withoutBase)
	if err != nil {
		return err
	}
	for _, g := range live {
		had, err := dropVector(ctx, c, g.ID, kind, id)
		if err != nil {
			return err
		}
		if had {
			if err := logVector(ctx, c, g.ID, kind, id, true); err != nil {
				return err
			}
		}
		subject := EmbedSubject(g.ID, memory.ID{Kind: kind.source().letter, Num: id})
		if _, err := c.exec(ctx, `DELETE FROM mg_jobs WHERE kind = 'embed' AND subject = ? AND status <> 'done'`,
			subject); err != nil {
			return err
		}
	}
	return nil
}

// NearestVec0 returns the k objects of the filter (for entities a namespace) whose vectors are nearest to vec by
// cosine, nearest first, ties by id. It is exact, and takes some 2 µs for each vector of the namespace; ranking uses a
// copy in memory instead. k is at most 4,096, vec0's own limit.
func (s *Store) NearestVec0(ctx context.Context, gen int64, kind VectorKind, vec []int8, f memory.Filter,
	k int) ([]memory.Hit, error) {
	hits := []memory.Hit{}
	if k <= 0 {
		return hits, nil
	}
	sql := `SELECT rowid, distance FROM ` + kind.table(gen) +
		` WHERE embedding MATCH vec_int8(?) AND k = ? AND namespace = ?`
	args := []any{asBytes(vec), min(k, 4096), f.Namespace}
	if kind == OfEpisodes && f.Narrow() {
		w := filterWhere(f)
		sql += ` AND rowid IN (SELECT e.id FROM mg_episodes e WHERE ` + w.sql.String() + `)`
		args = append(args, w.args...)
	}
	err := s.read(ctx, "search vectors", func(c *conn) error {
		if _, live, err := c.int64(ctx, `SELECT 1 FROM mg_embedders WHERE id = ? AND state <> 'retired' AND dimensions = ?`,
			gen, len(vec)); err != nil {
			return err
		} else if !live {
			return memory.Errorf(memory.Conflict, "There is no generation %d of %d-dimensional vectors.", gen, len(vec))
		}
		return c.query(ctx, sql, func(row cursor) error {
			if !row.null(1) { // a zero vector has no distance
				hits = append(hits, memory.Hit{ID: row.int64(0), Score: 1 - row.float(1)})
			}
			return nil
		}, args...)
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(hits, func(a, b memory.Hit) int { // vec0 sorts by distance alone
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
	return hits, nil
}

// asBytes and asVector return the same memory as a slice of the other type.
func asBytes(v []int8) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), len(v))
}

func asVector(b []byte) []int8 {
	return unsafe.Slice((*int8)(unsafe.Pointer(unsafe.SliceData(b))), len(b))
}
