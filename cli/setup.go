package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memory-graph/config"
	"memory-graph/hosts"
	"memory-graph/hosts/splice"
	"memory-graph/memory"
)

// setupFlags are the command's own.
type setupFlags struct {
	print, uninstall, yes, noHooks bool
	dir, name, program             string
}

func newSetup(a *app) *cobra.Command {
	var f setupFlags
	c := &cobra.Command{
		Use:   "setup [HOST]",
		Short: "Make a host start memory-graph, or take it out again",
		Long: `setup writes memory-graph into a host's list of MCP servers and, where the host has hooks, into these, so that every message
is remembered and every answer begins with what is known. It shows the change and asks first; where nobody is at the
terminal, or with --yes, it goes on at once. Everything else in the files stays as it is, comments too, and a copy of each
file is kept beside it. Doing it again changes nothing. Without HOST it lists the hosts.

On a terminal it asks two questions where config.toml has no [memory.graph] yet: whether to build a graph of facts, and
which language model, if any, may help with that. The answers go into config.toml.

Settings that are given as flags (--db, --toolsets, --user, …) are written into the host's entry, and count for it alone.
Hosts: ` + strings.Join(hosts.IDs(), ", ") + `.`,
		Example: `  memory-graph setup
  memory-graph setup claude-code
  memory-graph setup cursor --print
  memory-graph setup vscode --in . --no-hooks
  memory-graph setup codex --db ~/codex.db --user Ann
  memory-graph setup claude-code --uninstall`,
		Args: atMostOne("the name of one host"),
	}
	fl := c.Flags()
	fl.BoolVar(&f.print, "print", false, "only show what would change")
	fl.BoolVar(&f.uninstall, "uninstall", false, "take out what setup put in, and nothing else")
	fl.BoolVarP(&f.yes, "yes", "y", false, "do not ask")
	fl.BoolVar(&f.noHooks, "no-hooks", false, "write the server only, no hooks")
	fl.StringVar(&f.dir, "in", "", "set it up for the project in this `directory` alone, instead of for the user")
	fl.StringVar(&f.name, "name", "", "what the host calls the server (default "+hosts.DefaultName+")")
	fl.StringVar(&f.program, "program", "", "the `path` of memory-graph to write, instead of that of this program")
	c.RunE = func(c *cobra.Command, args []string) error { return a.setup(c, args, f) }
	return c
}

// setupReport is what setup did.
type setupReport struct {
	Host    string        `json:"host"`
	Status  string        `json:"status"` // set_up, already_set_up, removed, not_there, or shown with --print
	Program string        `json:"program"`
	Changes []setupChange `json:"changes"`
	Then    string        `json:"then,omitempty"` // what the person does next
}

type setupChange struct {
	Path   string `json:"path"`
	Action string `json:"action"` // create, change or remove
	Diff   string `json:"diff"`
	Backup string `json:"backup,omitempty"`
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
	o := hosts.Options{Name: f.name, Program: program, Hooks: !f.noHooks}
	if f.dir != "" {
		if o.Dir, err = filepath.Abs(f.dir); err != nil {
			return memory.AsError(err)
		}
		if info, err := os.Stat(o.Dir); err != nil || !info.IsDir() {
			return usageError(c, "--in %s is no directory.", o.Dir)
		}
	}
	if len(args) == 0 {
		return a.listHosts(c, o, f)
	}
	h, ok := hosts.Find(strings.ToLower(strings.TrimSpace(args[0])))
	if !ok {
		return usageError(c, "There is no host %q; there are %s.", args[0], strings.Join(hosts.IDs(), ", "))
	}
	if f.name != "" && strings.TrimSpace(f.name) != f.name {
		return usageError(c, "--name %q begins or ends with a blank.", f.name)
	}
	if o.Env, o.Flags, err = given(c, cfg); err != nil {
		return err
	}
	if !f.uninstall {
		a.unseen(c)
	}
	places := hosts.UserPlaces(a.env)
	plan := h.Install
	if f.uninstall {
		plan = h.Uninstall
	}
	changes, err := plan(places, o)
	if err != nil {
		return err
	}
	if !f.uninstall && !f.print && !f.yes && isTerminal(a.stdin) {
		answers, err := a.questions(c, cfg)
		if err != nil {
			return err
		}
		changes = append(changes, answers...)
	}
	return a.carryOut(c.Context(), h, cfg, program, changes, f)
}

