package store

import (
	"context"

	"memory-graph/internal/memory"
)

// CommunityView is what a filter lets see of a community.
type CommunityView struct {
	Edges []CommunityEdge // active facts between members that an episode of the filter states, sorted by id
	Whole bool            // these are all facts between members, and each member has one
}

// viewedFacts is the maximum number of facts of a community that are looked at. A larger one is never seen whole.
const viewedFacts = 2000

// CommunityViews returns what the filter lets see of communities, by id. No filter sees derived links.
func (s *Store) CommunityViews(ctx context.Context, f memory.Filter, ids []int64) (map[int64]CommunityView, error) {
	views := make(map[int64]CommunityView, len(ids))
	e := filterWhere(f)
	sql := `SELECT r.id, r.head_id, r.tail_id, r.confidence, r.method NOT IN ` + linkedMethods + ` AND EXISTS (SELECT 1
			FROM mg_evidence v CROSS JOIN mg_episodes e ON e.id = v.episode_id WHERE v.relationship_id = r.id AND ` +
		e.sql.String() + `) FROM (SELECT r.id, r.head_id, r.tail_id, r.confidence, r.method
			FROM mg_entities h CROSS JOIN mg_relationships r ON r.head_id = h.id
			CROSS JOIN mg_entities t ON t.id = r.tail_id AND t.community_id = h.community_id
			WHERE h.community_id = ? AND h.namespace = ? AND h.kind IN ` + shownKinds + ` AND t.kind IN ` + shownKinds + `
			AND r.valid_until IS NULL AND (r.expires_at IS NULL OR r.expires_at > ?) LIMIT ?) r ORDER BY r.id`
	err := s.read(ctx, "read what communities let see", func(c *conn) error {
		for _, id := range ids {
			size, _, err := c.int64(ctx, `SELECT count(*) FROM mg_entities WHERE community_id = ? AND namespace = ?`, id,
				f.Namespace)
			if err != nil {
				return err
			}
			v, facts, ends := CommunityView{Whole: true}, 0, map[int64]bool{}
			if err := c.query(ctx, sql, func(row cursor) error {
				facts++
				if !row.bool(4) {
					v.Whole = false
					return nil
				}
				edge := CommunityEdge{row.int64(0), row.int64(1), row.int64(2), row.float(3)}
				ends[edge.Head], ends[edge.Tail] = true, true
				v.Edges = append(v.Edges, edge)
				return nil
			}, append(e.args[:len(e.args):len(e.args)], id, f.Namespace, memory.Seconds(s.now()), viewedFacts)...); err != nil {
				return err
			}
			v.Whole = v.Whole && int64(len(ends)) == size && facts < viewedFacts
			views[id] = v
		}
		return nil
	})
	return views, err
}

// newestFacts is the number of newest facts by which NewestCommunities chooses.
const newestFacts = 200

// NewestCommunities returns the ids of the communities that the filter's newest active facts are in, the newest first.
func (s *Store) NewestCommunities(ctx context.Context, f memory.Filter) (ids []int64, err error) {
	w := new(where)
	w.and("r.namespace = ? AND r.valid_until IS NULL AND r.method NOT IN "+linkedMethods, f.Namespace)
	w.evidence(f, "id")
	err = s.readOne(ctx, "read the newest communities", func(c *conn) error {
		return c.query(ctx, `SELECT h.community_id FROM (SELECT r.id, r.head_id, r.tail_id FROM mg_relationships r WHERE `+
			w.sql.String()+` ORDER BY r.id DESC LIMIT ?) r CROSS JOIN mg_entities h ON h.id = r.head_id
			CROSS JOIN mg_entities t ON t.id = r.tail_id AND t.community_id = h.community_id
			GROUP BY h.community_id ORDER BY max(r.id) DESC`, func(row cursor) error {
			ids = append(ids, row.int64(0))
			return nil
		}, append(w.args, newestFacts)...)
	})
	return ids, err
}
