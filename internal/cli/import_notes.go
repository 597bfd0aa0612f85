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
		var err error
		r.NotesReport, err = e.Notes(ctx, engine.NotesRequest{Path: path, Trusted: f.trusted, DryRun: f.dry,
			Scope: memory.Scope{Namespace: cfg.Namespace, Project: cfg.Project, User: cfg.User},
			Problem: func(p vault.Problem) {
				if len(r.Problems) < problemsKept {
					r.Problems = append(r.Problems, p)
				}
			}})
		r.Seconds = time.Since(start).Seconds()
		switch {
		case err == nil && r.Notes == 0 && r.NotesReport.Problems == 0:
			return memory.Errorf(memory.InvalidArgument, "%s has no Markdown file.", path).
				WithHint("Give a folder of notes or a vault; a file of another memory is imported by its own path.")
		case err == nil && r.NotesReport.Problems > 0:
			err = errSilent
		}
		return errors.Join(a.print(r, r.write), err)
	})
}

func (r *notesImport) write(w io.Writer) {
	for _, p := range r.Problems {
		fmt.Fprintf(w, "%s:%d: %s\n", visible(p.File), p.Line, visible(p.Text))
	}
	if more := r.NotesReport.Problems - len(r.Problems); more > 0 {
		fmt.Fprintf(w, "%s.\n", many(int64(more), "more problem", "more problems"))
	}
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
	tell(r.Known, "existed already", "existed already")
	is, are, was, were := "is now", "are now", "was", "were"
	if r.DryRun {
		is, are, was, were = "would be", "would be", "would be", "would be"
	}
	tell(r.Raised, "existed, and "+is+" trusted", "existed, and "+are+" trusted")
	tell(r.Withdrawn, "of an earlier import is no longer in its note, and "+was+" withdrawn",
		"of an earlier import are no longer in their notes, and "+were+" withdrawn")
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
