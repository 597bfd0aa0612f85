package tools

import (
	"context"
	_ "embed"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval/contextblock"
)

//go:embed inject_context.md
var injectContextText string

type injectContextArgs struct {
	Message       string   `json:"message" jsonschema_description:"What the user just said, whole"`
	ContextWindow int      `json:"context_window,omitempty" jsonschema_description:"Tokens of your context window: the block takes up to 3 % of it"`
	BudgetTokens  *int     `json:"budget_tokens,omitempty" unlisted:"true" jsonschema_description:"Size of the block where context_window is not given; 0 for none"`
	Previous      []string `json:"previous,omitempty" unlisted:"true" jsonschema_description:"The last turns before it, oldest first; default the stored turns of session_id"`
	scopeArgs
}

type injectContextResult struct {
	Context     string       `json:"context"`
	Tokens      int          `json:"tokens"`
	Reason      string       `json:"reason,omitempty"`
	Class       string       `json:"class,omitempty"`
	Confidence  *float64     `json:"class_confidence,omitempty"`
	Match       string       `json:"match,omitempty"`
	Corrects    []string     `json:"corrects"`
	MemoryState memory.State `json:"memory_state"`
}

// maxContextWindow is the maximum of context_window, in tokens.
const maxContextWindow = 100_000_000

func newInjectContext(mem Memory, o Options) (Tool, error) {
	s := spec{name: "inject_context", title: "Context for a message", description: injectContextText, readOnly: true,
		idempotent: true,
		bounds: bounds{ranges: map[string]span{"context_window": {0, maxContextWindow, 0},
			"budget_tokens": {0, o.MaxBudgetTokens, o.BudgetTokens}}}}
	return define(o, s, func(ctx context.Context, in injectContextArgs) (injectContextResult, error) {
		if len(in.Message) > o.MaxContentBytes {
			return injectContextResult{}, memory.Errorf(memory.TooLarge, "message is %d bytes long, more than the %d allowed.",
				len(in.Message), o.MaxContentBytes).
				WithHint("Give its first and last paragraphs.")
		}
		sc, err := in.scope(o)
		if err != nil {
			return injectContextResult{}, err
		}
		req := contextblock.Request{Message: in.Message, Previous: in.Previous, Scope: o.withDefaults(o.InSession(sc)),
			ContextWindow: in.ContextWindow, Budget: o.BudgetTokens}
		if in.BudgetTokens != nil {
			req.Budget = *in.BudgetTokens
		}
		got, err := mem.ContextBlock(ctx, req)
		if err != nil {
			return injectContextResult{}, err
		}
		return newInjectContextResult(got), nil
	})
}

func newInjectContextResult(got contextblock.Decision) injectContextResult {
	r := injectContextResult{Context: got.Block, Tokens: got.Tokens, Reason: got.Reason, Match: string(got.Answer.Match),
		Corrects: []string{}, MemoryState: state(got.Answer.State)}
	if got.Classified() {
		r.Class, r.Confidence = got.Class.Class.String(), rounded(got.Class.Confidence)
	}
	for _, f := range got.Corrected {
		r.Corrects = append(r.Corrects, f.Ref().String())
	}
	return r
}
