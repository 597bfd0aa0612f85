package store

import (
	"context"
	"encoding/binary"
	"fmt"
)

// VectorsOf calls yield for every vector of a kind in the generation that is of the namespace, in no order. The vector
// is only valid during the call. An error of yield ends it.
func (s *Store) VectorsOf(ctx context.Context, gen int64, kind VectorKind, namespace string,
	yield func(id int64, vec []int8) error) error {
	return s.read(ctx, "read vectors", func(c *conn) error {
		if seq, err := vectorSeq(ctx, c, gen, kind); err != nil || seq == 0 {
			return err // the tables are made with the first vector
		}
		return readChunks(ctx, c, kind.table(gen), " WHERE c.partition00 = ?", func(ch *vectorChunk) error {
			for id, place := range ch.places {
				if err := yield(id, ch.vector(place)); err != nil {
					return err
				}
			}
			return nil
		}, namespace)
	})
}

// loadChunks reads every vector with what filters ask for.
func loadChunks(ctx context.Context, c *conn, gen int64, kind VectorKind, yield func(VectorRow) error) error {
	source := kind.source()
	scanner := vectorScanner{known: map[string]string{}}
	return readChunks(ctx, c, kind.table(gen), "", func(ch *vectorChunk) error {
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
			row.Vec = ch.vector(ch.places[id])
			return yield(row)
		}, idList(ch.ids))
	})
}

// vectorChunk is one chunk of vec0.
type vectorChunk struct {
	ids     []int64
	places  map[int64]int // of the vectors, by object
	vectors []int8        // [places][width]
	width   int
}

func (v *vectorChunk) vector(place int) []int8 {
	return v.vectors[place*v.width : (place+1)*v.width : (place+1)*v.width]
}

// readChunks reads the chunks in which vec0 (v0.1.6) keeps its vectors, 256 together: four times as fast as asking vec0
// for each. validity has a bit and rowids a little-endian int64 for each place of a chunk, vectors the places' bytes; a
// chunk is of one namespace, its partition. TestLoadVectors_AgreesWithVec0 fails should another version keep them in
// another way.
func readChunks(ctx context.Context, c *conn, table, where string, visit func(*vectorChunk) error, args ...any) error {
	ch := vectorChunk{places: map[int64]int{}}
	return c.query(ctx, `SELECT c.validity, c.rowids, v.vectors FROM
		`+table+`_chunks c CROSS JOIN
		`+table+`_vector_chunks00 v ON v.rowid = c.chunk_id`+where+`
		ORDER BY c.chunk_id`, func(chunk cursor) error {
		validity, rowids, raw := chunk.rawBlob(0), chunk.rawBlob(1), chunk.rawBlob(2)
		n := len(rowids) / 8
		if n == 0 || len(validity)*8 < n || len(raw)%n != 0 {
			return fmt.Errorf("chunk of %s: %d validity, %d rowid and %d vector bytes", table, len(validity), len(rowids),
				len(raw))
		}
		ch.width = len(raw) / n
		ch.vectors = append(ch.vectors[:0], asVector(raw)...) // a statement inside may move what raw points to
		clear(ch.places)
		ch.ids = ch.ids[:0]
		for i := range n {
			if validity[i/8]>>(i%8)&1 == 1 {
				id := int64(binary.LittleEndian.Uint64(rowids[8*i:]))
				ch.places[id] = i
				ch.ids = append(ch.ids, id)
			}
		}
		return visit(&ch)
	}, args...)
}
