package store

import (
	"cmp"
	"context"
	"slices"

	"memory-graph/internal/memory"
)

// GraphStats counts a namespace's graph. Types are counted over entities and relations over active facts, sorted by
// count, highest first, and then by name.
func (s *Store) GraphStats(ctx context.Context, namespace string) (memory.GraphStats, error) {
	var out memory.GraphStats
	err := s.read(ctx, "count the graph", func(c *conn) error {
		out = memory.GraphStats{EntitiesByType: []memory.Count{}, RelationshipsByRelation: []memory.Count{}}
		if err := c.query(ctx,
			`SELECT kind, type, count(*), count(archived_at) FROM mg_entities WHERE namespace = ? AND merged_into IS NULL
				GROUP BY kind, type`,
			func(row cursor) error {
				n := row.int64(2)
				switch memory.NodeKind(row.text(0)) {
				case memory.NodeEntity:
					out.ArchivedEntities += row.int64(3)
					if n -= row.int64(3); n > 0 {
						out.Entities += n
						out.EntitiesByType = append(out.EntitiesByType, memory.Count{Name: row.text(1), N: n})
					}
				case memory.NodeMemory:
					out.Memories += n
				case memory.NodeMention:
					out.Mentions += n
				}
				return nil
			}, namespace); err != nil {
			return err
		}
		// Facts without valid_until are counted in an index alone. Due facts, which have their own index, are subtracted.
		if err := c.query(ctx, `SELECT relation, sum(n) FROM (
				SELECT relation, count(*) AS n FROM mg_relationships INDEXED BY mg_relationships_active WHERE namespace = ?1 AND
				valid_until IS NULL GROUP BY relation
				UNION ALL SELECT relation, -1 FROM mg_relationships INDEXED BY mg_relationships_due WHERE valid_until IS NULL AND
				expires_at <= ?2 AND namespace = ?1)
			GROUP BY relation HAVING sum(n) > 0`, func(row cursor) error {
			n := row.int64(1)
			out.ActiveRelationships += n
			out.RelationshipsByRelation = append(out.RelationshipsByRelation, memory.Count{Name: row.text(0), N: n})
			return nil
		}, namespace, memory.Seconds(s.now())); err != nil {
			return err
		}
		ended, _, err := c.int64(ctx, `SELECT (SELECT count(*) FROM mg_relationships INDEXED BY mg_relationships_head_past
			WHERE valid_until IS NOT NULL AND namespace = ?1)
			+ (SELECT count(*) FROM mg_relationships INDEXED BY mg_relationships_due WHERE valid_until IS NULL AND expires_at <=
			?2 AND namespace = ?1)`,
			namespace, memory.Seconds(s.now()))
		if err != nil {
			return err
		}
		if out.ArchivedRelationships, _, err = c.int64(ctx, `SELECT count(*) FROM mg_archive WHERE namespace = ?`,
			namespace); err != nil {
			return err
		}
		out.EndedRelationships = ended + out.ArchivedRelationships
		if out.Communities, _, err = c.int64(ctx, `SELECT count(*) FROM mg_communities WHERE namespace = ?`,
			namespace); err != nil {
			return err
		}
		return c.query(ctx,
			`SELECT count(*), min(occurred_at), max(occurred_at) FROM mg_episodes e WHERE e.namespace = ? AND `+
				OfEpisodes.source().where, func(row cursor) (err error) {
				out.Episodes = row.int64(0)
				if out.OldestEpisode, err = row.time(1); err != nil {
					return err
				}
				out.NewestEpisode, err = row.time(2)
				return err
			}, namespace)
	})
	if err != nil {
		return memory.GraphStats{}, err
	}
	for _, counts := range [][]memory.Count{out.EntitiesByType, out.RelationshipsByRelation} {
		slices.SortFunc(counts, func(a, b memory.Count) int {
			return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Name, b.Name))
		})
	}
	return out, nil
}

// FactCounts returns the number of active facts of each node, as head or tail. It omits nodes of other namespaces.
func (s *Store) FactCounts(ctx context.Context, namespace string, ids []int64) (map[int64]int64, error) {
	counts := make(map[int64]int64, len(ids))
	err := s.readOne(ctx, "count facts", func(c *conn) error {
		const active = `r.valid_until IS NULL AND (r.expires_at IS NULL OR r.expires_at > ?3)`
		return c.query(ctx, nodesOf+`SELECT n.id,
			(SELECT count(*) FROM mg_relationships r INDEXED BY mg_relationships_out WHERE r.head_id = n.id AND `+active+`) +
			(SELECT count(*) FROM mg_relationships r INDEXED BY mg_relationships_in WHERE r.tail_id = n.id AND
			`+active+`) FROM
				nodes n`,
			func(row cursor) error {
				counts[row.int64(0)] = row.int64(1)
				return nil
			}, idList(ids), namespace, memory.Seconds(s.now()))
	})
	if err != nil {
		return nil, err
	}
	return counts, nil
}
