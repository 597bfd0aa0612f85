package store

import (
	"context"
	"slices"
	"strconv"

	"github.com/ncruces/go-sqlite3"

	"memory-graph/memory"
)

// queueLinks queues a look at the links of the nodes whose vectors were written, in that transaction. Of a generation that
// is still being built nothing can be ranked: CatchUpLinks looks at all nodes once it is active.
func (s *Store) queueLinks(ctx context.Context, c *conn, gen int64, vectors []Vector) error {
	var ids []int64
	for _, v := range vectors {
		if v.Kind == OfEntities && v.Link && v.Vec != nil {
			ids = append(ids, v.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	_, active, err := c.int64(ctx, `SELECT 1 FROM mg_embedders WHERE id = ? AND state = 'active'`, gen)
	if err != nil || !active {
		return err
	}
	type subject struct{ namespace, id string }
	var subjects []subject
	err = c.query(ctx, `SELECT e.namespace, e.kind, e.id FROM json_each(?) j CROSS JOIN mg_entities e ON e.id = j.value WHERE `+shownEntity, func(row *sqlite3.Stmt) error {
		id := memory.NodeID(memory.NodeKind(row.ColumnText(1)), row.ColumnInt64(2))
		subjects = append(subjects, subject{row.ColumnText(0), id.String()})
		return nil
	}, idList(ids))
	if err != nil {
		return err
	}
	for _, of := range subjects {
		if err := enqueueAgain(ctx, c, KindLink, of.namespace, of.id, s.now()); err != nil {
			return err
		}
	}
	return nil
}

// linkedWith is where mg_metadata notes the generation of vectors whose nodes of a kind have all been looked at, or queued.
func linkedWith(kind memory.NodeKind) string { return "links." + string(kind) }

// CatchUpLinks queues a look at the links of every shown node of the kinds, once for each generation of vectors: another
// embedder finds other things alike, and files from before there were links have none. It is cheap where that is done.
func (s *Store) CatchUpLinks(ctx context.Context, kinds []memory.NodeKind) (queued bool, err error) {
	gen, ok, err := s.ActiveGeneration(ctx)
	if err != nil || !ok {
		return false, err
	}
	done := strconv.FormatInt(gen.ID, 10)
	for _, kind := range kinds {
		if !kind.Shown() {
			continue
		}
		is := ""
		if err := s.readOne(ctx, "look which links were made", func(c *conn) (err error) {
			is, err = c.text(ctx, `SELECT value FROM mg_metadata WHERE key = ?`, linkedWith(kind))
			return err
		}); err != nil {
			return queued, err
		}
		if is == done {
			continue
		}
		err := s.write(ctx, "queue links", func(c *conn) error {
			letter := string(rune(memory.NodeID(kind, 0).Kind))
			n, err := c.exec(ctx, `INSERT INTO mg_jobs (kind, namespace, subject, status, next_at, created_at)
				SELECT ?1, e.namespace, ?2 || e.id, ?3, ?4, ?4 FROM mg_entities e WHERE e.kind = ?5 AND `+shownEntity+`
				ON CONFLICT (kind, subject) WHERE status <> 'done' DO NOTHING`, KindLink, letter, jobPending, memory.Millis(s.now()), string(kind))
			if err != nil {
				return err
			}
			queued = queued || n > 0
			_, err = c.exec(ctx, `INSERT INTO mg_metadata (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2`, linkedWith(kind), done)
			return err
		})
		if err != nil {
			return queued, err
		}
	}
	return queued, nil
}

// NodeVector gives the stored vector of a node in the active generation; nil where it has
// none. It is what is compared again when a look at links is repeated: nothing is embedded for that.
func (s *Store) NodeVector(ctx context.Context, namespace string, id int64) (vec []int8, err error) {
	gen, ok, err := s.ActiveGeneration(ctx)
	if err != nil || !ok {
		return nil, err
	}
	err = s.readOne(ctx, "read a vector", func(c *conn) error {
		vec = nil
		return c.query(ctx, `SELECT embedding FROM `+OfEntities.table(gen.ID)+` WHERE rowid = ? AND namespace = ?`, func(row *sqlite3.Stmt) error {
			vec = slices.Clone(asVector(row.ColumnRawBlob(0)))
			return nil
		}, id, namespace)
	})
	return vec, err
}
