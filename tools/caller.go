package tools

import (
	"context"

	"github.com/google/uuid"

	"memory-graph/internal/memory"
)

type clientKey struct{}

// WithClient stores the calling host's name and version ("claude-code 2.1") in a context. The event log records it. It
// is never used for trust.
func WithClient(ctx context.Context, client string) context.Context {
	return context.WithValue(ctx, clientKey{}, client)
}

func client(ctx context.Context) string {
	s, _ := ctx.Value(clientKey{}).(string)
	return s
}

// caller returns the identity under which a call's writes are logged. It creates a new call id: JSON-RPC ids start
// again with every connection and are not unique.
func caller(ctx context.Context) memory.Caller {
	c := memory.Caller{Actor: "tool", Client: client(ctx)}
	if id, err := uuid.NewV7(); err == nil {
		c.CallID = id.String()
	}
	return c
}
