package cli

import (
	"fmt"
	"io"
	"strings"

	"memory-graph/internal/clients"
)

// setupReport is the output of setup for one host.
type setupReport struct {
	Host string `json:"host"`
	// set_up, already_set_up, removed, not_there, incomplete (not everything could be removed), or shown (with --print)
	Status   string         `json:"status"`
	Program  string         `json:"program"`
	Changes  []setupChange  `json:"changes"`
	Left     []setupLeft    `json:"left,omitempty"`     // files and entries that were not changed
	Snippets []setupSnippet `json:"snippets,omitempty"` // with --print: what to add by hand
	Then     string         `json:"then,omitempty"`     // what the user has to do next
	Needs    []string       `json:"needs,omitempty"`    // what the host asks for before it does everything
}

type setupChange struct {
	Path   string   `json:"path"`
	Action string   `json:"action"`           // create, change or remove
	Before []string `json:"before,omitempty"` // programs that the entries started before, if they differ
	Diff   string   `json:"diff"`
	Backup string   `json:"backup,omitempty"`
}

// setupLeft is a file, or an entry in it, that was not changed.
type setupLeft struct {
	Path string `json:"path"`
	Why  string `json:"why"`
	Hint string `json:"hint,omitempty"`
	told bool   // already printed to stderr
}

// setupSnippet is the text to add to a host's file by hand.
type setupSnippet struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

// nothing sets the status for a host without changes.
func (report *setupReport) nothing(uninstall bool) {
	switch {
	case report.Status == "incomplete":
	case uninstall:
		report.Status = "not_there"
	default:
		report.Status = "already_set_up"
	}
}

// shown fills in the output of --print: the changes, and what to add by hand to files that cannot be changed.
func (r *setupRun) shown(h clients.Client, report *setupReport) error {
	report.Then, report.Needs = "", nil
	if len(report.Changes) > 0 || len(report.Left) > 0 {
		report.Status = "shown"
	} else {
		report.nothing(r.flags.uninstall)
	}
	if r.flags.uninstall {
		return nil
	}
	snippets, err := h.Snippets(r.places, r.o)
	if err != nil {
		return err
	}
	for _, s := range snippets {
		report.Snippets = append(report.Snippets, setupSnippet{s.Path, string(s.After)})
	}
	return nil
}

func (report *setupReport) write(w io.Writer) {
	switch report.Status {
	case "already_set_up":
		fmt.Fprintf(w, "%s is already set up: nothing was written.\n", report.Host)
		report.byHand(w)
	case "not_there":
		fmt.Fprintf(w, "The files of %s do not contain memory-graph: nothing was written.\n", report.Host)
	case "shown":
		for _, c := range report.Changes {
			fmt.Fprintln(w, c.Diff)
		}
		report.byHand(w)
		fmt.Fprintln(w, "Nothing was written.")
	default:
		did := map[string]string{"create": "made", "change": "changed", "remove": "removed"}
		for _, c := range report.Changes {
			fmt.Fprintln(w, did[c.Action]+" "+c.Path)
			if len(c.Before) > 0 {
				fmt.Fprintln(w, "  before, it started: "+strings.Join(c.Before, ", "))
			}
			if c.Backup != "" {
				fmt.Fprintln(w, "  copy of the old file: "+c.Backup)
			}
		}
	}
	for _, l := range report.Left {
		switch {
		case !l.told:
			fmt.Fprintf(w, "not changed: %s\n  %s %s\n", l.Path, l.Why, l.Hint)
		case report.Status != "shown":
			fmt.Fprintf(w, "not changed: %s\n", l.Path)
		}
	}
	if report.Then != "" && report.Status == "set_up" {
		fmt.Fprintln(w, report.Then)
		for _, need := range report.Needs {
			fmt.Fprintln(w, need)
		}
	}
}

// byHand shows what to add to the files for which no change is shown.
func (report *setupReport) byHand(w io.Writer) {
	for _, s := range report.Snippets {
		shown := false
		for _, c := range report.Changes {
			shown = shown || c.Path == s.Path
		}
		if !shown {
			fmt.Fprintf(w, "Add this to %s by hand:\n\n%s\n", s.Path, strings.TrimRight(s.Text, "\n")+"\n")
		}
	}
}
