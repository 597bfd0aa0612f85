package llm

import (
	"context"
	"errors"
	"fmt"
	"time"

	"memory-graph/extraction"
	"memory-graph/internal/memory"
)

// How many turns of a session one question may hold.
const (
	MaxBatchTurns = 8
	MaxBatchBytes = 6000
)

// Defaults of Limits.
const (
	DefaultEntities  = 10
	DefaultRelations = 15
)

// Limits says whom to ask, and bounds what is taken from one turn.
type Limits struct {
	Model     string        // "" is the client's
	Timeout   time.Duration // for each turn of a question; 0 is the client's
	Entities  int           // 0 is DefaultEntities
	Relations int           // 0 is DefaultRelations
}

// Extractor asks a model for the entities and relations of turns. It is safe for concurrent use.
type Extractor struct {
	client *Client
	limits Limits
}

// NewExtractor makes an extractor that asks through the client.
func NewExtractor(c *Client, l Limits) *Extractor {
	if l.Model == "" {
		l.Model = c.Model()
	}
	if l.Timeout <= 0 {
		l.Timeout = c.options.Timeout
	}
	if l.Entities <= 0 {
		l.Entities = DefaultEntities
	}
	if l.Relations <= 0 {
		l.Relations = DefaultRelations
	}
	return &Extractor{client: c, limits: l}
}

// Model is the model that is asked.
func (x *Extractor) Model() string { return x.limits.Model }

// Available is the client's.
func (x *Extractor) Available() error { return x.client.Available() }

// Failing is the client's.
func (x *Extractor) Failing() error { return x.client.Failing() }

// Result is what became of one turn: Found, or why there is none. Usage beside an error counts too; that of a question
// about several turns is all with the first of them.
type Result struct {
	Found memory.Findings
	Usage Usage
	Err   error // nil, or an *Error
}

// Extract asks about turns of one session, in their order, several at once where they are short, and gives a result for
// each. Every fact in it is grounded: its quote and its names stand in the turn. Where a question about several turns
// gets no whole answer, each is asked about alone; where the endpoint fails, the rest is not asked about, and has the
// same error.
//
// Found has Mentions with their places in the text, Entities where the turn describes them, Relations with Quote cut
// from the turn, Confidence as the model gives it and Method by how it found it, and Dropped, by the reasons of this
// package.
func (x *Extractor) Extract(ctx context.Context, turns []extraction.Input) []Result {
	results := make([]Result, len(turns))
	for start := 0; start < len(turns); {
		n := batch(turns[start:])
		some := results[start : start+n]
		x.ask(ctx, turns[start:start+n], some)
		if n > 1 && divides(some[0].Err) {
			paid := some[0].Usage
			for i := range some {
				some[i] = Result{}
				x.ask(ctx, turns[start+i:start+i+1], some[i:i+1])
				if err := some[i].Err; err != nil && stops(err) {
					for j := i + 1; j < len(some); j++ {
						some[j].Err = err
					}
					break
				}
			}
			some[0].Usage.Add(paid)
		}
		start += n
		if err := results[start-1].Err; err != nil && stops(err) {
			for i := start; i < len(turns); i++ {
				results[i].Err = err
			}
			break
		}
	}
	return results
}

// batch says how many of the first turns are asked about at once: at least one.
func batch(turns []extraction.Input) int {
	n, size := 0, 0
	for n < len(turns) && n < MaxBatchTurns {
		size += len(turns[n].Text)
		if n > 0 && size > MaxBatchBytes {
			break
		}
		n++
	}
	return n
}

// divides says that the turns may get, each alone, the answer that they did not get together.
func divides(err error) bool {
	var e *Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Kind {
	case Rejected, Truncated, Malformed, Refusal:
		return true
	}
	return false
}

// stops says that asking about other turns now would be in vain.
func stops(err error) bool {
	var e *Error
	return !errors.As(err, &e) || e.OfEndpoint() || e.Kind == Cancelled
}

// How much room an answer has, reasoning included.
const (
	answerTokens = 4096 // for one turn
	turnTokens   = 1024 // for each further one
	moreTokens   = 4 * answerTokens
)

// ask asks about all the turns at once. An error is put into every result.
func (x *Extractor) ask(ctx context.Context, turns []extraction.Input, results []Result) {
	got, usage, err := x.put(ctx, turns)
	results[0].Usage = usage
	for i := range results {
		if err != nil {
			results[i].Err = err
			continue
		}
		results[i].Found = newValidation(turns, i).validate(got[i], x.limits)
	}
}

// put gives the answers in the order of the turns.
func (x *Extractor) put(ctx context.Context, turns []extraction.Input) ([]turnAnswer, Usage, error) {
	system, user, err := render(turns)
	if err != nil {
		return nil, Usage{}, fmt.Errorf("ask about %d turns: %w", len(turns), err)
	}
	more := 0
	if len(turns) == 1 { // several get less to answer instead
		more = moreTokens
	}
	var a answer
	usage, err := x.client.Complete(ctx, Request{
		Model:     x.limits.Model,
		System:    system,
		User:      user,
		Name:      "facts",
		MaxTokens: answerTokens + turnTokens*(len(turns)-1), MoreTokens: more,
		Timeout: time.Duration(len(turns)) * x.limits.Timeout,
		Check:   func() error { return a.check(len(turns)) },
	}, &a)
	if err != nil {
		return nil, usage, err
	}
	inOrder := make([]turnAnswer, len(turns))
	for _, t := range a.Turns {
		inOrder[t.Turn-1] = t
	}
	return inOrder, usage, nil
}
