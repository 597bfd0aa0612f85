package store

import (
	"context"
	"fmt"
	"time"

	"github.com/ncruces/go-sqlite3"

	"memory-graph/memory"
)

// VectorRow is an episode's vector with what filters ask for, so that a copy in memory can answer alone.
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
	Deleted   bool // the vector or its episode is gone
}

// maxChanges bounds one answer of VectorChanges.
const maxChanges = 4096

const vectorColumns = `e.namespace, e.project, e.user, e.session_id, e.role, e.occurred_at`

// vectorScanner reads vectorColumns; equal texts (a session's name stands on each of its turns) become one string.
type vectorScanner struct{ known map[string]string }

func (v *vectorScanner) text(s *sqlite3.Stmt, column int) string {
	raw := s.ColumnRawText(column)
	if known, ok := v.known[string(raw)]; ok {
		return known
	}
	text := string(raw)
	v.known[text] = text
	return text
}

func (v *vectorScanner) scan(s *sqlite3.Stmt, id int64, from int) (VectorRow, error) {
	row := VectorRow{ID: id, Namespace: v.text(s, from), Project: v.text(s, from+1), User: v.text(s, from+2),
		SessionID: v.text(s, from+3), Role: memory.Role(v.text(s, from+4))}
	var err error
	if row.OccurredAt, err = memory.ParseStored(s.ColumnText(from + 5)); err != nil {
		return row, fmt.Errorf("episode %d: occurred_at: %w", id, err)
	}
	return row, nil
}

// LoadVectors calls yield for every vector of the generation, all from one state of the file, and gives that state's
// place in the change feed, from which VectorChanges goes on. The row's Vec is only valid during the call. An error of
// yield ends it.
func (s *Store) LoadVectors(ctx context.Context, gen int64, yield func(VectorRow) error) (seq int64, err error) {
	err = s.read(ctx, "load vectors", func(c *conn) error {
		if seq, err = vectorSeq(ctx, c, gen); err != nil || seq == 0 {
			return err
		}
		scanner := vectorScanner{known: map[string]string{}}
		return c.query(ctx, `SELECT v.rowid, v.embedding, `+vectorColumns+` FROM `+episodeVectors(gen)+` v CROSS JOIN mg_episodes e ON e.id = v.rowid`,
			func(stmt *sqlite3.Stmt) error {
				row, err := scanner.scan(stmt, stmt.ColumnInt64(0), 2)
				if err != nil {
					return err
				}
				row.Vec = asVector(stmt.ColumnRawBlob(1))
				return yield(row)
			})
	})
	return seq, err
}

// VectorSeq gives the generation's place in the change feed, 0 while it has no vectors: one seek, to ask before every
// ranking whether a copy is fresh.
func (s *Store) VectorSeq(ctx context.Context, gen int64) (seq int64, err error) {
	err = s.readOne(ctx, "read vector feed", func(c *conn) (err error) {
		seq, err = vectorSeq(ctx, c, gen)
		return err
	})
	return seq, err
}

func vectorSeq(ctx context.Context, c *conn, gen int64) (int64, error) {
	seq, _, err := c.int64(ctx, `SELECT max(seq) FROM mg_vector_log WHERE embedder_id = ? AND kind = 'episode'`, gen)
	return seq, err
}

// VectorChanges gives what changed in the generation after a place in the feed, oldest first, at most 4,096 changes, and
// the place up to which they go. Call it until the place stays. A vector that changed twice is there once, as it is now.
func (s *Store) VectorChanges(ctx context.Context, gen, after int64) (changes []VectorChange, seq int64, err error) {
	seq = after
	err = s.read(ctx, "read vector changes", func(c *conn) error {
		if last, err := vectorSeq(ctx, c, gen); err != nil || last <= after {
			return err // the generation's table may be gone
		}
		scanner := vectorScanner{known: map[string]string{}}
		return c.query(ctx, `SELECT l.seq, l.object_id, l.deleted OR e.id IS NULL OR v.rowid IS NULL, v.embedding, `+vectorColumns+`
			FROM (SELECT seq, object_id, deleted FROM mg_vector_log WHERE embedder_id = ?1 AND kind = 'episode' AND seq > ?2 ORDER BY seq LIMIT ?3) l
			LEFT JOIN mg_episodes e ON e.id = l.object_id LEFT JOIN `+episodeVectors(gen)+` v ON v.rowid = l.object_id ORDER BY l.seq`,
			func(stmt *sqlite3.Stmt) error {
				seq = stmt.ColumnInt64(0)
				id := stmt.ColumnInt64(1)
				if stmt.ColumnBool(2) {
					changes = append(changes, VectorChange{VectorRow: VectorRow{ID: id}, Deleted: true})
					return nil
				}
				row, err := scanner.scan(stmt, id, 4)
				if err != nil {
					return err
				}
				row.Vec = append([]int8(nil), asVector(stmt.ColumnRawBlob(3))...)
				changes = append(changes, VectorChange{VectorRow: row})
				return nil
			}, gen, after, maxChanges)
	})
	return changes, seq, err
}
