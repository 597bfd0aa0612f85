package store

import (
	"context"
	"sync/atomic"
)

// StatementCount counts the SQL statements that ran under a context, without transaction control. It is safe for
// concurrent use.
type StatementCount struct{ n atomic.Int64 }

// Load returns the count so far.
func (c *StatementCount) Load() int { return int(c.n.Load()) }

type statementCountKey struct{}

// CountStatements returns a context that counts every SQL statement of the store, so that a test can check the bound of
// a call.
func CountStatements(ctx context.Context) (context.Context, *StatementCount) {
	c := new(StatementCount)
	return context.WithValue(ctx, statementCountKey{}, c), c
}

func countStatement(ctx context.Context) {
	if c, ok := ctx.Value(statementCountKey{}).(*StatementCount); ok {
		c.n.Add(1)
	}
}
