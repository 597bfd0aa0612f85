package store

import (
	"context"
	"encoding/binary"
	"fmt"
)

// vec0, the virtual table of sqlite-vec 0.1.6, keeps the vectors of table t in private tables. This file is the only
// one that uses them. TestVec0_LayoutIsWhatThisFileExpects fails when another version has another layout:
//
//   - t_chunks has a row for each chunk. A chunk holds up to size vectors of one partition (partition00, here the
//     namespace). Its validity has one bit for each place, lowest bit first, which is set if the place is in use. Its
//     rowids has one little-endian int64 for each place.
//   - t_vector_chunks00 has a row for each chunk too, by the same rowid. Its vectors are the bytes of all places.
//   - t_rowids has a row for each vector, with its chunk_id and its place in the chunk, chunk_offset.
const (
	vec0Chunks  = "_chunks"
	vec0Vectors = "_vector_chunks00"
	vec0Rowids  = "_rowids"
)

// vec0ChunkSize is the number of places in a chunk. A partition allocates whole chunks: with 256 places a small
// namespace takes 100 KB, with vec0's default of 1,024 it takes 400.
const vec0ChunkSize = 256

// createVectors creates a vec0 table for int8 vectors of the given width.
func createVectors(ctx context.Context, c *conn, table string, dimensions int) error {
	_, err := c.exec(ctx, fmt.Sprintf(`CREATE VIRTUAL TABLE %s USING vec0 (namespace TEXT PARTITION KEY,
		embedding INT8[%d] distance_metric=cosine, chunk_size=%d)`, table, dimensions, vec0ChunkSize))
	return err
}

// vectorChunk is one chunk of vec0, in SQLite's own memory.
type vectorChunk struct {
	ids     []int64
	places  []int  // of each id
	vectors []int8 // [places][width]
	width   int
}

// vector returns the vector of ids[i].
func (v *vectorChunk) vector(i int) []int8 {
	place := v.places[i]
	return v.vectors[place*v.width : (place+1)*v.width : (place+1)*v.width]
}

// readChunks visits the chunks of a namespace, or all chunks if namespace is nil. It is four times as fast as reading
// each vector through vec0. The chunk is only valid during the visit, and its vectors only until the next statement.
func readChunks(ctx context.Context, c *conn, table string, namespace *string, visit func(*vectorChunk) error) error {
	where, args := "", []any(nil)
	if namespace != nil {
		where, args = " WHERE c.partition00 = ?", []any{*namespace}
	}
	var ch vectorChunk
	return c.query(ctx, `SELECT c.validity, c.rowids, v.vectors FROM `+table+vec0Chunks+` c
		CROSS JOIN `+table+vec0Vectors+` v ON v.rowid = c.chunk_id`+where+` ORDER BY c.chunk_id`, func(row cursor) error {
		validity, rowids, raw := row.rawBlob(0), row.rawBlob(1), row.rawBlob(2)
		n := len(rowids) / 8
		if n == 0 || len(validity)*8 < n || len(raw)%n != 0 {
			return fmt.Errorf("chunk of %s: %d validity, %d rowid and %d vector bytes", table, len(validity), len(rowids),
				len(raw))
		}
		ch.width, ch.vectors = len(raw)/n, asVector(raw)
		ch.ids, ch.places = ch.ids[:0], ch.places[:0]
		for i := range n {
			if validity[i/8]>>(i%8)&1 == 1 {
				ch.ids = append(ch.ids, int64(binary.LittleEndian.Uint64(rowids[8*i:])))
				ch.places = append(ch.places, i)
			}
		}
		return visit(&ch)
	}, args...)
}

// zeroVector overwrites a vector, if the table has it, with zeros in its place in the file. Deleting it would only mark
// the place as free.
func zeroVector(ctx context.Context, c *conn, table string, dimensions int, id int64) error {
	chunk, place := int64(0), int64(-1)
	err := c.query(ctx, `SELECT chunk_id, chunk_offset FROM `+table+vec0Rowids+` WHERE rowid = ?`, func(row cursor) error {
		chunk, place = row.int64(0), row.int64(1)
		return nil
	}, id)
	if err != nil || place < 0 {
		return err
	}
	return c.overwrite(table+vec0Vectors, "vectors", chunk, place*int64(dimensions), make([]byte, dimensions))
}
