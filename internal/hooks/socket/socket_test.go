package socket_test

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/hooks/socket"
	"memory-graph/internal/memory"
	"memory-graph/internal/waitfor"
)

const patience = 20 * time.Second

// dir returns a directory with a path short enough for a socket. Directories of tests may be too long.
func dir(t *testing.T) string {
	t.Helper()
	d, err := os.MkdirTemp("", "mg")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(d) })
	return d
}

func ask(t *testing.T, path string, q socket.ContextRequest) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	return socket.Ask(ctx, path, q)
}

// serving answers at a path until the returned function is called.
func serving(t *testing.T, path string, answer socket.Answer) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- socket.Serve(ctx, path, answer) }()
	var once sync.Once
	stop = func() {
		once.Do(func() {
			cancel()
			select {
			case err := <-done:
				if err != nil {
					t.Error(err)
				}
			case <-time.After(patience):
				t.Error("the server does not end")
			}
		})
	}
	t.Cleanup(stop)
	return stop
}

func saying(s string) socket.Answer {
	return func(context.Context, socket.ContextRequest) (string, error) { return s, nil }
}

// until asks until it gets the expected answer.
func until(t *testing.T, path, want string) {
	t.Helper()
	got, err := "", error(nil)
	if !waitfor.Within(waitfor.Patience, func() bool {
		got, err = ask(t, path, socket.ContextRequest{})
		return err == nil && got == want
	}) {
		t.Fatalf("the answer stays %q, %v; want %q", got, err, want)
	}
}

func TestAsk_GetsWhatTheServerAnswers(t *testing.T) {
	t.Parallel()
	path := socket.Beside(dir(t))
	var got socket.ContextRequest
	serving(t, path, func(_ context.Context, q socket.ContextRequest) (string, error) {
		switch q.Message {
		case "fail":
			return "", errors.New("the disk is full")
		case "panic":
			panic("a mistake of ours")
		}
		got = q
		return "<b>\n" + strings.Repeat("x", 1<<20), nil
	})
	until(t, path, "<b>\n"+strings.Repeat("x", 1<<20))
	want := socket.ContextRequest{Scope: memory.Scope{Namespace: "n", Project: "p", User: "u", SessionID: "s"},
		Message: strings.Repeat("é\x00\"", 1<<18), Budget: 7}
	if text, err := ask(t, path, want); err != nil || len(text) != 1<<20+4 {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the server is asked (-want +got):\n%.300s", diff)
	}
	if _, err := ask(t, path, socket.ContextRequest{Message: "panic"}); err == nil ||
		!strings.Contains(err.Error(), "internal error") {
		t.Errorf("a panic comes as %v", err)
	}
	if _, err := ask(t, path, socket.ContextRequest{Message: "fail"}); err == nil ||
		!strings.Contains(err.Error(), "disk is full") {
		t.Errorf("an error comes as %v", err)
	}
}

func TestAsk_DoesNotWaitForWhoIsNotThere(t *testing.T) {
	t.Parallel()
	path := socket.Beside(dir(t))
	if _, err := ask(t, path, socket.ContextRequest{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("nobody ever was: %v", err)
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := ask(t, path, socket.ContextRequest{}); err == nil {
		t.Error("a killed server's file answers")
	}
	tooLong := filepath.Join(filepath.Dir(path), strings.Repeat("x", 120))
	if _, err := ask(t, tooLong, socket.ContextRequest{}); !errors.Is(err,
		socket.ErrTooLong) {
		t.Errorf("a long path: %v", err)
	}
	if err := socket.Serve(t.Context(), filepath.Join(filepath.Dir(path), strings.Repeat("x", 120)),
		saying("")); !errors.Is(err, socket.ErrTooLong) {
		t.Errorf("a long path: %v", err)
	}
	if _, err := socket.Ask(context.Background(), path, socket.ContextRequest{}); err == nil {
		t.Error("a question without an end")
	}
}

func TestAsk_EndsWithItsTime(t *testing.T) {
	t.Parallel()
	path := socket.Beside(dir(t))
	gone := make(chan struct{}, 100)
	serving(t, path, func(ctx context.Context, q socket.ContextRequest) (string, error) {
		if q.Message == "slow" {
			<-ctx.Done()
			gone <- struct{}{}
		}
		return "quick", ctx.Err()
	})
	until(t, path, "quick")
	for range 10 { // more than atOnce
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		if _, err := socket.Ask(ctx, path, socket.ContextRequest{Message: "slow"}); err == nil {
			t.Error("no answer, and no error")
		}
		cancel()
	}
	select {
	case <-gone:
	case <-time.After(patience):
		t.Error("the server still works on a question whose client has gone")
	}
	until(t, path, "quick")
}

// One process answers. When it ends or is killed, the next one takes over.
func TestServe_HandsOver(t *testing.T) {
	t.Parallel()
	path := socket.Beside(dir(t))
	stop := serving(t, path, saying("first"))
	until(t, path, "first")
	serving(t, path, saying("second"))
	if waitfor.Within(50*time.Millisecond, func() bool {
		got, err := ask(t, path, socket.ContextRequest{})
		return err != nil || got != "first"
	}) {
		t.Error("the second server replaces the first, which is still running")
	}
	stop()
	until(t, path, "second")
	if err := os.Remove(path); err != nil { // for example by hand
		t.Fatal(err)
	}
	until(t, path, "second")
}

func TestServe_WaitsForItsDirectoryAndLeavesNothing(t *testing.T) {
	t.Parallel()
	path := socket.Beside(filepath.Join(dir(t), "later"))
	stop := serving(t, path, saying("here"))
	if waitfor.Within(20*time.Millisecond,
		func() bool { _, err := ask(t, path, socket.ContextRequest{}); return err == nil }) {
		t.Error("it answers in a directory that is not there")
	}
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	until(t, path, "here")
	stop()
	if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the server leaves its file: %v", err)
	}
}

func TestServe_SurvivesWhatIsNoQuestion(t *testing.T) {
	t.Parallel()
	path := socket.Beside(dir(t))
	serving(t, path, saying("still here"))
	until(t, path, "still here")
	for _, said := range []string{"", "\n", "null\n", "[]", "{\"protocol\":99,\"within_ms\":1000}\n", "\x00\xff",
		strings.Repeat("[", 1<<16), `{"within_ms":-5,"protocol":1}` + "\n"} {
		conn, err := net.Dial("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = conn.Write([]byte(said))
		_ = conn.Close()
	}
	until(t, path, "still here")
}
