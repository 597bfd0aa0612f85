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

// setupFlags are the flags of setup.
type setupFlags struct {
	print, uninstall, yes, noHooks bool
	dir, name, program, plugin     string
}

func newSetup(a *app) *cobra.Command {
	var f setupFlags
	c := &cobra.Command{
		Use:   "setup [HOST...]",
		Short: "Add memory-graph to a host's configuration, or remove it",
		Long: `setup adds memory-graph to a host's list of MCP servers and, if the host has hooks, to its hooks. The hooks
store every message, and put a context block before it. setup shows the change and asks before it writes; --yes skips
the question, and is required without a terminal. Nothing else in the files changes, not even comments, and setup keeps
a copy of each file. Running setup again changes nothing. Without HOST it lists the hosts.

If config.toml has no section [memory.graph] yet, setup asks on a terminal whether to build a graph of facts, and which
language model, if any, may help with this. If the host has a command that answers prompts (claude, codex, gemini),
setup offers it once as llm_command, and says what is sent, to whom, and what it may cost. The default is no. It writes
the answers into config.toml at once. If the host has kept sessions, setup offers once to import them.

Settings given as flags (--db, --toolsets, --user, …) are written into the host's entry, and apply only to this host.

setup does not change files that are broken or read-only; --print shows what to add to them by hand. --uninstall then
still changes the host's other file, and says what it could not remove.

--plugin DIR writes a directory that Claude Code and Codex install as a plugin: the server, the hooks and a skill. Its
hooks do nothing where setup has also registered hooks, so a turn is stored once and a context given once.

Hosts: ` + strings.Join(clients.IDs(), ", ") + `.`,
		Example: `  memory-graph setup                                      # list the hosts, and which are set up
  memory-graph setup claude-code
  memory-graph setup cursor zed --yes                     # several hosts, without asking
  memory-graph setup cursor --print                       # only show the change
  memory-graph setup vscode --in . --no-hooks             # only for one project
  memory-graph setup codex --db ~/codex.db --user Ann     # with settings for this host
  memory-graph setup claude-code --uninstall
  memory-graph setup --plugin ~/memory-graph-plugin       # a plugin for Claude Code and Codex`,
	}
	fl := c.Flags()
	fl.BoolVar(&f.print, "print", false, "only show the change, or what to add by hand")
	fl.BoolVar(&f.uninstall, "uninstall", false, "remove what setup added, and nothing else")
	fl.BoolVarP(&f.yes, "yes", "y", false, "do not ask")
	fl.BoolVar(&f.noHooks, "no-hooks", false, "only set up the server; do not change hooks")
	fl.StringVar(&f.dir, "in", "", "set up the host only for the project in this `directory`, instead of for the user")
	fl.StringVar(&f.name, "name", "", "name of the server in the host's list (default "+clients.DefaultName+")")
	fl.StringVar(&f.program, "program", "", "`path` of memory-graph for the host to start (default: this program)")
	fl.StringVar(&f.plugin, "plugin", "", "write a plugin for Claude Code and Codex into this `directory`")
	c.RunE = func(c *cobra.Command, args []string) error { return a.setup(c, args, f) }
	return c
}

// setupRun is one run of setup.
type setupRun struct {
	*app
	c      *cobra.Command
	cfg    *config.Config
	flags  setupFlags
	places clients.Places
	o      clients.Options
	warmed bool // SQLite is compiled into the cache
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
			return usageError(c, "--in %s is not a directory.", r.o.Dir)
		}
	}
	if f.plugin != "" {
		return a.plugin(c, args, cfg, f, r.o)
	}
	if len(args) == 0 {
		return a.listClients(c, r.o, f)
	}
	list, err := askedFor(c, args)
	if err != nil {
		return err
	}
	if f.name != "" && strings.TrimSpace(f.name) != f.name {
		return usageError(c, "--name %q begins or ends with a space.", f.name)
	}
	if r.o.Env, r.o.Flags, err = given(c, cfg); err != nil {
		return err
	}
	if !f.print && !f.yes && !isTerminal(a.stdin) {
		return memory.Errorf(memory.InvalidArgument, "setup asks before it writes, but there is no terminal.").
			WithHint("Add --yes, or --print to see the change first.")
	}
	if !f.uninstall {
		a.unseen(c)
	}
	return r.each(list)
}

// askedFor returns the hosts named by the arguments, each once.
func askedFor(c *cobra.Command, args []string) (list []clients.Client, err error) {
	for _, arg := range args {
		name := strings.ToLower(strings.TrimSpace(arg))
		h, ok := clients.Find(name)
		if !ok {
			e := memory.Errorf(memory.InvalidArgument, "Unknown host %q. Known hosts: %s.", arg,
				strings.Join(clients.IDs(), ", "))
			if near := cmp.Or(config.Suggest(name, clients.IDs()), config.Suggest(name, clients.Names())); near != "" {
				return nil, e.WithHint("Did you mean %s?", near)
			}
			return nil, e.WithHint("docs/hosts.md describes other hosts; `%s` lists the known ones.", c.CommandPath())
		}
		if !slices.ContainsFunc(list, func(other clients.Client) bool { return other.ID == h.ID }) {
			list = append(list, h)
		}
	}
	return list, nil
}

// each sets up one host after the other. With several hosts, it continues after a failure. Questions that concern all
// hosts come first.
func (r *setupRun) each(list []clients.Client) error {
	if !r.flags.uninstall && !r.flags.print && !r.flags.yes {
		if err := r.settle(list); err != nil {
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
		if err == nil {
			err = r.offerSessions(list[0])
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
		if err := r.offerSessions(h); err != nil {
			return err
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
