package store

import (
	"context"
	"time"
)

// ModelUsage counts the calls of a model. The zero value counts nothing.
type ModelUsage struct {
	Endpoint         string // its URL without user, password and query
	Model            string
	Purpose          string // PurposeExtract, PurposeLink
	Calls            int64
	Failures         int64 // how many of the calls failed
	PromptTokens     int64
	CompletionTokens int64
}

// The purposes of model calls.
const (
	PurposeExtract = "extract"
	PurposeLink    = "link"
)

// AddModelUsage adds calls of a model to the counts of the current day (UTC) of the store's clock.
func (s *Store) AddModelUsage(ctx context.Context, u ModelUsage) error {
	if u.Calls == 0 {
		return nil
	}
	return s.write(ctx, "count the model's use", func(c *conn) error { return addUsage(ctx, c, u, s.now()) })
}

func addUsage(ctx context.Context, c *conn, u ModelUsage, now time.Time) error {
	if u.Calls == 0 {
		return nil
	}
	_, err := c.exec(ctx, `INSERT INTO mg_model_usage (day, endpoint, model, purpose, calls, failures, prompt_tokens,
		completion_tokens)
		VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO UPDATE SET calls = calls + ?5, failures = failures + ?6,
		prompt_tokens = prompt_tokens + ?7, completion_tokens = completion_tokens + ?8`,
		now.UTC().Format(
			time.DateOnly), u.Endpoint, u.Model, u.Purpose, u.Calls, u.Failures, u.PromptTokens, u.CompletionTokens)
	return err
}

// ModelUsages sums up the calls of each model of each endpoint by purpose, over all days from since on (zero: all
// days), most tokens first. It counts all namespaces, because one endpoint serves the whole file.
func (s *Store) ModelUsages(ctx context.Context, since time.Time) ([]ModelUsage, error) {
	list := []ModelUsage{}
	from := ""
	if !since.IsZero() {
		from = since.UTC().Format(time.DateOnly)
	}
	err := s.readOne(ctx, "read the model's use", func(c *conn) error {
		return c.query(ctx, `SELECT endpoint, model, purpose, sum(calls), sum(failures), sum(prompt_tokens),
			sum(completion_tokens) FROM mg_model_usage
			WHERE day >= ? GROUP BY endpoint, model, purpose ORDER BY sum(prompt_tokens) + sum(completion_tokens) DESC, endpoint,
			model, purpose`, func(row cursor) error {
			list = append(list, ModelUsage{row.text(0), row.text(1), row.text(2),
				row.int64(3), row.int64(4), row.int64(5), row.int64(6)})
			return nil
		}, from)
	})
	return list, err
}
