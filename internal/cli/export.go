package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"memory-graph/internal/memory"
	"memory-graph/internal/transfer"
)

func newExport(a *app) *cobra.Command {
	var out, format string
	var all, force bool
	c := &cobra.Command{
		Use:   "export",
		Short: "Write the memory out as lines of JSON",
		Long: `export writes all that a namespace holds as lines of JSON, to stdout or a file: turns, entities with their names and
observations, facts with their evidence and their past, and the log. import makes the same of it again, ids too; vectors and
indexes are made anew there. The same memory always gives the same bytes. Secrets were masked when it was stored.

A file that is there already is left as it is, unless --force is given, and one that is written takes its name once it is whole.

With --format reference it is a memory.jsonl as the reference memory server has it: entities, observations and relations as
they are now, without turns and without the past. With --format mermaid it is a picture of the facts that hold, which GitHub,
Obsidian and many editors draw.`,
		Example: `  memory-graph export --out memory.jsonl
  memory-graph export --all --out everything.jsonl
  memory-graph export --format reference --out for-the-reference-server.jsonl
  memory-graph export --format mermaid --namespace demo`,
		Args: noArgs,
	}
	c.Flags().StringVar(&out, "out", "", "the file to write; stdout where none is given, or for -")
	c.Flags().StringVar(&format, "format", string(transfer.Own), "memory-graph, reference or mermaid")
	c.Flags().BoolVar(&all, "all", false, "all namespaces")
	c.Flags().BoolVar(&force, "force", false, "replace the file where there is one")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if out == "-" { // as other programs call stdout
			out = ""
		}
		f := transfer.Format(format)
		switch {
		case f != transfer.Own && f != transfer.Reference && f != mermaid:
			return usageError(c, "--format %s cannot be written: use memory-graph, reference or mermaid.", format)
		case f != transfer.Own && all:
			return usageError(c, "--all does not go with --format %s, which knows no namespaces.", format)
		case out == "" && a.json:
			return usageError(c, "--json reports on a file: name one with --out.")
		case out == "" && force:
			return usageError(c, "--force is for a file: name one with --out.")
		}
		if out != "" { // before anything is read
			if _, _, err := outFile(out, force); err != nil {
				return err
			}
		}
		return a.withMemory(c, false, func(ctx context.Context, o opened) error {
			r := exportReport{File: out, Format: format, Namespaces: []string{o.cfg.Namespace}}
			if all {
				var err error
				if r.Namespaces, err = o.Namespaces(ctx); err != nil {
					return err
				}
			}
			write := func(w io.Writer) (err error) {
				buffered := bufio.NewWriterSize(w, 1<<20)
				switch f {
				case transfer.Reference:
					r.Lines, err = writeReference(ctx, o, buffered)
				case mermaid:
					r.Lines, err = a.writeMermaid(ctx, o, buffered)
				default:
					r.Lines, err = o.Export(ctx, r.Namespaces, buffered, a.linesWritten())
				}
				return errors.Join(err, buffered.Flush())
			}
			if out == "" {
				return write(a.stdout)
			}
			if err := writeOut(out, force, write); err != nil {
				return err
			}
			return a.print(r, func(w io.Writer) {
				fmt.Fprintf(w, "%s written to %s.\n", many(int64(r.Lines), "line", "lines"),
					out)
			})
		})
	}
	return c
}

// exportReport is what export did.
type exportReport struct {
	File       string   `json:"file"`
	Format     string   `json:"format"`
	Namespaces []string `json:"namespaces"`
	Lines      int      `json:"lines"`
}

// linesWritten shows a bar without an end on a terminal, and elsewhere a line every 10,000 lines.
func (a *app) linesWritten() func(lines int) {
	_, show := a.stderr.(*os.File)
	terminal := isTerminal(a.stderr)
	return func(lines int) {
		if !show || lines%linesALine != 0 {
			return
		}
		if terminal {
			fmt.Fprintf(a.stderr, "\r%d lines", lines)
			return
		}
		fmt.Fprintf(a.stderr, "%d lines written\n", lines)
	}
}

// writeReference writes memory.jsonl as the reference memory server does.
func writeReference(ctx context.Context, o opened, w io.Writer) (lines int, err error) {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	err = o.ObservedEntities(ctx, o.cfg.Namespace, func(e memory.Observed) error {
		lines++
		return enc.Encode(struct {
			Type         string   `json:"type"`
			Name         string   `json:"name"`
			EntityType   string   `json:"entityType"`
			Observations []string `json:"observations"`
		}{"entity", e.Name, e.Type, e.Observations})
	})
	if err != nil {
		return lines, err
	}
	err = o.ObservedRelations(ctx, o.cfg.Namespace, func(r memory.ObservedRelation) error {
		lines++
		return enc.Encode(struct {
			Type         string `json:"type"`
			From         string `json:"from"`
			To           string `json:"to"`
			RelationType string `json:"relationType"`
		}{"relation", r.From, r.To, r.Type})
	})
	return lines, err
}
