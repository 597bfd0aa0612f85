package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"memory-graph/internal/server"
	"memory-graph/tools"
)

func TestMain(m *testing.M) {
	if os.Getenv(serveEnv) != "" {
		serveForChild()
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		if programDir != "" {
			_ = os.RemoveAll(programDir) // best effort: the directory is temporary
		}
		os.Exit(code)
	}))
}

func options() server.Options { return server.Options{Tools: tools.Defaults(), Version: "test"} }

// answer is any message from the server.
type answer struct {
	ID     any             `json:"id"`
	Method string          `json:"method"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// exchange sends input as the whole of stdin and returns the lines of stdout.
func exchange(t *testing.T, mem tools.Memory, input string) []answer {
	t.Helper()
	var out bytes.Buffer
	if err := server.ServeStdio(t.Context(), mem, options(), strings.NewReader(input), &out); err != nil {
		t.Fatalf("ServeStdio: %v", err)
	}
	return parse(t, out.String())
}

func parse(t *testing.T, out string) []answer {
	t.Helper()
	var list []answer
	for line := range strings.Lines(out) {
		var a answer
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatalf("stdout contains a line that is not JSON-RPC: %q", line)
		}
		list = append(list, a)
	}
	return list
}

const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"probe","version":"7"}}}` + "\n"

func call(id int, tool string, args map[string]any) string {
	b, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": "tools/call",
		"params": map[string]any{"name": tool, "arguments": args}})
	if err != nil {
		panic(err)
	}
	return string(b) + "\n"
}

func TestStdio_AnswersEveryPipelinedCallInOrderBeforeEOF(t *testing.T) {
	t.Parallel()
	const pairs = 200
	var in strings.Builder
	in.WriteString(hello)
	for i := range pairs {
		in.WriteString(call(2*i+1, "store_episode", map[string]any{"content": fmt.Sprintf("marker-%d-end", i)}))
		in.WriteString(call(2*i+2, "retrieve", map[string]any{"query": fmt.Sprintf("marker-%d-end", i)}))
	}
	got := exchange(t, &fakeMemory{}, strings.TrimSuffix(in.String(), "\n")) // the last line needs no newline
	if len(got) != 2*pairs+1 {
		t.Fatalf("%d answers to %d requests", len(got), 2*pairs+1)
	}
	for i, a := range got {
		if a.ID != float64(i) {
			t.Fatalf("answer %d has id %v: calls ran out of order", i, a.ID)
		}
		if i > 0 && i%2 == 0 && !bytes.Contains(a.Result, []byte("marker-")) {
			t.Errorf("read %d missed the write before it: %s", i, a.Result)
		}
	}
}

func TestStdio_AnswersWhatTheToolsDoNotNeedWhileACallWaits(t *testing.T) {
	t.Parallel()
	mem := &fakeMemory{locked: make(chan struct{})}
	host := connect(t, t.Context(), mem)
	host.send(hello + call(1, "retrieve", nil) + `{"jsonrpc":"2.0","id":2,"method":"ping"}` + "\n" +
		`{"jsonrpc":"2.0","id":3,"method":"tools/list"}` + "\n")
	seen := map[any]bool{}
	for range 3 {
		seen[host.next().ID] = true
	}
	if !seen[0.0] || !seen[2.0] || !seen[3.0] {
		t.Fatalf("answered while the database was locked: %v, want 0, 2 and 3", seen)
	}
	close(mem.locked)
	if a := host.next(); a.ID != 1.0 || a.Error != nil {
		t.Errorf("the call that waited was answered with %+v", a)
	}
	host.end()
}

