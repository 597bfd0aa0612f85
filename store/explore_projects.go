package store

import "context"

// ProjectsOf returns the projects of the turns that say facts, in alphabetical order. A fact that no turn with a
// project says has none.
func (s *Store) ProjectsOf(ctx context.Context, namespace string, facts []int64) (map[int64][]string, error) {
	of := map[int64][]string{}
	err := s.readOne(ctx, "read the projects of facts", func(c *conn) error {
		return c.query(ctx, `SELECT DISTINCT v.relationship_id, e.project FROM json_each(?1) j
			CROSS JOIN mg_evidence v ON v.relationship_id = j.value CROSS JOIN mg_episodes e ON e.id = v.episode_id
			WHERE e.namespace = ?2 AND e.project != '' AND `+spoken+` ORDER BY v.relationship_id, e.project`,
			func(row cursor) error {
				of[row.int64(0)] = append(of[row.int64(0)], row.text(1))
				return nil
			}, idList(facts), namespace)
	})
	return of, err
}
