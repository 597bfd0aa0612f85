package store

import (
	"context"
	"encoding/json"
	"fmt"
)

// TermFrequencies returns in how many of the file's episodes each word (as text.Tokens stems it) occurs, without
// unknown words, and the number of episodes. Like BM25's own statistics, the numbers cover the whole file, not a
// namespace.
func (s *Store) TermFrequencies(ctx context.Context, words []string) (frequencies map[string]int64, episodes int64,
	err error) {
	list, err := json.Marshal(words)
	if err != nil {
		return nil, 0, fmt.Errorf("write words: %w", err)
	}
	frequencies = make(map[string]int64, len(words))
	err = s.read(ctx, "count words", func(c *conn) error {
		// Ids have gaps only if turns were forgotten. The highest id is close enough for a weight, and costs one seek.
		if episodes, _, err = c.int64(ctx, `SELECT coalesce(max(id), 0) FROM mg_episodes`); err != nil {
			return err
		}
		return c.query(ctx, `SELECT t.term, t.doc FROM json_each(?) j CROSS JOIN mg_episodes_terms t ON t.term = j.value`,
			func(row cursor) error {
				frequencies[row.text(0)] = row.int64(1)
				return nil
			}, string(list))
	})
	if err != nil {
		return nil, 0, err
	}
	return frequencies, episodes, nil
}
