package store

import "context"

type rehearsed struct{}

// Rehearse returns a context in which writes are rehearsals: each write runs in full, reports its result and is rolled
// back. The next write does not see it.
func Rehearse(ctx context.Context) context.Context { return context.WithValue(ctx, rehearsed{}, true) }

// finish ends a write's transaction; a rehearsal is rolled back.
func (c *conn) finish(ctx context.Context, err error) error {
	if err == nil && ctx.Value(rehearsed{}) != nil {
		return c.script("ROLLBACK")
	}
	return c.end(err)
}
