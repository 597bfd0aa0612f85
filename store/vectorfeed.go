package store

import (
	"context"
	"fmt"
	"time"

	"memory-graph/internal/memory"
)

// VectorRow is a vector with the columns that filters need, so that a copy in memory can answer without the file. For
// an entity only the namespace is set.
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

// VectorChange is a vector that was written or deleted.
type VectorChange struct {
	VectorRow      // if Deleted, only the ID
	Deleted   bool // the vector or its object is gone, or hidden
}

// maxChanges bounds one answer of VectorChanges.
const maxChanges = 4096

// vectorScanner reads a source's columns. Equal texts share one string, such as a session's name on each of its turns.
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

// LoadVectors calls yield for every vector of a kind in the generation, all from one state of the file. It returns the
// position of that state in the change feed, for VectorChanges. The row's Vec is only valid during the call. An error
// of yield ends the read. Namespaces come one after the other, the vectors of each in no particular order.
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

// VectorSeq returns the generation's position in the change feed of a kind, 0 while it has no vectors. It is one seek,
// so every ranking can check whether its copy is current.
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

// VectorChanges returns the changes of a kind's vectors in the generation after a position in the feed, oldest first,
// at most 4,096, and the position of the last one. Call it until the position stays the same. A vector that changed
// twice is there once, in its current state.
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
