package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"memory-graph/internal/clients"
	"memory-graph/internal/config"
	"memory-graph/internal/engine"
	"memory-graph/internal/hooks"
	"memory-graph/internal/memory"
	"memory-graph/internal/transfer/sessions"
)

// keptFlags are the flags of import for the sessions that a host has kept.
type keptFlags struct {
	host         string
	yes          bool
	allTools     bool
	server       string
	dry, trusted bool
}

func (k *keptFlags) define(c *cobra.Command) {
	fl := c.Flags()
	fl.StringVar(&k.host, "from", "", "import the sessions that this `host` has kept: "+
		strings.Join(sessions.Hosts(), ", "))
	fl.BoolVarP(&k.yes, "yes", "y", false, "do not ask")
	fl.BoolVar(&k.allTools, "all-tools", false, "with --from: also import the results of tools that only read files")
	fl.StringVar(&k.server, "server", clients.DefaultName,
		"with --from: the host's `name` for the memory-graph server; results of its tools are not imported")
}

// importSessions imports the sessions of a host.
func (a *app) importSessions(c *cobra.Command, k keptFlags) error {
	h, ok := clients.Find(k.host)
	if !ok || sessions.Dirs(h.ID, a.variable, config.Home(a.env)) == nil {
		return usageError(c, "--from %s is not a host whose sessions can be read: use %s.", k.host,
			strings.Join(sessions.Hosts(), ", "))
	}
	if !k.yes && !k.dry && !isTerminal(a.stdin) {
		return memory.Errorf(memory.InvalidArgument, "import --from asks before it imports, but there is no terminal.").
			WithHint("Add --yes, or --dry-run to see what there is.")
	}
	// the routes are those of the sessions' projects, not of the working directory
	cfg, sources, err := a.settings(c)
	if err != nil {
		return err
	}
	return a.importKept(c, h, cfg, sources, k)
}

// importKept finds the sessions of a host, describes them, asks, and imports them.
func (a *app) importKept(c *cobra.Command, h clients.Client, cfg *config.Config, sources config.Sources,
	k keptFlags) error {
	dirs := sessions.Dirs(h.ID, a.variable, config.Home(a.env))
	files, err := sessions.Find(c.Context(), h.ID, dirs)
	if err != nil {
		return memory.Errorf(memory.InvalidArgument, "The sessions of %s cannot be read: %w.", h.Name, memory.Reason(err))
	}
	r := &keptReport{Host: h.ID, name: h.Name, Dirs: dirs, DryRun: k.dry, Trusted: k.trusted, Files: len(files),
		Projects: []keptProject{}, Problems: []string{}}
	for _, f := range files {
		r.Bytes += f.Size
	}
	if len(files) == 0 {
		return a.print(r, r.write)
	}
	start := a.startEngineAs(engine.Writer)
	if k.dry {
		start = a.tryEngine
	}
	return start(c, cfg, func(ctx context.Context, cfg *config.Config, e *engine.Engine) error {
		return a.importFound(ctx, cfg, sources, e, files, r, k)
	})
}

// startEngineAs is startEngine with a mode.
func (a *app) startEngineAs(m engine.Mode) func(*cobra.Command, *config.Config,
	func(context.Context, *config.Config, *engine.Engine) error) error {
	return func(c *cobra.Command, cfg *config.Config,
		f func(context.Context, *config.Config, *engine.Engine) error) error {
		return a.startEngine(c, cfg, engine.As(m), f)
	}
}

func (a *app) importFound(ctx context.Context, cfg *config.Config, sources config.Sources, e *engine.Engine,
	files []sessions.File, r *keptReport, k keptFlags) error {
	progress := func(int) {}
	run, err := e.Sessions(ctx, engine.SessionsRequest{Files: files, Scope: a.scopes(cfg, sources), Trusted: k.trusted,
		Keeping:  hooks.Keeping{MaxBytes: cfg.Limits.ContentBytes, AllTools: k.allTools, Server: k.server},
		Progress: func(n int) { progress(n) },
		Problem:  func(path, why string) { r.problem(path + ": " + why) }})
	if err != nil {
		return err
	}
	var finish func()
	progress, finish = a.bytesRead("reading", r.Bytes)
	found, err := run.Scan(ctx)
	finish()
	r.found(found)
	skipped := run.Skipped()
	r.Long, r.Broken = skipped.Long, skipped.Broken
	if err != nil {
		return cmp.Or(r.stopped(ctx, "Nothing was imported."), err)
	}
	if !a.json {
		r.writeFound(a.stdout)
	}
	if k.dry || r.New+r.Raises == 0 {
		return a.print(r, r.write)
	}
	if !k.yes {
		answer, err := a.choose(ctx, fmt.Sprintf("Import %s? [y/N]", r.what()), no, yes, no)
		if err != nil {
			return err
		}
		if answer != yes {
			fmt.Fprintln(a.stderr, "Nothing was imported.")
			return nil
		}
	}
	progress, finish = a.bytesRead("importing", r.Bytes)
	done, err := run.Run(ctx)
	finish()
	r.fill(done)
	if ctx.Err() != nil {
		err = r.stopped(ctx, fmt.Sprintf("Stored so far: %s.", many(int64(done.New), "turn", "turns")))
	}
	return errors.Join(a.print(r, r.write), err)
}

// scopes returns where an event belongs, as hooks decide it. Directories are looked at once.
func (a *app) scopes(cfg *config.Config, sources config.Sources) func(hooks.Event) memory.Scope {
	routes, home := newRouting(cfg, sources), config.Home(a.env)
	known := map[string]routed{}
	return func(e hooks.Event) memory.Scope {
		at, ok := known[e.Dir]
		if !ok {
			at = routes.of(cfg.Project, e.Dir, home)
			known[e.Dir] = at
		}
		return eventScope(cfg, at, e)
	}
}

// eventScope returns the scope of a host's event.
func eventScope(cfg *config.Config, at routed, e hooks.Event) memory.Scope {
	return memory.Scope{Namespace: at.Namespace, Project: scopeName(at.Project, cfg.Limits.ScopeBytes), User: cfg.User,
		SessionID: scopeName(e.Session, cfg.Limits.ScopeBytes)}
}

// bytesRead shows a progress bar on a terminal. Otherwise it prints a line to stderr for each tenth of a large import.
func (a *app) bytesRead(title string, size int64) (progress func(bytes int), finish func()) {
	if isTerminal(a.stderr) {
		bar := a.bar(title, size)
		return func(n int) { _ = bar.Add(n) }, func() { _ = bar.Finish() } // the import continues without the bar
	}
	const tenths = 10
	read, said := int64(0), int64(0)
	return func(n int) {
		read += int64(n)
		if now := min(read*tenths/max(size, 1), tenths); now > said && size > 16<<20 {
			said = now
			fmt.Fprintf(a.stderr, "%s: %d %%\n", title, now*tenths)
		}
	}, func() {}
}
