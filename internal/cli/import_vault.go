package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"memory-graph/internal/config"
	"memory-graph/internal/engine"
	"memory-graph/internal/memory"
	"memory-graph/internal/transfer/vault"
)

// folderFlags are the flags of import for a folder.
type folderFlags struct {
	format            string
	dry, trusted, yes bool
	complete          bool
}

// The formats of a folder.
const (
	formatVault = "vault"
	formatNotes = "markdown"
)

// isFolder reports whether an argument of import is a folder, or a Markdown file.
func isFolder(path, format string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	return info.IsDir() || format == formatNotes || (format == "auto" || format == "") && vault.IsMarkdown(path)
}

// importFolder imports a folder: a vault that people edited, or notes.
func (a *app) importFolder(c *cobra.Command, path string, f folderFlags) error {
	notes := f.format == formatNotes || f.format != formatVault && !vault.IsVault(path)
	if info, err := os.Stat(path); f.complete && (!notes || err == nil && !info.IsDir()) {
		return usageError(c, "--complete is for files of other programs and for folders of notes.")
	}
	switch f.format {
	case "", "auto":
		if vault.IsVault(path) {
			return a.importVault(c, path, f)
		}
		return a.importNotes(c, path, f)
	case formatNotes:
		return a.importNotes(c, path, f)
	case formatVault:
		return a.importVault(c, path, f)
	}
	return usageError(c, "--format %s is for files; a folder is %s or %s.", f.format, formatVault, formatNotes)
}

// importVault makes the changes of people in a vault.
func (a *app) importVault(c *cobra.Command, dir string, f folderFlags) error {
	return a.withEngine(c, func(ctx context.Context, cfg *config.Config, e *engine.Engine) error {
		start := time.Now()
		st, err := e.Store(ctx)
		if err != nil {
			return err
		}
		found, err := vault.Read(ctx, st, dir, cfg.Namespace, start)
		if err != nil {
			return err
		}
		asks := isTerminal(a.stdin) && !f.yes && !f.dry && !a.json
		r := &vaultImport{Dir: dir, Format: formatVault, Reading: found, DryRun: f.dry, Origin: memory.OriginTool}
		if asks || f.trusted {
			r.Origin = memory.OriginUser
		}
		found.Limit(r.Origin)
		removals := found.Removals()
		for _, change := range removals {
			if !asks {
				change.State = vault.Untrust
				change.Why = "more than a third of the pages are gone, so it needs an answer at a terminal"
			}
		}
		if !a.json {
			r.writeFound(a.stdout)
		}
		if !f.dry {
			if asks {
				err = a.acceptRemovals(ctx, removals)
			}
			if asks && err == nil {
				err = a.accept(ctx, found)
			}
			if err == nil {
				err = a.applyVault(ctx, cfg, e, r)
			}
			if err == nil {
				err = found.Commit()
			}
		}
		r.count(time.Since(start))
		if err == nil && r.partial() {
			err = errSilent
		}
		return errors.Join(a.print(r, r.write), err)
	})
}

// acceptRemovals asks whether to apply the removal of many pages. If not, the changes are declined.
func (a *app) acceptRemovals(ctx context.Context, removals []*vault.Change) error {
	if len(removals) == 0 {
		return nil
	}
	answer, _, err := a.line(ctx, fmt.Sprintf("More than a third of the pages are gone. Remove %s from the memory? [y/N]",
		many(int64(len(removals)), "entity", "entities")))
	if err != nil || strings.HasPrefix(strings.ToLower(answer), "y") {
		return err
	}
	for _, change := range removals {
		change.State = vault.Declined
	}
	return nil
}

// accept asks which of the open changes to make. The others are declined.
func (a *app) accept(ctx context.Context, found *vault.Reading) error {
	open := found.Open()
	if len(open) == 0 {
		return nil
	}
	one := false
	for i, change := range open {
		ask := fmt.Sprintf("Make %s? [y/N/one by one]", many(int64(len(open)), "change", "changes"))
		if one {
			ask = fmt.Sprintf("%s? [y/N]", visible(change.String()))
		}
		answer, _, err := a.line(ctx, ask)
		if err != nil {
			return err
		}
		yes := strings.HasPrefix(strings.ToLower(answer), "y")
		switch {
		case !one && yes:
			return nil
		case !one && strings.HasPrefix(strings.ToLower(answer), "o"):
			one = true
			answer, _, err := a.line(ctx, fmt.Sprintf("%s? [y/N]", visible(change.String())))
			if err != nil {
				return err
			}
			yes = strings.HasPrefix(strings.ToLower(answer), "y")
		case !one:
			for _, c := range open[i:] {
				c.State = vault.Declined
			}
			return nil
		}
		if !yes {
			change.State = vault.Declined
		}
	}
	return nil
}

