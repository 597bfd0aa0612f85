package llm

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"time"

	"memory-graph/internal/command"
	"memory-graph/internal/safety/secrets"
)

// program is the transport to a command of the user.
type program struct {
	c    *Client
	args []string
}

func (t *program) close() {}

// prompt returns the question as the one text that a command reads.
func (q *exchange) prompt() string { return q.form.prompt(q.Request) }

func (f *form) prompt(r Request) string {
	return r.System + schemaInPrompt + f.text + "\n\n" + r.User + "\n"
}

// PromptBytes returns the length of the longest form of the question, which a command reads: both messages and the
// schema of the answer, a pointer to a struct. The error means that the struct is unsuitable.
func (r Request) PromptBytes(into any) (int, error) {
	f, err := formOf(reflect.TypeOf(into).Elem())
	if err != nil {
		return 0, err
	}
	return len(f.prompt(r)), nil
}

// bytesPerToken estimates tokens, since commands report none.
const bytesPerToken = 4

func tokens(text string) int64 { return int64((len(text) + bytesPerToken - 1) / bytesPerToken) }

// send implements transport. A command knows no forms, habits or limits on tokens.
func (t *program) send(ctx context.Context, q *exchange, _ rung, _ habits, _ int) (reply, *Error) {
	out, err := command.Run(ctx, t.args, t.c.options.Env, q.prompt(), MaxAnswerBytes)
	if err != nil {
		return reply{}, t.explain(ctx, err)
	}
	content := strings.TrimSpace(string(out))
	q.usage.CompletionTokens += tokens(content)
	if content == "" {
		return reply{}, t.c.fail(NoAnswer, nil, "printed nothing")
	}
	return reply{content: content}, nil
}

// explain returns the error of a run without an answer.
func (t *program) explain(ctx context.Context, err error) *Error {
	var exit *command.ExitError
	switch {
	case errors.Is(err, errTimeout):
		return t.c.fail(TimedOut, context.DeadlineExceeded, "did not answer in time and was killed")
	case errors.Is(err, command.ErrTooLong):
		return t.c.fail(NoAnswer, nil, "printed more than %d MiB and was killed", MaxAnswerBytes>>20)
	case errors.Is(err, command.ErrNotFound):
		return t.c.fail(Misconfigured, nil, "cannot be started: %s", t.c.tidy(err.Error()))
	case errors.As(err, &exit):
		said, _ := secrets.Mask(exit.Said) // it may repeat a key
		if said = t.c.tidy(said); said != "" {
			said = ": " + said
		}
		return t.c.fail(NoAnswer, nil, "ended with code %d%s", exit.Code, said)
	case ctx.Err() != nil:
		return t.c.fail(Cancelled, ctx.Err(), "was not asked to the end: the call was cancelled")
	}
	return t.c.fail(Failing, err, "cannot be run: %s", t.c.tidy(err.Error()))
}

// book asks the budget for a request.
func (q *exchange) book(ctx context.Context, prompt int64) *Error {
	if q.c.options.Budget == nil {
		return nil
	}
	no, err := q.c.options.Budget.Book(ctx, q.Request, prompt)
	switch {
	case ctx.Err() != nil:
		return q.c.fail(Cancelled, ctx.Err(), "was not asked")
	case err != nil:
		return q.c.fail(Failing, err, "was not asked, since the request cannot be counted")
	case no.Why != "":
		kind := TooCostly
		if no.Spent {
			kind = OverBudget
		}
		e := q.c.fail(kind, nil, "is not asked: %s", no.Why)
		e.RetryAfter = no.Wait
		if no.Spent {
			q.c.mu.Lock()
			q.c.spent, q.c.until = e, q.c.options.Now().Add(no.Wait)
			q.c.mu.Unlock()
		}
		return e
	}
	q.usage.Booked.Calls++
	q.usage.Booked.PromptTokens += prompt
	return nil
}

// overBudget returns the error of a spent budget until the day is over, then nil.
func (c *Client) overBudget() *Error {
	c.mu.Lock()
	defer c.mu.Unlock()
	left := c.until.Sub(c.options.Now())
	if c.spent == nil || left <= 0 {
		c.spent = nil
		return nil
	}
	e := *c.spent
	e.RetryAfter = left.Round(time.Millisecond)
	return &e
}
