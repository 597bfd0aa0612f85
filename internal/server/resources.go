package server

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/internal/retrieval/contextblock"
	"memory-graph/store"
	"memory-graph/tools"
)

// The resource templates.
const (
	entityURI  = "memory://entity/{id}"
	episodeURI = "memory://episode/{id}"
	contextURI = "memory://context/{message}"
)

// attachments are the read-only resources and the prompt that a host can attach without calling a tool.
type attachments struct {
	mem  tools.Memory
	o    tools.Options
	call map[string]tools.Tool // the tools that read, by name
}

func newAttachments(mem tools.Memory, o tools.Options) (*attachments, error) {
	core := o
	core.Toolsets, core.ReadOnly = []string{"core"}, true
	list, err := tools.All(mem, core)
	if err != nil {
		return nil, err
	}
	a := &attachments{mem: mem, o: o, call: map[string]tools.Tool{}}
	for _, t := range list {
		a.call[t.Definition.Name] = t
	}
	return a, nil
}

// add registers the templates and the prompt.
func (a *attachments) add(srv *mcpserver.MCPServer, around func() (done func())) {
	for _, r := range []struct {
		uri, name, title, about, mime string
		read                          func(ctx context.Context, value string) (string, error)
	}{
		{entityURI, "entity", "An entity and its facts", "An entity and its facts, by id (e12), name or alias",
			"application/json", func(ctx context.Context, v string) (string, error) {
				return a.tool(ctx, "retrieve_linked", map[string]any{"entity": v, "limit": a.o.MaxResults})
			}},
		{episodeURI, "episode", "A turn as it was said", "A stored turn by its id (t56)", "application/json",
			func(ctx context.Context, v string) (string, error) {
				return a.tool(ctx, "retrieve", map[string]any{"ids": []string{v}, "detail": "full", "budget_tokens": 0})
			}},
		{contextURI, "context", "What to know before answering", "The context block for this message",
			"text/plain", a.block},
	} {
		t := mcp.NewResourceTemplate(r.uri, r.name, mcp.WithTemplateTitle(r.title), mcp.WithTemplateDescription(r.about),
			mcp.WithTemplateMIMEType(r.mime))
		srv.AddResourceTemplate(t, func(ctx context.Context, req mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			defer around()()
			value, err := valueOf(req.Params.URI)
			text := ""
			if err == nil {
				text, err = r.read(ctx, value)
			}
			if err != nil {
				return nil, report(ctx, err)
			}
			return []mcp.ResourceContents{mcp.TextResourceContents{URI: req.Params.URI, MIMEType: r.mime, Text: text}}, nil
		})
	}
	a.addPrompt(srv, around)
}

// valueOf returns the decoded part of a memory:// URI after the resource's name.
func valueOf(uri string) (string, error) {
	rest := strings.TrimPrefix(uri, "memory://")
	_, value, _ := strings.Cut(rest, "/")
	value, err := url.PathUnescape(value)
	if err != nil {
		return "", memory.Errorf(memory.InvalidArgument, "%.200q is not a valid URI.", uri).WithHint("Write %% as %%25.")
	}
	return value, nil
}

// tool calls one of the reading tools and returns its answer as JSON.
func (a *attachments) tool(ctx context.Context, name string, arguments map[string]any) (string, error) {
	raw, err := json.Marshal(arguments)
	if err != nil {
		return "", err
	}
	answer, err := a.call[name].Ask(ctx, raw)
	return string(answer), err
}

// block returns the context block for a message.
func (a *attachments) block(ctx context.Context, message string) (string, error) {
	got, err := a.contextBlock(ctx, message)
	return got.Block, err
}

func (a *attachments) contextBlock(ctx context.Context, message string) (contextblock.Decision, error) {
	got, err := a.mem.ContextBlock(ctx, contextblock.Request{Message: message, Budget: a.o.BudgetTokens,
		Scope: a.o.InSession(memory.Scope{Namespace: a.o.Namespace, Project: a.o.Project, User: a.o.User})})
	if e := memory.AsError(err); e != nil && e.Code == memory.Internal {
		a.o.Log.Error("the context block failed", "error", err)
	}
	return got, err
}

// completions completes the arguments of resources and prompts.
type completions struct {
	mem       tools.Memory
	namespace string
}

// mostCompletions is the maximum number of completions in one answer; the protocol allows 100.
const mostCompletions = 50

// CompleteResourceArgument completes an entity's id with names and a turn's id with the newest turns.
func (c completions) CompleteResourceArgument(ctx context.Context, uri string, arg mcp.CompleteArgument,
	_ mcp.CompleteContext) (*mcp.Completion, error) {
	out := &mcp.Completion{Values: []string{}}
	if arg.Name != "id" {
		return out, nil
	}
	switch uri {
	case entityURI:
		records, err := c.mem.Records(ctx)
		if err != nil {
			return nil, report(ctx, err)
		}
		list, more, err := records.ListEntities(ctx, store.EntityFilter{Namespace: c.namespace, Prefix: arg.Value}, 0,
			mostCompletions)
		if err != nil {
			return nil, report(ctx, err)
		}
		for _, e := range list {
			out.Values = append(out.Values, e.Name)
		}
		out.HasMore = more
	case episodeURI:
		newest, err := c.mem.Retrieve(ctx, retrieval.Request{Scope: memory.Scope{Namespace: c.namespace},
			Limit: mostCompletions})
		if err != nil {
			return nil, report(ctx, err)
		}
		for _, e := range newest.Episodes {
			if id := memory.EpisodeID(e.Episode.ID).String(); strings.HasPrefix(id, arg.Value) {
				out.Values = append(out.Values, id)
			}
		}
		out.HasMore = newest.More
	}
	return out, nil
}

// CompletePromptArgument returns no completions: a message is the user's own text.
func (c completions) CompletePromptArgument(context.Context, string, mcp.CompleteArgument,
	mcp.CompleteContext) (*mcp.Completion, error) {
	return &mcp.Completion{Values: []string{}}, nil
}
