package store

import (
	"context"
	"slices"
	"time"
)

// ModelUsage counts the calls of a model. The zero value counts nothing.
type ModelUsage struct {
	Endpoint         string // its URL without user, password and query
	Model            string
	Purpose          string // PurposeExtract and the other purposes
	Calls            int64
	Failures         int64 // how many of the calls failed
	PromptTokens     int64
	CompletionTokens int64
}

// The purposes of model calls.
const (
	PurposeExtract = "extract"
	PurposeLink    = "link"
	PurposeSummary = "community"
	PurposeResolve = "resolve"

	PurposeEmbed        = "embed"         // vectors of what is stored
	PurposeEmbedQuery   = "embed_query"   // of a question
	PurposeEmbedMessage = "embed_message" // of a message that is classified
)

// Embeds reports whether the calls made vectors, which have a price of their own.
func (u ModelUsage) Embeds() bool {
	return u.Purpose == PurposeEmbed || u.Purpose == PurposeEmbedQuery || u.Purpose == PurposeEmbedMessage
}

// counts reports whether there is anything to count.
func (u ModelUsage) counts() bool {
	return u.Calls != 0 || u.Failures != 0 || u.PromptTokens != 0 || u.CompletionTokens != 0
}

// Plus returns the counts of both. The names are those of other.
func (u ModelUsage) Plus(other ModelUsage) ModelUsage {
	other.Calls += u.Calls
	other.Failures += u.Failures
	other.PromptTokens += u.PromptTokens
	other.CompletionTokens += u.CompletionTokens
	return other
}

// AddModelUsage adds calls of models to the counts of the current day (UTC) of the store's clock.
func (s *Store) AddModelUsage(ctx context.Context, list ...ModelUsage) error {
	if !slices.ContainsFunc(list, ModelUsage.counts) {
		return nil
	}
	return s.write(ctx, "count the model's use", func(c *conn) error {
		for _, u := range list {
			if err := addUsage(ctx, c, u, s.now()); err != nil {
				return err
			}
		}
		return nil
	})
}

// ModelBudget is the most calls and tokens of one endpoint in a day (UTC); 0 is no limit.
type ModelBudget struct{ Calls, Tokens int64 }

// ModelLimit is a limit of a ModelBudget.
type ModelLimit string

// The limits.
const (
	LimitCalls  ModelLimit = "calls"
	LimitTokens ModelLimit = "tokens"
)

// Unbooked is the reason why a call was not booked. The zero value is a booked call.
type Unbooked struct {
	Limit ModelLimit    // "" for a booked call
	Spent bool          // nothing of the limit is left today: no other call would be booked
	Rest  int64         // what is left of the limit today
	Wait  time.Duration // until the next day
}

// BookModelUsage adds a call to the counts of the current day (UTC), before it is made, unless the endpoint's calls of
// the day would exceed the budget. Then it adds nothing, and says why. The check and the count are one transaction, so
// processes on one file cannot exceed the budget together.
func (s *Store) BookModelUsage(ctx context.Context, u ModelUsage, most ModelBudget) (not Unbooked, err error) {
	err = s.write(ctx, "book a call of the model", func(c *conn) error {
		now := s.now().UTC()
		not = Unbooked{}
		var calls, tokens int64
		if err := c.query(ctx, `SELECT coalesce(sum(calls), 0), coalesce(sum(prompt_tokens + completion_tokens), 0)
			FROM mg_model_usage WHERE day = ? AND endpoint = ?`, func(row cursor) error {
			calls, tokens = row.int64(0), row.int64(1)
			return nil
		}, now.Format(time.DateOnly), u.Endpoint); err != nil {
			return err
		}
		switch {
		case most.Calls > 0 && calls+u.Calls > most.Calls:
			not = Unbooked{Limit: LimitCalls, Rest: max(0, most.Calls-calls)}
		case most.Tokens > 0 && (tokens >= most.Tokens || tokens+u.PromptTokens > most.Tokens):
			not = Unbooked{Limit: LimitTokens, Rest: max(0, most.Tokens-tokens)}
		default:
			return addUsage(ctx, c, u, now)
		}
		not.Spent = not.Rest == 0
		not.Wait = now.Truncate(24 * time.Hour).Add(24 * time.Hour).Sub(now)
		return nil
	})
	return not, err
}

func addUsage(ctx context.Context, c *conn, u ModelUsage, now time.Time) error {
	if !u.counts() {
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
