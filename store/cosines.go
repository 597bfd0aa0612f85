package store

import (
	"context"
	"slices"
)

// CosinesVec0 returns the cosine of vec with the vector of each given object of a namespace. It omits ids without a
// vector.
func (s *Store) CosinesVec0(ctx context.Context, gen int64, kind VectorKind, vec []int8, namespace string,
	ids []int64) (map[int64]float64, error) {
	cosines := make(map[int64]float64, len(ids))
	err := s.readOne(ctx, "compare vectors", func(c *conn) error {
		return c.query(ctx, `SELECT v.rowid, 1 - vec_distance_cosine(v.embedding, vec_int8(?1)) FROM json_each(?2) j
			CROSS JOIN `+kind.table(gen)+` v ON v.rowid = j.value WHERE v.namespace = ?3`,
			func(row cursor) error {
				if !row.null(1) { // a zero vector has no cosine
					cosines[row.int64(0)] = row.float(1)
				}
				return nil
			}, asBytes(vec), idList(ids), namespace)
	})
	return cosines, err
}

// VectorsVec0 returns the vectors of the given objects of a namespace. It omits ids without a vector.
func (s *Store) VectorsVec0(ctx context.Context, gen int64, kind VectorKind, namespace string,
	ids []int64) (map[int64][]int8, error) {
	vectors := make(map[int64][]int8, len(ids))
	err := s.readOne(ctx, "read vectors", func(c *conn) error {
		return c.query(ctx, `SELECT v.rowid, v.embedding FROM json_each(?) j CROSS JOIN `+kind.table(gen)+
			` v ON v.rowid = j.value WHERE v.namespace = ?`,
			func(row cursor) error {
				vectors[row.int64(0)] = slices.Clone(asVector(row.rawBlob(1)))
				return nil
			}, idList(ids), namespace)
	})
	return vectors, err
}
