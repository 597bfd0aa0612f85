package store

import (
	"cmp"
	"context"
	"slices"
	"unsafe"

	"github.com/ncruces/go-sqlite3"

	"memory-graph/memory"
)

// EpisodeVector is an episode's int8 vector, as long as its generation's dimensions. Its scale means nothing: cosine
// alone is asked for.
type EpisodeVector struct {
	ID  int64
	Vec []int8
}

// Held are jobs that a holder has claimed.
type Held struct {
	Holder string
	IDs    []int64
}

// SaveVectors writes vectors of a generation, replacing those that there are, with their place in the change feed, and
// completes the jobs that made them, all in one transaction. When they were the last of a building generation it
// becomes the active one; activated says so. Episodes that are gone are passed over. The error is Conflict when the
// generation has been retired: the work was for nothing, and its jobs are gone too.
func (s *Store) SaveVectors(ctx context.Context, gen int64, vectors []EpisodeVector, jobs Held) (activated bool, err error) {
	err = s.write(context.WithoutCancel(ctx), "save vectors", func(c *conn) error {
		dimensions, live, err := c.int64(ctx, `SELECT dimensions FROM mg_embedders WHERE id = ? AND state <> 'retired'`, gen)
		if err != nil {
			return err
		}
		if !live {
			return memory.Errorf(memory.Conflict, "Generation %d of vectors is retired.", gen)
		}
		for _, v := range vectors {
			if len(v.Vec) != int(dimensions) {
				return memory.Errorf(memory.InvalidArgument, "The vector of %s has %d dimensions where generation %d has %d.", memory.EpisodeID(v.ID), len(v.Vec), gen, dimensions)
			}
			if err := saveVector(ctx, c, gen, v); err != nil {
				return err
			}
		}
		if err := completeJobs(ctx, c, jobs.Holder, jobs.IDs); err != nil {
			return err
		}
		activated, err = activateIfReady(ctx, c, gen, s.now())
		return err
	})
	return activated && err == nil, err
}

func saveVector(ctx context.Context, c *conn, gen int64, v EpisodeVector) error {
	table := episodeVectors(gen)
	had, _, err := c.int64(ctx, `SELECT 1 FROM mg_vector_log WHERE embedder_id = ? AND kind = 'episode' AND object_id = ? AND deleted = 0`, gen, v.ID)
	if err != nil {
		return err
	}
	if had == 1 { // vec0 loses the int8 subtype on UPDATE: delete and insert
		if _, err := c.exec(ctx, `DELETE FROM `+table+` WHERE rowid = ?`, v.ID); err != nil {
			return err
		}
	}
	n, err := c.exec(ctx, `INSERT INTO `+table+` (rowid, namespace, embedding)
		SELECT id, namespace, vec_int8(?) FROM mg_episodes WHERE id = ?`, asBytes(v.Vec), v.ID)
	if err != nil || n == 0 {
		return err
	}
	_, err = c.exec(ctx, `INSERT OR REPLACE INTO mg_vector_log (embedder_id, kind, object_id, deleted) VALUES (?, 'episode', ?, 0)`, gen, v.ID)
	return err
}

// NearestVec0 gives the k episodes of the filter whose vectors are nearest to vec by cosine, nearest first, ties by id.
// It is exact, and as slow as vec0 is (some 2 µs a vector of the namespace): for ranking there is a copy in memory. k
// is at most 4,096, vec0's own limit.
func (s *Store) NearestVec0(ctx context.Context, gen int64, vec []int8, f memory.Filter, k int) ([]memory.Hit, error) {
	hits := []memory.Hit{}
	if k <= 0 {
		return hits, nil
	}
	sql := `SELECT rowid, distance FROM ` + episodeVectors(gen) + ` WHERE embedding MATCH vec_int8(?) AND k = ? AND namespace = ?`
	args := []any{asBytes(vec), min(k, 4096), f.Namespace}
	if f.Narrow() {
		w := filterWhere(f)
		sql += ` AND rowid IN (SELECT e.id FROM mg_episodes e WHERE ` + w.sql.String() + `)`
		args = append(args, w.args...)
	}
	err := s.read(ctx, "search vectors", func(c *conn) error {
		if _, live, err := c.int64(ctx, `SELECT 1 FROM mg_embedders WHERE id = ? AND state <> 'retired' AND dimensions = ?`, gen, len(vec)); err != nil {
			return err
		} else if !live {
			return memory.Errorf(memory.Conflict, "There is no generation %d of %d-dimensional vectors.", gen, len(vec))
		}
		return c.query(ctx, sql, func(row *sqlite3.Stmt) error {
			if row.ColumnType(1) != sqlite3.NULL { // a vector without direction has no distance
				hits = append(hits, memory.Hit{ID: row.ColumnInt64(0), Score: 1 - row.ColumnFloat(1)})
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
