package store

import (
	"context"
	"time"
)

// ModelUsage is what a model was asked for (M17). The zero value is nothing.
type ModelUsage struct {
	Endpoint         string // its URL without user, password and query
	Model            string
	Purpose          string // PurposeExtract, PurposeLink
	Calls            int64
	Failures         int64 // of the calls
	PromptTokens     int64
	CompletionTokens int64
}

// What models are asked for.
const (
	PurposeExtract = "extract"
	PurposeLink    = "link"
)

// AddModelUsage counts calls of a model, on the day of the store's clock.
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

// ModelUsages sums up, over all days from since on (zero: all), what each model of each endpoint was asked for, the
// most tokens first. It is the whole file's: one endpoint serves all namespaces.
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
