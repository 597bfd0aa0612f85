package store

import (
	"context"
	"fmt"
	"time"

	"memory-graph/internal/memory"
)

// VectorRow is a vector with what filters ask for, so that a copy in memory can answer alone. Of an entity it is the
// namespace.
type VectorRow struct {
	ID         int64
	Namespace  string
	Project    string
	User       string
	SessionID  string
	Role       memory.Role
	OccurredAt time.Time
	Vec        []int8
}

// VectorChange is a vector that was written or went away.
type VectorChange struct {
	VectorRow      // with Deleted the ID alone
	Deleted   bool // the vector or its object is gone, or hidden
}

// maxChanges bounds one answer of VectorChanges.
const maxChanges = 4096

// vectorScanner reads a source's columns; equal texts (a session's name stands on each of its turns) become one string.
type vectorScanner struct{ known map[string]string }

func (v *vectorScanner) text(value any) string {
	s, _ := value.(string) // NULL is ""
	if known, ok := v.known[s]; ok {
		return known
	}
	v.known[s] = s
	return s
}

func (v *vectorScanner) scan(id int64, columns []any) (VectorRow, error) {
	row := VectorRow{ID: id, Namespace: v.text(columns[0]), Project: v.text(columns[1]), User: v.text(columns[2]),
		SessionID: v.text(columns[3]), Role: memory.Role(v.text(columns[4]))}
	at, _ := columns[5].(string)
	var err error
	if row.OccurredAt, err = memory.ParseStored(at); err != nil {
		return row, fmt.Errorf("vector of %d: occurred_at: %w", id, err)
	}
	return row, nil
}

// LoadVectors calls yield for every vector of a kind in the generation, all from one state of the file, and gives that
// state's place in the change feed, from which VectorChanges goes on. The row's Vec is only valid during the call. An
// error of yield ends it. Namespaces come one after the other, vectors in no order.
func (s *Store) LoadVectors(ctx context.Context, gen int64, kind VectorKind, yield func(VectorRow) error) (seq int64,
	err error) {
	err = s.read(ctx, "load vectors", func(c *conn) error {
		if seq, err = vectorSeq(ctx, c, gen, kind); err != nil || seq == 0 {
			return err
		}
		return loadChunks(ctx, c, gen, kind, yield)
	})
	return seq, err
}

// VectorSeq gives the generation's place in the change feed of a kind, 0 while it has no vectors: one seek, to ask
// before every ranking whether a copy is fresh.
func (s *Store) VectorSeq(ctx context.Context, gen int64, kind VectorKind) (seq int64, err error) {
	err = s.readOne(ctx, "read vector feed", func(c *conn) (err error) {
		seq, err = vectorSeq(ctx, c, gen, kind)
		return err
	})
	return seq, err
}

func vectorSeq(ctx context.Context, c *conn, gen int64, kind VectorKind) (int64, error) {
	seq, _, err := c.int64(ctx, `SELECT max(seq) FROM mg_vector_log WHERE embedder_id = ? AND kind = ?`, gen, string(kind))
	return seq, err
}

// VectorChanges gives what vectors of a kind changed in the generation after a place in the feed, oldest first, at most
// 4,096 changes, and the place up to which they go. Call it until the place stays. A vector that changed twice is there
// once, as it is now.
func (s *Store) VectorChanges(ctx context.Context, gen int64, kind VectorKind, after int64) (changes []VectorChange,
	seq int64, err error) {
	seq = after
	err = s.read(ctx, "read vector changes", func(c *conn) error {
		if last, err := vectorSeq(ctx, c, gen, kind); err != nil || last <= after {
			return err // the generation's table may be gone
		}
		scanner, source := vectorScanner{known: map[string]string{}}, kind.source()
		return c.query(ctx, `SELECT l.seq, l.object_id, l.deleted OR e.id IS NULL OR v.rowid IS NULL, v.embedding,
			`+source.columns+`
			FROM (SELECT seq, object_id, deleted FROM mg_vector_log WHERE embedder_id = ?1 AND kind = ?4 AND seq > ?2 ORDER BY
			seq LIMIT ?3) l
			LEFT JOIN
			`+source.from+` ON e.id = l.object_id AND
				`+source.where+` LEFT JOIN
				`+kind.table(gen)+` v ON v.rowid =
				l.object_id ORDER BY l.seq`,
			func(stmt cursor) error {
				var columns [10]any
				if err := stmt.columns(columns[:]); err != nil {
					return err
				}
				seq, _ = columns[0].(int64)
				id, _ := columns[1].(int64)
				vec, _ := columns[3].([]byte)
				if gone, _ := columns[2].(int64); gone == 1 {
					changes = append(changes, VectorChange{VectorRow: VectorRow{ID: id}, Deleted: true})
					return nil
				}
				row, err := scanner.scan(id, columns[4:])
				if err != nil {
					return err
				}
				row.Vec = append([]int8(nil), asVector(vec)...)
				changes = append(changes, VectorChange{VectorRow: row})
				return nil
			}, gen, after, maxChanges, string(kind))
	})
	return changes, seq, err
}
