package llm

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"memory-graph/extraction"
	"memory-graph/internal/memory"
)

// Limits of one question.
const (
	MaxBatchTurns = 8
	MaxBatchBytes = 6000
)

// Defaults of Limits.
const (
	DefaultEntities  = 10
	DefaultRelations = 15
)

// PurposeFacts is the purpose of an Extractor's questions.
const PurposeFacts = "extract"

// Limits configures an Extractor, and bounds what it takes from one turn.
type Limits struct {
	Model     string        // "" is the client's
	Timeout   time.Duration // per turn of a question; 0 is the client's
	Entities  int           // 0 is DefaultEntities
	Relations int           // 0 is DefaultRelations
	// MinConfidence is the lowest confidence of an entity. Relations of others have no end.
	MinConfidence float64
}

// Extractor asks a model for the entities and relations of turns. It is safe for concurrent use.
type Extractor struct {
	client *Client
	limits Limits
}

// NewExtractor returns an extractor that asks through the client.
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

// Model returns the model that is asked.
func (x *Extractor) Model() string { return x.limits.Model }

// Available returns Client.Available.
func (x *Extractor) Available() error { return x.client.Available() }

// Failing returns Client.Failing.
func (x *Extractor) Failing() error { return x.client.Failing() }

// Result is the result for one turn: Found, or an error. Usage counts even after an error. The usage of a question
// about several turns is in the first one's result.
type Result struct {
	Found memory.Findings
	Usage Usage
	Err   error // nil, or an *Error
}

// Extract asks about turns of one session, in their order, and returns a result for each. It combines short turns into
// one question. Every fact is grounded: its quote and its names occur in the turn. If a question about several turns
// fails, Extract asks about each turn alone. After a failure of a command it does so too. If the endpoint fails, the
// remaining turns get the same error without being asked about.
//
// Found has Mentions with their places in the text, and Entities as the turn describes them. Its Relations have a Quote
// cut from the turn, the model's Confidence, and a Method: stated or implied. Dropped counts what was left out, by the
// reasons of this package.
func (x *Extractor) Extract(ctx context.Context, turns []extraction.Input) []Result {
	results := make([]Result, len(turns))
	for start := 0; start < len(turns); {
		n := batch(turns[start:])
		if x.client.Doubtful() {
			n = 1
		}
		x.together(ctx, turns[start:start+n], results[start:start+n])
		start += n
		if stopped(results, start) {
			break
		}
	}
	return results
}

// together asks about turns at once. If that fails, it asks about each alone, or about halves if the question exceeds
// the rest of the budget: every question costs its instructions.
func (x *Extractor) together(ctx context.Context, turns []extraction.Input, results []Result) {
	x.ask(ctx, turns, results)
	if len(turns) == 1 || !divides(results[0].Err) {
		return
	}
	paid, size := results[0].Usage, 1
	if e := (*Error)(nil); errors.As(results[0].Err, &e) && e.Kind == TooCostly {
		size = (len(turns) + 1) / 2
	}
	clear(results)
	for start := 0; start < len(turns); start += size {
		end := min(start+size, len(turns))
		x.together(ctx, turns[start:end], results[start:end])
		if stopped(results, end) {
			break
		}
	}
	results[0].Usage.Add(paid)
}

// stopped reports whether the last of the first n results stops the rest, which then get its error.
func stopped(results []Result, n int) bool {
	err := results[n-1].Err
	if err == nil || !stops(err) {
		return false
	}
	for i := n; i < len(results); i++ {
		results[i].Err = err
	}
	return true
}

// batch returns how many of the first turns fit into one question, at least one.
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

// divides reports whether the turns may succeed one by one after they failed together.
func divides(err error) bool {
	var e *Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Kind {
	case Rejected, Truncated, Malformed, Refusal, TooCostly:
		return true
	}
	return false
}

// stops reports whether asking about other turns now would fail the same way.
func stops(err error) bool {
	var e *Error
	return !errors.As(err, &e) || e.OfEndpoint() || e.Kind == Cancelled
}

// Limits on the tokens of an answer, including reasoning.
const (
	answerTokens = 4096 // for one turn
	turnTokens   = 1024 // for each further turn
	moreTokens   = 4 * answerTokens
)

// ask asks about all the turns at once, and sets an error in every result.
func (x *Extractor) ask(ctx context.Context, turns []extraction.Input, results []Result) {
	got, usage, err := x.put(ctx, turns)
	results[0].Usage = usage
	var given []string
	for i := range results {
		if err != nil {
			results[i].Err = err
			continue
		}
		t := newValidation(turns, i)
		t.given = given
		results[i].Found = t.validate(got[i], x.limits)
		for _, key := range slices.Sorted(maps.Keys(t.named)) {
			given = append(given, t.named[key].name)
		}
	}
}

// put sends the question, and returns the answers in the order of the turns.
func (x *Extractor) put(ctx context.Context, turns []extraction.Input) ([]turnAnswer, Usage, error) {
	system, user, err := render(turns)
	if err != nil {
		return nil, Usage{}, fmt.Errorf("ask about %d turns: %w", len(turns), err)
	}
	more := 0
	if len(turns) == 1 { // if a question about several turns is cut off, each is asked about alone
		more = moreTokens
	}
	var a answer
	usage, err := x.client.Complete(ctx, Request{
		Model:     x.limits.Model,
		System:    system,
		User:      user,
		Name:      "facts",
		Purpose:   PurposeFacts,
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
