package server

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
)

// errCancelled is the cause if the host cancelled a request. Such a request gets no answer.
var errCancelled = errors.New("cancelled by the host")

// running are the requests of a stdio connection that wait or run, by id. mcp-go knows only those that run, and answers
// a cancelled request.
type running struct {
	mu   sync.Mutex
	byID map[any]context.CancelCauseFunc
}

// begin records a request. done must be called at its end.
func (r *running) begin(ctx context.Context, id any) (_ context.Context, done func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.byID == nil {
		r.byID = map[any]context.CancelCauseFunc{}
	}
	if r.byID[id] != nil { // the protocol forbids this: only the first can be cancelled
		return ctx, func() { cancel(nil) }
	}
	r.byID[id] = cancel
	return ctx, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.byID, id)
		cancel(nil)
	}
}

// cancel ends the request that notifications/cancelled names. It ignores an unknown or malformed id, as the protocol
// requires.
func (r *running) cancel(line []byte) {
	var n struct {
		Params struct {
			ID json.RawMessage `json:"requestId"`
		} `json:"params"`
	}
	var id any
	if json.Unmarshal(line, &n) != nil || json.Unmarshal(n.Params.ID, &id) != nil {
		return
	}
	switch id.(type) {
	case string, float64:
	default:
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if stop := r.byID[id]; stop != nil {
		stop(errCancelled)
	}
}
