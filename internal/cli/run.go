// Package cli is the command line: one file a command. Results go to stdout and everything else to stderr; the exit
// code is 0 when done, 1 when it failed and 2 when what was asked or set cannot be used.
package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"memory-graph/internal/config"
	"memory-graph/internal/memory"
)

// The exit codes.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

// app is what the commands share: the process's edges, so that a test can stand in for them.
type app struct {
	args, env      []string
	stdin          io.Reader
	stdout, stderr io.Writer
	json           bool // --json
}

// Run runs one command line, without the program's name in args, and gives the exit code. It reads the environment from
// env ("KEY=value") and nothing from the process.
func Run(ctx context.Context, args, env []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{args: args, env: env, stdin: stdin, stdout: stdout, stderr: stderr}
	root := newRoot(a)
	root.SetArgs(append([]string{}, args...)) // cobra takes nil for the process's own
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitDone
	}
	if isHook(args) {
		return a.hookMistake(err)
	}
	a.json = a.json || slices.Contains(args, "--json") // the flags may not have been read
	return a.fail(err)
}

// errSilent ends a command with exit code 1 after it has said on stdout what is wrong.
var errSilent = errors.New("failed, and said so")

// fail tells an error and gives its exit code.
func (a *app) fail(err error) int {
	if errors.Is(err, errSilent) {
		return exitFailed
	}
	e := memory.AsError(err)
	if errors.Is(err, context.Canceled) {
		e = memory.Errorf(memory.Unavailable, "interrupted.")
	}
	if a.json {
		type body struct {
			Code    memory.Code `json:"code"`
			Message string      `json:"message"`
			Hint    string      `json:"hint,omitempty"`

			Candidates []memory.Candidate `json:"candidates,omitempty"`
		}
		writeJSON(a.stderr, map[string]body{"error": {e.Code, e.Message, e.Hint, e.Candidates}})
	} else {
		fmt.Fprintln(a.stderr, "memory-graph: "+visible(e.Error()))
		a.candidates(e.Candidates)
		if e.Code == memory.Internal && e.Err != nil { // a person at the terminal has no log to look into
			fmt.Fprintln(a.stderr, "cause:", e.Err)
		}
	}
	if e.Code == memory.InvalidArgument {
		return exitUsage
	}
	return exitFailed
}

// candidates lists what a name may have meant.
func (a *app) candidates(list []memory.Candidate) {
	if len(list) == 0 {
		return
	}
	t := table{columns: []column{{title: "ID"}, {title: "NAME"}, {title: "TYPE"}}}
	for _, c := range list {
		t.add("", c.ID, c.Name, c.Type)
	}
	t.write(a.stderr, func(_, text string) string { return text })
}

// usageError is a command line that cannot be understood.
func usageError(c *cobra.Command, format string, args ...any) *memory.Error {
	return memory.Errorf(memory.InvalidArgument, format, args...).WithHint("See `%s --help`.", c.CommandPath())
}

// print writes a command's result: as one JSON object with --json, else as text for people.
func (a *app) print(object any, people func(w io.Writer)) error {
	if a.json {
		writeJSON(a.stdout, object)
		return nil
	}
	people(a.stdout)
	return nil
}

func writeJSON(w io.Writer, v any) {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	_ = enc.Encode(v) // our own types; a reader that went away is not an error to report to it
}

// config loads the settings in force for a command.
func (a *app) config(c *cobra.Command) (*config.Config, config.Sources, error) {
	return config.Load(config.LoadOptions{Env: a.env, Flags: c.Flags()})
}

// logger makes the log of a command: text on stderr, or in the file that the settings name, never on stdout. The caller
// calls the second result at the end.
func (a *app) logger(cfg *config.Config) (*slog.Logger, func(), error) {
	w, done := a.stderr, func() {}
	if cfg.LogFile != "" {
		if err := os.MkdirAll(filepath.Dir(cfg.LogFile), 0o700); err != nil {
			return nil, nil, logFileError(cfg, err)
		}
		// A named pipe that nobody reads is an error then, and not waited for.
		f, err := os.OpenFile(cfg.LogFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY|syscall.O_NONBLOCK, 0o600)
		if err != nil {
			return nil, nil, logFileError(cfg, err)
		}
		w, done = f, func() { _ = f.Close() } // nothing is left to be told where
	}
	var level slog.Level
	if err := level.UnmarshalText([]byte(cfg.LogLevel)); err != nil {
		return nil, nil, memory.AsError(err)
	}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level})), done, nil
}

func logFileError(cfg *config.Config, err error) error {
	return memory.Errorf(memory.Unavailable, "The log file %s cannot be written: %w.", cfg.LogFile,
		logFileReason(cfg.LogFile, err)).
		WithHint("Set log_file to a place that can, or leave it empty for stderr.")
}

// logFileReason says why a log cannot be opened, in words for the cases in which the system's are of no help.
func logFileReason(path string, err error) error {
	link, linked := os.Lstat(path)
	info, missing := os.Stat(path)
	switch {
	case linked == nil && link.Mode().Type() == fs.ModeSymlink && errors.Is(missing, fs.ErrNotExist):
		return errors.New("it is a symbolic link to what is not there")
	case missing == nil && info.Mode().Type() == fs.ModeNamedPipe:
		return errors.New("it is a named pipe that nobody reads")
	}
	return memory.Reason(err)
}

// isTerminal says whether a stream is one at which a person sits.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && (isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()))
}

// paint puts an SGR colour ("31" red, "32" green, "33" yellow) around text on a terminal, unless NO_COLOR is set.
func (a *app) paint(colour, text string) string {
	noColour := slices.ContainsFunc(a.env, func(e string) bool {
		return strings.HasPrefix(e, "NO_COLOR=") && e != "NO_COLOR="
	})
	if noColour || !isTerminal(a.stdout) {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}
