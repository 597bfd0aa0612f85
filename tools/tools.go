// Package tools holds the tools that the server offers to MCP hosts: one file and one description a tool, one ordered
// registry, and one generic adapter that gives every tool its schema, coercion of arguments, errors, and log line.
package tools

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"

	"github.com/mark3labs/mcp-go/mcp"

	"memory-graph/internal/memory"
)

// Options are the settings that tools read. Start from Defaults.
type Options struct {
	Namespace string // used where a call names none, 1–200 bytes
	Project   string // the same, "" for none
	User      string // the same, "" for none

	MaxContentBytes int // of one episode, in UTF-8
	MaxNameBytes    int // of a name, a source or a key
	MaxScopeBytes   int // of a namespace, project, user or session
	MaxQueryBytes   int // of a question
	MaxResults      int // the highest `limit`
	DefaultLimit    int // `limit` where a call gives none
	BudgetTokens    int // `budget_tokens` where a call gives none
	MaxBudgetTokens int // the highest `budget_tokens`
	MaxEntities     int // supplied with one episode
	MaxRelations    int // the same
	MaxSearchHops   int // the highest `max_hops` of search_graph
	MaxTraverseHops int // the highest `max_hops` of graph_traverse
	TraverseHops    int // `max_hops` of graph_traverse where a call gives none
	TraverseLimit   int // `limit` of graph_traverse where a call gives none

	SummaryRunes    int // an episode's content is cut behind so many characters, unless `full` is asked for
	AnswerBytes     int // an answer's JSON stays under this …
	FullAnswerBytes int // … or with `full` under this

	Toolsets []string     // names of what to offer; none is core
	ReadOnly bool         // offer only tools that write nothing
	Log      *slog.Logger // one debug line a call, errors with their cause; nil drops them
}

// Defaults are the limits of the tool contract.
func Defaults() Options {
	return Options{
		Namespace:       "default",
		MaxContentBytes: 256 << 10,
		MaxNameBytes:    512,
		MaxScopeBytes:   200,
		MaxQueryBytes:   32 << 10,
		MaxResults:      50,
		DefaultLimit:    10,
		BudgetTokens:    500,
		MaxBudgetTokens: 100_000,
		MaxEntities:     100,
		MaxRelations:    200,
		MaxSearchHops:   4,
		MaxTraverseHops: 6,
		TraverseHops:    2,
		TraverseLimit:   20,
		SummaryRunes:    400,
		AnswerBytes:     32 << 10,
		FullAnswerBytes: 256 << 10,
	}
}

func (o Options) log() *slog.Logger {
	if o.Log == nil {
		return slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	return o.Log
}

// Tool is one tool, ready to be registered with a server.
type Tool struct {
	Definition mcp.Tool
	ReadOnly   bool     // writes nothing
	Unlisted   []string // arguments that it takes although its schema does not list them
	call       func(ctx context.Context, arguments json.RawMessage) *mcp.CallToolResult
}

// Call runs the tool. It never panics and never fails: a mistake is a result with IsError set.
func (t Tool) Call(ctx context.Context, arguments json.RawMessage) *mcp.CallToolResult {
	return t.call(ctx, arguments)
}

// refusing is t as a read-only server has it: every call fails with ReadOnly, and nothing is looked at.
func refusing(t Tool) Tool {
	t.call = func(context.Context, json.RawMessage) *mcp.CallToolResult {
		return failure(memory.Errorf(memory.ReadOnly, "this memory is open for reading only, so %s changes nothing.",
			t.Definition.Name).
			WithHint("Do not repeat the call; whoever runs the server may start it without read_only."))
	}
	return t
}
