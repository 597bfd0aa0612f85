//go:build linux || darwin || freebsd

package socket_test

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"memory-graph/internal/hooks/socket"
)

// question and answer are sent over the socket.
const (
	question = `{"protocol":1,"within_ms":5000,"question":{"scope":{"namespace":"n"},"message":"m","budget":1}}` + "\n"
	answer   = `{"text":"planted"}` + "\n"
)

// TestMain lets the test binary act as a process of another user.
func TestMain(m *testing.M) {
	if part := os.Getenv("SOCKET_TEST_STRANGER"); part != "" {
		if err := stranger(part, os.Args[1]); err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// stranger acts as another user. It asks at a path and prints the answer, or listens there and answers everything.
func stranger(part, path string) error {
	if err := syscall.Setuid(65534); err != nil {
		return err
	}
	if part == "asks" {
		conn, err := net.Dial("unix", path)
		if err != nil {
			return err
		}
		_, _ = conn.Write([]byte(question)) // a rejected client may find it closed
		got, _ := bufio.NewReader(conn).ReadString('\n')
		fmt.Printf("got %q\n", got)
		return nil
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return err
	}
	fmt.Println("listens")
	conn, err := l.Accept()
	if err != nil {
		return err
	}
	got, _ := bufio.NewReader(conn).ReadString('\n')
	_, _ = conn.Write([]byte(answer))
	fmt.Printf("got %q\n", got)
	return nil
}

// another starts a process as another user, which requires root.
func another(t *testing.T, part, path string) (says func() string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can start a process of another user")
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], path)
	cmd.Env = append(os.Environ(), "SOCKET_TEST_STRANGER="+part)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	lines := bufio.NewReader(out)
	return func() string {
		line, _ := lines.ReadString('\n')
		return line
	}
}

// opened lets all users access a directory, as may happen by mistake while a server runs.
func opened(t *testing.T, paths ...string) {
	t.Helper()
	for _, p := range paths {
		if err := os.Chmod(p, 0o777); err != nil {
			t.Fatal(err)
		}
	}
}

func TestServe_AnswersNoOtherUser(t *testing.T) {
	t.Parallel()
	path := socket.Beside(dir(t))
	serving(t, path, saying("private"))
	until(t, path, "private")
	opened(t, filepath.Dir(path), path)
	if got := another(t, "asks", path)(); got != "got \"\"\n" {
		t.Errorf("another user %s", got)
	}
}

func TestAsk_AsksNoOtherUser(t *testing.T) {
	t.Parallel()
	path := socket.Beside(dir(t))
	opened(t, filepath.Dir(path))
	says := another(t, "answers", path)
	if got := says(); got != "listens\n" {
		t.Fatal(got)
	}
	if err := os.Chmod(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if text, err := ask(t, path, socket.ContextRequest{Message: "secret"}); err == nil ||
		!strings.Contains(err.Error(), "belongs to another user") {
		t.Errorf("another user's socket is asked: %q, %v", text, err)
	}
	if err := os.Lchown(path, 0, 0); err != nil { // what a client sees if it is redirected after the check
		t.Fatal(err)
	}
	if text, err := ask(t, path, socket.ContextRequest{Message: "secret"}); err == nil ||
		!strings.Contains(err.Error(), "the other end of the socket belongs to another user (uid 65534") {
		t.Errorf("another user's process is asked: %q, %v", text, err)
	}
	if got := says(); strings.Contains(got, "secret") {
		t.Errorf("another user %s", got)
	}
}

func TestServe_TakesTheRightsOfOthersAwayAndReplacesWhatIsNoSocketOfItsOwn(t *testing.T) {
	t.Parallel()
	elsewhere := socket.Beside(dir(t))
	serving(t, elsewhere, saying("elsewhere"))
	until(t, elsewhere, "elsewhere")
	for name, lay := range map[string]func(path string) error{
		"a link to another server": func(path string) error { return os.Symlink(elsewhere, path) },
		"a file":                   func(path string) error { return os.WriteFile(path, nil, 0o600) },
		"a named pipe":             func(path string) error { return syscall.Mkfifo(path, 0o600) },
	} {
		path := socket.Beside(dir(t))
		opened(t, filepath.Dir(path))
		if err := lay(path); err != nil {
			t.Fatal(err)
		}
		if text, err := ask(t, path, socket.ContextRequest{}); err == nil {
			t.Errorf("%s answers %q", name, text)
		}
		serving(t, path, saying("here"))
		until(t, path, "here")
		for p, want := range map[string]os.FileMode{path: 0o600 | os.ModeSocket, filepath.Dir(path): 0o700 | os.ModeDir} {
			if info, err := os.Lstat(p); err != nil || info.Mode() != want {
				t.Errorf("%s: the mode of %s is %v, %v", name, p, info.Mode(), err)
			}
		}
	}
}

func TestServe_UsesNoLinkForADirectory(t *testing.T) {
	t.Parallel()
	target := dir(t)
	link := filepath.Join(dir(t), "link")
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	path := socket.Beside(target)
	serving(t, path, saying("here"))
	until(t, path, "here")
	if text, err := ask(t, socket.Beside(link), socket.ContextRequest{}); err == nil ||
		!strings.Contains(err.Error(), "is a symbolic link") {
		t.Errorf("through a link it answers %q, %v", text, err)
	}
}
