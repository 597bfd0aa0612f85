package store

import (
	"context"
	"fmt"
	"strconv"

	"memory-graph/internal/memory"
)

// episodeColumns are the columns that scanEpisode reads, in its order.
const episodeColumns = `e.id, e.namespace, e.project, e.user, e.session_id, e.seq, e.role, e.speaker, e.source,
	e.occurred_at, e.created_at, e.origin, e.status, e.content,
	CASE WHEN e.source = '` + CallSource + `' THEN (SELECT m.entity_id FROM mg_mentions m CROSS JOIN mg_entities n
		ON n.id = m.entity_id WHERE m.episode_id = e.id AND m.role = '` + memory.MentionSelf + `' AND n.kind = 'memory') END`

// episodeFields is the number of episodeColumns: the columns that a query adds begin there.
const episodeFields = 15

func scanEpisode(s cursor) (memory.Episode, error) {
	var row [episodeFields + 2]any // one call into SQLite for all columns; a query may add up to two
	if err := s.columns(row[:s.count()]); err != nil {
		return memory.Episode{}, err
	}
	str := func(i int) string { v, _ := row[i].(string); return v } // NULL is ""
	num := func(i int) int64 { v, _ := row[i].(int64); return v }
	e := memory.Episode{
		ID:    num(0),
		Scope: memory.Scope{Namespace: str(1), Project: str(2), User: str(3), SessionID: str(4)},
		Seq:   num(5), Role: memory.Role(str(6)), Speaker: str(7), Source: str(8),
		Origin: memory.Origin(str(11)), Status: str(12), Content: str(13), TextOf: num(14),
	}
	var err error
	if e.OccurredAt, err = memory.ParseStored(str(9)); err != nil {
		return e, fmt.Errorf("episode %d: occurred_at: %w", e.ID, err)
	}
	if e.CreatedAt, err = memory.ParseStored(str(10)); err != nil {
		return e, fmt.Errorf("episode %d: created_at: %w", e.ID, err)
	}
	return e, nil
}

func collectEpisodes(into *[]memory.Episode) func(cursor) error {
	return func(s cursor) error {
		e, err := scanEpisode(s)
		if err == nil {
			*into = append(*into, e)
		}
		return err
	}
}

// episodeIfThere returns an episode of the namespace, or nil if there is none.
func episodeIfThere(ctx context.Context, c *conn, namespace string, id int64) (*memory.Episode, error) {
	var found []memory.Episode
	err := c.query(ctx, `SELECT `+episodeColumns+` FROM mg_episodes e WHERE e.id = ? AND e.namespace = ?`,
		collectEpisodes(&found), id, namespace)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

func episodeByID(ctx context.Context, c *conn, namespace string, id int64) (memory.Episode, error) {
	found, err := episodeIfThere(ctx, c, namespace, id)
	if err == nil && found == nil {
		err = memory.Errorf(memory.NotFound, "There is no episode %s in namespace %q.", memory.EpisodeID(id), namespace).
			WithHint("store_episode returns the id of the stored episode; retrieve without a query lists the newest.")
	}
	if err != nil {
		return memory.Episode{}, err
	}
	return *found, nil
}

// idList writes ids as a JSON array, so that a query needs only one parameter for them.
func idList(ids []int64) string {
	b := make([]byte, 0, 8*len(ids)+2)
	b = append(b, '[')
	for i, id := range ids {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, id, 10)
	}
	return string(append(b, ']'))
}

// Episodes returns the episodes of the namespace with these ids, in the given order. It omits unknown ids and ids of
// other namespaces.
func (s *Store) Episodes(ctx context.Context, namespace string, ids []int64) ([]memory.Episode, error) {
	found := make([]memory.Episode, 0, len(ids))
	if len(ids) == 0 {
		return found, nil
	}
	err := s.readOne(ctx, "read episodes", func(c *conn) error {
		return c.query(ctx, `SELECT `+episodeColumns+` FROM json_each(?1) j CROSS JOIN mg_episodes e ON e.id = j.value
			WHERE e.namespace = ?2 ORDER BY j.key`, collectEpisodes(&found), idList(ids), namespace)
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

// NewestEpisodes returns the filter's episodes, sorted by occurred_at and then by id, newest first. It skips the first
// offset ones.
func (s *Store) NewestEpisodes(ctx context.Context, f memory.Filter, offset, limit int) ([]memory.Episode, error) {
	found := make([]memory.Episode, 0, min(limit, 64))
	w := filterWhere(f)
	index := "mg_episodes_newest"
	if f.SessionID != "" { // a session has few of the namespace's turns
		index = "mg_episodes_session"
	}
	err := s.readOne(ctx, "read newest episodes", func(c *conn) error {
		return c.query(ctx, `SELECT `+episodeColumns+` FROM mg_episodes e INDEXED BY `+index+` WHERE `+w.sql.String()+
			` ORDER BY e.occurred_at DESC, e.id DESC LIMIT ? OFFSET ?`, collectEpisodes(&found), append(w.args, limit,
			offset)...)
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}
