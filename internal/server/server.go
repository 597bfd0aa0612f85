// Package server puts an MCP server together from the tools and offers it over stdio and HTTP.
package server

import (
	"context"
	_ "embed"
	"encoding/json"
	"io"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"memory-graph/tools"
)

//go:embed instructions.md
var instructions string

//go:embed instructions_readonly.md
var instructionsReadOnly string

// name is how the server introduces itself to hosts.
const name = "memory-graph"

// Options are the settings of a server. The zero value of every field but Tools is usable.
type Options struct {
	Tools   tools.Options
	Version string        // of the program, shown to hosts; "" is "dev"
	Log     *slog.Logger  // must not write to stdout; nil drops everything
	Grace   time.Duration // how long calls under way may go on when the server is told to stop; 0 is 5 s

	MaxLineBytes int // of one message on stdio; 0 is 8 MiB, or more where episodes may be larger

	HTTP HTTPOptions // read by ServeHTTP only
}

func (o Options) withDefaults() Options {
	if o.Version == "" {
		o.Version = "dev"
	}
	if o.Log == nil {
		o.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	if o.Tools.Log == nil {
		o.Tools.Log = o.Log
	}
	if o.Grace <= 0 {
		o.Grace = 5 * time.Second
	}
	if o.MaxLineBytes <= 0 {
		// JSON may write one byte of content as six (\u001b); what is too large for the tool should reach the tool, which
		// says so.
		o.MaxLineBytes = max(8<<20, 6*o.Tools.MaxContentBytes+64<<10)
	}
	if o.HTTP.MaxBodyBytes <= 0 {
		o.HTTP.MaxBodyBytes = 4 << 20
	}
	return o
}

// newMCP registers the tools with a protocol server. Each call passes through around first.
func newMCP(mem tools.Memory, o Options, around func() (done func())) (*mcpserver.MCPServer, error) {
	list, err := tools.All(mem, o.Tools)
	if err != nil {
		return nil, err
	}
	hidden, err := tools.Hidden(mem, o.Tools)
	if err != nil {
		return nil, err
	}
	about, hooks := instructions, &mcpserver.Hooks{}
	hooks.AddOnRequestInitialization(checkRequest)
	if o.Tools.ReadOnly {
		about = instructionsReadOnly
		hide(hidden, hooks)
	}
	srv := mcpserver.NewMCPServer(name, o.Version,
		mcpserver.WithTitle("Memory"),
		mcpserver.WithInstructions(strings.TrimSpace(about)),
		mcpserver.WithToolCapabilities(false), // the list never changes while we run
		mcpserver.WithHooks(hooks),
		mcpserver.WithResourceCapabilities(false, false),
		mcpserver.WithPromptCapabilities(false),
		mcpserver.WithCompletions(),
		mcpserver.WithResourceCompletionProvider(completions{mem, o.Tools.Namespace}),
		mcpserver.WithPromptCompletionProvider(completions{mem, o.Tools.Namespace}),
	)
	attached, err := newAttachments(mem, o.Tools)
	if err != nil {
		return nil, err
	}
	attached.add(srv, around)
	for _, t := range append(list, hidden...) {
		srv.AddTool(t.Definition, func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			defer around()()
			return t.Call(tools.WithClient(ctx, clientName(ctx)), rawArguments(req)), nil
		})
	}
	return srv, nil
}

// hide keeps tools that are registered out of tools/list.
func hide(list []tools.Tool, hooks *mcpserver.Hooks) {
	hidden := map[string]bool{}
	for _, t := range list {
		hidden[t.Definition.Name] = true
	}
	hooks.AddAfterListTools(func(_ context.Context, _ any, _ *mcp.ListToolsRequest, res *mcp.ListToolsResult) {
		res.Tools = slices.DeleteFunc(slices.Clone(res.Tools), func(t mcp.Tool) bool { return hidden[t.Name] })
	})
}

// rawArguments gives the arguments as they came over the wire, before any number lost its precision.
func rawArguments(req mcp.CallToolRequest) json.RawMessage {
	switch a := req.GetRawArguments().(type) {
	case nil:
		return nil
	case json.RawMessage:
		return a
	default: // only from a client inside the process
		b, err := json.Marshal(a)
		if err != nil {
			return json.RawMessage(`"unreadable"`) // not an object: the tool refuses it
		}
		return b
	}
}

// userAgentKey holds what an HTTP client calls itself, for protocol versions that send no better name with each
// request.
type userAgentKey struct{}

// clientName is what the host calls itself, for the event log: its name and version, or its User-Agent.
func clientName(ctx context.Context) string {
	const longest = 200 // bytes
	var info mcp.Implementation
	if p := mcpserver.RequestProtocolInfoFromContext(ctx); p != nil && p.ClientInfo != nil {
		info = *p.ClientInfo
	} else if s, ok := mcpserver.ClientSessionFromContext(ctx).(mcpserver.SessionWithClientInfo); ok {
		info = s.GetClientInfo()
	}
	s := strings.TrimSpace(info.Name + " " + info.Version)
	if s == "" {
		s, _ = ctx.Value(userAgentKey{}).(string)
	}
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, s)
	return strings.ToValidUTF8(s[:min(len(s), longest)], "")
}
