package server

import (
	"context"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"memory-graph/internal/memory"
)

const promptName = "memory_context"

// addPrompt registers the prompt that puts the context block before a message, for hosts whose users pick prompts.
func (a *attachments) addPrompt(srv *mcpserver.MCPServer, around func() (done func())) {
	p := mcp.NewPrompt(promptName, mcp.WithPromptTitle("Ask with memory"),
		mcp.WithPromptDescription("Adds what is remembered about a message"),
		mcp.WithArgument("message", mcp.ArgumentDescription("What you want to say or ask"), mcp.RequiredArgument()))
	srv.AddPrompt(p, func(ctx context.Context, req mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		defer around()()
		message := strings.TrimSpace(req.Params.Arguments["message"])
		if message == "" {
			return nil, report(ctx, memory.Errorf(memory.InvalidArgument, "the argument message is missing.").
				WithHint("Write what you want to say or ask."))
		}
		got, err := a.contextBlock(ctx, message)
		if err != nil {
			return nil, report(ctx, err)
		}
		if got.Block != "" {
			message = got.Block + "\n" + message
		}
		return &mcp.GetPromptResult{Description: "The message, with what is remembered about it",
			Messages: []mcp.PromptMessage{
				{Role: mcp.RoleUser, Content: mcp.NewTextContent(message)},
			}}, nil
	})
}
