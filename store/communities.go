package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"memory-graph/internal/memory"
)

// CommunityNode is an entity or a memory that communities are made of.
type CommunityNode struct {
	ID        int64
	Community int64 // 0 for none
}

// CommunityEdge is an active fact between two of them.
type CommunityEdge struct {
	ID, Head, Tail int64
	Confidence     float64 // as stored
}

// CommunityGraph is what the communities of a namespace follow from. Nodes and edges are sorted by id.
type CommunityGraph struct {
	Nodes []CommunityNode
	Edges []CommunityEdge
	Held  []memory.Community // the stored communities, by id, without their central members
}

// nodeChunk is how many entities are read at a time.
const nodeChunk = 10_000

// CommunityGraphs returns the graph of each namespace, or only of one if namespace is not "". Nodes of kinds that
// answers do not show, and facts of such nodes, are left out. It reads chunk facts at a time, 0 for all in one stream,
// by their ids. Every chunk is a separate read, so no read delays a checkpoint of the write-ahead log for long. The
// next call finds what changed meanwhile.
func (s *Store) CommunityGraphs(ctx context.Context, namespace string, chunk int) (map[string]*CommunityGraph, error) {
	graphs, of := map[string]*CommunityGraph{}, map[int64]*CommunityGraph{}
	get := func(raw []byte) *CommunityGraph {
		g := graphs[string(raw)]
		if g == nil {
			g = new(CommunityGraph)
			graphs[string(raw)] = g
		}
		return g
	}
	err := s.inChunks(ctx, "read entities", nodeChunk, `SELECT id, namespace, community_id FROM mg_entities
		WHERE id > ?1 AND (?2 = '' OR namespace = ?2) AND (community_id IS NOT NULL OR kind IN `+shownKinds+` AND
		merged_into IS NULL) ORDER BY id LIMIT ?3`, namespace, func(row cursor) {
		g := get(row.rawText(1))
		g.Nodes = append(g.Nodes, CommunityNode{row.int64(0), row.int64(2)})
		of[row.int64(0)] = g
	})
	if err != nil {
		return nil, err
	}
	err = s.inChunks(ctx, "read facts", chunk, `SELECT id, head_id, tail_id, confidence FROM mg_relationships
		WHERE id > ?1 AND (?2 = '' OR namespace = ?2) AND valid_until IS NULL AND (expires_at IS NULL OR expires_at > ?4)
		ORDER BY id LIMIT ?3`, namespace, func(row cursor) {
		e := CommunityEdge{row.int64(0), row.int64(1), row.int64(2), row.float(3)}
		if g := of[e.Head]; g != nil && of[e.Tail] == g {
			g.Edges = append(g.Edges, e)
		}
	}, memory.Seconds(s.now()))
	if err != nil {
		return nil, err
	}
	err = s.readOne(ctx, "read communities", func(c *conn) error {
		return c.query(ctx, `SELECT `+communityColumns+` FROM mg_communities WHERE ?1 = '' OR namespace = ?1 ORDER BY id`,
			func(row cursor) error {
				held, _, err := scanCommunity(row)
				g := get(row.rawText(1))
				g.Held = append(g.Held, held)
				return err
			}, namespace)
	})
	return graphs, err
}

// inChunks runs a statement for chunk rows at a time: ?1 is the last id of the chunk before, ?2 the namespace, ?3 the
// chunk, and further parameters follow. The first column is the id.
func (s *Store) inChunks(ctx context.Context, op string, chunk int, sql, namespace string, row func(cursor),
	more ...any) error {
	if chunk <= 0 {
		chunk = -1 // SQLite: no limit
	}
	for after := int64(0); ; {
		n := 0
		err := s.readOne(ctx, op, func(c *conn) error {
			return c.query(ctx, sql, func(r cursor) error {
				after, n = r.int64(0), n+1
				row(r)
				return nil
			}, append([]any{after, namespace, chunk}, more...)...)
		})
		if err != nil || n < chunk || chunk < 0 {
			return err
		}
	}
}

const communityColumns = `id, namespace, name, summary, fingerprint, size, writer, origin, central, updated_at`

// scanCommunity reads a row, with the ids of the central members.
func scanCommunity(row cursor) (c memory.Community, central []int64, err error) {
	c = memory.Community{ID: row.int64(0), Namespace: row.text(1), Name: row.text(2), Summary: row.text(3),
		Size: row.int(5), Writer: row.text(6), Origin: memory.Origin(row.text(7))}
	if raw := row.rawBlob(4); len(raw) > 0 {
		c.Fingerprint = append(c.Fingerprint, raw...)
	}
	if err = json.Unmarshal(row.rawText(8), &central); err != nil {
		return c, nil, fmt.Errorf("read the central members of community %d: %w", c.ID, err)
	}
	c.UpdatedAt, err = row.time(9)
	return c, central, err
}

