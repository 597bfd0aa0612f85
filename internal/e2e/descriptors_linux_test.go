package e2e_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// Strangers open more connections than the server may have files, and send part of a header, part of a body, or
// nothing. Whoever has the token still stores and finds, over connections of their own, in a database that was not yet
// open.
func TestHTTP_StrangersDoNotTakeTheDescriptorsOfTheDatabase(t *testing.T) {
	t.Parallel()
	const token = "0123456789abcdef-descriptors"
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "sh", "-c", `ulimit -n 256 && exec "$0" serve --http 127.0.0.1:0`, program)
	cmd.Env = environment(dir, "MEMORY_GRAPH_DB="+filepath.Join(dir, "memory.db"), "MEMORY_GRAPH_TOKEN="+token)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	line, err := bufio.NewReader(stderr).ReadString('\n')
	at := regexp.MustCompile(`http://([^/]+)/mcp`).FindStringSubmatch(line)
	if at == nil {
		t.Fatalf("no address: %q, %v", line, err)
	}
	addr := at[1]
	go func() { _, _ = io.Copy(io.Discard, stderr) }() // the log must not block the server

	const header = "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
	for i, raw := range []string{
		header + "Content-Length: 1000\r\n\r\n{",
		header + "Authorization: Bearer wrong\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{",
		header,
		"",
	} {
		for n := range 150 {
			c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addr)
			if err != nil {
				t.Fatalf("connection %d of kind %d: %v", n, i, err)
			}
			defer c.Close()
			_, _ = io.WriteString(c, raw) // fails where the server has closed it, as it should
		}
	}

	session := ""
	call := func(method, params string) string {
		t.Helper()
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 30 * time.Second}
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+addr+"/mcp", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		req.Header.Set("Authorization", "Bearer "+token)
		if session != "" {
			req.Header.Set("Mcp-Session-Id", session)
		}
		resp, err := client.Do(req)
		if err != nil {
			t.Fatalf("%s: %v", method, err)
		}
		defer resp.Body.Close()
		b, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("%s: status %d, %v: %s", method, resp.StatusCode, err, b)
		}
		if id := resp.Header.Get("Mcp-Session-Id"); id != "" {
			session = id
		}
		return string(b)
	}
	call("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"owner","version":"1"}}`)
	for i := range 5 {
		content, err := json.Marshal(fmt.Sprintf("The key of room %d hangs behind the door.", i))
		if err != nil {
			t.Fatal(err)
		}
		if got := call("tools/call", `{"name":"store_episode","arguments":{"content":`+string(content)+
			`}}`); strings.Contains(got, `"isError":true`) {
			t.Fatalf("store: %s", got)
		}
	}
	if got := call("tools/call", `{"name":"retrieve","arguments":{"query":"key of room 4"}}`); !strings.Contains(got,
		"room 4 hangs") {
		t.Errorf("retrieve: %s", got)
	}
}
