package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"memory-graph/internal/clients"
	"memory-graph/internal/memory"
)

// uninstallFlags are the flags of uninstall.
type uninstallFlags struct {
	dryRun, yes, data bool
	lose              string
	dirs, plugins     []string
}

func newUninstall(a *app) *cobra.Command {
	var f uninstallFlags
	c := &cobra.Command{
		Use:   "uninstall",
		Short: "Remove memory-graph from every host, with its caches; the memory stays unless --data is given",
		Long: `uninstall removes what setup added to every host: the server's entry, the hooks, and the copies that setup
kept. A file that only setup has changed regains its earlier content, byte for byte. It also removes the caches, the log
of hooks and the socket. It lists all this, and asks; --yes skips the question, and is required without a terminal.
--dry-run only lists. Files of other programs and people stay, also in memory-graph's own directories, and are named.

The memory, config.toml and the HTTP token stay. --data deletes them too, after it has shown what is lost: the number of
turns has to be typed, or given as --lose. A memory that another process uses is not deleted: stop all hosts first.

Projects that were set up with --in are removed with --in, and directories written by setup --plugin with --plugin.
At the end uninstall says how to remove the program itself.`,
		Example: `  memory-graph uninstall --dry-run             # list what would be removed, and what stays
  memory-graph uninstall                       # hosts, hooks and caches
  memory-graph uninstall --in ~/billing        # also what setup --in wrote for this project
  memory-graph uninstall --data                # also the memory, after a second question
  memory-graph uninstall --yes --data --lose 1204`,
		Args: noArgs,
	}
	fl := c.Flags()
	fl.BoolVar(&f.dryRun, "dry-run", false, "only list what would be removed, and what stays")
	fl.BoolVarP(&f.yes, "yes", "y", false, "do not ask")
	fl.BoolVar(&f.data, "data", false, "delete the memory, config.toml and the token for good, too")
	fl.StringVar(&f.lose, "lose", "", "with --data: the `number` of turns that will be lost, as --dry-run --data shows it")
	fl.StringSliceVar(&f.dirs, "in", nil, "also remove what setup --in wrote in this `directory`; may be repeated")
	fl.StringSliceVar(&f.plugins, "plugin", nil, "also remove the plugin in this `directory`; may be repeated")
	c.RunE = func(c *cobra.Command, _ []string) error { return a.uninstall(c, f) }
	return c
}

// uninstallRun is one run of uninstall.
type uninstallRun struct {
	*setupRun
	f      uninstallFlags
	plans  []*hostPlan
	report uninstallReport

	foreign string // why the database of the settings is not a memory; "" if it is one, or not there
}

// hostPlan is what changes for one host, for the user or in a project's directory.
type hostPlan struct {
	clients.Client
	o       clients.Options
	report  *setupReport
	changes []clients.Change
}

func (a *app) uninstall(c *cobra.Command, f uninstallFlags) error {
	cfg, _, err := a.settings(c)
	if err != nil {
		return err
	}
	switch {
	case f.lose != "" && !f.data:
		return usageError(c, "--lose needs --data.")
	case !f.dryRun && !f.yes && !isTerminal(a.stdin):
		return memory.Errorf(memory.InvalidArgument, "uninstall asks before it removes, but there is no terminal.").
			WithHint("Add --yes, or --dry-run to see what it would remove.")
	}
	program, err := os.Executable()
	if err != nil {
		return memory.Errorf(memory.Unavailable, "Cannot find the path of this program: %w.", err)
	}
	if path, err := programPath(""); err == nil { // the link that hosts start, if the program was found by a link
		program = path
	}
	u := &uninstallRun{f: f, setupRun: &setupRun{app: a, c: c, cfg: cfg, places: clients.UserPlaces(a.env),
		flags: setupFlags{uninstall: true, yes: true},
		o:     clients.Options{Program: program, Hooks: true}}}
	if err := u.plan(c.Context()); err != nil {
		return err
	}
	if !f.dryRun {
		if err := u.consent(c.Context()); err != nil {
			return err
		}
		u.carryOut(c.Context())
	}
	if err := u.print(u.report, u.report.write); err != nil {
		return err
	}
	if u.report.Status == "incomplete" {
		return errSilent
	}
	return nil
}

// plan fills in the report as if everything succeeded.
func (u *uninstallRun) plan(ctx context.Context) error {
	r := &u.report
	r.DryRun, r.Status = u.f.dryRun, "removed"
	r.Hosts, r.Removed, r.Left = []*setupReport{}, []uninstallFile{}, []setupLeft{}
	r.Program = uninstallProgram{u.o.Program, removesProgram(u.o.Program, exists)}
	if err := u.planHosts(""); err != nil {
		return err
	}
	for _, dir := range u.f.dirs {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return memory.AsError(err)
		}
		if info, err := os.Stat(abs); err != nil || !info.IsDir() {
			return usageError(u.c, "--in %s is not a directory.", abs)
		}
		if err := u.planHosts(abs); err != nil {
			return err
		}
	}
	for _, dir := range u.f.plugins {
		if err := u.planPlugin(dir); err != nil {
			return err
		}
	}
	if err := u.readMemory(ctx); err != nil { // first: it may leave a file beside the database
		return err
	}
	u.planFiles()
	if u.f.data && r.Memory != nil && r.Memory.InUse && !u.f.dryRun {
		return memory.Errorf(memory.Unavailable, "Another process uses the memory %s. Nothing was removed.",
			r.Memory.Database).WithHint("Stop all hosts and servers, then run uninstall again.")
	}
	if len(r.Hosts)+len(r.Removed) == 0 {
		r.Status = "not_there"
	}
	return nil
}

// consent shows what will be removed and asks; for the memory it asks once more. errSilent means no.
func (u *uninstallRun) consent(ctx context.Context) error {
	if u.report.Status == "not_there" {
		return nil
	}
	if !u.f.yes {
		u.report.list(u.stderr, "Will remove", "Stays")
		answer, err := u.choose(ctx, "Remove all this? [y/N]", no, yes, no)
		if err != nil || answer != yes {
			return u.refused(err)
		}
	}
	m := u.report.Memory
	if !u.f.data || m == nil {
		return nil
	}
	want := "unknown"
	if m.Turns >= 0 {
		want = strconv.FormatInt(m.Turns, 10)
	}
	typed := u.f.lose
	if typed == "" && isTerminal(u.stdin) {
		fmt.Fprintf(u.stderr, "This deletes the memory for good: %s.\n", m.line())
		var err error
		if typed, _, err = u.line(ctx, fmt.Sprintf("Type the number of turns (%s) to delete it:", want)); err != nil {
			return u.refused(err)
		}
		if typed != want {
			return u.refused(nil)
		}
	}
	if typed != want {
		e := memory.Errorf(memory.InvalidArgument, "The memory that --data deletes holds %s.", m.line())
		return e.WithHint("Nothing was removed. To delete it for good, add --lose %s.", want)
	}
	return nil
}

func (u *uninstallRun) refused(err error) error {
	if err != nil {
		return err
	}
	fmt.Fprintln(u.stderr, "Nothing was removed.")
	return errSilent
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
