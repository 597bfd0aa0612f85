package store

import "context"

type rehearsed struct{}

// Rehearse makes the writes under a context rehearsals: each is done whole, says what became of it, and is taken back.
// What one of them wrote the next does not find.
func Rehearse(ctx context.Context) context.Context { return context.WithValue(ctx, rehearsed{}, true) }

// finish ends a write's transaction.
func (c *conn) finish(ctx context.Context, err error) error {
	if err == nil && ctx.Value(rehearsed{}) != nil {
		return c.script("ROLLBACK")
	}
	return c.end(err)
}
