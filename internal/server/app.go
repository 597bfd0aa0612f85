package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/google/uuid"
	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"memory-graph/internal/explorer"
	"memory-graph/internal/memory"
	"memory-graph/tools"
)

// The page of explore as an MCP App, which hosts show beside a conversation.
// https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
const (
	appExtension = "io.modelcontextprotocol/ui"
	appURI       = "ui://memory-graph/explore"
	appMIME      = "text/html;profile=mcp-app"
)

// The tools of the app. Only hosts that announce the extension have them. The model sees the first one; the others are
// for the page alone.
const (
	appOpen = "explore"
	appRead = "explore_read"
	appAct  = "explore_act"
)

var appTools = []string{appOpen, appRead, appAct}

// forApps returns the options of a server that offers the app.
func forApps() []mcpserver.ServerOption {
	return []mcpserver.ServerOption{
		mcpserver.WithExtensions(map[string]any{appExtension: map[string]any{}}),
		mcpserver.WithToolFilter(func(ctx context.Context, list []mcp.Tool) []mcp.Tool {
			if showsApps(ctx) {
				return list
			}
			return slices.DeleteFunc(slices.Clone(list), func(t mcp.Tool) bool { return slices.Contains(appTools, t.Name) })
		}),
	}
}

// hideApp removes the page from the resources of hosts that cannot show it.
func hideApp(ctx context.Context, _ any, _ *mcp.ListResourcesRequest, res *mcp.ListResourcesResult) {
	if !showsApps(ctx) {
		res.Resources = slices.DeleteFunc(slices.Clone(res.Resources), func(r mcp.Resource) bool { return r.URI == appURI })
	}
}

// showsApps reports whether the host has announced that it shows pages.
func showsApps(ctx context.Context) bool {
	var can mcp.ClientCapabilities
	if p := mcpserver.RequestProtocolInfoFromContext(ctx); p != nil && p.ClientCapabilities != nil {
		can = *p.ClientCapabilities
	} else if s, ok := mcpserver.ClientSessionFromContext(ctx).(mcpserver.SessionWithClientInfo); ok {
		can = s.GetClientCapabilities()
	}
	settings, _ := can.Extensions[appExtension].(map[string]any)
	kinds, _ := settings["mimeTypes"].([]any)
	return slices.Contains(kinds, any(appMIME))
}

