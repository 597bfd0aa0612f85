package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"memory-graph/internal/retrieval"
)

// modern returns a request of protocol 2026-07-28 and its headers.
func modern(id int, method, name string, params map[string]any) (body string, headers map[string]string) {
	params["_meta"] = map[string]any{"io.modelcontextprotocol/protocolVersion": "2026-07-28",
		"io.modelcontextprotocol/clientCapabilities": map[string]any{}}
	b, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	if err != nil {
		panic(err)
	}
	headers = map[string]string{"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method}
	if name != "" {
		headers["Mcp-Name"] = name
	}
	return string(b), headers
}

// Requests of different hosts may have the same id, and there are no sessions that tell the hosts apart.
func TestHTTP_ACancellationEndsNoRequestOfAnotherHost(t *testing.T) {
	t.Parallel()
	mem := &fakeMemory{locked: make(chan struct{}), waiting: make(chan struct{}, 1)}
	addr, _ := serveHTTP(t, mem, nil)
	body, headers := modern(1, "tools/call", "retrieve", map[string]any{"name": "retrieve"})
	answered := make(chan string)
	go func() {
		status, got, _ := post(t, addr, body, headers)
		answered <- fmt.Sprint(status, " ", got)
	}()
	<-mem.waiting
	body, headers = modern(0, "notifications/cancelled", "", map[string]any{"requestId": 1})
	status, got, _ := post(t, addr, strings.Replace(body, `"id":0,`, "", 1), headers)
	if status != 202 || got != "" {
		t.Errorf("the cancellation was answered with %d %s", status, got)
	}
	close(mem.locked)
	if a := <-answered; !bytes.Contains([]byte(a), []byte(`"strategy":`)) {
		t.Errorf("another host's request was answered with %s", a)
	}
}

// endless is a memory whose reads last until they are cancelled.
type endless struct {
	*fakeMemory
	began, ended chan struct{}
}

func (m endless) Retrieve(ctx context.Context, _ retrieval.Request) (retrieval.Answer, error) {
	close(m.began)
	<-ctx.Done()
	close(m.ended)
	return retrieval.Answer{}, ctx.Err()
}

func TestHTTP_AClosedConnectionEndsItsCall(t *testing.T) {
	t.Parallel()
	mem := endless{&fakeMemory{}, make(chan struct{}), make(chan struct{})}
	addr, _ := serveHTTP(t, mem, nil)
	body, headers := modern(1, "tools/call", "retrieve", map[string]any{"name": "retrieve"})
	ctx, cancel := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+addr+"/mcp", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range headers {
		req.Header.Set(name, value)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+token)
	go func() { <-mem.began; cancel() }()
	tr := &http.Transport{}
	defer tr.CloseIdleConnections()
	if resp, err := tr.RoundTrip(req); err == nil {
		resp.Body.Close()
		t.Error("a request that was given up was answered")
	}
	<-mem.ended
}

func TestStdio_EndsAStreamOfNotificationsWithItsResult(t *testing.T) {
	t.Parallel()
	host := connect(t, t.Context(), &fakeMemory{})
	body, _ := modern(5, "subscriptions/listen", "", map[string]any{"notifications": map[string]any{}})
	host.send(body + "\n")
	if a := host.next(); a.Method != "notifications/subscriptions/acknowledged" {
		t.Errorf("the stream began with %+v", a)
	}
	host.in.Close()
	if a := host.next(); a.ID != 5.0 || !bytes.Contains(a.Result, []byte(`"resultType":"complete"`)) {
		t.Errorf("the stream ended with %+v %s", a, a.Result)
	}
	host.end()
}
