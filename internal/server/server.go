// Package server builds an MCP server from the tools and serves it over stdio and HTTP.
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

// name is the server's name in the protocol.
const name = "memory-graph"

// Options are the settings of a server. Every field except Tools may be its zero value.
type Options struct {
	Tools   tools.Options
	Version string        // the program version that hosts see; "" means "dev"
	Log     *slog.Logger  // must not write to stdout; nil discards everything
	Grace   time.Duration // how long running calls may continue after the server is told to stop; 0 means 5 s

	MaxLineBytes int // of one message on stdio; 0 means 8 MiB, or more if episodes may be larger

	HTTP HTTPOptions // used by ServeHTTP only
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
		// JSON may encode one byte of content as six (\u001b). Content that is too large for the tool must still reach the
		// tool, which returns a clear error.
		o.MaxLineBytes = max(8<<20, 6*o.Tools.MaxContentBytes+64<<10)
	}
	if o.HTTP.MaxBodyBytes <= 0 {
		o.HTTP.MaxBodyBytes = 4 << 20
	}
	return o
}

// listsLast is how long a client of protocol 2026-07-28 may keep the lists of tools, prompts and resources. They change
// only with the program or its settings. An hour is short enough to show a new setting soon.
const listsLast = time.Hour

// newMCP returns a protocol server with the tools, resources and prompts. It calls around before each call, and done
// after it.
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
	hooks.AddAfterReadResource(keepTurns)
	hooks.AddAfterSubscriptionsListen(stayOpen)
	if o.Tools.ReadOnly {
		about = instructionsReadOnly
		hide(hidden, hooks)
	}
	options := []mcpserver.ServerOption{
		mcpserver.WithTitle("Memory"),
		mcpserver.WithInstructions(strings.TrimSpace(about)),
		mcpserver.WithToolCapabilities(false), // the list does not change while the server runs
		mcpserver.WithHooks(hooks),
		mcpserver.WithResourceCapabilities(false, false),
		mcpserver.WithPromptCapabilities(false),
		mcpserver.WithCompletions(),
		mcpserver.WithResourceCompletionProvider(completions{mem, o.Tools.Namespace}),
		mcpserver.WithPromptCompletionProvider(completions{mem, o.Tools.Namespace}),
	}
	for _, list := range []mcp.MCPMethod{mcp.MethodServerDiscover, mcp.MethodToolsList, mcp.MethodPromptsList,
		mcp.MethodResourcesList, mcp.MethodResourcesTemplatesList} {
		options = append(options, mcpserver.WithMethodCacheHints(list, listsLast.Milliseconds(), mcp.CacheScopePrivate))
	}
	options = append(options, forApps()...)
	hooks.AddAfterListResources(hideApp)
	srv := mcpserver.NewMCPServer(name, o.Version, options...)
	attached, err := newAttachments(mem, o.Tools)
	if err != nil {
		return nil, err
	}
	attached.add(srv, around)
	if err := addApp(srv, mem, list, o, around); err != nil {
		return nil, err
	}
	for _, t := range append(list, hidden...) {
		srv.AddTool(t.Definition, func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			defer around()()
			return t.Call(tools.WithClient(ctx, clientName(ctx)), rawArguments(req)), nil
		})
	}
	return srv, nil
}

// hide removes registered tools from the answer of tools/list. They can still be called.
func hide(list []tools.Tool, hooks *mcpserver.Hooks) {
	hidden := map[string]bool{}
	for _, t := range list {
		hidden[t.Definition.Name] = true
	}
	hooks.AddAfterListTools(func(_ context.Context, _ any, _ *mcp.ListToolsRequest, res *mcp.ListToolsResult) {
		res.Tools = slices.DeleteFunc(slices.Clone(res.Tools), func(t mcp.Tool) bool { return hidden[t.Name] })
	})
}

// rawArguments returns the arguments as received, before numbers lose precision.
func rawArguments(req mcp.CallToolRequest) json.RawMessage {
	switch a := req.GetRawArguments().(type) {
	case nil:
		return nil
	case json.RawMessage:
		return a
	default: // only for a client in the same process
		b, err := json.Marshal(a)
		if err != nil {
			return json.RawMessage(`"unreadable"`) // not an object: the tool rejects it
		}
		return b
	}
}

// userAgentKey is the context key of an HTTP client's User-Agent header, the fallback for protocol versions that do not
// send the client's name with each request.
type userAgentKey struct{}

// clientName returns the host's name and version, or its User-Agent, for the event log.
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
