package server_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"memory-graph/internal/memory"
	"memory-graph/internal/server"
	"memory-graph/tools"
)

const token = "0123456789abcdef-token"

// serveHTTP starts a server on a free port. It returns the server's URL and a function that stops it.
func serveHTTP(t *testing.T, mem tools.Memory, change func(*server.Options)) (addr string, stop func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	listening := make(chan net.Addr, 1)
	o := options()
	o.HTTP = server.HTTPOptions{Addr: "127.0.0.1:0", Token: token, Listening: func(a net.Addr) { listening <- a }}
	if change != nil {
		change(&o)
	}
	served := make(chan error, 1)
	go func() { served <- server.ServeHTTP(ctx, mem, o) }()
	select {
	case a := <-listening:
		addr = a.String()
	case err := <-served:
		t.Fatalf("ServeHTTP: %v", err)
	}
	stopped := false
	stop = func() error {
		if stopped {
			return nil
		}
		stopped = true
		cancel()
		return <-served
	}
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Errorf("ServeHTTP: %v", err)
		}
	})
	return addr, stop
}

// post sends one message to /mcp; headers override the usual ones.
func post(t *testing.T, addr, body string, headers map[string]string) (int, string, http.Header) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+addr+"/mcp", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Authorization", "Bearer "+token)
	for k, v := range headers {
		if k == "Host" {
			req.Host = v
		} else {
			req.Header.Set(k, v)
		}
	}
	tr := &http.Transport{}
	defer tr.CloseIdleConnections()
	resp, err := (&http.Client{Transport: tr}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(b), resp.Header
}

func TestHTTP_LetsInOnlyWhoMayCall(t *testing.T) {
	t.Parallel()
	addr, _ := serveHTTP(t, &fakeMemory{}, func(o *server.Options) { o.HTTP.MaxBodyBytes = 4096 })
	_, port, _ := net.SplitHostPort(addr)
	for name, tc := range map[string]struct {
		headers map[string]string
		body    string
		want    int
	}{
		"as it should be":       {nil, hello, 200},
		"another loopback name": {map[string]string{"Host": "localhost:" + port}, hello, 200},
		"IPv6 loopback":         {map[string]string{"Host": "[::1]:" + port}, hello, 200},
		"our own page":          {map[string]string{"Origin": "http://" + addr}, hello, 200},
		"another local page":    {map[string]string{"Origin": "http://localhost:6274"}, hello, 200},
		"no token":              {map[string]string{"Authorization": ""}, hello, 401},
		"wrong token":           {map[string]string{"Authorization": "Bearer " + token + "x"}, hello, 401},
		"part of the token":     {map[string]string{"Authorization": "Bearer " + token[:5]}, hello, 401},
		"basic":                 {map[string]string{"Authorization": "Basic " + token}, hello, 401},
		"lower case scheme":     {map[string]string{"Authorization": "bearer " + token}, hello, 200},
		"rebound name":          {map[string]string{"Host": "evil.example:" + port}, hello, 403},
		"rebound name, bare":    {map[string]string{"Host": "evil.example"}, hello, 403},
		"name with our address": {map[string]string{"Host": "127.0.0.1.evil.example"}, hello, 403},
		"foreign page":          {map[string]string{"Origin": "https://evil.example"}, hello, 403},
		"sandboxed page":        {map[string]string{"Origin": "null"}, hello, 403},
		"cross-site":            {map[string]string{"Sec-Fetch-Site": "cross-site"}, hello, 403},
		"foreign page, no key":  {map[string]string{"Origin": "https://evil.example", "Authorization": ""}, hello, 403},
		"too large":             {nil, call(1, "store_episode", map[string]any{"content": strings.Repeat("x", 5000)}), 413},
		"not JSON":              {nil, "{", 400},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status, body, header := post(t, addr, tc.body, tc.headers)
			if status != tc.want {
				t.Errorf("status %d, want %d: %s", status, tc.want, body)
			}
			if status == 401 && header.Get("WWW-Authenticate") == "" {
				t.Error("401 without WWW-Authenticate")
			}
			if h := header.Get("Access-Control-Allow-Origin"); h != "" {
				t.Errorf("pages of %s may read the answer", h)
			}
		})
	}
}

