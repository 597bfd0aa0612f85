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

type personKey struct{}

// ByPerson stores in a context that a person makes the call at the page of explore, so what it supplies has the origin
// user. callID is the id under which undo finds the call.
func ByPerson(ctx context.Context, callID string) context.Context {
	return context.WithValue(ctx, personKey{}, callID)
}

// byPerson reports whether a person makes the call, and its id.
func byPerson(ctx context.Context) (callID string, ok bool) {
	callID, ok = ctx.Value(personKey{}).(string)
	return callID, ok
}

type agentKey struct{}

// ByAgent stores in a context that the page of explore makes the call inside a host, for its agent. callID is the id
// under which undo finds the call; "" for a new one.
func ByAgent(ctx context.Context, callID string) context.Context {
	return context.WithValue(ctx, agentKey{}, callID)
}

// byPage reports whether the page of explore makes the call, for a person or for an agent.
func byPage(ctx context.Context) bool {
	_, person := byPerson(ctx)
	return person || ctx.Value(agentKey{}) != nil
}

// caller returns the identity under which a call's writes are logged. It creates a new call id: JSON-RPC ids start
// again with every connection and are not unique.
func caller(ctx context.Context) memory.Caller {
	c := memory.Caller{Actor: "tool", Client: client(ctx)}
	if id, ok := byPerson(ctx); ok {
		c.Actor, c.CallID = memory.ActorPage, id
		return c
	}
	if id, _ := ctx.Value(agentKey{}).(string); id != "" {
		c.CallID = id
		return c
	}
	if id, err := uuid.NewV7(); err == nil {
		c.CallID = id.String()
	}
	return c
}
