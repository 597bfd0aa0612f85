package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"memory-graph/internal/config"
	"memory-graph/internal/engine"
	"memory-graph/internal/memory"
	"memory-graph/internal/transfer/vault"
)

// notesImport is the output of an import of notes.
type notesImport struct {
	Path    string `json:"path"`
	Format  string `json:"format"`
	Pages   int    `json:"pages"` // of a vault, which are left out
	Trusted bool   `json:"trusted"`
	DryRun  bool   `json:"dry_run"`
	engine.NotesReport
	Problems []vault.Problem `json:"problems"` // the first 100
	Seconds  float64         `json:"seconds"`
}

// importNotes imports Markdown files as notes.
func (a *app) importNotes(c *cobra.Command, path string, f folderFlags) error {
	withEngine := a.withNewEngine
	if f.dry {
		withEngine = a.withEngineToTry
	}
	return withEngine(c, func(ctx context.Context, cfg *config.Config, e *engine.Engine) error {
		start := time.Now()
		r := &notesImport{Path: path, Format: formatNotes, Trusted: f.trusted, DryRun: f.dry, Problems: []vault.Problem{}}
		req := engine.NotesRequest{Path: path, Trusted: f.trusted, DryRun: f.dry, Complete: f.complete,
			Scope: memory.Scope{Namespace: cfg.Namespace, Project: cfg.Project, User: cfg.User}}
		if isTerminal(a.stdin) && !f.yes && !f.dry && !a.json {
			if ok, err := a.askNotes(ctx, e, req); err != nil || !ok {
				return err
			}
		}
		req.Problem = func(p vault.Problem) {
			if len(r.Problems) < problemsKept {
				r.Problems = append(r.Problems, p)
			}
		}
		var err error
		r.NotesReport, err = e.Notes(ctx, req)
		if err == nil {
			r.Pages, err = vault.CountPages(ctx, path)
		}
		r.Seconds = time.Since(start).Seconds()
		switch {
		case err == nil && r.Notes == 0 && r.Pages > 0:
			return memory.Errorf(memory.InvalidArgument, "%s has only pages of a vault (%d), and no manifest of it.", path,
				r.Pages).WithHint("Restore the folder .memory-graph of the vault to read back what people changed. " +
				"To move a memory, use `memory-graph export --out FILE`.")
		case err == nil && r.Notes == 0 && r.NotesReport.Problems == 0:
			return memory.Errorf(memory.InvalidArgument, "%s has no Markdown file.", path).
				WithHint("Give a folder of notes or a vault; a file of another memory is imported by its own path.")
		case err == nil && r.NotesReport.Problems > 0:
			err = errSilent
		case err != nil && r.Notes == 0 && !a.json: // nothing was imported, and the problems say why
			r.writeProblems(a.stderr)
			return err
		}
		return errors.Join(a.print(r, r.write), err)
	})
}

// askNotes prints what an import of notes would do, and asks.
func (a *app) askNotes(ctx context.Context, e *engine.Engine, req engine.NotesRequest) (bool, error) {
	req.DryRun = true
	found, err := e.Notes(ctx, req)
	if err != nil || found.Notes == 0 {
		return true, nil // the import itself says why
	}
	fmt.Fprintf(a.stdout, "Found in %s: %s of %s, %d of them new.\n", visible(req.Path),
		many(int64(found.Sections), "section", "sections"), many(int64(found.Notes), "note", "notes"), found.New)
	if found.Withdrawn > 0 {
		fmt.Fprintf(a.stdout, "%s of earlier imports would be withdrawn.\n",
			many(int64(found.Withdrawn), "section", "sections"))
	}
	ok, err := a.ask(ctx, "Import it?")
	if err == nil && !ok {
		fmt.Fprintln(a.stderr, "Nothing was imported.")
	}
	return ok, err
}

func (r *notesImport) writeProblems(w io.Writer) {
	for _, p := range r.Problems {
		fmt.Fprintf(w, "%s:%d: %s\n", visible(p.File), p.Line, visible(p.Text))
	}
	if more := r.NotesReport.Problems - len(r.Problems); more > 0 {
		fmt.Fprintf(w, "%s.\n", many(int64(more), "more problem", "more problems"))
	}
}

func (r *notesImport) write(w io.Writer) {
	r.writeProblems(w)
	word := "Imported"
	if r.DryRun {
		word = "An import would add"
	}
	fmt.Fprintf(w, "%s %s of %s", word, many(int64(r.New), "section", "sections"), many(int64(r.Notes), "note", "notes"))
	if r.Links > 0 {
		fmt.Fprintf(w, ", with %s", many(int64(r.Links), "link", "links"))
	}
	fmt.Fprintln(w, ".")
	tell := func(n int, one, several string) {
		if n > 0 {
			fmt.Fprintf(w, "%s.\n", many(int64(n), one, several))
		}
	}
	tell(r.Pages, "page of a vault was left out: it is the memory's own",
		"pages of a vault were left out: they are the memory's own")
	tell(r.Known, "existed already", "existed already")
	is, are, was, were := "is now", "are now", "was", "were"
	if r.DryRun {
		is, are, was, were = "would be", "would be", "would be", "would be"
	}
	tell(r.Raised, "existed, and "+is+" trusted", "existed, and "+are+" trusted")
	tell(r.Withdrawn, "of an earlier import is no longer in its note, and "+was+" withdrawn",
		"of an earlier import are no longer in their notes, and "+were+" withdrawn")
	tell(r.Absent, "is of a note that is not there any more, and stays; --complete withdraws it",
		"are of notes that are not there any more, and stay; --complete withdraws them")
	tell(r.Kept, "is no longer in its note, but other content depends on it: memory-graph forget deletes it",
		"are no longer in their notes, but other content depends on them: memory-graph forget deletes them")
	tell(r.Held, "is in quarantine: memory-graph quarantine lists it",
		"are in quarantine: memory-graph quarantine lists them")
	tell(r.Failed, "could not be imported; see above", "could not be imported; see above")
	if !r.Trusted && r.New > 0 {
		fmt.Fprintln(w, "The notes are not trusted: searches find them, but they do not appear in a context block unasked. "+
			"Run the same import with --trusted to vouch for them.")
	}
	if r.CallID != "" {
		fmt.Fprintf(w, "memory-graph undo %s reverts it.\n", r.CallID)
	}
}
