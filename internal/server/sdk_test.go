package server_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"memory-graph/internal/server"
)

// serveEnv is the variable that makes the test binary a server on its own stdin and stdout.
const serveEnv = "MEMORY_GRAPH_TEST_SERVE"

// serveForChild runs if a test has started this binary as a server.
func serveForChild() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	err := server.ServeStdio(ctx, &fakeMemory{}, options(), os.Stdin, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// bearer adds the token to every request.
type bearer struct{ next http.RoundTripper }

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+token)
	return b.next.RoundTrip(r)
}

// TestOfficialClient_TalksToUs drives the server with the client of the official Go SDK, which shares no code with the
// server's library.
func TestOfficialClient_TalksToUs(t *testing.T) {
	t.Parallel()
	t.Run("stdio", func(t *testing.T) {
		t.Parallel()
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), serveEnv+"=1")
		cmd.Stderr = os.Stderr
		converse(t, &mcp.CommandTransport{Command: cmd})
		if !cmd.ProcessState.Success() {
			t.Errorf("the server ended with %v", cmd.ProcessState)
		}
	})
	t.Run("http", func(t *testing.T) {
		t.Parallel()
		addr, _ := serveHTTP(t, &fakeMemory{}, nil)
		tr := &http.Transport{}
		defer tr.CloseIdleConnections()
		converse(t, &mcp.StreamableClientTransport{Endpoint: "http://" + addr + "/mcp",
			HTTPClient: &http.Client{Transport: bearer{tr}}})
	})
	t.Run("sse", func(t *testing.T) {
		t.Parallel()
		addr, _ := serveHTTP(t, &fakeMemory{}, func(o *server.Options) { o.HTTP.SSE = true })
		tr := &http.Transport{}
		defer tr.CloseIdleConnections()
		converse(t, &mcp.SSEClientTransport{Endpoint: "http://" + addr + "/sse",
			HTTPClient: &http.Client{Transport: bearer{tr}}})
	})
}

// converse stores a turn, retrieves it, and makes an invalid call.
func converse(t *testing.T, transport mcp.Transport) {
	t.Helper()
	ctx := t.Context()
	client := mcp.NewClient(&mcp.Implementation{Name: "probe", Version: "1"}, nil)
	s, err := client.Connect(ctx, transport, nil)
	if err != nil {
		t.Fatalf("connect: %v", err)
	}
	if got := s.InitializeResult(); got.ServerInfo.Name != "memory-graph" ||
		!strings.Contains(got.Instructions, "retrieve") {
		t.Errorf("the server says %+v", got)
	}
	list, err := s.ListTools(ctx, nil)
	if err != nil || len(list.Tools) != 9 {
		t.Errorf("tools: %+v, %v", list, err)
	}
	ask := func(tool string, args map[string]any) *mcp.CallToolResult {
		t.Helper()
		res, err := s.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
		if err != nil {
			t.Fatalf("%s: %v", tool, err)
		}
		return res
	}
	if res := ask("store_episode", map[string]any{"content": "I drink tea."}); res.IsError {
		t.Errorf("store: %+v", res)
	}
	res := ask("retrieve", map[string]any{"query": "tea"})
	body, ok := res.StructuredContent.(map[string]any)
	if found, _ := body["episodes"].([]any); !ok || res.IsError || len(found) != 1 {
		t.Errorf("retrieve: %+v", res.StructuredContent)
	}
	if res := ask("retrieve", map[string]any{"nonsense": 1}); !res.IsError {
		t.Errorf("an invalid call returns %+v", res)
	}
	if _, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "no_such_tool"}); err == nil {
		t.Error("an unknown tool is not an error")
	}
	if err := s.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}
