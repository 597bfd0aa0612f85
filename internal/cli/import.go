package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"memory-graph/internal/config"
	"memory-graph/internal/engine"
	"memory-graph/internal/memory"
	"memory-graph/internal/transfer"
)

// linesALine is how many lines are read for one line of progress where nobody watches a bar.
const linesALine = 10_000

// problemsKept is how many problems are told; the others are counted.
const problemsKept = 100

func newImport(a *app) *cobra.Command {
	var format string
	var dry, trusted bool
	c := &cobra.Command{
		Use:   "import FILE|-",
		Short: "Bring in what was kept elsewhere",
		Long: `import reads a file, or stdin for -, into the memory: an export of memory-graph, a memory.jsonl of the reference memory server,
memories of mem0 or OpenMemory, and the conversations.json of Claude or ChatGPT, also in the zip that these send. It tells them
apart by itself; --format says it where it cannot.

What is there already stays as it is, so that a second import changes nothing and one that was cut off is finished by the next.
A line that cannot be taken is reported with its number, and the rest is taken; then the exit code is 1. An export of
memory-graph goes to the namespaces where it was, or all of it to the one that --namespace names.

Nobody has vouched for a file, an export of memory-graph too: whoever wrote it may have written anything. What it says
is scanned, found by asking, and never put before a turn by itself. --trusted vouches for the file, also for what the
same file brought before. What other programs have kept then counts as if it had been said here; an export of
memory-graph is restored whole, with who said what. Use it for your own backups.

One import of what other programs have kept is one call, which undo takes back: what it brought, turns too, as far as
nothing that came from elsewhere stands on it.`,
		Example: `  memory-graph import ~/memory.jsonl
  memory-graph import chatgpt-export.zip --dry-run
  memory-graph import claude/conversations.json --trusted
  memory-graph export | ssh other memory-graph import - --trusted`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError(c, "import takes one file, or - for stdin.")
			}
			return nil
		},
	}
	c.Flags().StringVar(&format, "format", "auto", "auto, "+transfer.FormatNames())
	c.Flags().BoolVar(&dry, "dry-run", false, "only say what would be read")
	c.Flags().BoolVar(&trusted, "trusted", false, "vouch for the file; restores an export of memory-graph whole")
	c.RunE = func(c *cobra.Command, args []string) error {
		chosen, err := chooseFormat(c, format)
		if err != nil {
			return err
		}
		src, err := a.source(c.Context(), args[0])
		if err != nil {
			return err
		}
		defer func() { _ = src.Close() }() // it was only read
		reader := io.Reader(src)
		if chosen == "" {
			if chosen, reader, err = transfer.Detect(src); err != nil {
				return err
			}
		}
		withEngine := a.withNewEngine
		if dry {
			withEngine = a.withEngineToTry
		}
		return withEngine(c, func(ctx context.Context, cfg *config.Config, e *engine.Engine) error {
			start := time.Now()
			r := importReport{File: src.Name, Format: string(chosen), Trusted: trusted, Project: cfg.Project, DryRun: dry,
				Problems: []importProblem{}}
			progress, finish := a.linesRead(src)
			done, err := e.Import(ctx, engine.ImportRequest{Format: chosen, From: reader, Trusted: trusted, DryRun: dry,
				Progress: progress,
				Scope: memory.Scope{Namespace: cfg.Namespace, Project: cfg.Project,
					User: cfg.User}, Moved: c.Flags().Changed("namespace"),
				Problem: func(line int, reason string) {
					r.Reported++
					if len(r.Problems) >= problemsKept {
						return
					}
					r.Problems = append(r.Problems, importProblem{line, reason})
					if !a.json {
						fmt.Fprintf(a.stderr, "line %d: %s\n", line, visible(reason))
					}
				}})
			finish()
			r.fill(done, time.Since(start))
			if more := r.Reported - len(r.Problems); more > 0 && !a.json {
				fmt.Fprintf(a.stderr, "… and %s.\n", many(int64(more), "more line", "more lines"))
			}
			if ctx.Err() != nil {
				err = r.interrupted()
			}
			if err != nil && r.Lines == 0 && r.Reported == 0 {
				return err
			}
			if err == nil && r.Partial {
				err = errSilent
			}
			return errors.Join(a.print(r, r.write), err)
		})
	}
	return c
}

// chooseFormat reads --format; "" is auto.
func chooseFormat(c *cobra.Command, name string) (transfer.Format, error) {
	if name == "auto" || name == "" {
		return "", nil
	}
	if !slices.Contains(transfer.Formats, transfer.Format(name)) {
		return "", usageError(c, "--format %s is not known: use auto, %s.", name, transfer.FormatNames())
	}
	return transfer.Format(name), nil
}

func (a *app) source(ctx context.Context, name string) (*transfer.Source, error) {
	if name == "-" {
		return transfer.FromStream(ctx, a.stdin)
	}
	return transfer.Open(ctx, name)
}

// linesRead shows a bar on a terminal, of the bytes where their number is known, and elsewhere a line on stderr every
// 10,000 lines. finish ends it.
func (a *app) linesRead(src *transfer.Source) (progress func(line int), finish func()) {
	if isTerminal(a.stderr) {
		size := src.Size
		if size == 0 {
			size = -1 // a bar without an end
		}
		bar := progressbar.NewOptions64(size, progressbar.OptionSetWriter(a.stderr),
			progressbar.OptionSetDescription("importing"),
			progressbar.OptionShowBytes(true), progressbar.OptionThrottle(
				100*time.Millisecond), progressbar.OptionClearOnFinish())
		// a bar that cannot be drawn is no reason to stop
		return func(int) { _ = bar.Set64(src.Done()) }, func() { _ = bar.Finish() }
	}
	said := 0
	return func(line int) {
		if line/linesALine > said {
			said = line / linesALine
			fmt.Fprintf(a.stderr, "%d lines read\n", line)
		}
	}, func() {}
}

// withEngineToTry is withNewEngine for what only tries: where there is no database none is made, but one beside that
// goes afterwards.
func (a *app) withEngineToTry(c *cobra.Command, f func(context.Context, *config.Config, *engine.Engine) error) error {
	cfg, _, err := a.config(c)
	if err != nil {
		return err
	}
	if !hasDatabase(cfg.DB) {
		dir, err := os.MkdirTemp("", "memory-graph-import-")
		if err != nil {
			return memory.Errorf(memory.Unavailable, "A temporary directory cannot be made: %w.", err)
		}
		defer func() { _ = os.RemoveAll(dir) }() // in the system's temporary directory
		cfg.DB = filepath.Join(dir, "memory.db")
	}
	return a.startEngine(c, cfg, engine.As(engine.Writer), f)
}
