package command

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// OffVariable is set in the environment of a command. Every memory-graph that is started with it is off: hooks answer
// and store nothing, serve refuses to start, and no command is run. Otherwise the hooks of the model's program would
// store its prompts, and the model would be asked about them.
const OffVariable = "MEMORY_GRAPH_OFF"

// DirPrefix begins the name of the directory that a command runs in. A memory-graph that is started in such a directory
// is off even if the program did not pass the environment on. The name ends with a checksum, so no other directory has
// such a name by accident, and the directory needs no file that marks it.
const DirPrefix = "memory-graph-model-"

// Inside returns how a process with this environment and working directory can tell that a command started it, as a
// clause, or "" if none did.
func Inside(env []string, dir string) string {
	if slices.ContainsFunc(env, func(e string) bool {
		return strings.HasPrefix(e, OffVariable+"=") && e != OffVariable+"="
	}) {
		return OffVariable + " is set"
	}
	name, ours := strings.CutPrefix(filepath.Base(dir), DirPrefix)
	if id, sum, ok := strings.Cut(name, "-"); ours && ok && sum == checksum(id) {
		return dir + " is a directory that memory-graph made for llm_command"
	}
	return ""
}

// checksum returns the end of the name of a command's directory.
func checksum(id string) string {
	sum := sha256.Sum256([]byte(DirPrefix + id))
	return hex.EncodeToString(sum[:6])
}

// newDir makes an empty directory for a command.
func newDir() (string, error) {
	id := strings.ToLower(rand.Text()[:12])
	dir := filepath.Join(os.TempDir(), DirPrefix+id+"-"+checksum(id))
	return dir, os.Mkdir(dir, 0o700)
}

// Environ returns the environment of a command in dir: without our own variables, some of which hold keys, and without
// those with which Claude Code recognises and refuses a session inside a session.
func Environ(env []string, dir string) []string {
	out := slices.DeleteFunc(slices.Clone(env), func(e string) bool {
		name, _, _ := strings.Cut(strings.ToUpper(e), "=")
		return strings.HasPrefix(name, "MEMORY_GRAPH_") || slices.Contains(dropped, name)
	})
	// Gemini CLI does not start in a directory that nobody trusted, even in an empty one.
	return append(out, OffVariable+"=1", "PWD="+dir, "NO_COLOR=1", "GEMINI_CLI_TRUST_WORKSPACE=true")
}

var dropped = []string{"PWD", "OLDPWD", "CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ID",
	"CLAUDE_CODE_SSE_PORT"}

// Errors of Run.
var (
	ErrNotFound = errors.New("the program is not found")
	ErrTooLong  = errors.New("it printed too much")
)

// ExitError means that the command ended with a code other than 0.
type ExitError struct {
	Code int    // -1 if a signal ended it
	Said string // the end of stderr, or the beginning of stdout if stderr is empty
}

// Error implements error.
func (e *ExitError) Error() string { return fmt.Sprintf("it ended with code %d: %s", e.Code, e.Said) }

// Limits of what is kept of a command's output besides its answer.
const (
	saidBytes = 2048            // of the reason of a failure
	afterKill = 2 * time.Second // how long to wait for the pipes of a killed or ended command
)

// Run runs a command once, with input on stdin, and returns what it printed on stdout, at most most bytes. When ctx
// ends or the command prints more, the command is killed with its whole process group. Run returns ErrNotFound,
// ErrTooLong, an *ExitError, or the cause of ctx.
func Run(ctx context.Context, args, env []string, input string, most int64) ([]byte, error) {
	program, err := exec.LookPath(args[0])
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotFound, err)
	}
	dir, err := newDir()
	if err != nil {
		return nil, fmt.Errorf("make an empty directory: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // the system cleans its temporary directory
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	out := &head{left: most, over: func() { stop(ErrTooLong) }}
	said := &tail{most: saidBytes}
	cmd := exec.CommandContext(ctx, program, args[1:]...)
	cmd.Args[0], cmd.Dir, cmd.Env = args[0], dir, Environ(env, dir)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), out, said
	cmd.WaitDelay = afterKill
	group(cmd)
	cmd.Cancel = func() error { return killGroup(cmd.Process.Pid) }
	err = cmd.Run()
	if cmd.Process != nil {
		_ = killGroup(cmd.Process.Pid) // what the command left running
	}
	if errors.Is(err, exec.ErrWaitDelay) { // such a process held the pipes
		err = nil
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		reason := strings.TrimSpace(string(said.kept))
		if reason == "" {
			reason = strings.TrimSpace(string(out.kept[:min(len(out.kept), saidBytes)]))
		}
		return nil, &ExitError{Code: exit.ExitCode(), Said: reason}
	case errors.Is(err, exec.ErrNotFound) || errors.Is(err, os.ErrNotExist) || errors.Is(err, os.ErrPermission):
		return nil, fmt.Errorf("%w: %w", ErrNotFound, err)
	case err != nil:
		return nil, err
	}
	return out.kept, nil
}

// head keeps the first bytes that are written to it, and calls over once if there are more.
type head struct {
	kept []byte
	left int64
	over func()
}

func (h *head) Write(p []byte) (int, error) {
	if int64(len(p)) > h.left {
		h.over()
		return 0, ErrTooLong
	}
	h.left -= int64(len(p))
	h.kept = append(h.kept, p...)
	return len(p), nil
}

// tail keeps the last bytes that are written to it.
type tail struct {
	most int
	kept []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p[max(0, len(p)-t.most):]...)
	t.kept = append([]byte(nil), t.kept[max(0, len(t.kept)-t.most):]...)
	return len(p), nil
}
