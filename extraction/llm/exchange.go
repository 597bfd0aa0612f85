package llm

import (
	"context"
	"errors"
	"net/http"
	"reflect"
)

// exchange asks the model one question, with all the requests that it needs.
type exchange struct {
	Request
	c     *Client
	form  *form
	into  reflect.Value // a pointer to a struct
	usage Usage
}

// errTimeout is the cause of a context that ended because of the client's own timeout.
var errTimeout = errors.New("the time for an answer has run out")

// ask waits for a place, sends the question unless the endpoint is paused, and tells the breaker how it ended.
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
	if e := q.c.overBudget(); e != nil {
		return e
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
			q.c.options.Log.Warn("The language model is paused after failures.", "endpoint", q.c.endpoint, "kind", e.Kind)
		} else {
			q.c.options.Log.Info("The language model answers again.", "endpoint", q.c.endpoint)
		}
	}
	return e
}

// limit returns a context that ends when the time for the answer has run out.
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

// descend asks at the remembered rung, and at lower ones while the form may be the reason for the failure. A command
// has only the lowest one.
func (q *exchange) descend(ctx context.Context) *Error {
	if len(q.c.options.Command) > 0 {
		return q.once(ctx, freeText)
	}
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
			// The refusal names no reason: if the next form works, this form was the reason.
		case e.Kind == Malformed && (!proven || r > start):
			// The endpoint may accept the form but not enforce it.
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

// once asks at one rung. It asks again without a part of the request that the endpoint refuses, without reasoning if
// the answer has only reasoning, and with more tokens if the answer was cut off.
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
				return q.c.fail(Empty, nil, "returned only reasoning, and cannot be asked without reasoning")
			}
			return e
		}
		q.c.served(q.Model, got.model)
		cut := got.finish == "length"
		switch {
		case got.refusal != "":
			return q.c.fail(Refusal, nil, "refused to answer")
		case got.finish == "content_filter":
			return q.c.fail(Refusal, nil, "was stopped by a content filter")
		case got.content == "" && got.reasoning && !h.quiet:
			quietened, h.quiet = true, true
			continue
		case cut && q.MoreTokens > room && room > 0 && !h.noMaxTokens:
			room = q.MoreTokens
			continue
		case cut:
			return q.c.fail(Truncated, nil, "returned a truncated answer")
		case got.content == "":
			return q.c.fail(Empty, nil, "returned an empty answer")
		}
		if quietened {
			q.c.learn(q.Model, h)
		}
		return q.read(r, got.content)
	}
}

// read decodes and checks the content of an answer.
func (q *exchange) read(r rung, content string) *Error {
	kind := Malformed
	if len(q.c.options.Command) > 0 {
		kind = NoAnswer
	}
	if r == freeText {
		inner, err := unwrap(content)
		if err != nil {
			return q.c.fail(kind, err, "did not answer in the requested form: %v", err)
		}
		content = inner
	}
	q.into.Elem().SetZero() // an answer at another rung may have filled a part of it
	err := q.form.read(content, q.into.Interface())
	if err == nil && q.Check != nil {
		err = q.Check()
	}
	if err != nil {
		return q.c.fail(kind, err, "did not answer in the requested form: %v", err)
	}
	return nil
}
