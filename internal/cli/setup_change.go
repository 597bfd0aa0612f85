package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"memory-graph/internal/clients"
	"memory-graph/internal/memory"
)

// one plans the change of a host's files, shows it, asks and makes it.
func (r *setupRun) one(h clients.Client) (*setupReport, error) {
	report := &setupReport{Host: h.ID, Status: "set_up", Program: r.o.Program, Changes: []setupChange{}, Then: h.After}
	plan := h.Install
	if r.flags.uninstall {
		plan, report.Status, report.Then = h.Uninstall, "removed", ""
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
		fmt.Fprintf(r.stderr, "%s has left no settings on this machine so far; they are prepared for it.\n", h.Name)
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

// problems deals with files that cannot be changed. To install is all or nothing: half of it would look like all of it.
// Showing and taking out go on with what there is, and say what is left.
func (r *setupRun) problems(h clients.Client, report *setupReport, changes []clients.Change) error {
	for _, c := range changes {
		if c.Problem == nil {
			if c.Other != "" {
				report.Left = append(report.Left, setupLeft{Path: c.Path,
					Why:  fmt.Sprintf("It starts another program under our name, %s.", c.Other),
					Hint: "If that is a way to start memory-graph, say so: --program " + c.Other + "."})
			}
			continue
		}
		if !r.flags.uninstall && !r.flags.print {
			return c.Problem
		}
		e := memory.AsError(c.Problem)
		left := setupLeft{Path: c.Path, Why: e.Message, Hint: e.Hint}
		if r.flags.print && !r.flags.uninstall {
			left.Hint = "" // which is what stands below it
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

// agreed shows the changes and asks, unless --yes has answered.
func (r *setupRun) agreed(report *setupReport) error {
	if r.flags.yes {
		return nil
	}
	for _, c := range report.Changes {
		fmt.Fprintln(r.stderr, c.Diff)
	}
	answer, err := r.choose(r.c.Context(), "Write that? [y/N]", no, yes, no)
	if err == nil && answer != yes {
		fmt.Fprintln(r.stderr, "Nothing was written.")
		err = errSilent
	}
	return err
}

// write makes the changes. What cannot be taken out does not keep the rest from it.
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
				fmt.Fprintf(r.stderr, "Before that %s was written; run setup again when the cause is gone.\n",
					strings.Join(done, " and "))
			}
			return err
		}
	}
	report.Changes = made
	return nil
}
