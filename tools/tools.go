// Package tools holds the tools that the server offers to MCP hosts. Each tool has one file and one description. An
// ordered registry lists them, and a generic adapter adds schema, coercion of arguments, errors and logging.
package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/invopop/jsonschema"
	"github.com/mark3labs/mcp-go/mcp"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// Options are the settings of the tools. Start from Defaults.
type Options struct {
	Namespace string // default of a call, 1–200 bytes
	Project   string // default of a call, "" for none
	User      string // default of a call, "" for none

	MaxContentBytes int     // of one episode, in UTF-8
	MaxNameBytes    int     // of a name, a source or a key
	MaxScopeBytes   int     // of a namespace, project, user or session
	MaxQueryBytes   int     // of a question
	MaxResults      int     // maximum of `limit`
	DefaultLimit    int     // default of `limit`
	HistoryLimit    int     // maximum of what history lists of one object, over all pages
	DecayRate       float64 // of relations without a rate of their own, per day
	BudgetTokens    int     // default of `budget_tokens`
	MaxBudgetTokens int     // maximum of `budget_tokens`
	MaxEntities     int     // in one call
	FullConfidence  float64 // facts with a lower stored confidence are marked as raw; 0: none
	MaxRelations    int     // in one call
	MaxSearchHops   int     // maximum of `max_hops` in search_graph
	MaxTraverseHops int     // maximum of `max_hops` in graph_traverse
	TraverseHops    int     // default of `max_hops` in graph_traverse
	TraverseLimit   int     // default of `limit` in graph_traverse

	SummaryRunes    int // texts are cut after this many characters, except with detail full
	AnswerBytes     int // an answer's JSON is smaller than this …
	FullAnswerBytes int // … or this, with detail full

	// Route returns the namespace of a project that a call names without a namespace, and false for the default; nil: no
	// project has a namespace of its own
	Route func(project string) (namespace string, ok bool)

	// Session returns the conversation that the host is in, "" if it is unknown; nil: always unknown. It is the default
	// for what is said or stored in it, and never a filter.
	Session func() string

	Now func() time.Time // the present, for relative times; nil: time.Now

	Observe func(tool string, code memory.Code, took time.Duration) // is told of each call; code is that of its error

	Toolsets []string     // names of toolsets; empty means core
	ReadOnly bool         // offer only tools that do not write
	Log      *slog.Logger // one debug line per call, and errors with their causes; nil discards them
}

// Defaults returns the default limits.
func Defaults() Options {
	return Options{
		Namespace:       "default",
		MaxContentBytes: 256 << 10,
		MaxNameBytes:    512,
		MaxScopeBytes:   200,
		MaxQueryBytes:   32 << 10,
		MaxResults:      50,
		DefaultLimit:    10,
		HistoryLimit:    100,
		DecayRate:       graph.DefaultRate,
		FullConfidence:  .7,
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
	ReadOnly   bool     // the tool does not write
	Unlisted   []string // accepted arguments that the schema does not list
	schemas    func() (arguments, result *jsonschema.Schema, err error)
	answer     func(ctx context.Context, arguments json.RawMessage) (answer, error)
}

// Call runs the tool. It never panics. An error is a result with IsError set.
func (t Tool) Call(ctx context.Context, arguments json.RawMessage) *mcp.CallToolResult {
	a, err := t.answer(ctx, arguments)
	if err != nil {
		return failure(err)
	}
	return success(a)
}

// Ask runs the tool like Call, and returns the structured content of its answer as JSON. The error is a memory.Error.
func (t Tool) Ask(ctx context.Context, arguments json.RawMessage) (json.RawMessage, error) {
	a, err := t.answer(ctx, arguments)
	if err != nil {
		return nil, memory.AsError(err)
	}
	return a.structured, nil
}

// Schemas returns the JSON schemas of all arguments, also of those that tools/list leaves out, and of the whole answer.
func (t Tool) Schemas() (arguments, result *jsonschema.Schema, err error) {
	if t.schemas == nil {
		return nil, nil, fmt.Errorf("the tool %s has no schemas", t.Definition.Name)
	}
	return t.schemas()
}

// refusing returns t for a read-only server: every call fails with ReadOnly, without reading its arguments.
func refusing(t Tool) Tool {
	t.answer = func(context.Context, json.RawMessage) (answer, error) {
		return answer{}, memory.Errorf(memory.ReadOnly, "this memory is open read-only, so %s is not possible.",
			t.Definition.Name).
			WithHint("Do not repeat the call. The server's operator can restart it without read_only.")
	}
	return t
}
