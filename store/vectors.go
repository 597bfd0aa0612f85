package store

import (
	"cmp"
	"context"
	"slices"
	"unsafe"

	"memory-graph/internal/memory"
)

// Vector is an object's int8 vector, as long as its generation's dimensions; nil takes away the one that there is. Its
// scale means nothing: cosine alone is asked for.
type Vector struct {
	Kind VectorKind // "" is of an episode
	ID   int64
	Vec  []int8
	Link bool // of a node: queue a look at its links (KindLink), once the vector can be ranked from
}

// Held are jobs that a holder has claimed.
type Held struct {
	Holder string
	IDs    []int64
}

// SaveVectors writes vectors of a generation, replacing those that there are, with their place in the change feed, and
// completes the jobs that made them, all in one transaction. When they were the last of a building generation it
// becomes the active one; activated says so. Objects that are gone, or hidden by now, have none. The error is Conflict
// when the generation has been retired: the work was for nothing, and its jobs are gone too.
func (s *Store) SaveVectors(ctx context.Context, gen int64, vectors []Vector, jobs Held) (activated bool, err error) {
	err = s.write(context.WithoutCancel(ctx), "save vectors", func(c *conn) error {
		dimensions, live, err := c.int64(ctx, `SELECT dimensions FROM mg_embedders WHERE id = ? AND state <> 'retired'`, gen)
		if err != nil {
			return err
		}
		if !live {
			return memory.Errorf(memory.Conflict, "Generation %d of vectors is retired.", gen)
		}
		for _, v := range vectors {
			if v.Kind == "" {
				v.Kind = OfEpisodes
			}
			if v.Vec != nil && len(v.Vec) != int(dimensions) {
				return memory.Errorf(memory.InvalidArgument, "The vector of %s %d has %d dimensions where generation %d has %d.",
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

// dropVector deletes a vector if there is one. The change feed is not told.
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

// forgetVectors takes an object's vectors out of every generation, with the jobs that would make them.
func forgetVectors(ctx context.Context, c *conn, kind VectorKind, id int64) error {
	live, err := liveGenerations(ctx, c)
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

// NearestVec0 gives the k objects of the filter (which for entities is a namespace) whose vectors are nearest to vec by
// cosine, nearest first, ties by id. It is exact, and as slow as vec0 is (some 2 µs a vector of the namespace): for
// ranking there is a copy in memory. k is at most 4,096, vec0's own limit.
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
			if !row.null(1) { // a vector without direction has no distance
				hits = append(hits, memory.Hit{ID: row.int64(0), Score: 1 - row.float(1)})
			}
			return nil
		}, args...)
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(hits, func(a, b memory.Hit) int { // vec0 orders by distance alone
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
	return hits, nil
}

// asBytes and asVector look at the same memory as the other type: an int8 and a byte differ in name only.
func asBytes(v []int8) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), len(v))
}

func asVector(b []byte) []int8 {
	return unsafe.Slice((*int8)(unsafe.Pointer(unsafe.SliceData(b))), len(b))
}