// applyVault makes the open changes as one call.
func (a *app) applyVault(ctx context.Context, cfg *config.Config, e *engine.Engine, r *vaultImport) error {
	if len(r.Open()) == 0 {
		return nil
	}
	st, err := e.Store(ctx)
	if err != nil {
		return err
	}
	w, err := e.Writer(ctx)
	if err != nil {
		return err
	}
	by, err := person()
	if r.Origin != memory.OriginUser {
		var id uuid.UUID
		id, err = uuid.NewV7()
		by = memory.Caller{Actor: "import", CallID: id.String()}
	}
	if err != nil {
		return memory.AsError(fmt.Errorf("make a call id: %w", err))
	}
	by.Reason = "vault " + r.Dir
	r.CallID = by.CallID
	return r.Apply(ctx, st, w, memory.Scope{Namespace: cfg.Namespace, Project: cfg.Project, User: cfg.User}, by)
}

// vaultImport is the output of an import of a vault.
type vaultImport struct {
	Dir    string        `json:"dir"`
	Format string        `json:"format"`
	DryRun bool          `json:"dry_run"`
	Origin memory.Origin `json:"origin"` // the trust of the changes
	*vault.Reading
	Counts  map[vault.State]int `json:"counts"`
	CallID  string              `json:"call_id,omitempty"`
	Seconds float64             `json:"seconds"`
}

func (r *vaultImport) count(took time.Duration) {
	r.Counts, r.Seconds = map[vault.State]int{}, took.Seconds()
	for _, c := range r.Changes {
		r.Counts[c.State]++
	}
	if r.Counts[vault.Applied] == 0 {
		r.CallID = ""
	}
}

// partial reports whether something in the vault was left out.
func (r *vaultImport) partial() bool {
	return len(r.Problems)+r.Counts[vault.Conflict]+r.Counts[vault.Untrust]+r.Counts[vault.Failed] > 0
}

// writeFound prints the changes as words, and what cannot be read.
func (r *vaultImport) writeFound(w io.Writer) {
	fmt.Fprintf(w, "%s in %s, %d edited.\n", many(int64(r.Pages), "page", "pages"), r.Dir, r.Edited)
	for _, c := range r.Changes {
		at := c.File
		if c.Line > 0 {
			at = fmt.Sprintf("%s:%d", c.File, c.Line)
		}
		text := c.String()
		switch c.State {
		case vault.Known:
			text += " – the memory says so already"
		case vault.Conflict:
			text += " – conflict, left out: " + c.Why
		case vault.Untrust:
			text += " – left out: " + c.Why
		}
		fmt.Fprintf(w, "  %s: %s\n", visible(at), visible(text))
	}
	for _, p := range r.Problems {
		at := p.File
		if p.Line > 0 {
			at = fmt.Sprintf("%s:%d", p.File, p.Line)
		}
		fmt.Fprintf(w, "  %s: not read: %s\n", visible(at), visible(p.Text))
	}
}

func (r *vaultImport) write(w io.Writer) {
	for _, c := range r.Changes {
		switch {
		case c.State == vault.Failed:
			fmt.Fprintf(w, "Failed: %s: %s\n", visible(c.String()), visible(c.Why))
		case c.Result != "" && strings.Contains(c.Result, " "):
			fmt.Fprintf(w, "%s: %s\n", visible(c.String()), visible(c.Result))
		}
	}
	tell := func(state vault.State, one, several string) {
		if n := r.Counts[state]; n > 0 {
			fmt.Fprintln(w, many(int64(n), one, several)+".")
		}
	}
	if len(r.Changes)+len(r.Problems) == 0 {
		fmt.Fprintln(w, "People changed nothing that the memory has.")
	}
	tell(vault.Open, "change would be made", "changes would be made")
	tell(vault.Applied, "change made", "changes made")
	tell(vault.Known, "change was known", "changes were known")
	tell(vault.Declined, "change declined", "changes declined")
	tell(vault.Conflict, "conflict: the memory changed since the export, and stays",
		"conflicts: the memory changed since the export, and stays")
	way := "run the import at a terminal"
	if r.Origin != memory.OriginUser {
		way += ", or vouch for the folder with --trusted"
	}
	tell(vault.Untrust, "change needs a person: "+way, "changes need a person: "+way)
	tell(vault.Failed, "change failed", "changes failed")
	if n := len(r.Problems); n > 0 {
		fmt.Fprintf(w, "%s could not be read; see above.\n", many(int64(n), "place", "places"))
	}
	if r.partial() {
		fmt.Fprintf(w, "Pages of which something was left out stay as they are. To take the memory's side of one: "+
			"memory-graph export --format markdown %s --overwrite PAGE\n", r.Dir)
	}
	if r.CallID != "" {
		fmt.Fprintf(w, "memory-graph undo %s reverts it.\n", r.CallID)
	}
}
