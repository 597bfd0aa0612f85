package server

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"memory-graph/tools"
)

// listen starts a server and lets change modify settings that Options does not have.
func listen(t *testing.T, change func(*httpServer)) (addr string) {
	t.Helper()
	o := Options{Tools: tools.Defaults(), HTTP: HTTPOptions{Addr: "127.0.0.1:0", SSE: true}}.withDefaults()
	h, err := newHTTP(struct{ tools.Memory }{}, o, newBearer(secret))
	if err != nil {
		t.Fatal(err)
	}
	change(h)
	lis, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- h.serve(ctx, newDoor(lis, h.places)) }()
	t.Cleanup(func() {
		stop()
		if err := <-served; err != nil {
			t.Errorf("serve: %v", err)
		}
	})
	return lis.Addr().String()
}

func isTimeout(err error) bool {
	ne, ok := err.(net.Error)
	return ok && ne.Timeout()
}

const secret = "0123456789abcdef-secret"

// ask sends raw bytes over a new connection and returns the answer's header.
func ask(t *testing.T, addr, raw string) (*http.Response, *bufio.Reader) {
	t.Helper()
	c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if err := c.SetDeadline(time.Now().Add(20 * time.Second)); err != nil { // only a failing test waits this long
		t.Fatal(err)
	}
	if _, err := io.WriteString(c, raw); err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(c)
	resp, err := http.ReadResponse(r, nil)
	if err != nil {
		t.Fatalf("no answer to %.60q: %v", raw, err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	return resp, r
}

const ours = "Host: 127.0.0.1\r\nAuthorization: Bearer " + secret + "\r\nContent-Type: application/json\r\n"

func TestHTTP_GivesUpOnABodyThatDoesNotCome(t *testing.T) {
	t.Parallel()
	addr := listen(t, func(h *httpServer) { h.bodyTime = 50 * time.Millisecond })
	for request, want := range map[string]int{
		"POST /mcp":     http.StatusRequestTimeout,
		"POST /message": http.StatusRequestTimeout,
		"DELETE /mcp":   http.StatusRequestTimeout,
		"GET /mcp":      http.StatusRequestTimeout,
		"GET /sse":      http.StatusRequestTimeout,
		"POST /unknown": http.StatusNotFound, // the server waits for the body of an answered request, too
	} {
		for _, size := range []string{"Content-Length: 100", "Transfer-Encoding: chunked"} {
			resp, r := ask(t, addr, request+" HTTP/1.1\r\n"+ours+size+"\r\n\r\n")
			if _, err := io.Copy(io.Discard, resp.Body); err != nil || resp.StatusCode != want {
				t.Errorf("%s, %s: status %d, want %d, %v", request, size, resp.StatusCode, want, err)
			}
			if _, err := r.ReadByte(); err == nil || isTimeout(err) {
				t.Errorf("%s, %s: the connection stays open: %v", request, size, err)
			}
		}
	}
}

func TestHTTP_BoundsEventStreams(t *testing.T) {
	t.Parallel()
	addr := listen(t, func(h *httpServer) { h.streams = make(chan struct{}, 2) })
	for i, want := range []int{200, 200, 503, 503} {
		if resp, _ := ask(t, addr, "GET /sse HTTP/1.1\r\n"+ours+"\r\n"); resp.StatusCode != want {
			t.Errorf("stream %d: status %d, want %d", i+1, resp.StatusCode, want)
		}
	}
	const ping = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}`
	if resp, _ := ask(t, addr, "POST /mcp HTTP/1.1\r\n"+ours+"Content-Length: "+strconv.Itoa(len(ping))+"\r\n\r\n"+
		ping); resp.StatusCode != 200 {
		t.Errorf("a request while all streams are open: status %d", resp.StatusCode)
	}
}

// deadlines records the deadlines that are set.
type deadlines struct {
	http.ResponseWriter
	reads, writes []time.Time
}

func (d *deadlines) SetReadDeadline(t time.Time) error { d.reads = append(d.reads, t); return nil }

func (d *deadlines) SetWriteDeadline(t time.Time) error { d.writes = append(d.writes, t); return nil }
func (d *deadlines) Header() http.Header                { return http.Header{} }
func (d *deadlines) Write(p []byte) (int, error)        { return len(p), nil }
func (d *deadlines) Flush()                             {}

// A leftover deadline would end a stream that answers this body, and interrupt the next request.
func TestReadBody_TheTimeForABodyEndsWithIt(t *testing.T) {
	t.Parallel()
	d := &deadlines{}
	body, status, _ := readBody(d, httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader("text")), 10,
		time.Minute)
	if string(body) != "text" || status != 0 {
		t.Fatalf("%q, status %d", body, status)
	}
	if len(d.reads) != 2 || d.reads[0].IsZero() || !d.reads[1].IsZero() {
		t.Errorf("deadlines %v", d.reads)
	}
}

func TestSteady_EveryPartOfAnAnswerHasItsOwnTime(t *testing.T) {
	t.Parallel()
	d := &deadlines{}
	w := newSteady(d)
	for range 3 {
		if _, err := w.Write([]byte("data")); err != nil {
			t.Fatal(err)
		}
		w.Flush()
	}
	if len(d.writes) != 7 || !d.writes[6].After(d.writes[0]) {
		t.Errorf("deadlines %v", d.writes)
	}
}