func TestHTTP_PublicServersAreAskedByTheNameOfTheirProxy(t *testing.T) {
	t.Parallel()
	addr, _ := serveHTTP(t, &fakeMemory{}, func(o *server.Options) { o.HTTP.Addr, o.HTTP.Public = "0.0.0.0:0", true })
	_, port, _ := net.SplitHostPort(addr)
	for _, tc := range []struct {
		headers map[string]string
		want    int
	}{
		{map[string]string{"Host": "memory.example"}, 200},
		{map[string]string{"Host": "memory.example", "Origin": "https://memory.example"}, 200},
		{map[string]string{"Host": "memory.example", "Origin": "https://evil.example"}, 403},
		{map[string]string{"Host": "memory.example", "Authorization": ""}, 401},
	} {
		if status, body, _ := post(t, "127.0.0.1:"+port, hello, tc.headers); status != tc.want {
			t.Errorf("%v: status %d, want %d: %s", tc.headers, status, tc.want, body)
		}
	}
}

func TestHTTP_CutsABodyWithoutALengthAtTheLimit(t *testing.T) {
	t.Parallel()
	mem := &fakeMemory{}
	addr, _ := serveHTTP(t, mem, func(o *server.Options) { o.HTTP.MaxBodyBytes = 4096 })
	body := struct{ io.Reader }{strings.NewReader(call(1, "store_episode",
		map[string]any{"content": strings.Repeat("x", 5000)}))}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+addr+"/mcp", body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+token)
	tr := &http.Transport{}
	defer tr.CloseIdleConnections()
	resp, err := tr.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode < 400 || len(mem.stored()) > 0 {
		t.Errorf("status %d, stored %d", resp.StatusCode, len(mem.stored()))
	}
}

func TestHTTP_RefusesAddressesThatOthersReach(t *testing.T) {
	t.Parallel()
	for _, tc := range []server.HTTPOptions{
		{Addr: ":0", Token: token}, {Addr: "0.0.0.0:0", Token: token}, {Addr: "[::]:0", Token: token}, {Addr: "192.0.2.1:0",
			Token: token},
		{Addr: "memory.example:0", Token: token}, {Addr: "0.0.0.0:0", Public: true,
			TokenFile: filepath.Join(t.TempDir(), "token")}, {Addr: "8765", Token: token},
	} {
		o := options()
		o.HTTP = tc
		err := server.ServeHTTP(t.Context(), &fakeMemory{}, o)
		if e := memory.AsError(err); e == nil || e.Code != memory.InvalidArgument || e.Hint == "" {
			t.Errorf("%s, public %v: %v", tc.Addr, tc.Public, err)
		}
	}
}

func TestHTTP_SaysWhenThePortIsTaken(t *testing.T) {
	t.Parallel()
	addr, _ := serveHTTP(t, &fakeMemory{}, nil)
	o := options()
	o.HTTP = server.HTTPOptions{Addr: addr, Token: token}
	if e := memory.AsError(server.ServeHTTP(t.Context(), &fakeMemory{}, o)); e == nil || e.Code != memory.Unavailable ||
		!strings.Contains(e.Message, addr) {
		t.Errorf("%+v", e)
	}
}

