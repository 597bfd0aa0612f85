package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"memory-graph/internal/config"
	"memory-graph/internal/engine"
	"memory-graph/internal/memory"
	"memory-graph/internal/transfer"
	"memory-graph/internal/transfer/sessions"
)

// linesALine is the number of lines between two lines of progress if stderr is not a terminal.
const linesALine = 10_000

// problemsKept is how many problems are listed; the others are only counted.
const problemsKept = 100

func newImport(a *app) *cobra.Command {
	var format string
	var dry, trusted, complete bool
	var kept keptFlags
	c := &cobra.Command{
		Use:   "import FILE|DIR|-|--from HOST",
		Short: "Import memories and conversations from a file or a folder, or the past sessions of a host",
		Long: `import reads a file, or stdin with -, into the memory. It reads exports of memory-graph, the memory.jsonl of
the reference memory server, the conversations.json of Claude or ChatGPT, also in the zip file that they send, and what
other memories store or export: basic-memory, mcp-memory-service, engram, claude-mem, mem0 and OpenMemory, graphiti and
Zep, Letta and cognee. docs/import.md has their files. It recognises the format; --format overrides it. Nothing is
written to the file of another program.

It first says what the file has. At a terminal it asks then; --yes skips the question.

A second import of the same file changes nothing, and completes an import that was interrupted. A newer file of the
same program adds what is new, replaces texts that changed, and ends what the program has marked as deleted or ended.
--complete also ends what an earlier import stored and the file does not have; without it that is only counted. Other
content is not changed. A line that cannot be imported is reported with its number and skipped; the exit code is then 1.
An export of memory-graph goes to its original namespaces, or, if --namespace is given, to that namespace.

No file is trusted, not even an export of memory-graph, because anybody may have written it. Its content is scanned for
attacks. Searches find it, but it does not appear in a context block unasked. --trusted vouches for the file, and for
what an earlier import of the same file stored. Content from other programs then counts as if it had been said here. An
export of memory-graph is restored completely, with the original trust. Use --trusted for your own backups.

The import of another program's file is one call, which undo reverts with its turns. Turns that content from elsewhere
depends on stay.

A folder that export --format markdown wrote is read back after people edited it. import shows what they changed and
asks; what is accepted at a terminal has the trust of the user's own words and is one call, which undo reverts. Without
a terminal or with --yes the changes have the trust of a file: they add, and change only what a file said. What the
memory changed since the export is not overwritten but reported.

Any other folder of Markdown files, or one such file, is imported as notes: CLAUDE.md, AGENTS.md, MEMORY.md, a host's
memory folder, an Obsidian vault. Each section is a turn, each note a session, and links between notes are facts. A
second import replaces the sections that have changed; --complete also withdraws those of notes that are gone. Hidden
files and links out of the folder are left out.

--from HOST imports the sessions that a host has kept on this machine: ` + strings.Join(sessions.Hosts(), ", ") + `. It
says what it finds and asks; --yes skips the question, and is required without a terminal. It takes what the host's
hooks would have taken: messages, answers, uses of tools, with their session, project and time. Turns that are stored
already are left out, so the next import takes only what is new, and completes one that was interrupted.`,
		Example: `  memory-graph import ~/memory.jsonl
  memory-graph import chatgpt-export.zip --dry-run
  memory-graph import claude/conversations.json --trusted
  memory-graph import ~/.claude-mem/claude-mem.db
  memory-graph import ~/vault
  memory-graph import ~/notes --trusted
  memory-graph import --from claude-code
  memory-graph export | ssh other memory-graph import - --trusted`,
		Args: func(c *cobra.Command, args []string) error {
			switch {
			case kept.host != "" && len(args) > 0:
				return usageError(c, "import takes a file or --from, not both.")
			case kept.host != "" && (c.Flags().Changed("format") || complete):
				return usageError(c, "--format and --complete are for files; --from reads the sessions of a host.")
			case kept.host == "" && len(args) != 1:
				return usageError(c, "import takes one file, or - for stdin, or --from with a host.")
			}
			return nil
		},
	}
	c.Flags().StringVar(&format, "format", "auto", "auto, vault, markdown, "+transfer.FormatNames())
	c.Flags().BoolVar(&dry, "dry-run", false, "only report what would be imported, into a temporary copy of the database")
	c.Flags().BoolVar(&complete, "complete", false,
		"the file or folder has everything of its program: what earlier imports stored and it does not have, ends")
	c.Flags().BoolVar(&trusted, "trusted", false, "vouch for the file; restores an export of memory-graph completely")
	kept.define(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		if kept.host != "" {
			kept.dry, kept.trusted = dry, trusted
			return a.importSessions(c, kept)
		}
		given := transfer.Format(strings.TrimPrefix(format, "auto"))
		if isFolder(args[0], format) && !ofBasicMemory(c.Context(), args[0], given) {
			return a.importFolder(c, args[0], folderFlags{format: format, dry: dry, trusted: trusted,
				complete: complete, yes: kept.yes})
		}
		chosen, err := chooseFormat(c, format)
		if err != nil {
			return err
		}
		cfg, _, err := a.config(c)
		if err != nil {
			return err
		}
		file, err := a.openImport(c.Context(), cfg, args[0], chosen)
		if err != nil {
			return notBegun(c.Context(), args[0], err)
		}
		defer func() { _ = file.close() }() // opened read-only
		found, known, err := file.scan(c.Context())
		if err != nil {
			return notBegun(c.Context(), args[0], err)
		}
		r := importReport{File: file.name, Format: string(file.format), Trusted: trusted, DryRun: dry,
			Problems: []importProblem{}}
		if complete && file.format == transfer.Own {
			return usageError(c, "--complete is for files of other programs; %s is an export of memory-graph.", file.name)
		}
		if complete && found.Problems > 0 {
			return memory.Errorf(memory.InvalidArgument, "%s cannot be read completely, which --complete needs: %s.", file.name,
				visible(found.Problem)).WithHint("Nothing was imported. Get a whole copy, or leave --complete out.")
		}
		if known {
			r.Found = newFoundReport(found)
			if !a.json {
				r.Found.write(a.stdout, file.name, string(file.format))
			}
			if !dry && !kept.yes && isTerminal(a.stdin) {
				if ok, err := a.ask(c.Context(), "Import it?"); err != nil || !ok {
					fmt.Fprintln(a.stderr, "Nothing was imported.")
					return err
				}
			}
		}
		withEngine := a.withNewEngine
		if dry {
			withEngine = a.withEngineToTry
		}
		return withEngine(c, func(ctx context.Context, cfg *config.Config, e *engine.Engine) error {
			start := time.Now()
			r.Project = cfg.Project
			progress, finish := a.linesRead(file.src)
			req := file.request()
			req.Trusted, req.DryRun, req.Complete, req.Progress = trusted, dry, complete, progress
			req.Scope = memory.Scope{Namespace: cfg.Namespace, Project: cfg.Project, User: cfg.User}
			req.Moved = c.Flags().Changed("namespace")
			req.Problem = func(line int, reason string) {
				r.Reported++
				if len(r.Problems) >= problemsKept {
					return
				}
				r.Problems = append(r.Problems, importProblem{line, reason})
				if !a.json {
					fmt.Fprintf(a.stderr, "line %d: %s\n", line, visible(reason))
				}
			}
			done, err := e.Import(ctx, req)
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
		return "", usageError(c, "--format %s is unknown: use auto, %s.", name, transfer.FormatNames())
	}
	return transfer.Format(name), nil
}

func (a *app) source(ctx context.Context, name string) (*transfer.Source, error) {
	if name == "-" {
		return transfer.FromStream(ctx, a.stdin)
	}
	return transfer.Open(ctx, name)
}

// linesRead shows a progress bar on a terminal, in bytes if the file's size is known. Otherwise it prints a line to
// stderr every 10,000 lines. finish removes the bar.
func (a *app) linesRead(src *transfer.Source) (progress func(line int), finish func()) {
	if isTerminal(a.stderr) && src != nil {
		bar := a.bar("importing", src.Size)
		// the import continues without the bar
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

// bar returns a progress bar in bytes; size is 0 if it is not known.
func (a *app) bar(title string, size int64) *progressbar.ProgressBar {
	if size == 0 {
		size = -1
	}
	return progressbar.NewOptions64(size, progressbar.OptionSetWriter(a.stderr),
		progressbar.OptionSetDescription(title), progressbar.OptionShowBytes(true),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())
}

// withEngineToTry is withNewEngine for a dry run: if there is no database, it uses a temporary one instead of creating
// it.
func (a *app) withEngineToTry(c *cobra.Command, f func(context.Context, *config.Config, *engine.Engine) error) error {
	cfg, _, err := a.config(c)
	if err != nil {
		return err
	}
	return a.tryEngine(c, cfg, f)
}

// tryEngine starts an engine for a dry run.
func (a *app) tryEngine(c *cobra.Command, cfg *config.Config,
	f func(context.Context, *config.Config, *engine.Engine) error) error {
	if !hasDatabase(cfg.DB) {
		dir, err := os.MkdirTemp("", "memory-graph-import-")
		if err != nil {
			return memory.Errorf(memory.Unavailable, "Cannot create a temporary directory: %w.", err)
		}
		defer func() { _ = os.RemoveAll(dir) }() // the system cleans its temporary directory
		cfg.DB = filepath.Join(dir, "memory.db")
	}
	return a.startEngine(c, cfg, engine.As(engine.Writer), f)
}