// addApp registers the page and its tools.
func addApp(srv *mcpserver.MCPServer, mem tools.Memory, offered []tools.Tool, o Options,
	around func() (done func())) error {
	// The lists are empty: the page needs no other origin.
	shown := map[string]any{"ui": map[string]any{"prefersBorder": true,
		"csp": map[string]any{"connectDomains": []string{}, "resourceDomains": []string{}}}}
	srv.AddResource(mcp.Resource{URI: appURI, Name: "explore", Title: "The memory as a page", MIMEType: appMIME,
		Description: "Shows what is remembered, and corrects it", Meta: &mcp.Meta{AdditionalFields: shown}},
		func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			page, err := explorer.App()
			if err != nil {
				return nil, fmt.Errorf("read the page of explore: %w", err)
			}
			return []mcp.ResourceContents{mcp.TextResourceContents{URI: appURI, MIMEType: appMIME, Text: page, Meta: shown}}, nil
		})
	open, err := tools.NewExplore(mem, o.Tools)
	if err != nil {
		return err
	}
	open.Definition.Meta = uiMeta("model", "app")
	srv.AddTool(open.Definition, func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		defer around()()
		return open.Call(tools.WithClient(ctx, clientName(ctx)), rawArguments(req)), nil
	})
	// Building the schemas and descriptions of all tools takes longer than the rest of a server's start, for which most
	// hosts wait.
	read := sync.OnceValues(func() (*http.ServeMux, error) {
		mux := http.NewServeMux()
		return mux, handleREST(mux, mem, o, func() func() { return func() {} }, false)
	})
	srv.AddTool(mcp.Tool{Name: appRead, Title: "Read for the page", Meta: uiMeta("app"),
		Description: "Reads a path of the HTTP interface below " + restBase + ". Only for the page of explore.",
		RawInputSchema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}},` +
			`"required":["path"],"additionalProperties":false}`),
		Annotations: mcp.ToolAnnotation{ReadOnlyHint: new(true), IdempotentHint: new(true), OpenWorldHint: new(false)},
	}, func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		defer around()()
		mux, err := read()
		if err != nil {
			return nil, err
		}
		return appAnswer(readForApp(tools.ByAgent(ctx, ""), mux, req))
	})
	if o.Tools.ReadOnly {
		return nil
	}
	acts := map[string]tools.Tool{} // the page can call what the agent's toolsets allow
	for _, t := range offered {
		if slices.Contains(restActs, t.Definition.Name) {
			acts[t.Definition.Name] = t
		}
	}
	srv.AddTool(mcp.Tool{Name: appAct, Title: "Correct for the page", Meta: uiMeta("app"),
		Description: "Corrects the memory for its agent. Only for the page of explore.",
		RawInputSchema: json.RawMessage(`{"type":"object","properties":{"tool":{"type":"string"},` +
			`"arguments":{"type":"object"}},"required":["tool","arguments"],"additionalProperties":false}`),
		Annotations: mcp.ToolAnnotation{ReadOnlyHint: new(false), DestructiveHint: new(true), OpenWorldHint: new(false)},
	}, func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		defer around()()
		return appAnswer(actForApp(ctx, acts, req))
	})
	return nil
}

// uiMeta links a tool to the page, and says who may call it.
func uiMeta(visibility ...string) *mcp.Meta {
	return &mcp.Meta{AdditionalFields: map[string]any{"ui": map[string]any{"resourceUri": appURI,
		"visibility": visibility}}}
}

// appReply is what the page gets: the status and the body that the HTTP interface would give.
type appReply struct {
	Status int             `json:"status"`
	Body   json.RawMessage `json:"body"`
	Call   string          `json:"call,omitempty"` // the call that undo reverts
}

func appAnswer(r appReply) (*mcp.CallToolResult, error) {
	return &mcp.CallToolResult{StructuredContent: r, IsError: r.Status >= http.StatusBadRequest,
		Content: []mcp.Content{mcp.NewTextContent(http.StatusText(r.Status))}}, nil
}

func appFailure(err error) appReply {
	e := memory.AsError(err)
	return appReply{Status: restStatus[e.Code], Body: restError(e)}
}

// readForApp answers a path of the HTTP interface.
func readForApp(ctx context.Context, mux *http.ServeMux, req mcp.CallToolRequest) appReply {
	var in struct {
		Path string `json:"path"`
	}
	err := json.Unmarshal(rawArguments(req), &in)
	if err != nil {
		return appFailure(memory.Errorf(memory.InvalidArgument, "the arguments are not an object with a path."))
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, restBase+"/"+strings.TrimLeft(in.Path, "/"), nil)
	if err != nil {
		return appFailure(memory.Errorf(memory.InvalidArgument, "%.200q is not a path.", in.Path))
	}
	w := &kept{header: http.Header{}, status: http.StatusOK}
	mux.ServeHTTP(w, r)
	if !json.Valid(w.body.Bytes()) { // a redirect of the multiplexer to a clean path
		return appFailure(memory.Errorf(memory.NotFound, "there is nothing at %.200q.", in.Path))
	}
	return appReply{Status: w.status, Body: bytes.TrimSpace(w.body.Bytes())}
}

// kept is an answer that is kept and not sent.
type kept struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (k *kept) Header() http.Header         { return k.header }
func (k *kept) WriteHeader(status int)      { k.status = status }
func (k *kept) Write(b []byte) (int, error) { return k.body.Write(b) }

// actForApp calls a tool that changes the memory.
func actForApp(ctx context.Context, acts map[string]tools.Tool, req mcp.CallToolRequest) appReply {
	var in struct {
		Tool      string          `json:"tool"`
		Arguments json.RawMessage `json:"arguments"`
	}
	err := json.Unmarshal(rawArguments(req), &in)
	tool, ok := acts[in.Tool]
	if err == nil && !ok {
		err = errors.New("unknown tool")
	}
	if err != nil {
		return appFailure(memory.Errorf(memory.InvalidArgument,
			"the page cannot call %.100q here: the server does not offer it to the agent.", in.Tool).
			WithHint("Add its toolset to the setting toolsets, or open the page with memory-graph explore."))
	}
	id, err := uuid.NewV7()
	if err != nil {
		return appFailure(fmt.Errorf("make a call id: %w", err))
	}
	ctx = tools.ByAgent(tools.WithClient(ctx, clientName(ctx)), id.String())
	body, err := tool.Ask(ctx, in.Arguments)
	if err != nil {
		return appFailure(err)
	}
	return appReply{Status: http.StatusOK, Body: body, Call: id.String()}
}