func TestHTTP_MakesATokenOnceAndKeepsItToItself(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "deeper", "token")
	var first string
	for range 2 {
		var notices bytes.Buffer
		addr, stop := serveHTTP(t, &fakeMemory{}, func(o *server.Options) {
			o.HTTP.Token, o.HTTP.TokenFile, o.HTTP.Notices = "", file, &notices
		})
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		made := strings.TrimSpace(string(b))
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
			t.Errorf("mode %v, %v", info.Mode(), err)
		}
		if first == "" {
			first = made
			if err := os.Chmod(file, 0o644); err != nil { // the next start removes these rights
				t.Fatal(err)
			}
		}
		if made != first || len(made) < 40 {
			t.Errorf("token %q, first %q", made, first)
		}
		if status, body, _ := post(t, addr, hello, map[string]string{"Authorization": "Bearer " + made}); status != 200 {
			t.Errorf("status %d: %s", status, body)
		}
		if err := stop(); err != nil {
			t.Errorf("ServeHTTP: %v", err)
		}
		if s := notices.String(); !strings.Contains(s, file) || strings.Contains(s, made) || !strings.Contains(s, addr) {
			t.Errorf("notices %q", s)
		}
	}
	left, err := os.ReadDir(filepath.Dir(file))
	if err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if err := os.WriteFile(file, []byte("short\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	o := options()
	o.HTTP = server.HTTPOptions{Addr: "127.0.0.1:0", TokenFile: file}
	if e := memory.AsError(server.ServeHTTP(t.Context(), &fakeMemory{}, o)); e == nil || e.Code != memory.Unavailable ||
		!strings.Contains(e.Message, file) {
		t.Errorf("a token file without a token: %+v", e)
	}
	if o.HTTP.TokenFile = t.TempDir(); runtime.GOOS == "windows" {
		return // Windows cannot open a directory as a file
	}
	if e := memory.AsError(server.ServeHTTP(t.Context(), &fakeMemory{}, o)); e == nil ||
		!strings.Contains(e.Message, "it is a directory, not a file") {
		t.Errorf("a directory instead of the token file: %+v", e)
	}
}

func TestHTTP_FinishesACallUnderWayWhenTold(t *testing.T) {
	t.Parallel()
	mem := &fakeMemory{locked: make(chan struct{}), waiting: make(chan struct{}, 1)}
	addr, stop := serveHTTP(t, mem, nil)
	status, _, header := post(t, addr, hello, nil)
	if status != 200 {
		t.Fatalf("initialize: %d", status)
	}
	type reply struct {
		status int
		body   string
	}
	replied := make(chan reply, 1)
	go func() {
		status, body, _ := post(t, addr, call(1, "store_episode", map[string]any{"content": "under way"}),
			map[string]string{"Mcp-Session-Id": header.Get("Mcp-Session-Id")})
		replied <- reply{status, body}
	}()
	<-mem.waiting
	ended := make(chan error, 1)
	go func() { ended <- stop() }()
	close(mem.locked)
	if r := <-replied; r.status != 200 || !strings.Contains(r.body, "t1") {
		t.Errorf("the call was answered with %d %s", r.status, r.body)
	}
	if err := <-ended; err != nil {
		t.Errorf("ServeHTTP: %v", err)
	}
}

func TestHTTP_OffersTheOlderTransportWhereAskedFor(t *testing.T) {
	t.Parallel()
	for _, on := range []bool{false, true} {
		addr, _ := serveHTTP(t, &fakeMemory{}, func(o *server.Options) { o.HTTP.SSE = on })
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+addr+"/sse", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+token)
		tr := &http.Transport{}
		resp, err := tr.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		if on {
			line := make([]byte, 64)
			n, err := resp.Body.Read(line)
			if resp.StatusCode != 200 || err != nil || !strings.HasPrefix(string(line[:n]), "event: endpoint") {
				t.Errorf("status %d, %q, %v", resp.StatusCode, line[:n], err)
			}
			if h := resp.Header.Get("Access-Control-Allow-Origin"); h != "" {
				t.Errorf("pages of %s may read the stream", h)
			}
		} else if resp.StatusCode != 404 {
			t.Errorf("without --sse: status %d", resp.StatusCode)
		}
		resp.Body.Close()
		tr.CloseIdleConnections()
	}
}

func ExampleServeHTTP() {
	ctx, cancel := context.WithCancel(context.Background())
	o := server.Options{Tools: tools.Defaults()}
	o.HTTP = server.HTTPOptions{Addr: "127.0.0.1:0", Token: token, Listening: func(net.Addr) { cancel() }}
	fmt.Println(server.ServeHTTP(ctx, &fakeMemory{}, o))
	// Output: <nil>
}

func TestHTTP_TakesARotatedTokenWithTheNextRequest(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "token")
	addr, _ := serveHTTP(t, &fakeMemory{}, func(o *server.Options) { o.HTTP.Token, o.HTTP.TokenFile = "", file })
	ask := func(token string) int {
		t.Helper()
		status, _, _ := post(t, addr, hello, map[string]string{"Authorization": "Bearer " + token})
		return status
	}
	first, err := server.ReadToken(file)
	if err != nil || ask(first) != 200 {
		t.Fatalf("%q, %v", first, err)
	}
	second, err := server.RotateToken(file)
	if err != nil || second == first {
		t.Fatalf("%q, %v", second, err)
	}
	if old, now := ask(first), ask(second); old != 401 || now != 200 {
		t.Errorf("old token %d, new token %d", old, now)
	}
	for _, content := range []string{"short", ""} { // neither locks anybody out nor lets anybody in
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if wrong, now := ask(content), ask(second); wrong != 401 || now != 200 {
			t.Errorf("%q: %d, the token before it: %d", content, wrong, now)
		}
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if now := ask(second); now != 200 {
		t.Errorf("without the file: %d", now)
	}
}
