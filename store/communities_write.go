package store

import (
	"context"
	"encoding/json"
	"fmt"

	"memory-graph/internal/memory"
)

// CommunityWrite is a part of a change of one community. A large change has several parts, each a transaction: all but
// the last have no fingerprint, so that a community whose change was cut off is written anew.
type CommunityWrite struct {
	Community memory.Community // ID 0 creates it; Central needs only the ids
	Join      []int64          // entities that become members
	Named     []int64          // the members that name and summary were made of
	Told      []int64          // the facts that they were made of
	Kept      bool             // name and summary stay as they are stored
}

// SaveCommunities writes parts of changes and returns the ids of their communities. Only the run's holder can do so.
// The error is ErrRunLost if the holder has lost the run.
func (s *Store) SaveCommunities(ctx context.Context, r *Run, list []CommunityWrite) (ids []int64, err error) {
	err = s.runWrite(ctx, r, "save communities", func(c *conn) error {
		ids = make([]int64, len(list))
		for i, w := range list {
			if err := c.outrun(ctx, &w); err != nil {
				return err
			}
			if ids[i], err = c.saveCommunity(ctx, w.Community, memory.Millis(s.now())); err != nil {
				return err
			}
			if err := c.join(ctx, ids[i], w.Community.Namespace, w.Join); err != nil {
				return err
			}
			if w.Community.Name == "" {
				if err := c.nameCommunities(ctx, w.Community.Namespace); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return ids, err
}

// outrun clears the name, summary and fingerprint of a write if facts or members behind them were ended or forgotten
// meanwhile, since a model may have taken minutes. The next refresh writes them again. With Kept it fills in what is
// stored instead, and clears the fingerprint if the stored one was cleared.
func (c *conn) outrun(ctx context.Context, w *CommunityWrite) error {
	m := &w.Community
	if w.Kept {
		return c.query(ctx, `SELECT name, summary, fingerprint, writer FROM mg_communities WHERE namespace = ? AND id = ?`,
			func(row cursor) error {
				m.Name, m.Summary, m.Writer = row.text(0), row.text(1), row.text(3)
				if row.null(2) {
					m.Fingerprint = nil
				}
				return nil
			}, m.Namespace, m.ID)
	}
	there, _, err := c.int64(ctx, `SELECT
		(SELECT count(*) FROM mg_relationships WHERE id IN (SELECT value FROM json_each(?1)) AND valid_until IS NULL) +
		(SELECT count(*) FROM mg_entities e WHERE e.id IN (SELECT value FROM json_each(?2)) AND `+shownEntity+`)`,
		idList(w.Told), idList(w.Named))
	if err == nil && there < int64(len(w.Told)+len(w.Named)) {
		m.Name, m.Summary, m.Writer, m.Fingerprint, m.Central = "", "", "", nil, nil
	}
	return err
}

// communityEnded marks the community of the head and the tail of an ended fact, because its summary may state the fact.
func (w *writing) communityEnded(ctx context.Context, fact int64) error {
	_, err := w.c.exec(ctx, `UPDATE mg_communities SET fingerprint = NULL WHERE fingerprint IS NOT NULL AND id =
		(SELECT h.community_id FROM mg_relationships r CROSS JOIN mg_entities h ON h.id = r.head_id
			CROSS JOIN mg_entities t ON t.id = r.tail_id
			WHERE r.id = ? AND r.valid_until IS NOT NULL AND h.community_id = t.community_id)`, fact)
	return err
}

func (c *conn) saveCommunity(ctx context.Context, m memory.Community, now string) (int64, error) {
	central := make([]int64, len(m.Central))
	for i, n := range m.Central {
		central[i] = n.ID
	}
	text, err := json.Marshal(central)
	if err != nil {
		return 0, fmt.Errorf("write the central members of community %d: %w", m.ID, err)
	}
	var print any
	if m.Fingerprint != nil {
		print = m.Fingerprint
	}
	args := []any{m.Namespace, nullable(m.Name), nullable(m.Summary), print, m.Size, m.Writer, string(m.Origin),
		string(text), now}
	if m.ID != 0 {
		n, err := c.exec(ctx, `UPDATE mg_communities SET name = ?2, summary = ?3, fingerprint = ?4, size = ?5, writer = ?6,
			origin = ?7, central = ?8, updated_at = ?9 WHERE namespace = ?1 AND id = ?10`, append(args, m.ID)...)
		if err != nil || n > 0 {
			return m.ID, err
		}
	}
	_, err = c.exec(ctx, `INSERT INTO mg_communities (id, namespace, name, summary, fingerprint, size, writer, origin,
		central, updated_at) VALUES (`+freshID("mg_communities")+`, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, args...)
	return c.lastID(), err
}

// join makes entities members of a community, 0 for none.
func (c *conn) join(ctx context.Context, community int64, namespace string, entities []int64) error {
	if len(entities) == 0 {
		return nil
	}
	var to any
	if community != 0 {
		to = community
	}
	_, err := c.exec(ctx, `UPDATE mg_entities SET community_id = ?1 WHERE id IN (SELECT value FROM json_each(?2))
		AND namespace = ?3 AND (?1 IS NULL OR merged_into IS NULL)`, to, idList(entities), namespace)
	return err
}

// LeaveCommunities takes entities out of their communities. Only the run's holder can do so.
func (s *Store) LeaveCommunities(ctx context.Context, r *Run, namespace string, entities []int64) error {
	return s.runWrite(ctx, r, "leave communities", func(c *conn) error { return c.join(ctx, 0, namespace, entities) })
}

// DropCommunities deletes communities without members. Only the run's holder can do so. An entity that joined one of
// them meanwhile waits for the next refresh.
func (s *Store) DropCommunities(ctx context.Context, r *Run, namespace string, ids []int64) error {
	return s.runWrite(ctx, r, "drop communities", func(c *conn) error {
		if _, err := c.exec(ctx, `UPDATE mg_entities SET community_id = NULL WHERE community_id IN
			(SELECT value FROM json_each(?1)) AND namespace = ?2`, idList(ids), namespace); err != nil {
			return err
		}
		_, err := c.exec(ctx, `DELETE FROM mg_communities WHERE id IN (SELECT value FROM json_each(?1)) AND namespace = ?2`,
			idList(ids), namespace)
		return err
	})
}

// neighboursOfNew is the number of an entity's facts, in each direction, whose other nodes decide its community.
const neighboursOfNew = 50

// joinNeighbours puts the head and the tail of a new fact, if they have no community, into the community of most of
// their neighbours. Of equally frequent ones it takes the smallest, which is the most specific. An entity without such
// a neighbour waits for the next refresh.
func (w *writing) joinNeighbours(ctx context.Context, head, tail int64) error {
	if head == tail {
		return nil
	}
	var loose []int64
	with := false
	if err := w.c.query(ctx, `SELECT id, community_id, kind IN `+shownKinds+` FROM mg_entities WHERE id IN (?, ?)`,
		func(row cursor) error {
			if !row.null(1) {
				with = true
			} else if row.bool(2) {
				loose = append(loose, row.int64(0))
			}
			return nil
		}, head, tail); err != nil || !with || len(loose) == 0 {
		return err
	}
	_, err := w.c.exec(ctx, `WITH near (id) AS (
			SELECT tail_id FROM (SELECT tail_id FROM mg_relationships INDEXED BY mg_relationships_out
				WHERE head_id = ?1 AND valid_until IS NULL ORDER BY confidence DESC LIMIT ?2)
			UNION SELECT head_id FROM (SELECT head_id FROM mg_relationships INDEXED BY mg_relationships_in
				WHERE tail_id = ?1 AND valid_until IS NULL ORDER BY confidence DESC LIMIT ?2))
		UPDATE mg_entities SET community_id = (SELECT c.id FROM near CROSS JOIN mg_entities e ON e.id = near.id
			CROSS JOIN mg_communities c ON c.id = e.community_id GROUP BY c.id ORDER BY count(*) DESC, c.size, c.id LIMIT 1)
		WHERE id = ?1`, loose[0], neighboursOfNew)
	if err != nil {
		return err
	}
	_, err = w.c.exec(ctx, `UPDATE mg_communities SET size = size + 1 WHERE id =
		(SELECT community_id FROM mg_entities WHERE id = ?)`, loose[0])
	return err
}

// dropCommunities clears the names and summaries that state something forgotten. It also clears those of communities
// whose facts have changed since, because they may state it too. nameCommunities then names them after the remaining
// members, and the next refresh writes them again.
func (f *forgetting) dropCommunities(ctx context.Context) error {
	return f.exec(ctx, `UPDATE mg_communities SET name = NULL, summary = NULL, fingerprint = NULL, writer = '',
		size = size - (SELECT count(*) FROM mg_entities e WHERE e.community_id = mg_communities.id AND e.id`+
		goneNodes+`)
		WHERE namespace = ?4 AND (fingerprint IS NULL AND summary IS NOT NULL OR id IN (SELECT e.community_id
			FROM mg_entities e WHERE e.id`+goneNodes+` UNION
			SELECT e.community_id FROM json_each(?2) j CROSS JOIN mg_facts r ON r.id = j.value
			CROSS JOIN mg_entities e ON e.id IN (r.head_id, r.tail_id)))`)
}
