package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"memory-graph/internal/clients"
	"memory-graph/internal/memory"
)

// one plans the changes of a host's files, shows them, asks, and writes them.
func (r *setupRun) one(h clients.Client) (*setupReport, error) {
	h = h.Calling(cmp.Or(r.o.Name, clients.DefaultName))
	report := &setupReport{Host: h.ID, Status: "set_up", Program: r.o.Program, Changes: []setupChange{}, Then: h.After,
		Needs: h.Needs}
	plan := h.Install
	if r.flags.uninstall {
		plan, report.Status, report.Then, report.Needs = h.Uninstall, "removed", "", nil
	}
	changes, err := plan(r.places, r.o)
	if err != nil {
		return nil, err
	}
	if err := r.problems(h, report, changes); err != nil {
		return nil, err
	}
	changes = slices.DeleteFunc(changes, clients.Change.Empty)
	for _, c := range changes {
		report.Changes = append(report.Changes,
			setupChange{Path: c.Path, Action: c.Action(), Before: c.Before, Diff: c.Diff()})
	}
	switch {
	case r.flags.print:
		return report, r.shown(h, report)
	case len(changes) == 0:
		report.nothing(r.flags.uninstall)
		return report, nil
	}
	if !r.flags.uninstall && r.o.Dir == "" && !r.flags.yes && !present(h, r.places, r.o) {
		fmt.Fprintf(r.stderr, "%s has no settings on this machine yet; setup creates them.\n", h.Name)
	}
	if err := r.agreed(report); err != nil {
		return nil, err
	}
	if err := r.write(report, changes); err != nil {
		return nil, err
	}
	if !r.flags.uninstall && !r.warmed {
		r.warmed = true
		r.warm(r.c.Context(), r.cfg)
	}
	return report, nil
}

// problems handles files that cannot be changed. Installing fails if there is one, since a partial setup would look
// complete. --print and --uninstall continue with the other files, and report the ones that cannot be changed.
func (r *setupRun) problems(h clients.Client, report *setupReport, changes []clients.Change) error {
	for _, c := range changes {
		if c.Problem == nil {
			if c.Other != "" {
				report.Left = append(report.Left, setupLeft{Path: c.Path,
					Why:  fmt.Sprintf("The entry with the server's name starts another program, %s.", c.Other),
					Hint: "If this program starts memory-graph, add --program " + c.Other + "."})
			}
			continue
		}
		if !r.flags.uninstall && !r.flags.print {
			return c.Problem
		}
		e := memory.AsError(c.Problem)
		left := setupLeft{Path: c.Path, Why: e.Message, Hint: e.Hint}
		if r.flags.print && !r.flags.uninstall {
			left.Hint = "" // the text to add by hand follows
		}
		if !r.json {
			fmt.Fprintln(r.stderr, strings.TrimSpace("memory-graph: "+left.Why+" "+left.Hint))
			left.told = true
		}
		report.Left = append(report.Left, left)
		if r.flags.uninstall {
			report.Status = "incomplete"
		}
	}
	return nil
}

// agreed shows the changes and, without --yes, asks. It returns errSilent if the answer is no.
func (r *setupRun) agreed(report *setupReport) error {
	if r.flags.yes {
		return nil
	}
	for _, c := range report.Changes {
		fmt.Fprintln(r.stderr, c.Diff)
	}
	answer, err := r.choose(r.c.Context(), "Write these changes? [y/N]", no, yes, no)
	if err == nil && answer != yes {
		fmt.Fprintln(r.stderr, "Nothing was written.")
		err = errSilent
	}
	return err
}

// write writes the changes. With --uninstall it continues after a failure.
func (r *setupRun) write(report *setupReport, changes []clients.Change) error {
	var done []string
	made := report.Changes[:0]
	for i, c := range changes {
		backup, err := c.Write(time.Now())
		switch {
		case err == nil:
			done = append(done, c.Path)
			made = append(made, report.Changes[i])
			made[len(made)-1].Backup = backup
		case r.flags.uninstall && r.c.Context().Err() == nil:
			e := memory.AsError(err)
			report.Left, report.Status = append(report.Left, setupLeft{c.Path, e.Message, e.Hint, !r.json}), "incomplete"
			if !r.json {
				fmt.Fprintln(r.stderr, "memory-graph: "+e.Error())
			}
		default:
			if len(done) > 0 {
				fmt.Fprintf(r.stderr, "%s was already written; fix the cause and run setup again.\n",
					strings.Join(done, " and "))
			}
			return err
		}
	}
	report.Changes = made
	return nil
}
