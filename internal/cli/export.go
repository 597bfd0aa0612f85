package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"memory-graph/internal/memory"
	"memory-graph/internal/transfer"
	"memory-graph/store"
)

func newExport(a *app) *cobra.Command {
	var out, format string
	var all, force bool
	var overwrite []string
	c := &cobra.Command{
		Use:   "export [DIR]",
		Short: "Write the memory to a file, or as a folder of Markdown pages",
		Long: `export writes the content of a namespace as JSON lines, to stdout or a file: turns, entities with their names
and observations, facts with their evidence and history, and the events. import restores all of it, including the ids,
and rebuilds vectors and indexes. The same memory always gives the same bytes. Secrets are not in it: they were masked
when they were stored.

export does not overwrite a file unless --force is given. The file appears under its name only when it is complete.

--format reference writes a memory.jsonl for the reference memory server: the current entities, observations and
relations, without turns and history. --format mermaid writes a diagram of the active facts, which GitHub, Obsidian and
many editors can display.

--format graphml, csv and jsonld are for other programs; import does not read them. graphml has entities as nodes and
facts, ended ones too, as edges. csv writes entities.csv, relationships.csv and episodes.csv into the directory --out. A
text that a spreadsheet would run as a formula begins with an apostrophe there. jsonld has entities, facts with their
times and turns as their sources, in terms of schema.org and PROV. Turns in quarantine are in none of them.

--format markdown DIR writes a vault for Obsidian or any editor: a page per entity and per session, linked, with an
index. People may edit it, and import DIR reads their changes back. A second export changes only what has changed, and
refuses to overwrite pages that people changed since, unless --force or --overwrite PAGE is given. Pages of which an
import left something out stay as they are.`,
		Example: `  memory-graph export --out memory.jsonl
  memory-graph export --all --out everything.jsonl
  memory-graph export --format reference --out for-the-reference-server.jsonl
  memory-graph export --format mermaid --namespace demo
  memory-graph export --format csv --out tables
  memory-graph export --format markdown ~/vault`,
		Args: func(c *cobra.Command, args []string) error {
			if format == markdownVault {
				return vaultArgs(c, args)
			}
			return noArgs(c, args)
		},
	}
	c.Flags().StringVar(&out, "out", "", "file to write; empty or -: stdout")
	c.Flags().StringVar(&format, "format", string(transfer.Own), exportFormats)
	c.Flags().BoolVar(&all, "all", false, "all namespaces")
	c.Flags().BoolVar(&force, "force", false, "overwrite an existing file")
	c.Flags().StringArrayVar(&overwrite, "overwrite", nil,
		"a page of the vault to write although people changed it, such as Entities/Ann.md; repeatable")
	c.RunE = func(c *cobra.Command, args []string) error {
		if format == markdownVault {
			return a.exportVault(c, args[0], force, overwrite)
		}
		if len(overwrite) > 0 {
			return usageError(c, "--overwrite names a page of a vault, so it needs --format markdown.")
		}
		if out == "-" { // stdout
			out = ""
		}
		f := transfer.Format(format)
		switch {
		case !slices.Contains([]transfer.Format{transfer.Own, transfer.Reference, mermaid, transfer.GraphML, transfer.CSV,
			transfer.JSONLD}, f):
			return usageError(c, "--format %s is unknown: use %s.", format, exportFormats)
		case f == transfer.CSV && out == "":
			return usageError(c, "--format csv writes several files, so it needs --out with a directory.")
		case f != transfer.Own && all:
			return usageError(c, "--all cannot be combined with --format %s, which has no namespaces.", format)
		case out == "" && a.json:
			return usageError(c, "--json reports on a file, so it needs --out.")
		case out == "" && force:
			return usageError(c, "--force overwrites a file, so it needs --out.")
		}
		if f == transfer.CSV {
			if err := checkOutDir(out, force); err != nil {
				return err
			}
		} else if out != "" { // fail before anything is read
			if _, _, err := outFile(out, force); err != nil {
				return err
			}
		}
		return a.withMemory(c, false, func(ctx context.Context, o opened) error {
			if out != "" {
				if err := store.NotOfDatabase(o.cfg.DB, out); err != nil {
					return err
				}
			}
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
				case transfer.GraphML:
					r.Lines, err = translate(ctx, o, transfer.ToGraphML(buffered))
				case transfer.JSONLD:
					r.Lines, err = translate(ctx, o, transfer.ToJSONLD(buffered))
				case mermaid:
					r.Lines, err = a.writeMermaid(ctx, o, buffered)
				default:
					r.Lines, err = o.Export(ctx, r.Namespaces, buffered, a.linesWritten())
				}
				return errors.Join(err, buffered.Flush())
			}
			words := [2]string{"line", "lines"}
			switch f {
			case transfer.CSV:
				var err error
				if r.Lines, err = writeCSV(ctx, o, out); err != nil {
					return err
				}
			default:
				if out == "" {
					return write(a.stdout)
				}
				if err := writeOut(out, force, write); err != nil {
					return err
				}
			}
			switch f {
			case transfer.GraphML:
				words = [2]string{"entity or fact", "entities and facts"}
			case transfer.CSV, transfer.JSONLD:
				words = [2]string{"entity, fact or turn", "entities, facts and turns"}
			}
			return a.print(r, func(w io.Writer) {
				fmt.Fprintf(w, "%s written to %s.\n", many(int64(r.Lines), words[0], words[1]), out)
			})
		})
	}
	return c
}

// exportFormats are the formats that export writes.
const exportFormats = "memory-graph, reference, mermaid, graphml, csv, jsonld or markdown"

// exportReport is the output of export.
type exportReport struct {
	File       string   `json:"file"`
	Format     string   `json:"format"`
	Namespaces []string `json:"namespaces"`
	Lines      int      `json:"lines"` // of graphml, csv and jsonld: entities, facts and turns
}

// linesWritten shows a running count on a terminal. Otherwise it prints a line to stderr every 10,000 lines.
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

// writeReference writes a memory.jsonl in the format of the reference memory server.
func writeReference(ctx context.Context, o opened, w io.Writer) (lines int, err error) {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	err = o.ReferenceEntities(ctx, o.cfg.Namespace, func(e memory.ReferenceEntity) error {
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
	err = o.ReferenceRelations(ctx, o.cfg.Namespace, func(r memory.ReferenceRelation) error {
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
