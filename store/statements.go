package store

import (
	"context"
	"sync/atomic"
)

// StatementCount is how many SQL statements ran under a context, transaction control apart. It is safe for use by
// several goroutines.
type StatementCount struct{ n atomic.Int64 }

// Load gives the count so far.
func (c *StatementCount) Load() int { return int(c.n.Load()) }

type statementCountKey struct{}

// CountStatements gives a context under which every SQL statement of the store is counted, so that a test can hold a
// call to its bound.
func CountStatements(ctx context.Context) (context.Context, *StatementCount) {
	c := new(StatementCount)
	return context.WithValue(ctx, statementCountKey{}, c), c
}

func countStatement(ctx context.Context) {
	if c, ok := ctx.Value(statementCountKey{}).(*StatementCount); ok {
		c.n.Add(1)
	}
}