// CommunityFilter selects communities. Namespace is required; a zero value elsewhere does not narrow.
type CommunityFilter struct {
	Namespace string
	IDs       []int64
	Name      string // the whole name, ignoring case
	Prefix    string // of the name or of a member's name or alias, ignoring case
	Order     ListOrder
}

func (f CommunityFilter) where() *where {
	w := new(where)
	w.and("c.namespace = ? AND c.size > 0", f.Namespace)
	if f.IDs != nil {
		w.and("c.id IN (SELECT value FROM json_each(?))", idList(f.IDs))
	}
	if f.Name != "" {
		w.and("lower(c.name) = lower(?)", strings.TrimSpace(f.Name))
	}
	if prefix := memory.Canonical(f.Prefix); prefix != "" {
		from, to := subjectRange(prefix)
		w.and(`(lower(c.name) >= ? AND lower(c.name) < ? OR c.id IN (SELECT e.community_id FROM mg_entity_aliases a
			CROSS JOIN mg_entities e ON e.id = a.entity_id WHERE a.namespace = ? AND a.alias >= ? AND a.alias < ? AND
			e.community_id IS NOT NULL))`, from, to, f.Namespace, from, to)
	}
	return w
}

// CountCommunities returns the number of communities that match the filter.
func (s *Store) CountCommunities(ctx context.Context, f CommunityFilter) (n int64, err error) {
	w := f.where()
	err = s.readOne(ctx, "count communities", func(c *conn) (err error) {
		n, _, err = c.int64(ctx, `SELECT count(*) FROM mg_communities c WHERE `+w.sql.String(), w.args...)
		return err
	})
	return n, err
}

// ListCommunities returns the filter's communities with their central members, the largest first, or sorted by name. It
// skips the first offset ones and reports whether there are more than limit. The error is InvalidArgument for an
// unknown order.
func (s *Store) ListCommunities(ctx context.Context, f CommunityFilter, offset, limit int) (list []memory.Community,
	more bool, err error) {
	if err := f.Order.check(); err != nil {
		return nil, false, err
	}
	w, order := f.where(), `size DESC, id`
	if f.Order == ByName {
		order = `lower(coalesce(name, '')), id`
	}
	err = s.read(ctx, "list communities", func(c *conn) error {
		list = make([]memory.Community, 0, min(limit, 64))
		var central [][]int64
		var all []int64
		if err := c.query(ctx, `SELECT `+communityColumns+` FROM mg_communities c WHERE `+w.sql.String()+` ORDER BY `+order+
			` LIMIT ? OFFSET ?`, func(row cursor) error {
			found, ids, err := scanCommunity(row)
			list, central, all = append(list, found), append(central, ids), append(all, ids...)
			return err
		}, append(w.args, limit+1, offset)...); err != nil {
			return err
		}
		if more = len(list) > limit; more {
			list = list[:limit]
		}
		nodes, err := c.communityNodes(ctx, f.Namespace, all)
		for i := range list {
			for _, id := range central[i] {
				if n, ok := nodes[id]; ok && n.Community == list[i].ID {
					list[i].Central = append(list[i].Central, n.Node)
				}
			}
		}
		return err
	})
	if err != nil {
		return nil, false, err
	}
	return list, more, nil
}

// communitiesRead is the key of the newest turn at the start of the last refresh.
const communitiesRead = "communities.turn"

// TurnsSinceCommunities returns how many turns, of all namespaces, were stored since the last complete refresh of the
// communities.
func (s *Store) TurnsSinceCommunities(ctx context.Context) (n int64, err error) {
	err = s.readOne(ctx, "count new turns", func(c *conn) (err error) {
		n, _, err = c.int64(ctx, `SELECT coalesce((SELECT max(id) FROM mg_episodes), 0) -
			coalesce((SELECT CAST(value AS INTEGER) FROM mg_metadata WHERE key = '`+communitiesRead+`'), 0)`)
		return err
	})
	return n, err
}

// NewestTurn returns the number of the newest turn of the file, 0 for none.
func (s *Store) NewestTurn(ctx context.Context) (n int64, err error) {
	err = s.readOne(ctx, "read the newest turn", func(c *conn) (err error) {
		n, _, err = c.int64(ctx, `SELECT max(id) FROM mg_episodes`)
		return err
	})
	return n, err
}

// CommunitiesDone records that all communities follow from the turns up to this one.
func (s *Store) CommunitiesDone(ctx context.Context, r *Run, turn int64) error {
	return s.runWrite(ctx, r, "finish the communities", func(c *conn) error {
		_, err := c.exec(ctx, `INSERT INTO mg_metadata (key, value) VALUES ('`+communitiesRead+`', ?1)
			ON CONFLICT (key) DO UPDATE SET value = ?1 WHERE value <> ?1`, strconv.FormatInt(turn, 10))
		return err
	})
}
