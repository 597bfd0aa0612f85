package cli

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"memory-graph/internal/clients"
	"memory-graph/internal/config"
	"memory-graph/internal/memory"
)

// setupFlags are the command's own.
type setupFlags struct {
	print, uninstall, yes, noHooks bool
	dir, name, program             string
}

func newSetup(a *app) *cobra.Command {
	var f setupFlags
	c := &cobra.Command{
		Use:   "setup [HOST...]",
		Short: "Make a host start memory-graph, or take it out again",
		Long: `setup writes memory-graph into a host's list of MCP servers and, where the host has hooks, into these, so that every message
is remembered and every answer begins with what is known. It shows the change and asks first, or takes --yes for an answer:
where nobody is at the terminal it writes nothing without that. Everything else in the files stays as it is, comments too,
and a copy of each file is kept beside it. Doing it again changes nothing. Without HOST it lists the hosts.

On a terminal it asks two questions where config.toml has no [memory.graph] yet: whether to build a graph of facts, and
which language model, if any, may help with that. The answers go into config.toml at once, whatever becomes of the host.

Settings that are given as flags (--db, --toolsets, --user, …) are written into the host's entry, and count for it alone.

Files that setup cannot change, because they are broken or read-only, are left alone, and --print shows what to add by hand.
--uninstall goes on with the other file of the host then, and says what was left.

Hosts: ` + strings.Join(clients.IDs(), ", ") + `.`,
		Example: `  memory-graph setup                                      # which hosts there are, and what is set up
  memory-graph setup claude-code
  memory-graph setup cursor zed --yes                     # several, without a question
  memory-graph setup cursor --print                       # only show it
  memory-graph setup vscode --in . --no-hooks             # for one project
  memory-graph setup codex --db ~/codex.db --user Ann     # with settings of its own
  memory-graph setup claude-code --uninstall`,
	}
	fl := c.Flags()
	fl.BoolVar(&f.print, "print", false, "only show what would change, or what to add by hand")
	fl.BoolVar(&f.uninstall, "uninstall", false, "take out what setup put in, and nothing else")
	fl.BoolVarP(&f.yes, "yes", "y", false, "do not ask")
	fl.BoolVar(&f.noHooks, "no-hooks", false, "the server only: leave the hooks as they are")
	fl.StringVar(&f.dir, "in", "", "set it up for the project in this `directory` alone, instead of for the user")
	fl.StringVar(&f.name, "name", "", "what the host calls the server (default "+clients.DefaultName+")")
	fl.StringVar(&f.program, "program", "", "the `path` of memory-graph to write, instead of that of this program")
	c.RunE = func(c *cobra.Command, args []string) error { return a.setup(c, args, f) }
	return c
}

// setupRun is one call of setup.
type setupRun struct {
	*app
	c      *cobra.Command
	cfg    *config.Config
	flags  setupFlags
	places clients.Places
	o      clients.Options
	warmed bool // the cache
}

func (a *app) setup(c *cobra.Command, args []string, f setupFlags) error {
	cfg, _, err := a.config(c)
	if err != nil {
		return err
	}
	program, err := programPath(f.program)
	if err != nil {
		return err
	}
	r := &setupRun{app: a, c: c, cfg: cfg, flags: f, places: clients.UserPlaces(a.env)}
	r.o = clients.Options{Name: f.name, Program: program, Hooks: !f.noHooks}
	if f.dir != "" {
		if r.o.Dir, err = filepath.Abs(f.dir); err != nil {
			return memory.AsError(err)
		}
		if info, err := os.Stat(r.o.Dir); err != nil || !info.IsDir() {
			return usageError(c, "--in %s is no directory.", r.o.Dir)
		}
	}
	if len(args) == 0 {
		return a.listClients(c, r.o, f)
	}
	list, err := askedFor(c, args)
	if err != nil {
		return err
	}
	if f.name != "" && strings.TrimSpace(f.name) != f.name {
		return usageError(c, "--name %q begins or ends with a blank.", f.name)
	}
	if r.o.Env, r.o.Flags, err = given(c, cfg); err != nil {
		return err
	}
	if !f.print && !f.yes && !isTerminal(a.stdin) {
		return memory.Errorf(memory.InvalidArgument, "setup asks before it writes, and nobody is at the terminal.").
			WithHint("Add --yes, or --print to look first.")
	}
	if !f.uninstall {
		a.unseen(c)
	}
	return r.each(list)
}

// askedFor finds the hosts that are asked for, each once.
func askedFor(c *cobra.Command, args []string) (list []clients.Client, err error) {
	for _, arg := range args {
		name := strings.ToLower(strings.TrimSpace(arg))
		h, ok := clients.Find(name)
		if !ok {
			e := memory.Errorf(memory.InvalidArgument, "There is no host %q; there are %s.", arg,
				strings.Join(clients.IDs(), ", "))
			if near := cmp.Or(config.Suggest(name, clients.IDs()), config.Suggest(name, clients.Names())); near != "" {
				return nil, e.WithHint("Did you mean %s?", near)
			}
			return nil, e.WithHint("docs/hosts.md says what other hosts take; `%s` without a name lists these.", c.CommandPath())
		}
		if !slices.ContainsFunc(list, func(other clients.Client) bool { return other.ID == h.ID }) {
			list = append(list, h)
		}
	}
	return list, nil
}

// each does it for one host after the other. Where there are several, one that fails stops no other. What is asked of
// all of them is asked before.
func (r *setupRun) each(list []clients.Client) error {
	if !r.flags.uninstall && !r.flags.print && !r.flags.yes {
		if err := r.settle(); err != nil {
			return err
		}
	}
	if len(list) == 1 {
		report, err := r.one(list[0])
		if err == nil {
			err = r.print(report, report.write)
		}
		if err == nil && report.Status == "incomplete" {
			return errSilent
		}
		return err
	}
	reports, failed := []*setupReport{}, false
	for _, h := range list {
		report, err := r.one(h)
		if err != nil && r.c.Context().Err() != nil {
			return err
		}
		if err != nil {
			r.fail(err)
			failed = true
			continue
		}
		failed = failed || report.Status == "incomplete"
		reports = append(reports, report)
		if !r.json {
			fmt.Fprintf(r.stdout, "%s:\n", h.Name)
			report.write(r.stdout)
		}
	}
	if r.json {
		writeJSON(r.stdout, map[string]any{"hosts": reports})
	}
	if failed {
		return errSilent
	}
	return nil
}