func TestStdio_AnswersNoCancelledCall(t *testing.T) {
	t.Parallel()
	mem := &fakeMemory{locked: make(chan struct{}), waiting: make(chan struct{}, 3)}
	host := connect(t, t.Context(), mem)
	cancel := func(id string) {
		host.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}` + "\n")
	}
	host.send(hello + call(1, "retrieve", nil) + call(2, "store_episode", map[string]any{"content": "cancelled"}) +
		call(3, "retrieve", nil))
	host.next()
	<-mem.waiting // 1 runs, 2 and 3 wait for it
	cancel("2")
	cancel("99")
	cancel("{}")
	cancel("1")
	<-mem.waiting // 3 runs
	close(mem.locked)
	if a := host.next(); a.ID != 3.0 || a.Error != nil {
		t.Errorf("after two cancelled calls came %+v", a)
	}
	if stored := mem.stored(); len(stored) > 0 {
		t.Errorf("a call that was cancelled while it waited stored %v", stored)
	}
	host.end()
}

func TestStdio_EndsCleanlyWhenTold(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	mem := &fakeMemory{locked: make(chan struct{})}
	host := connect(t, ctx, mem)
	host.send(hello + call(1, "store_episode", map[string]any{"content": "under way"}) + call(2, "store_episode",
		map[string]any{"content": "behind it"}))
	host.next()
	host.send(`{"jsonrpc":"2.0","id":3,"method":"ping"}` + "\n")
	host.next() // the calls before it have been read
	cancel()
	close(mem.locked)
	if a, b := host.next(), host.next(); a.ID != 1.0 || b.ID != 2.0 {
		t.Errorf("running calls were answered with %+v and %+v", a, b)
	}
	host.end()
}

func TestStdio_GivesUpOnCallsAfterTheGraceTime(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	o := options()
	o.Grace = time.Millisecond
	in, w := io.Pipe()
	defer w.Close()
	served := make(chan error, 1)
	mem := &fakeMemory{locked: make(chan struct{}), waiting: make(chan struct{}, 1)}
	go func() { served <- server.ServeStdio(ctx, mem, o, in, io.Discard) }()
	if _, err := io.WriteString(w, hello+call(1, "retrieve", nil)); err != nil {
		t.Fatal(err)
	}
	<-mem.waiting
	cancel()
	if err := <-served; err != nil {
		t.Errorf("ServeStdio: %v", err)
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestStdio_EndsWhenNobodyReads(t *testing.T) {
	t.Parallel()
	in, w := io.Pipe()
	defer w.Close()
	served := make(chan error, 1)
	go func() { served <- server.ServeStdio(t.Context(), &fakeMemory{}, options(), in, brokenPipe{}) }()
	if _, err := io.WriteString(w, hello); err != nil {
		t.Fatal(err)
	}
	if err := <-served; err == nil || !strings.Contains(err.Error(), "broken pipe") {
		t.Errorf("ServeStdio: %v, want the failed write", err)
	}
}

func TestStdio_SurvivesWhatIsNotProtocol(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 5<<20)
	for name, tc := range map[string]struct {
		line string
		want string // in the answer; "" for none
	}{
		"garbage":        {`hello?`, `-32700`},
		"half an object": {`{"jsonrpc":"2.0","id":1`, `-32700`},
		"blank":          {"  \t\r", ``},
		"a batch":        {`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, `-32600`},
		"a number":       {`42`, `-32600`},
		"null":           {`null`, `-32600`},
		"no version":     {`{"id":1,"method":"ping"}`, `-32600`},
		"no method":      {`{"jsonrpc":"2.0","id":1}`, `-32600`},
		"odd method":     {`{"jsonrpc":"2.0","id":1,"method":7}`, `-32600`},
		"null id":        {`{"jsonrpc":"2.0","id":null,"method":"ping"}`, `-32600`},
		"object as id":   {`{"jsonrpc":"2.0","id":{"a":1},"method":"tools/call"}`, `-32600`},
		"an answer":      {`{"jsonrpc":"2.0","id":9,"result":{}}`, ``},
		"unknown method": {`{"jsonrpc":"2.0","id":1,"method":"no/such"}`, `-32601`},
		"unknown note":   {`{"jsonrpc":"2.0","method":"notifications/no-such"}`, ``},
		"unknown tool":   {call(1, "no_such_tool", nil), `-32602`},
		"params a list":  {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[1]}`, `-32`},
		"arguments a list": {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"retrieve","arguments":[1]}}`,
			`invalid_argument`},
		"5 MB of garbage": {long, `-32700`},
		"5 MB of content": {call(1, "store_episode", map[string]any{"content": long}), `too_large`},
		"20 MB line":      {strings.Repeat(long, 4), `longer than`},
		"deep": {
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"retrieve","arguments":{"query":` +
				strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}}}`, `invalid_argument`},
		"too deep": {`{"jsonrpc":"2.0","id":1,"method":"ping","params":` +
			strings.Repeat("[", 1<<20) + strings.Repeat("]", 1<<20) + `}`, `-32700`},
		"invalid UTF-8": {
			"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"store_episode\",\"arguments\":{\"content\":\"a\xff\xfeb\"}}}", `not valid UTF-8`},
		"NUL bytes":       {"\x00\x00\x01", `-32700`},
		"a panic":         {call(1, "store_episode", map[string]any{"content": "PANIC"}), `\"code\":\"internal\"`},
		"our own failure": {call(1, "store_episode", map[string]any{"content": "FAIL"}), `\"code\":\"internal\"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			in := hello + strings.TrimSuffix(tc.line, "\n") + "\n" + `{"jsonrpc":"2.0","id":77,"method":"ping"}` + "\n"
			if err := server.ServeStdio(t.Context(), &fakeMemory{}, options(), strings.NewReader(in), &out); err != nil {
				t.Fatalf("ServeStdio: %v", err)
			}
			var rest []string
			ping := false
			for line := range strings.Lines(out.String()) {
				switch {
				case strings.Contains(line, `"id":77`):
					ping = true
				case !strings.Contains(line, `"id":0,`):
					rest = append(rest, line)
				}
			}
			parse(t, out.String())
			if !ping {
				t.Error("the server stopped answering")
			}
			switch {
			case tc.want == "" && len(rest) > 0:
				t.Errorf("answered with %s, want silence", rest)
			case tc.want != "" && (len(rest) != 1 || !strings.Contains(strings.ReplaceAll(rest[0], `"`, `\"`)+rest[0], tc.want)):
				t.Errorf("answered with %.300q, want one with %s", rest, tc.want)
			}
			if strings.Contains(out.String(), "secret cause") || strings.Contains(out.String(), "goroutine") ||
				strings.Contains(out.String(), "told to") {
				t.Errorf("the caller sees the cause: %s", rest)
			}
		})
	}
}

