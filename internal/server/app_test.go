package server_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// appHost is a host on the pipes of a server.
type appHost struct {
	t   *testing.T
	in  io.Writer
	out *bufio.Scanner
	id  int
}

// newAppHost starts a server with a new memory, for a host with these capabilities.
func newAppHost(t *testing.T, capabilities string, toolsets ...string) *appHost {
	t.Helper()
	dir := t.TempDir()
	in, out, wait := inProcess(t, []string{"HOME=" + dir, "MEMORY_GRAPH_DB=" + dir + "/memory.db",
		"XDG_CACHE_HOME=" + cacheHome(), "MEMORY_GRAPH_EMBEDDER=none",
		"MEMORY_GRAPH_TOOLSETS=" + strings.Join(append(toolsets, "core"), ",")})
	h := &appHost{t: t, in: in, out: bufio.NewScanner(out)}
	h.out.Buffer(nil, 4<<20)
	t.Cleanup(func() {
		_ = in.Close() // ends the server
		if err := wait(); err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	h.ask("initialize", `{"protocolVersion":"2025-11-25","capabilities":`+capabilities+
		`,"clientInfo":{"name":"host","version":"1"}}`)
	fmt.Fprintln(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return h
}

// ask sends a request and returns the result, or the error.
func (h *appHost) ask(method, params string) map[string]any {
	h.t.Helper()
	h.id++
	fmt.Fprintf(h.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", h.id, method, params)
	if !h.out.Scan() {
		h.t.Fatalf("%s: no answer: %v", method, h.out.Err())
	}
	var loose map[string]any
	if err := json.Unmarshal(h.out.Bytes(), &loose); err != nil {
		h.t.Fatal(err)
	}
	answer := map[string]map[string]any{}
	for key, v := range loose {
		if m, ok := v.(map[string]any); ok {
			answer[key] = m
		}
	}
	if answer["error"] != nil {
		return answer["error"]
	}
	return answer["result"]
}

// call calls a tool and returns its structured content.
func (h *appHost) call(name, arguments string) map[string]any {
	h.t.Helper()
	res := h.ask("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, name, arguments))
	content, _ := res["structuredContent"].(map[string]any)
	if content == nil {
		return res
	}
	return content
}

// names returns a field of each item of a list.
func names(result map[string]any, list, field string) []string {
	var out []string
	items, _ := result[list].([]any)
	for _, it := range items {
		out = append(out, fmt.Sprint(it.(map[string]any)[field]))
	}
	return out
}

// at walks through nested objects.
func at(v any, path ...string) any {
	for _, key := range path {
		m, _ := v.(map[string]any)
		v = m[key]
	}
	return v
}

const showing = `{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}}`

// TestApp_IsForHostsThatShowPages checks that only hosts that announce the extension see the page and its tools, and
// that a host that does not cannot call them.
func TestApp_IsForHostsThatShowPages(t *testing.T) {
	t.Parallel()
	of := func(h *appHost) (got []string) {
		for _, n := range names(h.ask("tools/list", `{}`), "tools", "name") {
			if strings.HasPrefix(n, "explore") {
				got = append(got, n)
			}
		}
		return append(got, names(h.ask("resources/list", `{}`), "resources", "uri")...)
	}
	for _, c := range []struct {
		name, capabilities string
		want               []string
	}{
		{"a host that shows pages", showing,
			[]string{"explore", "explore_act", "explore_read", "ui://memory-graph/explore"}},
		{"another host", `{}`, nil},
		{"a host of other pages", `{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/uri-list"]}}}`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := newAppHost(t, c.capabilities)
			if diff := cmp.Diff(c.want, of(h)); diff != "" {
				t.Errorf("it sees (-want +got):\n%s", diff)
			}
			if got := h.call("explore_read", `{"path":"session"}`); (at(got, "body") != nil) != (c.want != nil) {
				t.Errorf("its call of explore_read: %v", got)
			}
		})
	}
}

// TestApp_ActsAsAgent lets the page in a host read, correct and undo, and checks who is recorded.
func TestApp_ActsAsAgent(t *testing.T) {
	t.Parallel()
	h := newAppHost(t, showing, "all")
	h.call("create_relation", `{"head":"Ann","relation":"works_at","tail":"Acme"}`)
	page := h.ask("resources/read", `{"uri":"ui://memory-graph/explore"}`)
	content := page["contents"].([]any)[0].(map[string]any)
	html := fmt.Sprint(content["text"])
	if content["mimeType"] != "text/html;profile=mcp-app" || !strings.HasPrefix(html, "<!doctype html>") ||
		!strings.Contains(html, "script-src 'sha256-") || strings.Contains(html, `src="`) {
		t.Errorf("the page: %.300s", html)
	}
	if got := at(content, "_meta", "ui", "csp", "connectDomains"); cmp.Diff([]any{}, got) != "" {
		t.Errorf("the page may connect to %v", got)
	}
	for _, item := range h.ask("tools/list", `{}`)["tools"].([]any) {
		switch tool := item.(map[string]any); tool["name"] {
		case "explore":
			if at(tool, "_meta", "ui", "resourceUri") != "ui://memory-graph/explore" {
				t.Errorf("explore: %v", tool["_meta"])
			}
		case "explore_read", "explore_act":
			if diff := cmp.Diff([]any{"app"}, at(tool, "_meta", "ui", "visibility")); diff != "" {
				t.Errorf("%v is visible to others than the page:\n%s", tool["name"], diff)
			}
		}
	}
	if got := at(h.call("explore", `{"entity":"Ann"}`), "view"); got != "#/entity/e1" {
		t.Errorf("it opens %v", got)
	}
	if got := h.call("explore_read", `{"path":"session"}`); at(got, "body", "as") != "agent" {
		t.Errorf("the session: %v", got)
	}
	done := h.call("explore_act", `{"tool":"update_entity","arguments":{"entity":"e1","description":"An engineer"}}`)
	if done["status"] != 200. || at(done, "call") == "" {
		t.Fatalf("the correction: %v", done)
	}
	about := func() any {
		return at(h.call("explore_read", `{"path":"entities/e1?limit=5"}`), "body", "entity", "description")
	}
	if got := about(); got != "An engineer" {
		t.Errorf("after the correction: %v", got)
	}
	changes := at(h.call("explore_read", `{"path":"changes?limit=1"}`), "body", "changes").([]any)
	if actor := at(changes[0], "actor"); actor != "tool" {
		t.Errorf("the correction is recorded as made by %v", actor)
	}
	h.call("explore_act", fmt.Sprintf(`{"tool":"undo","arguments":{"call_id":%q}}`, done["call"]))
	if got := about(); got != nil {
		t.Errorf("after the undo: %v", got)
	}
	for _, c := range []struct{ name, arguments string }{
		{"explore_act", `{"tool":"release","arguments":{"episode":"t1"}}`},
		{"explore_act", `{"tool":"store_episode","arguments":{"content":"x"}}`},
		{"explore_read", `{"path":"act/undo"}`},
		{"explore_read", `{"path":"../../explore/"}`},
		{"explore_read", `{}`},
	} {
		if got := h.call(c.name, c.arguments); got["status"] == 200. || got["status"] == nil {
			t.Errorf("%s %s: %v", c.name, c.arguments, got)
		}
	}
	core := newAppHost(t, showing)
	for _, arguments := range []string{`{"tool":"forget","arguments":{"ids":["e1"]}}`, `{"tool":"undo","arguments":{}}`} {
		if got := core.call("explore_act", arguments); got["status"] == 200. || got["status"] == nil {
			t.Errorf("without the toolset: %s %v", arguments, got)
		}
	}
	why := h.call("explore_read", `{"path":"why?message=Where+does+Ann+work%3F"}`)["body"]
	if kept := slices.Index(names(why.(map[string]any), "candidates", "fate"), "kept"); kept < 0 ||
		!strings.Contains(fmt.Sprint(at(why, "context")), "Ann → works_at → Acme") {
		t.Errorf("why: %v", why)
	}
}
