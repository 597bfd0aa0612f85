package tools

import (
	"context"

	"github.com/google/uuid"

	"memory-graph/internal/memory"
)

type clientKey struct{}

// WithClient notes in a context which host calls, by its own name and version ("claude-code 2.1"). It is written to the
// event log and trusted for nothing.
func WithClient(ctx context.Context, client string) context.Context {
	return context.WithValue(ctx, clientKey{}, client)
}

func client(ctx context.Context) string {
	s, _ := ctx.Value(clientKey{}).(string)
	return s
}

// caller makes the mark under which a call's writes are logged. The id is new for every call, since the ids of JSON-RPC
// start again with every connection and could not tell two calls apart.
func caller(ctx context.Context) memory.Caller {
	c := memory.Caller{Actor: "tool", Client: client(ctx)}
	if id, err := uuid.NewV7(); err == nil {
		c.CallID = id.String()
	}
	return c
}