// carryOut shows the changes, asks, makes them and says so.
func (a *app) carryOut(ctx context.Context, h hosts.Host, cfg *config.Config, program string, all []hosts.Change, f setupFlags) error {
	r := setupReport{Host: h.ID, Status: "set_up", Program: program, Changes: []setupChange{}, Then: h.After}
	if f.uninstall {
		r.Status, r.Then = "removed", ""
	}
	var changes []hosts.Change
	for _, c := range all {
		if !c.Empty() {
			changes = append(changes, c)
			r.Changes = append(r.Changes, setupChange{Path: c.Path, Action: c.Action(), Diff: c.Diff()})
		}
	}
	switch {
	case len(changes) == 0 && f.uninstall:
		r.Status = "not_there"
	case len(changes) == 0:
		r.Status = "already_set_up"
	case f.print:
		r.Status, r.Then = "shown", ""
	}
	if len(changes) == 0 || f.print {
		return a.print(r, r.write)
	}
	if !f.yes {
		for _, c := range r.Changes {
			fmt.Fprintln(a.stderr, c.Diff)
		}
		if isTerminal(a.stdin) {
			sure, err := a.ask(ctx, "Write that?")
			if err != nil {
				return err
			}
			if !sure {
				fmt.Fprintln(a.stderr, "Nothing was written.")
				return errSilent
			}
		} else {
			fmt.Fprintln(a.stderr, "Nobody is at the terminal to be asked, so this is written now (--print would only show it).")
		}
	}
	for i, c := range changes {
		backup, err := c.Write(time.Now())
		if err != nil {
			if i > 0 {
				fmt.Fprintf(a.stderr, "Before that %s was written; run setup again when the cause is gone.\n", changes[i-1].Path)
			}
			return err
		}
		r.Changes[i].Backup = backup
	}
	if !f.uninstall {
		a.warm(ctx, cfg)
	}
	return a.print(r, r.write)
}

func (r setupReport) write(w io.Writer) {
	switch r.Status {
	case "already_set_up":
		fmt.Fprintf(w, "%s is already set up: nothing was written.\n", r.Host)
	case "not_there":
		fmt.Fprintf(w, "There is nothing of memory-graph in the files of %s: nothing was written.\n", r.Host)
	case "shown":
		for _, c := range r.Changes {
			fmt.Fprintln(w, c.Diff)
		}
		fmt.Fprintln(w, "Nothing was written.")
	default:
		did := map[string]string{"create": "made", "change": "changed", "remove": "removed"}
		for _, c := range r.Changes {
			line := did[c.Action] + " " + c.Path
			if c.Backup != "" {
				line += "\n  as it was: " + c.Backup
			}
			fmt.Fprintln(w, line)
		}
		if r.Then != "" {
			fmt.Fprintln(w, r.Then)
		}
	}
}

// given collects the settings of the command line: for the host's entry as variables, for its hooks as flags.
func given(c *cobra.Command, cfg *config.Config) (env []splice.Member, flags []string, err error) {
	if f := c.Flags().Lookup("config"); f != nil && f.Changed {
		path, err := filepath.Abs(f.Value.String())
		if err != nil {
			return nil, nil, memory.AsError(err)
		}
		env = append(env, splice.Member{Name: config.EnvPrefix + "CONFIG", Value: path})
		flags = append(flags, "--config="+path)
	}
	for _, s := range config.Settings() {
		f := c.Flags().Lookup(s.Flag)
		if s.Flag == "" || f == nil || !f.Changed {
			continue
		}
		if s.Key == "http" || s.Key == "sse" {
			return nil, nil, usageError(c, "--%s is no setting of a host that starts memory-graph itself.", s.Flag)
		}
		value := s.Show(cfg)
		env = append(env, splice.Member{Name: s.Env, Value: value})
		flags = append(flags, "--"+s.Flag+"="+value)
	}
	return env, flags, nil
}

// unseen names the variables that count here and not in a host, which does not come from this shell.
func (a *app) unseen(c *cobra.Command) {
	for _, s := range config.Settings() {
		f := c.Flags().Lookup(s.Flag)
		given := s.Flag != "" && f != nil && f.Changed
		set := slices.ContainsFunc(a.env, func(e string) bool { return strings.HasPrefix(e, s.Env+"=") && e != s.Env+"=" })
		if !set || given {
			continue
		}
		how := "give it as --" + s.Flag + ", or write it into config.toml"
		if s.Secret {
			how = "write it into config.toml"
		}
		fmt.Fprintf(a.stderr, "%s is set here, and the host will not see it: %s.\n", s.Env, how)
	}
}
