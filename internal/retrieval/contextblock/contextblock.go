// Package contextblock decides what of the memory is put before a turn: it classifies the message, searches, orders the
// results by the class and passes them through a gate, and renders the block within a budget. The tool, the prompt, the
// command and the hooks all use it.
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
	Previous []string // the turns before it, oldest first; nil: those that are stored of the session are read
	// Namespace required; Project (with what is of none) and User filter, SessionID tells which turns are of this session
	Scope         memory.Scope
	Unassigned    bool // without a Project: only what belongs to none
	ContextWindow int  // of the model that will read the block, in tokens; 0: unknown, then Budget counts
	Budget        int  // tokens of the block where ContextWindow is 0; 0 renders nothing
}

// Reasons why a block is empty.
const (
	ReasonConversational = "conversational" // small talk needs no memory
	ReasonEmpty          = "empty_message"  // nothing was said
	ReasonNoBudget       = "no_budget"      // 0 tokens
	ReasonNothing        = "nothing_found"  // the memory has nothing about it
	ReasonNoRoom         = "nothing_fits"   // what was found is longer than the budget
)

// Decision is what is put before a turn, and why.
type Decision struct {
	Block  string // to be put before the turn; "" where nothing is
	Tokens int    // of the block, an upper bound
	Reason string // why Block is empty

	Class  classifier.Result
	Answer retrieval.Answer // what was found, as it was ordered; zero where nothing was looked for

	// Corrected are the facts that a correction may be about, latest first: candidates for supersession.
	Corrected []memory.Relationship
}

// Classified says whether the message's class is known and sure enough to act on.
func (d Decision) Classified() bool {
	return d.Class.Confidence > 0 && !d.Class.Abstained
}

// Classifier says what a message is.
type Classifier interface {
	Classify(ctx context.Context, m classifier.Message) (classifier.Result, error)
}

// Retriever answers questions.
type Retriever interface {
	Retrieve(ctx context.Context, req retrieval.Request) (retrieval.Answer, error)
}

// Episodes gives the last turns of a session.
type Episodes interface {
	NewestEpisodes(ctx context.Context, f memory.Filter, offset, limit int) ([]memory.Episode, error)
}

// Builder makes the block for a message. Its fields are set once, before the first call.
type Builder struct {
	Classifier Classifier // nil: every message is looked up
	Retriever  Retriever
	Episodes   Episodes            // nil: Previous is all that is known of the conversation
	Settings   *retrieval.Settings // of the rendering
	Now        func() time.Time    // nil: time.Now
	Log        *slog.Logger
}

const (
	windowShare = .03 // of a context window

	// maxMessageBytes of a message are looked at, half of them at each end: a pasted log has the question before or
	// behind it, and a search for every word of it would take longer than a client waits.
	maxMessageBytes = 2000

	previousTurns = 3
	looked        = 40 // items of each list that are looked at: many turns of a conversation tell nothing
	found         = 6  // episodes that are shown, before a budget cuts them
	foundWeak     = 5  // episodes, where nothing found is surely about it: a guess must not flood the context
)

// Build gives the block for a message. It fails with the errors of the memory and of the context. Without the
// classifier every message is looked up, so its errors are only logged.
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
	scope.SessionID = "" // it weighs, and does not filter
	answer, err := b.Retriever.Retrieve(ctx, retrieval.Request{Scope: scope,
		Unassigned: scope.Project != "" || req.Unassigned, Query: message, Limit: looked, Showable: true})
	if err != nil {
		return out, err
	}
	out.Answer = arrange(answer, req, previous, out.Class)
	if policy.RecentFirst {
		out.Corrected = correctable(out.Answer.Relations, previous)
	}
	out.Block = retrieval.Render(out.Answer, budget, b.Settings, b.now())
	out.Tokens = retrieval.EstimateTokens(out.Block)
	if out.Block == "" {
		out.Reason = ReasonNothing
		if len(out.Answer.Episodes)+len(out.Answer.Relations)+len(out.Answer.Entities) > 0 &&
			out.Answer.Match != retrieval.None {
			out.Reason = ReasonNoRoom
		}
	}
	return out, nil
}

// classify gives the message's class. An unclassified message is looked up.
func (b *Builder) classify(ctx context.Context, message string, previous []string) classifier.Result {
	unclassified := classifier.Result{Abstained: true, Degraded: true}
	if b.Classifier == nil {
		return unclassified
	}
	r, err := b.Classifier.Classify(ctx, classifier.Message{Text: message, Previous: previous})
	if err != nil {
		b.Log.Debug("a message is not classified", "error", err)
		return unclassified
	}
	return r
}

// previous gives the last turns that are stored of the session, oldest first.
func (b *Builder) previous(ctx context.Context, req Request) []string {
	if b.Episodes == nil || req.Scope.SessionID == "" {
		return nil
	}
	list, err := b.Episodes.NewestEpisodes(ctx,
		memory.Filter{Namespace: req.Scope.Namespace, SessionID: req.Scope.SessionID}, 0, previousTurns+1)
	if err != nil {
		b.Log.Debug("the turns before a message are unknown", "error", err)
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

// excerpt gives a text, or of a longer one as much of its beginning and of its end, at white space where there is some.
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
