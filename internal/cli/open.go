package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"memory-graph/internal/config"
	"memory-graph/internal/engine"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// opened is a memory that a command looks into.
type opened struct {
	*store.Store
	cfg *config.Config
}

// withMemory runs f on the database file, which must be there: asking never makes one. Without write it is opened so
// that nothing in it can change, and hosts may use it meanwhile.
func (a *app) withMemory(c *cobra.Command, write bool, f func(context.Context, opened) error) (err error) {
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
	st, err := store.Open(c.Context(), cfg.DB, store.Options{
		ReadOnly: !write ||
			cfg.ReadOnly, Synchronous: cfg.Synchronous, BusyTimeout: cfg.BusyTimeout, CacheDir: cfg.Paths.Cache, Log: log,
	})
	if version, ok := store.Outdated(err); ok && version == 0 {
		return noDatabase(cfg.DB) // the first start was cut short
	} else if ok {
		return memory.Errorf(memory.Unavailable, "The database %s is of schema version %d, from before this program.", cfg.DB,
			version).
			WithHint(
				"Start memory-graph once as a host does (`memory-graph serve`, Ctrl-C ends it): it brings the file up to date.")
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
				"The next hook makes it and stores them, and so does any host that starts memory-graph; hook.log in the data " +
					"directory says what kept them.")
	}
	return memory.Errorf(memory.Unavailable, "There is no database at %s yet.", path).
		WithHint(
			"It is made when a host starts memory-graph for the first time; set MEMORY_GRAPH_DB if yours is elsewhere, or see " +
				"`memory-graph demo` for what it does.")
}

// status tells a person on stderr what is being looked at, before anything is looked for (Z56). Programs that read
// --json have it in `stats`.
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

// nothingYet says what to do in a namespace where what a command shows is missing.
func nothingYet(what string, n memory.GraphStats, namespace string) string {
	if n.Episodes == 0 && n.Entities+n.Memories == 0 {
		return fmt.Sprintf(
			"Nothing is stored in namespace %q yet. Give memory-graph to a host as the README shows, or name another "+
				"namespace with --namespace.", namespace)
	}
	return fmt.Sprintf(
		"There are no %s in namespace %q yet. An agent adds them with create_entity, create_relation, or with the entities "+
			"and relations of store_episode.",
		what, namespace)
}

// withEngine runs f on the memory, which must be there, as a command that may write.
func (a *app) withEngine(c *cobra.Command, f func(context.Context, *config.Config, *engine.Engine) error) error {
	cfg, _, err := a.config(c)
	if err != nil {
		return err
	}
	if !hasDatabase(cfg.DB) {
		return noDatabase(cfg.DB)
	}
	return a.startEngine(c, cfg, engine.As(engine.Command), f)
}

// withNewEngine is withEngine for a command that may be the first to write: the database is made where there is none.
func (a *app) withNewEngine(c *cobra.Command, f func(context.Context, *config.Config, *engine.Engine) error) error {
	cfg, _, err := a.config(c)
	if err != nil {
		return err
	}
	return a.startEngine(c, cfg, engine.As(engine.Writer), f)
}

// startEngine runs f on an engine whose database is open.
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

// hasDatabase says whether there is a file that is not empty. What cannot be looked at is left to opening it, which
// says why.
func hasDatabase(path string) bool {
	info, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist) && !(err == nil && info.Mode().IsRegular() && info.Size() == 0)
}
