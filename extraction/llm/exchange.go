package llm

import (
	"context"
	"errors"
	"net/http"
	"reflect"
)

// exchange puts one question to the model, with all requests that it takes.
type exchange struct {
	Request
	c     *Client
	form  *form
	into  reflect.Value // a pointer to a struct
	usage Usage
}

// errTimeout is the cause of a context that ended by the client's own limit.
var errTimeout = errors.New("the time for an answer is over")

// ask waits for a place, puts the question where the endpoint is worth asking, and tells the breaker how it ended.
func (q *exchange) ask(ctx context.Context) *Error {
	if ctx.Err() != nil {
		return q.c.fail(Cancelled, ctx.Err(), "was not asked")
	}
	select {
	case q.c.places <- struct{}{}:
		defer func() { <-q.c.places }()
	case <-ctx.Done():
		return q.c.fail(Cancelled, ctx.Err(), "was not asked")
	}
	probe, wait, why := q.c.breaker.enter()
	if why != nil {
		return q.c.paused(why, wait)
	}
	limited, cancel := q.limit(ctx)
	defer cancel()
	e := q.descend(limited)
	if q.c.breaker.leave(probe, e) {
		if e != nil {
			q.c.options.Log.Warn("The language model is left alone for a while.", "endpoint", q.c.endpoint, "kind", e.Kind)
		} else {
			q.c.options.Log.Info("The language model answers again.", "endpoint", q.c.endpoint)
		}
	}
	return e
}

// limit gives a context that ends when the time for the answer is over.
func (q *exchange) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	after := q.c.options.After
	if after == nil {
		return context.WithTimeoutCause(ctx, q.Timeout, errTimeout)
	}
	limited, cancel := context.WithCancelCause(ctx)
	over := after(q.Timeout)
	go func() {
		select {
		case <-over:
			cancel(errTimeout)
		case <-limited.Done():
		}
	}()
	return limited, func() { cancel(nil) }
}

// descend asks at the rung that is remembered, and below it where the form may be what fails.
func (q *exchange) descend(ctx context.Context) *Error {
	start, proven := q.c.rung(q.Model)
	var e *Error
	for r := start; r <= lastRung; r++ {
		if e = q.once(ctx, r); e == nil {
			q.c.worked(q.Model, r)
			return nil
		}
		switch {
		case e.Kind == RefusedForm:
			q.c.refused(q.Model, r)
		case e.Status == http.StatusRequestEntityTooLarge || names(e.said, lengthWords...):
			return e
		case e.Kind == Rejected && (!proven || r > start):
			// It does not say what it refuses: if the next form works, it was this one.
		case e.Kind == Malformed && (!proven || r > start):
			// It may take the form and not keep to it.
		case e.Kind == Rejected || e.Kind == Malformed:
			q.c.doubt(q.Model)
			return e
		default:
			return e
		}
	}
	q.c.failed(q.Model)
	return e
}

// once asks at a rung: again with less where the endpoint refuses a part of the request, without reasoning where it
// thought and said nothing, with more room where its answer was cut off for lack of it.
func (q *exchange) once(ctx context.Context, r rung) *Error {
	h := q.c.habits(q.Model)
	room := q.MaxTokens
	for quietened := false; ; {
		got, e := q.request(ctx, r, h, room)
		if e != nil {
			if h.without(e, room) {
				q.c.learn(q.Model, h)
				continue
			}
			if quietened && e.Kind == Rejected {
				return q.c.fail(Empty, nil, "thought and answered nothing, and cannot be asked without reasoning")
			}
			return e
		}
		q.c.served(q.Model, got.model)
		cut := got.finish == "length"
		switch {
		case got.refusal != "":
			return q.c.fail(Refusal, nil, "refused to answer")
		case got.finish == "content_filter":
			return q.c.fail(Refusal, nil, "answered nothing, since a filter stopped it")
		case got.content == "" && got.reasoning && !h.quiet:
			quietened, h.quiet = true, true
			continue
		case cut && q.MoreTokens > room && room > 0 && !h.noMaxTokens:
			room = q.MoreTokens
			continue
		case cut:
			return q.c.fail(Truncated, nil, "was cut off in its answer")
		case got.content == "":
			return q.c.fail(Empty, nil, "answered nothing")
		}
		if quietened {
			q.c.learn(q.Model, h)
		}
		return q.read(r, got.content)
	}
}

// read makes the answer of a content.
func (q *exchange) read(r rung, content string) *Error {
	if r == freeText {
		inner, err := unwrap(content)
		if err != nil {
			return q.c.fail(Malformed, err, "did not answer in the form that was asked for: %v", err)
		}
		content = inner
	}
	q.into.Elem().SetZero() // an answer at another rung may have begun to fill it
	err := q.form.read(content, q.into.Interface())
	if err == nil && q.Check != nil {
		err = q.Check()
	}
	if err != nil {
		return q.c.fail(Malformed, err, "did not answer in the form that was asked for: %v", err)
	}
	return nil
}
