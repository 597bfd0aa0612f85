package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"

	"memory-graph/internal/config"
	"memory-graph/internal/engine"
	"memory-graph/internal/hooks/spool"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// opened is a database that a command has opened.
type opened struct {
	*store.Store
	cfg *config.Config
}

// withMemory runs f on the database, which must exist, after the turns of hooks that wait are stored. Without write, f
// gets the database read-only. Hosts can use it at the same time.
func (a *app) withMemory(c *cobra.Command, write bool, f func(context.Context, opened) error) error {
	return a.withFile(c, write, true, f)
}

// storePatience is how long a command waits for the turns of hooks to be stored.
const storePatience = 2 * time.Second

// drains reports whether a command should store turns of hooks first.
func drains(cfg *config.Config) bool {
	names, _ := spool.Beside(cfg.DB).Names(time.Now()) // doctor reports a spool that cannot be read
	return !cfg.ReadOnly && len(names) > 0
}

// drain stores the turns of hooks that wait, so that a command finds them.
func (a *app) drain(ctx context.Context, e *engine.Engine) {
	ctx, cancel := context.WithTimeout(ctx, storePatience)
	defer cancel()
	r, err := e.Drain(ctx)
	if err == nil && ctx.Err() != nil {
		err = ctx.Err()
	}
	if err = errors.Join(append(r.Errs, err)...); err != nil {
		fmt.Fprintf(a.stderr, "memory-graph: turns of hooks could not be stored now: %s\n", visible(err.Error()))
	}
}

// withFile is withMemory, but stores the turns that wait only if asked to.
func (a *app) withFile(c *cobra.Command, write, stores bool, f func(context.Context, opened) error) (err error) {
	cfg, _, err := a.config(c)
	if err != nil {
		return err
	}
	if !hasDatabase(cfg.DB) {
		return noDatabase(cfg.DB)
	}
	log, done, err := a.logger(cfg)
	if err != nil {
		return err
	}
	defer done()
	if stores && drains(cfg) {
		e, err := engine.Start(cfg, log, engine.As(engine.Storer))
		if err != nil {
			return err
		}
		a.drain(c.Context(), e)
		e.Close()
	}
	st, err := store.Open(c.Context(), cfg.DB, store.Options{
		ReadOnly: !write ||
			cfg.ReadOnly, Synchronous: cfg.Synchronous, BusyTimeout: cfg.BusyTimeout, CacheDir: cfg.Paths.Cache, Log: log,
	})
	if version, ok := store.Outdated(err); ok && version == 0 {
		return noDatabase(cfg.DB) // the first start was interrupted; the next one that may write continues it
	} else if ok {
		return memory.Errorf(memory.Unavailable, "The database %s has schema version %d, older than this program's.", cfg.DB,
			version).
			WithHint(
				"Start the server once (`memory-graph serve`, Ctrl-C ends it): it upgrades the file.")
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	return f(c.Context(), opened{st, cfg})
}

func noDatabase(path string) error {
	if waits := readSpool(path); waits.Turns > 0 {
		return memory.Errorf(memory.Unavailable, "There is no database at %s yet: %s.", path, waits.line()).
			WithHint(
				"The next hook creates it and stores these turns, and so does a host that starts memory-graph. hook.log in the " +
					"data directory says why they wait.")
	}
	return memory.Errorf(memory.Unavailable, "There is no database at %s yet.", path).
		WithHint(
			"A host that starts memory-graph for the first time creates it. Set MEMORY_GRAPH_DB if yours is elsewhere, or " +
				"run `memory-graph demo` to see what memory-graph does.")
}

// status prints the database, the namespace and their counts to stderr before a search. With --json it prints nothing,
// since `stats` has the same data.
func (a *app) status(ctx context.Context, o opened) (memory.GraphStats, error) {
	n, err := o.GraphStats(ctx, o.cfg.Namespace)
	if err != nil || a.json {
		return n, err
	}
	state, err := o.State(ctx, o.cfg.Namespace)
	if err != nil {
		return n, err
	}
	line := fmt.Sprintf("%s, namespace %q: %s, %s, %s", o.Path(), o.cfg.Namespace,
		many(n.Entities+n.Memories, "entity", "entities"),
		many(n.ActiveRelationships, "active fact", "active facts"), many(n.Episodes, "turn", "turns"))
	if state.Pending > 0 {
		line += fmt.Sprintf(", %s pending", many(int64(state.Pending), "job", "jobs"))
	}
	if state.Failed > 0 {
		line += fmt.Sprintf(", %s failed (see memory-graph doctor)", many(int64(state.Failed), "job", "jobs"))
	}
	fmt.Fprintln(a.stderr, line)
	return n, nil
}

// nothingYet returns the message for an empty list. It says what to do.
func nothingYet(what string, n memory.GraphStats, namespace string) string {
	if n.Episodes == 0 && n.Entities+n.Memories == 0 {
		return fmt.Sprintf(
			"Nothing is stored in namespace %q yet. Set up a host with `memory-graph setup`, or name another namespace "+
				"with --namespace.", namespace)
	}
	return fmt.Sprintf(
		"There are no %s in namespace %q yet. An agent adds them with create_entity, create_relation, or with the entities "+
			"and relations of store_episode.",
		what, namespace)
}

// withEngine runs f on an engine that may write, after the turns of hooks that wait are stored. The database must
// exist.
func (a *app) withEngine(c *cobra.Command, f func(context.Context, *config.Config, *engine.Engine) error) error {
	cfg, _, err := a.config(c)
	if err != nil {
		return err
	}
	if !hasDatabase(cfg.DB) {
		return noDatabase(cfg.DB)
	}
	return a.startEngine(c, cfg, engine.As(engine.Command), func(ctx context.Context, cfg *config.Config,
		e *engine.Engine) error {
		if drains(cfg) {
			a.drain(ctx, e)
		}
		return f(ctx, cfg, e)
	})
}

// withNewEngine is withEngine, but creates the database if it does not exist.
func (a *app) withNewEngine(c *cobra.Command, f func(context.Context, *config.Config, *engine.Engine) error) error {
	cfg, _, err := a.config(c)
	if err != nil {
		return err
	}
	return a.startEngine(c, cfg, engine.As(engine.Writer), f)
}

// startEngine starts an engine, opens its database and runs f.
func (a *app) startEngine(c *cobra.Command, cfg *config.Config, as engine.Option,
	f func(context.Context, *config.Config, *engine.Engine) error) error {
	log, done, err := a.logger(cfg)
	if err != nil {
		return err
	}
	defer done()
	e, err := engine.Start(cfg, log, as)
	if err != nil {
		return err
	}
	defer e.Close()
	if _, err := e.Store(c.Context()); err != nil {
		return err
	}
	return f(c.Context(), cfg, e)
}

// hasDatabase reports whether the file exists and is not empty. It also returns true if the file cannot be accessed:
// opening it then fails with the reason.
func hasDatabase(path string) bool {
	info, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist) && !(err == nil && info.Mode().IsRegular() && info.Size() == 0)
}
