package store

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"memory-graph/internal/memory"
)

// Name is one name in the feed that NamesSince reads.
type Name struct {
	ID    int64  // its position in the feed
	Alias string // canonical
}

// NamesSince returns the names and aliases of a namespace at feed positions greater than after, at most limit, in feed
// order. It does not report removed names.
func (s *Store) NamesSince(ctx context.Context, namespace string, after int64, limit int) ([]Name, error) {
	var names []Name
	err := s.readOne(ctx, "read names", func(c *conn) error {
		names = names[:0]
		return c.query(ctx,
			`SELECT id, alias FROM mg_entity_aliases INDEXED BY mg_entity_aliases_feed WHERE namespace = ? AND id > ? ORDER BY id
				LIMIT ?`,
			func(row cursor) error {
				names = append(names, Name{row.int64(0), row.text(1)})
				return nil
			}, namespace, after, limit)
	})
	return names, err
}

// NodesOf returns the nodes that the namespace's episodes mention, hidden nodes included. It runs one statement.
func (s *Store) NodesOf(ctx context.Context, namespace string, episodes []int64) ([]memory.MentionEdge, error) {
	var edges []memory.MentionEdge
	err := s.readOne(ctx, "read mentions", func(c *conn) error {
		edges = edges[:0]
		return c.query(ctx, `SELECT m.episode_id, m.entity_id, n.mention_count, max(m.role = 'title')
			FROM json_each(?) j CROSS JOIN mg_mentions m ON m.episode_id = j.value CROSS JOIN mg_entities n ON n.id = m.entity_id
			WHERE n.namespace = ? GROUP BY m.episode_id, m.entity_id`,
			func(row cursor) error {
				edges = append(edges, memory.MentionEdge{Episode: row.int64(0), Node: row.int64(1),
					Count: row.int64(2), Title: row.bool(3)})
				return nil
			}, idList(episodes), namespace)
	})
	return edges, err
}

// EpisodesOf returns the filter's episodes that mention the nodes, for each node the newest perNode. It runs one
// statement. Unless the filter is narrow, it reads no more rows of a hub than of any other node.
func (s *Store) EpisodesOf(ctx context.Context, f memory.Filter, nodes []int64, perNode int) ([]memory.MentionEdge,
	error) {
	var sql strings.Builder
	sql.WriteString(`SELECT n.id, n.mention_count, k.value FROM json_each(?) j CROSS JOIN mg_entities n ON n.id = j.value
		CROSS JOIN json_each((SELECT json_group_array(id) FROM (SELECT m.episode_id * 2 + (m.role = 'title') AS id FROM
		mg_mentions m`)
	args := []any{idList(nodes)}
	if f.Narrow() {
		w := filterWhere(f)
		sql.WriteString(` CROSS JOIN mg_episodes e ON e.id = m.episode_id WHERE m.entity_id = n.id AND ` + w.sql.String())
		args = append(args, w.args...)
	} else {
		sql.WriteString(` WHERE m.entity_id = n.id`)
	}
	sql.WriteString(` ORDER BY m.episode_id DESC LIMIT ?))) k WHERE n.namespace = ?`)
	args = append(args, perNode, f.Namespace)
	var edges []memory.MentionEdge
	err := s.readOne(ctx, "read mentioning episodes", func(c *conn) error {
		edges = edges[:0]
		return c.query(ctx, sql.String(), func(row cursor) error {
			id := row.int64(2)
			edges = append(edges, memory.MentionEdge{Episode: id / 2, Node: row.int64(0), Count: row.int64(1),
				Title: id%2 == 1})
			return nil
		}, args...)
	})
	return edges, err
}

// mentioningPerNode is how many episodes EpisodesMentioning reads for each node.
const mentioningPerNode = 200

// EpisodesMentioning returns the filter's episodes that mention the nodes, those with the most of these nodes first,
// then the newest. The score is the number of nodes. It reads only the newest 200 episodes of each node.
func (s *Store) EpisodesMentioning(ctx context.Context, f memory.Filter, nodes []int64, limit int) ([]memory.Hit,
	error) {
	edges, err := s.EpisodesOf(ctx, f, nodes, mentioningPerNode)
	if err != nil {
		return nil, err
	}
	return mostMentioning(edges, limit), nil
}

// countedEpisodes is where CountEpisodes stops.
const countedEpisodes = 4000

// CountEpisodes returns the number of episodes in the namespace, at most 4,000. That is enough to tell which names are
// rare, and the cost does not grow with the file.
func (s *Store) CountEpisodes(ctx context.Context, namespace string) (n int64, err error) {
	err = s.readOne(ctx, "count episodes", func(c *conn) error {
		n, _, err = c.int64(ctx,
			`SELECT count(*) FROM (SELECT 1 FROM mg_episodes INDEXED BY mg_episodes_newest WHERE namespace = ? LIMIT ?)`,
			namespace, countedEpisodes)
		return err
	})
	return n, err
}

func mostMentioning(edges []memory.MentionEdge, limit int) []memory.Hit {
	type pair struct{ episode, node int64 }
	counted := make(map[pair]bool, len(edges))
	count := map[int64]int{}
	for _, e := range edges {
		if p := (pair{e.Episode, e.Node}); !counted[p] {
			counted[p] = true
			count[e.Episode]++
		}
	}
	hits := make([]memory.Hit, 0, len(count))
	for id, n := range count {
		hits = append(hits, memory.Hit{ID: id, Score: float64(n)})
	}
	slices.SortFunc(hits, func(a, b memory.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.ID, a.ID))
	})
	return hits[:min(limit, len(hits))]
}
