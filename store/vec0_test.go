package store

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This package reads and overwrites vec0's private tables, which is correct only for this layout of sqlite-vec.
func TestVec0_LayoutIsWhatThisFileExpects(t *testing.T) {
	t.Parallel()
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "memory.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	if err := s.writer.with(t.Context(), func(c *conn) error { checkVec0(t, c); return nil }); err != nil {
		t.Fatal(err)
	}
}

const vec0Changed = "sqlite-vec changed its private tables: vec0.go must follow (%s)\n%v"

func checkVec0(t *testing.T, c *conn) {
	const table, width, deleted = "layout", 3, 5
	if err := createVectors(t.Context(), c, table, width); err != nil {
		t.Fatal(err)
	}
	columns := map[string]string{}
	vec0Each(t, c, `SELECT m.name, group_concat(p.name || ' ' || p.type, ', ' ORDER BY p.cid) FROM sqlite_schema m
		CROSS JOIN pragma_table_info(m.name) p WHERE m.name GLOB 'layout_*' AND m.type = 'table' GROUP BY m.name`,
		func(row cursor) { columns[row.text(0)] = row.text(1) })
	if diff := cmp.Diff(map[string]string{
		table + "_info":     "key TEXT, value ANY",
		table + vec0Chunks:  "chunk_id INTEGER, size INTEGER, sequence_id INTEGER, partition00 , validity BLOB, rowids BLOB",
		table + vec0Rowids:  "rowid INTEGER, id , chunk_id INTEGER, chunk_offset INTEGER",
		table + vec0Vectors: "rowid , vectors BLOB",
	}, columns); diff != "" {
		t.Fatalf(vec0Changed, "tables and columns, -expected +found", diff)
	}

	// "a" gets a chunk and two vectors of a second one, "b" a chunk for itself.
	add := func(namespace string, id int64) {
		if _, err := c.exec(t.Context(), `INSERT INTO layout (rowid, namespace, embedding) VALUES (?, ?, vec_int8(?))`, id,
			namespace, vec0Bytes(id)); err != nil {
			t.Fatal(err)
		}
	}
	for id := range int64(vec0ChunkSize + 2) {
		add("a", 1000+id)
	}
	add("b", 1<<40)
	if _, err := c.exec(t.Context(), `DELETE FROM layout WHERE rowid = ?`, 1000+deleted); err != nil {
		t.Fatal(err)
	}
	full := bytes.Repeat([]byte{0xff}, vec0ChunkSize/8)
	full[deleted/8] &^= 1 << (deleted % 8)
	want := []vec0Chunk{
		{"a", vec0ChunkSize, full, 8 * vec0ChunkSize, width * vec0ChunkSize, true},
		{"a", vec0ChunkSize, append([]byte{0b11}, make([]byte, vec0ChunkSize/8-1)...), 8 * vec0ChunkSize,
			width * vec0ChunkSize, true},
		{"b", vec0ChunkSize, append([]byte{0b1}, make([]byte, vec0ChunkSize/8-1)...), 8 * vec0ChunkSize,
			width * vec0ChunkSize, true},
	}
	got := []vec0Chunk{}
	vec0Each(t, c, `SELECT c.partition00, c.size, c.validity, length(c.rowids), length(v.vectors), v._rowid_ = c.chunk_id
		FROM layout`+vec0Chunks+` c JOIN layout`+vec0Vectors+` v ON v.rowid = c.chunk_id ORDER BY c.chunk_id`,
		func(row cursor) {
			got = append(got, vec0Chunk{row.text(0), row.int64(1), bytes.Clone(row.rawBlob(2)), row.int64(3), row.int64(4),
				row.bool(5)})
		})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf(vec0Changed, "chunks and their validity bits, -expected +found", diff)
	}

	places := 0
	vec0Each(t, c, `SELECT r.rowid, substr(c.rowids, 8 * r.chunk_offset + 1, 8),
		substr(v.vectors, 3 * r.chunk_offset + 1, 3) FROM layout`+vec0Rowids+` r
		JOIN layout`+vec0Chunks+` c ON c.chunk_id = r.chunk_id JOIN layout`+vec0Vectors+` v ON v.rowid = r.chunk_id`,
		func(row cursor) {
			places++
			id := row.int64(0)
			if stored := row.rawBlob(1); !bytes.Equal(stored, binary.LittleEndian.AppendUint64(nil, uint64(id))) {
				t.Errorf(vec0Changed, "ids in a chunk", fmt.Sprintf("%d is stored as %x", id, stored))
			}
			if stored := row.rawBlob(2); !bytes.Equal(stored, vec0Bytes(id)) {
				t.Errorf(vec0Changed, "places in a chunk", fmt.Sprintf("vector %d is %x, not %x", id, stored, vec0Bytes(id)))
			}
		})
	if places != vec0ChunkSize+2 {
		t.Errorf(vec0Changed, "rows of vectors", fmt.Sprintf("%d, want %d", places, vec0ChunkSize+2))
	}
}

// vec0Chunk is what the test reads of one chunk.
type vec0Chunk struct {
	Partition       string
	Size            int64
	Validity        []byte
	Rowids, Vectors int64 // bytes
	BlobByChunkID   bool  // the vectors' blob opens under the chunk's id
}

// vec0Bytes returns a vector that identifies its id.
func vec0Bytes(id int64) []byte { return []byte{byte(id % 100), byte(id >> 8 % 100), 7} }

func vec0Each(t *testing.T, c *conn, sql string, visit func(cursor)) {
	t.Helper()
	if err := c.query(t.Context(), sql, func(row cursor) error { visit(row); return nil }); err != nil {
		t.Fatalf(vec0Changed, "a private table cannot be read", err)
	}
}
