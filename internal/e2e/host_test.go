package e2e_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// patience is how long an answer may take before the server counts as hanging; no test expects anything to be that
// fast.
const patience = 2 * time.Minute

// errGone is the answer to a call that the server did not live to give.
var errGone = errors.New("the server ended before it answered")

// host is a running server and the host's end of its stdin and stdout. Its methods are safe for concurrent use.
type host struct {
	t      testing.TB
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stderr *lockedBuffer
	read   chan struct{} // closed when stdout ended and every answer is delivered

	mu      sync.Mutex
	lastID  int
	waiting map[int]chan<- reply
	strays  []string // lines of stdout that are no protocol, or answer nothing
}

// reply is what became of one request.
type reply struct {
	id  int
	raw json.RawMessage // the result
	err error           // errGone, or the protocol error
}

// environment is what a server of these tests is started with: a home of its own and the compiled SQLite of all tests.
// Later settings win.
func environment(home string, settings ...string) []string {
	return append([]string{"HOME=" + home, "XDG_CACHE_HOME=" + cacheHome(), "LOCALAPPDATA=" + home,
		"SYSTEMROOT=" + os.Getenv("SYSTEMROOT")}, settings...)
}

// cacheHome lets the tests share SQLite's compiled module, which takes a second to make.
func cacheHome() string {
	if dir := os.Getenv("XDG_CACHE_HOME"); dir != "" {
		return dir
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return os.TempDir()
	}
	return dir
}

// newDB gives the path of a database that does not exist.
func newDB(t testing.TB) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "memory.db")
}

// start runs the server on a database. It does not wait for anything.
func start(t testing.TB, db string, settings ...string) *host {
	t.Helper()
	cmd := exec.Command(program)
	cmd.Env = environment(filepath.Dir(db), append([]string{"MEMORY_GRAPH_DB=" + db}, settings...)...)
	return run(t, cmd)
}

// run runs a command that is a server.
func run(t testing.TB, cmd *exec.Cmd) *host {
	t.Helper()
	h := &host{t: t, cmd: cmd, stderr: &lockedBuffer{}, read: make(chan struct{}), waiting: map[int]chan<- reply{}}
	cmd.Stderr = h.stderr
	var err error
	if h.stdin, err = cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go h.listen(stdout)
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // most have ended by themselves
		<-h.read
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("stderr of process %d:\n%s", cmd.Process.Pid, h.stderr.String())
		}
	})
	return h
}

func (h *host) listen(stdout io.Reader) {
	defer close(h.read)
	r := bufio.NewReader(stdout)
	for {
		line, err := r.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			h.deliver(line)
		}
		if err != nil {
			break
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for id, to := range h.waiting {
		to <- reply{id: id, err: errGone}
	}
	h.waiting = nil
}

func (h *host) deliver(line []byte) {
	var m struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      *int            `json:"id"`
		Result  json.RawMessage `json:"result"`
		Error   *struct {
			Code    int    `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
	}
	err := json.Unmarshal(line, &m)
	h.mu.Lock()
	defer h.mu.Unlock()
	if err != nil || m.JSONRPC != "2.0" || m.ID == nil || h.waiting[*m.ID] == nil {
		h.strays = append(h.strays, string(line))
		return
	}
	r := reply{id: *m.ID, raw: m.Result}
	if m.Error != nil {
		r.err = fmt.Errorf("protocol error %d: %s", m.Error.Code, m.Error.Message)
	}
	h.waiting[r.id] <- r
	delete(h.waiting, r.id)
}

// request sends a request, whose answer will come to the channel; it must have room for it. To a server that is gone
// nothing can be sent, and errGone comes.
func (h *host) request(to chan<- reply, method string, params any) (id int) {
	h.mu.Lock()
	h.lastID++
	id = h.lastID
	gone := h.waiting == nil
	if !gone {
		h.waiting[id] = to
	}
	h.mu.Unlock()
	if gone {
		to <- reply{id: id, err: errGone}
		return id
	}
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	if err != nil {
		h.t.Error(err)
	}
	h.line(line)
	return id
}

// line sends any line.
func (h *host) line(line []byte) {
	_, _ = h.stdin.Write(append(line, '\n')) // where it is gone, listen says so
}

// ask sends a request and waits for its result.
func (h *host) ask(method string, params any) (json.RawMessage, error) {
	to := make(chan reply, 1)
	h.request(to, method, params)
	select {
	case r := <-to:
		return r.raw, r.err
	case <-time.After(patience):
		return nil, fmt.Errorf("no answer to %s in %s", method, patience)
	}
}

// initialize does what a host does first.
func (h *host) initialize() {
	h.t.Helper()
	if _, err := h.ask("initialize", initializeParams); err != nil {
		h.t.Fatalf("initialize: %v", err)
	}
	h.line([]byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`))
}

var initializeParams = map[string]any{
	"protocolVersion": "2025-11-25", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "e2e",
		"version": "1"},
}

// kill ends the server as the system does when memory runs out, and waits until it is gone.
func (h *host) kill() {
	_ = h.cmd.Process.Kill() // it may have ended
	<-h.read
	_ = h.cmd.Wait() // killed, as it should be
}

// stop closes stdin, as a host does, and expects a clean end: exit code 0, every call answered, nothing but protocol.
func (h *host) stop() {
	h.t.Helper()
	if err := h.stdin.Close(); err != nil {
		h.t.Errorf("close stdin: %v", err)
	}
	h.ended()
}

// ended waits for an end that was asked for.
func (h *host) ended() {
	h.t.Helper()
	select {
	case <-h.read:
	case <-time.After(patience):
		h.t.Fatalf("the server did not end in %s", patience)
	}
	if err := h.cmd.Wait(); err != nil {
		h.t.Errorf("the server ended with %v", err)
	}
	h.onlyProtocol()
}

// onlyProtocol expects that every line so far answered something.
func (h *host) onlyProtocol() {
	h.t.Helper()
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.strays) > 0 {
		h.t.Errorf("stdout had %d lines that answer nothing, such as %.200q", len(h.strays), h.strays[0])
	}
}

// lockedBuffer is a stream that is read while a process writes to it.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
