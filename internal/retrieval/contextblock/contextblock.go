// Package contextblock builds the block of memory that is put before a turn. It classifies the message, searches,
// orders the results by the class, passes them through a gate, and renders the block within a budget. The tool, the
// prompt, the command and the hooks all use it.
package contextblock

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"memory-graph/classifier"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
)

// Request is a turn that is about to be answered.
type Request struct {
	Message  string
	Previous []string // the turns before it, oldest first; nil: read the stored turns of the session
	// Namespace is required. Project and User filter; what has no project is included. SessionID marks turns of this
	// session.
	Scope         memory.Scope
	Unassigned    bool // without Project: only what has no project
	ContextWindow int  // of the model that will read the block, in tokens; 0: unknown, Budget is used
	Budget        int  // maximum tokens of the block if ContextWindow is 0; 0 renders nothing
	Explain       bool // fill Steps
}

// Reasons why a block is empty.
const (
	ReasonConversational = "conversational" // small talk needs no memory
	ReasonEmpty          = "empty_message"  // the message is empty
	ReasonNoBudget       = "no_budget"      // the budget is 0 tokens
	ReasonNothing        = "nothing_found"  // the memory has nothing about the message
	ReasonNoRoom         = "nothing_fits"   // the results are longer than the budget
)

// Decision is the block for a turn, with the reason if it is empty.
type Decision struct {
	Block  string // the block; "" for none
	Tokens int    // of the block, an upper bound
	Reason string // why Block is empty; "" if it is not

	Class  classifier.Result
	Answer retrieval.Answer // the results in their order; zero if nothing was searched

	// Corrected are the facts that the message may correct, latest first: candidates for supersession.
	Corrected []memory.Relationship

	Steps *Steps // how the block came to be; nil without Explain, and if nothing was searched
}

// Classified reports whether the class of the message is known and sure enough to act on.
func (d Decision) Classified() bool {
	return d.Class.Confidence > 0 && !d.Class.Abstained
}

// Classifier determines the class of a message.
type Classifier interface {
	Classify(ctx context.Context, m classifier.Message) (classifier.Result, error)
}

// Retriever answers questions.
type Retriever interface {
	Retrieve(ctx context.Context, req retrieval.Request) (retrieval.Answer, error)
}

// Episodes reads the last turns of a session.
type Episodes interface {
	NewestEpisodes(ctx context.Context, f memory.Filter, offset, limit int) ([]memory.Episode, error)
}

// Builder builds the block for a message. Its fields are set once, before the first call.
type Builder struct {
	Classifier Classifier // nil: the memory is searched for every message
	Retriever  Retriever
	Standing   Standing            // nil: no standing facts
	Episodes   Episodes            // nil: only Previous tells the conversation so far
	Settings   *retrieval.Settings // of rendering; nil: the defaults
	Now        func() time.Time    // nil: time.Now
	Log        *slog.Logger
}

const (
	windowShare = .03 // the block's share of a context window

	// maxMessageBytes is how much of a message is read, half at each end. A pasted log has the question before or after
	// it, and searching for all its words would take too long.
	maxMessageBytes = 2000

	previousTurns = 3
	looked        = 40 // number of items of each list that are read; many turns of a conversation are not informative
	found         = 5  // maximum number of episodes shown, and of standing facts
)

// Build returns the block for a message. Errors come from the retriever and the context. Errors of the classifier are
// only logged; the memory is then searched as for any unclassified message.
func (b *Builder) Build(ctx context.Context, req Request) (Decision, error) {
	budget := req.Budget
	if req.ContextWindow > 0 {
		budget = int(windowShare * float64(req.ContextWindow))
	}
	message := excerpt(strings.TrimSpace(req.Message), maxMessageBytes)
	switch {
	case message == "":
		return Decision{Reason: ReasonEmpty}, nil
	case budget <= 0:
		return Decision{Reason: ReasonNoBudget}, nil
	}
	previous := req.Previous
	if previous == nil {
		previous = b.previous(ctx, req)
	}
	out := Decision{Class: b.classify(ctx, message, previous)}
	policy := out.Class.Policy()
	if !policy.Retrieve {
		out.Reason = ReasonConversational
		return out, nil
	}
	scope := req.Scope
	scope.SessionID = "" // the session changes weights, but does not filter
	find := retrieval.Request{Scope: scope, Unassigned: scope.Project != "" || req.Unassigned, Query: message,
		Limit: looked, Showable: true, Explain: req.Explain}
	answer, err := b.Retriever.Retrieve(ctx, find)
	if err != nil {
		return out, err
	}
	standing, err := b.standing(ctx, req, find, previous, out.Class)
	if err != nil {
		return out, err
	}
	if req.Explain {
		out.Steps = steps(answer, req, previous, out.Class, len(standing) > 0)
	}
	out.Answer = arrange(answer, req, previous, out.Class, standing)
	if policy.RecentFirst {
		out.Corrected = correctable(out.Answer.Relations, req.Message, previous)
	}
	out.Block = retrieval.Render(out.Answer, budget, b.Settings, b.now())
	out.Tokens = retrieval.EstimateTokens(out.Block)
	if out.Steps != nil {
		out.Steps.Budget = budget
		out.Steps.Cut = cutLines(out.Block, retrieval.Render(out.Answer, unlimited, b.Settings, b.now()))
	}
	if out.Block == "" {
		out.Reason = ReasonNothing
		if n := len(out.Answer.Standing); n > 0 || out.Answer.Match != retrieval.None &&
			len(out.Answer.Episodes)+len(out.Answer.Relations)+len(out.Answer.Entities) > 0 {
			out.Reason = ReasonNoRoom
		}
	}
	return out, nil
}

// classify returns the class of the message. The memory is searched for unclassified messages.
func (b *Builder) classify(ctx context.Context, message string, previous []string) classifier.Result {
	unclassified := classifier.Result{Abstained: true, Degraded: true}
	if b.Classifier == nil {
		return unclassified
	}
	r, err := b.Classifier.Classify(ctx, classifier.Message{Text: message, Previous: previous})
	if err != nil {
		b.Log.Debug("cannot classify a message", "error", err)
		return unclassified
	}
	return r
}

// previous returns the last stored turns of the session, oldest first.
func (b *Builder) previous(ctx context.Context, req Request) []string {
	if b.Episodes == nil || req.Scope.SessionID == "" {
		return nil
	}
	list, err := b.Episodes.NewestEpisodes(ctx,
		memory.Filter{Namespace: req.Scope.Namespace, SessionID: req.Scope.SessionID}, 0, previousTurns+1)
	if err != nil {
		b.Log.Debug("cannot read the turns before a message", "error", err)
		return nil
	}
	var out []string
	for n := len(list) - 1; n >= 0; n-- {
		if !isMessage(list[n], req) {
			out = append(out, excerpt(list[n].Content, maxMessageBytes))
		}
	}
	return out[max(0, len(out)-previousTurns):]
}

func (b *Builder) now() time.Time {
	if b.Now != nil {
		return b.Now()
	}
	return time.Now()
}

// excerpt shortens a text to most bytes. It keeps the beginning and the end, and cuts at white space if possible.
func excerpt(s string, most int) string {
	if len(s) <= most {
		return s
	}
	head, tail := s[:most/2], s[len(s)-most/2:]
	if i := strings.LastIndexAny(head, " \n\t"); i > most/4 {
		head = head[:i]
	}
	if i := strings.IndexAny(tail, " \n\t"); i >= 0 && i < most/4 {
		tail = tail[i+1:]
	}
	return strings.ToValidUTF8(head, "") + "\n" + strings.ToValidUTF8(tail, "")
}
