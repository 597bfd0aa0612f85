package server_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"memory-graph/internal/memory"
	"memory-graph/internal/server"
)

// patience is how long a test waits for an immediate event; only a failing test waits this long.
const patience = 20 * time.Second

// dial opens a connection and sends raw bytes.
func dial(t *testing.T, addr, raw string) net.Conn {
	t.Helper()
	c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(c, raw); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestHTTP_RefusesBeforeItHasTheBodyAndClosesTheConnection(t *testing.T) {
	t.Parallel()
	addr, _ := serveHTTP(t, &fakeMemory{}, nil)
	const known = "Host: 127.0.0.1\r\nAuthorization: Bearer " + token + "\r\n"
	for name, tc := range map[string]struct {
		header string
		want   int
	}{
		"no token":               {"Host: 127.0.0.1\r\nContent-Length: 1000\r\n", 401},
		"wrong token":            {"Host: 127.0.0.1\r\nAuthorization: Bearer wrong\r\nContent-Length: 1000\r\n", 401},
		"no token, chunked":      {"Host: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n", 401},
		"no token, asks first":   {"Host: 127.0.0.1\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n", 401},
		"no token, much to come": {"Host: 127.0.0.1\r\nContent-Length: 4000000\r\n", 401},
		"foreign host":           {strings.Replace(known, "127.0.0.1", "evil.example", 1) + "Content-Length: 1000\r\n", 403},
		"foreign page":           {known + "Origin: https://evil.example\r\nContent-Length: 1000\r\n", 403},
		"too large":              {known + "Content-Length: 400000000\r\n", 413},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := dial(t, addr, "POST /mcp HTTP/1.1\r\nContent-Type: application/json\r\n"+tc.header+"\r\n{")
			r := bufio.NewReader(c)
			resp, err := http.ReadResponse(r, nil)
			if err != nil {
				t.Fatalf("no answer before the body: %v", err)
			}
			defer resp.Body.Close()
			if _, err := io.Copy(io.Discard, resp.Body); err != nil || resp.StatusCode != tc.want {
				t.Errorf("status %d, want %d; %v", resp.StatusCode, tc.want, err)
			}
			if _, err := r.ReadByte(); err == nil || isTimeout(err) {
				t.Errorf("the connection stays open: %v", err)
			}
		})
	}
}

func isTimeout(err error) bool {
	ne, ok := err.(net.Error)
	return ok && ne.Timeout()
}

// A client without a token gets one answer, even if it sends many requests at once.
func TestHTTP_AnswersNoSecondRequestWithoutToken(t *testing.T) {
	t.Parallel()
	addr, _ := serveHTTP(t, &fakeMemory{}, nil)
	c := dial(t, addr, strings.Repeat("GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 20))
	all, _ := io.ReadAll(c) // ends with a reset if requests were not read
	if n := strings.Count(string(all), "HTTP/1.1 401"); n != 1 {
		t.Errorf("%d answers to 20 requests without token", n)
	}
}

func TestHTTP_EndsSessionsThatNobodyUsedForLongestWhenThereAreTooMany(t *testing.T) {
	t.Parallel()
	addr, _ := serveHTTP(t, &fakeMemory{}, nil)
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	send := func(method, body, session string) *http.Response {
		req, err := http.NewRequestWithContext(t.Context(), method, "http://"+addr+"/mcp", strings.NewReader(body))
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
			t.Fatal(err)
		}
		return resp
	}
	initialize := func() string {
		resp := send(http.MethodPost, hello, "")
		defer resp.Body.Close()
		if _, err := io.Copy(io.Discard, resp.Body); err != nil {
			t.Fatal(err)
		}
		return resp.Header.Get("Mcp-Session-Id")
	}
	ping := func(session string) int {
		resp := send(http.MethodPost, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, session)
		resp.Body.Close()
		return resp.StatusCode
	}
	listening, used, idle := initialize(), initialize(), initialize()
	stream := send(http.MethodGet, "", listening)
	defer stream.Body.Close()
	var last string
	for range 1100 {
		last = initialize()
		if s := ping(used); s != 200 {
			t.Fatalf("a session in use was ended: %d", s)
		}
	}
	for name, tc := range map[string]struct {
		session string
		want    int
	}{"with a stream": {listening, 200}, "in use": {used, 200}, "idle": {idle, 404}, "new": {last,
		200}, "made up": {"mcp-session-x", 404}} {
		if s := ping(tc.session); s != tc.want {
			t.Errorf("%s: status %d, want %d", name, s, tc.want)
		}
	}
	for session, want := range map[string]int{idle: 404, "": 400} {
		resp := send(http.MethodGet, "", session)
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("a stream of session %q: status %d, want %d", session, resp.StatusCode, want)
		}
	}
}

func TestHTTP_RefusesAConfiguredTokenThatCouldBeGuessed(t *testing.T) {
	t.Parallel()
	listened := false
	o := options()
	o.HTTP = server.HTTPOptions{Addr: "127.0.0.1:0", Token: "fifteen-letters",
		Listening: func(net.Addr) { listened = true }}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	e := memory.AsError(server.ServeHTTP(ctx, &fakeMemory{}, o))
	if e == nil || e.Code != memory.InvalidArgument {
		t.Fatalf("%+v", e)
	}
	if listened || !strings.Contains(e.Message, "15") || !strings.Contains(e.Message, "16") ||
		strings.Contains(e.Message+e.Hint, o.HTTP.Token) ||
		!strings.Contains(e.Hint, "MEMORY_GRAPH_TOKEN") {
		t.Errorf("listened %v, %q, %q", listened, e.Message, e.Hint)
	}
}