func TestStdio_NotesWhichHostCalls(t *testing.T) {
	t.Parallel()
	mem := &fakeMemory{}
	exchange(t, mem, hello+call(1, "store_episode", map[string]any{"content": "a"})+call(2, "store_episode",
		map[string]any{"content": "b"}))
	turns := mem.stored()
	if len(turns) != 2 || turns[0].Caller.Client != "probe 7" || turns[0].Caller.Actor != "tool" {
		t.Fatalf("caller: %+v", turns)
	}
	if a, b := turns[0].Caller.CallID, turns[1].Caller.CallID; a == "" || a == b {
		t.Errorf("two calls have the ids %q and %q", a, b)
	}
}

// host is the other end of a connection.
type host struct {
	t      *testing.T
	in     *io.PipeWriter
	out    *json.Decoder
	served chan error
}

func connect(t *testing.T, ctx context.Context, mem tools.Memory) *host {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	h := &host{t: t, in: inW, out: json.NewDecoder(outR), served: make(chan error, 1)}
	go func() {
		h.served <- server.ServeStdio(ctx, mem, options(), inR, outW)
		outW.Close()
	}()
	t.Cleanup(func() { inW.Close(); outR.Close() })
	return h
}

func (h *host) send(lines string) {
	if _, err := io.WriteString(h.in, lines); err != nil {
		h.t.Errorf("send: %v", err)
	}
}

func (h *host) next() (a answer) {
	if err := h.out.Decode(&a); err != nil {
		h.t.Errorf("no answer: %v", err)
	}
	return a
}

// end closes the connection from the host's side and checks that the server ends without an error.
func (h *host) end() {
	h.t.Helper()
	h.in.Close()
	if err := <-h.served; err != nil {
		h.t.Errorf("ServeStdio: %v", err)
	}
}
