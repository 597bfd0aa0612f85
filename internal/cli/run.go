// Package cli implements the command line, with one file per command. Results go to stdout, everything else to stderr.
// The exit code is 0 for success, 1 for a failure, and 2 if the command line or a setting is invalid.
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

	"memory-graph/internal/command"
	"memory-graph/internal/config"
	"memory-graph/internal/memory"
)

// The exit codes.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

// app holds what the commands share: arguments, environment and streams, which tests replace.
type app struct {
	args, env      []string
	stdin          io.Reader
	stdout, stderr io.Writer
	json           bool // --json
}

// Run runs one command line and returns the exit code. args excludes the program's name; env has the form "KEY=value".
// Run does not use the environment or the streams of the process.
func Run(ctx context.Context, args, env []string, stdin io.Reader, stdout, stderr io.Writer) int {
	defer collectNothing(args)()
	out := &output{Writer: stdout}
	a := &app{args: args, env: env, stdin: stdin, stdout: out, stderr: stderr}
	root := newRoot(a)
	root.SetArgs(append([]string{}, args...)) // with nil, cobra would use the arguments of the process
	root.SetIn(stdin)
	root.SetOut(out)
	root.SetErr(stderr)
	err := out.check(root.ExecuteContext(ctx))
	if err == nil {
		return exitDone
	}
	if isHook(args) {
		return a.hookMistake(ctx, err)
	}
	a.json = a.json || slices.Contains(args, "--json") // an error may have come before the flags were parsed
	return a.fail(err)
}

// errSilent ends a command with exit code 1. The command has already printed what is wrong.
var errSilent = errors.New("failed; already reported")

// fail prints an error and returns its exit code.
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
		if e.Code == memory.Internal && e.Err != nil { // print the cause, since a command has no log
			fmt.Fprintln(a.stderr, "cause:", e.Err)
		}
	}
	if e.Code == memory.InvalidArgument {
		return exitUsage
	}
	return exitFailed
}

// candidates lists the entities that an ambiguous name can mean.
func (a *app) candidates(list []memory.Candidate) {
	if len(list) == 0 {
		return
	}
	t := table{columns: []column{{title: "ID"}, {title: "NAME"}, {title: "TYPE"}, {title: "FACTS"},
		{title: "LAST MENTIONED"}, {title: "SUCH AS"}}}
	if !slices.ContainsFunc(list, func(c memory.Candidate) bool { return c.Facts != nil }) {
		t.columns = t.columns[:3]
	}
	for _, c := range list {
		t.add("", []string{c.ID, c.Name, c.Type, c.CountedFacts(), c.LastMentioned, c.Fact}[:len(t.columns)]...)
	}
	t.write(a.stderr, func(_, text string) string { return text })
}

// usageError returns an error for an invalid command line, with exit code 2.
func usageError(c *cobra.Command, format string, args ...any) *memory.Error {
	return memory.Errorf(memory.InvalidArgument, format, args...).WithHint("See `%s --help`.", c.CommandPath())
}

// print writes a command's result: with --json as one JSON object, otherwise as text.
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
	_ = enc.Encode(v) // our own types always encode, and output remembers what cannot be written
}

// config loads the settings for a command in the working directory: routes may replace the namespace.
func (a *app) config(c *cobra.Command) (*config.Config, config.Sources, error) {
	cfg, sources, err := a.settings(c)
	if err == nil {
		a.route(cfg, sources, workingDir())
	}
	return cfg, sources, err
}

// settings loads the settings without the routes of the working directory.
func (a *app) settings(c *cobra.Command) (*config.Config, config.Sources, error) {
	return config.Load(config.LoadOptions{Env: a.env, Dir: workingDir(), Flags: c.Flags()})
}

// off returns the evidence that llm_command started this process, directly or through the program that it runs; "" if
// it did not.
func (a *app) off() string { return command.Inside(a.env, workingDir()) }

// workingDir returns the working directory, or "" if it is unknown, such as a removed one.
func workingDir() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	return dir
}

// variable returns a variable of the environment, "" if it is not set.
func (a *app) variable(name string) string {
	for _, e := range slices.Backward(a.env) { // the last one counts
		if value, ok := strings.CutPrefix(e, name+"="); ok {
			return value
		}
	}
	return ""
}

// logger returns the log of a command: text on stderr or in the configured file, never on stdout. The caller must call
// the second result at the end.
func (a *app) logger(cfg *config.Config) (*slog.Logger, func(), error) {
	w, done := a.stderr, func() {}
	if cfg.LogFile != "" {
		if err := os.MkdirAll(filepath.Dir(cfg.LogFile), 0o700); err != nil {
			return nil, nil, logFileError(cfg, err)
		}
		// With O_NONBLOCK, a named pipe without a reader is an error instead of blocking.
		f, err := os.OpenFile(cfg.LogFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY|syscall.O_NONBLOCK, 0o600)
		if err != nil {
			return nil, nil, logFileError(cfg, err)
		}
		w, done = f, func() { _ = f.Close() } // there is no place left to report an error
	}
	var level slog.Level
	if err := level.UnmarshalText([]byte(cfg.LogLevel)); err != nil {
		return nil, nil, memory.AsError(err)
	}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level})), done, nil
}

func logFileError(cfg *config.Config, err error) error {
	return memory.Errorf(memory.Unavailable, "Cannot write to the log file %s: %w.", cfg.LogFile,
		logFileReason(cfg.LogFile, err)).
		WithHint("Set log_file to a writable path, or leave it empty for stderr.")
}

// logFileReason returns why a log cannot be opened. It replaces two unclear errors of the system.
func logFileReason(path string, err error) error {
	link, linked := os.Lstat(path)
	info, missing := os.Stat(path)
	switch {
	case linked == nil && link.Mode().Type() == fs.ModeSymlink && errors.Is(missing, fs.ErrNotExist):
		return errors.New("it is a symbolic link to a missing file")
	case missing == nil && info.Mode().Type() == fs.ModeNamedPipe:
		return errors.New("it is a named pipe without a reader")
	}
	return memory.Reason(err)
}

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	if o, ok := stream.(*output); ok {
		stream = o.Writer
	}
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
