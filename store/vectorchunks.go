package store

import (
	"context"
	"slices"
)

// VectorsOf calls yield for every vector of a kind that a namespace has in the generation, in no particular order. The
// vector is only valid during the call. An error of yield ends the read and is returned.
func (s *Store) VectorsOf(ctx context.Context, gen int64, kind VectorKind, namespace string,
	yield func(id int64, vec []int8) error) error {
	return s.read(ctx, "read vectors", func(c *conn) error {
		if seq, err := vectorSeq(ctx, c, gen, kind); err != nil || seq == 0 {
			return err // the first vector creates the tables
		}
		return readChunks(ctx, c, kind.table(gen), &namespace, func(ch *vectorChunk) error {
			for i, id := range ch.ids {
				if err := yield(id, ch.vector(i)); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// loadChunks reads every vector together with the columns that filters use.
func loadChunks(ctx context.Context, c *conn, gen int64, kind VectorKind, yield func(VectorRow) error) error {
	source := kind.source()
	scanner := vectorScanner{known: map[string]string{}}
	return readChunks(ctx, c, kind.table(gen), nil, func(ch *vectorChunk) error {
		ch.vectors = slices.Clone(ch.vectors) // the statement may move what they point to
		index := make(map[int64]int, len(ch.ids))
		for i, id := range ch.ids {
			index[id] = i
		}
		return c.query(ctx, `SELECT e.id, `+source.columns+` FROM json_each(?) j CROSS JOIN `+source.from+
			` ON e.id = j.value WHERE `+source.where, func(stmt cursor) error {
			var columns [7]any
			if err := stmt.columns(columns[:]); err != nil {
				return err
			}
			id, _ := columns[0].(int64)
			row, err := scanner.scan(id, columns[1:])
			if err != nil {
				return err
			}
			row.Vec = ch.vector(index[id])
			return yield(row)
		}, idList(ch.ids))
	})
}
