package cli

import (
	"fmt"
	"io"
	"strings"

	"memory-graph/internal/clients"
)

// setupReport is what setup did for a host.
type setupReport struct {
	Host string `json:"host"`
	// set_up, already_set_up, removed, not_there, incomplete (some could not be removed), or shown with --print
	Status   string         `json:"status"`
	Program  string         `json:"program"`
	Changes  []setupChange  `json:"changes"`
	Left     []setupLeft    `json:"left,omitempty"`     // what was left as it is
	Snippets []setupSnippet `json:"snippets,omitempty"` // with --print: what to add by hand
	Then     string         `json:"then,omitempty"`     // what the person does next
}

type setupChange struct {
	Path   string   `json:"path"`
	Action string   `json:"action"`           // create, change or remove
	Before []string `json:"before,omitempty"` // the programs that were started before, where others than now
	Diff   string   `json:"diff"`
	Backup string   `json:"backup,omitempty"`
}

// setupLeft is a file that stays as it is, or an entry in it.
type setupLeft struct {
	Path string `json:"path"`
	Why  string `json:"why"`
	Hint string `json:"hint,omitempty"`
	told bool   // on stderr
}

// setupSnippet is what a file of the host would have if it had nothing else.
type setupSnippet struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

// nothing says that there is nothing to do.
func (report *setupReport) nothing(uninstall bool) {
	switch {
	case report.Status == "incomplete":
	case uninstall:
		report.Status = "not_there"
	default:
		report.Status = "already_set_up"
	}
}

// shown fills in what --print says: the change, and what to add by hand, whatever state the files are in.
func (r *setupRun) shown(h clients.Client, report *setupReport) error {
	report.Then = ""
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
		fmt.Fprintf(w, "There is nothing of memory-graph in the files of %s: nothing was written.\n", report.Host)
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
				fmt.Fprintln(w, "  it started: "+strings.Join(c.Before, ", "))
			}
			if c.Backup != "" {
				fmt.Fprintln(w, "  as it was: "+c.Backup)
			}
		}
	}
	for _, l := range report.Left {
		switch {
		case !l.told:
			fmt.Fprintf(w, "left as it is: %s\n  %s %s\n", l.Path, l.Why, l.Hint)
		case report.Status != "shown":
			fmt.Fprintf(w, "left as it is: %s\n", l.Path)
		}
	}
	if report.Then != "" && report.Status == "set_up" {
		fmt.Fprintln(w, report.Then)
	}
}

// byHand shows what goes into files that no change is shown of.
func (report *setupReport) byHand(w io.Writer) {
	for _, s := range report.Snippets {
		shown := false
		for _, c := range report.Changes {
			shown = shown || c.Path == s.Path
		}
		if !shown {
			fmt.Fprintf(w, "By hand, this goes into %s:\n\n%s\n", s.Path, strings.TrimRight(s.Text, "\n")+"\n")
		}
	}
}
