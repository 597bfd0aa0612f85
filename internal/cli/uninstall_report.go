package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// uninstallReport is the output of uninstall.
type uninstallReport struct {
	DryRun  bool             `json:"dry_run"`
	Status  string           `json:"status"`         // removed, not_there, or incomplete (not everything could be removed)
	Hosts   []*setupReport   `json:"hosts"`          // those whose files change
	Removed []uninstallFile  `json:"removed"`        // files of ours
	Kept    []uninstallFile  `json:"kept,omitempty"` // what --data would delete
	Memory  *uninstallMemory `json:"memory,omitempty"`
	Left    []setupLeft      `json:"left"` // what stays for another reason
	Program uninstallProgram `json:"program"`
}

type uninstallFile struct {
	Path  string `json:"path"`
	What  string `json:"what"`
	Bytes int64  `json:"bytes"`
}

// uninstallMemory is what the database and the turns that wait beside it hold, in all namespaces. -1 is unknown.
type uninstallMemory struct {
	Database string `json:"database"`
	Bytes    int64  `json:"bytes"`
	Turns    int64  `json:"episodes"`
	Facts    int64  `json:"relations"` // active ones
	Entities int64  `json:"entities"`
	InUse    bool   `json:"in_use"` // another process has it open
	Deleted  bool   `json:"deleted"`
}

type uninstallProgram struct {
	Path   string `json:"path"`
	Remove string `json:"remove"` // a command, or what to do
}

func (m *uninstallMemory) line() string {
	if m.Turns < 0 {
		return fmt.Sprintf("an unknown number of turns, facts and entities in %s (%s)", m.Database, size(m.Bytes))
	}
	return fmt.Sprintf("%s, %s and %s in %s (%s)", many(m.Turns, "turn", "turns"),
		many(m.Facts, "active fact", "active facts"), many(m.Entities, "entity", "entities"), m.Database, size(m.Bytes))
}

func (r uninstallReport) write(w io.Writer) {
	switch {
	case r.Status == "not_there":
		fmt.Fprintln(w, "No host has an entry of memory-graph, and there is no cache: there is nothing to remove.")
		r.list(w, "", "Stays")
	case r.DryRun:
		r.list(w, "Would remove", "Would stay")
		fmt.Fprintln(w, "\nNothing was removed.")
	default:
		r.list(w, "Removed", "Stays")
	}
	if m := r.Memory; m != nil && m.InUse {
		fmt.Fprintln(w, "\nAnother process still uses the memory. Restart your hosts: a server ends with its host.")
	}
	fmt.Fprintf(w, "\nTo remove the program itself:\n  %s\n", r.Program.Remove)
}

// list prints what is removed and what stays, with one line for the files of a kind in one directory.
func (r uninstallReport) list(w io.Writer, goes, stays string) {
	if len(r.Hosts)+len(r.Removed) > 0 {
		fmt.Fprintf(w, "%s:\n", goes)
	}
	for _, h := range r.Hosts {
		for _, c := range h.Changes {
			what := "our entries in " + c.Path
			if c.Action == "remove" {
				what = c.Path + ", which setup had made"
			}
			fmt.Fprintf(w, "  %-24s %s\n", h.Host, what)
		}
	}
	summarise(w, r.Removed)
	if len(r.Kept)+len(r.Left) > 0 {
		fmt.Fprintf(w, "%s:\n", stays)
	}
	summarise(w, r.Kept)
	if m := r.Memory; m != nil && len(r.Kept) > 0 {
		fmt.Fprintf(w, "  The memory holds %s. --data deletes it.\n", m.line())
	}
	for _, l := range r.Left {
		fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("  %s\n    %s %s", l.Path, l.Why, l.Hint), " "))
	}
}

// summarise prints one line for each kind of file in a directory.
func summarise(w io.Writer, files []uninstallFile) {
	type group struct{ what, dir string }
	var order []group
	of := map[group][]uninstallFile{}
	for _, f := range files {
		g := group{f.What, filepath.Dir(f.Path)}
		if !slices.Contains(order, g) {
			order = append(order, g)
		}
		of[g] = append(of[g], f)
	}
	for _, g := range order {
		var bytes int64
		for _, f := range of[g] {
			bytes += f.Bytes
		}
		where := of[g][0].Path
		if n := len(of[g]); n > 1 {
			where = fmt.Sprintf("%s (%d files)", g.dir, n)
		}
		fmt.Fprintf(w, "  %-24s %s, %s\n", g.what, where, size(bytes))
	}
}
