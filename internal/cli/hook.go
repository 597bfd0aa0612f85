package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memory-graph/internal/clients"
	"memory-graph/internal/config"
	"memory-graph/internal/engine"
	"memory-graph/internal/hooks"
	"memory-graph/store"
)

// hookMax is how long a hook may delay its host to store a turn, counted from the start of the process.
const hookMax = 300 * time.Millisecond

// hookAnswer is how long a hook may delay its host for an answer. Hosts run the first hooks while they start
// themselves, which makes a hook three times as slow. At the start of a session no user waits yet.
var hookAnswer = map[hooks.Kind]time.Duration{hooks.Start: 5 * time.Second, hooks.Prompt: 1500 * time.Millisecond}

// hookPayload is how long a hook that only stores waits for its payload, counted from the start of the process. Nobody
// waits for its result, and hosts give hooks 10 s or more, so a busy host may write slowly.
const hookPayload = 5 * time.Second

// processStart is the part of hookMax that is reserved for what happens before hook runs: starting the process, and
// initializing the packages.
const processStart = 40 * time.Millisecond

// hookHeap is the memory limit of a hook, in bytes. Below the limit no garbage is collected, since a hook ends soon.
const hookHeap = 512 << 20

type hookFlags struct {
	max      time.Duration
	allTools bool
	server   string
	behind   bool // this process is the background drainer
	plugin   bool // it is the plugin's, so hooks of setup take precedence
}

func newHook(a *app) *cobra.Command {
	var f hookFlags
	c := &cobra.Command{
		Use:   "hook HOST EVENT",
		Short: "Answer a host's hook, and store the turn",
		Long: `Hosts run this command at their events; memory-graph setup HOST configures it. It reads the host's payload from
stdin. Before a user's message it answers with the relevant part of the memory. At the start of a session it answers
with the gist of the last session. The answer has the host's format. Messages, answers and tool results are stored as
turns.

The session of a turn is the host's session. The project is the first that is set of: MEMORY_GRAPH_PROJECT,
"git config memory-graph.project", owner/name of the repository's remote, the name of the folder.

A hook that is started by what llm_command runs answers and stores nothing.

A hook never makes its host fail: the exit code is always 0, and errors are logged in hook.log in the data directory. A
hook does not delay its host longer than --max: by default 5s at the start of a session, 1.5s before a message, and
300ms otherwise. If the answer is not ready by then, the host gets none. Messages, and turns that are not stored by
then, wait in files beside the database; a server, the next hook or a background process stores them.

Hosts and events:
` + hookEvents(),
		Example: `  echo '{"session_id":"s1","cwd":"/src/shop","prompt":"Which port does the shop use?"}' | memory-graph hook claude-code UserPromptSubmit
  memory-graph hook codex Stop < payload.json
  memory-graph hook gemini-cli BeforeAgent --max 1s < payload.json`,
	}
	c.Flags().DurationVar(&f.max, "max", 0, "longest time that the host waits, from 50ms to 60s (default: by event)")
	c.Flags().BoolVar(&f.allTools, "all-tools", false,
		"store the results of all tools; by default, results of tools that only read files are not stored")
	c.Flags().StringVar(&f.server, "server", clients.DefaultName,
		"the host's `name` for the memory-graph server; results of its tools are not stored")
	c.Flags().BoolVar(&f.behind, behindFlag, false,
		"store the turns that wait, then exit (the background drainer)")
	_ = c.Flags().MarkHidden(behindFlag) // cannot fail: the flag is defined above
	c.Flags().BoolVar(&f.plugin, clients.PluginFlag, false,
		"do nothing if setup has registered a hook for the event (the plugin's hooks)")
	c.RunE = func(c *cobra.Command, args []string) error { return a.hook(c, args, f) }
	return c
}

// hookEvents lists the supported hosts and events, one host per line.
func hookEvents() string {
	var b strings.Builder
	for _, h := range hooks.Clients() {
		b.WriteString("  " + h + strings.Repeat(" ", max(1, 13-len(h))) + strings.Join(hooks.Events(h), ", ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// collectNothing stops the garbage collector for a hook, which ends soon, and not for a background drainer. restore
// starts it again.
func collectNothing(args []string) (restore func()) {
	if !isHook(args) || slices.Contains(args, "--"+behindFlag) {
		return func() {}
	}
	percent, limit := debug.SetGCPercent(-1), debug.SetMemoryLimit(hookHeap)
	return func() { debug.SetGCPercent(percent); debug.SetMemoryLimit(limit) }
}

// isHook reports whether a command line runs a hook. Its errors go to stderr and the log, and the exit code is 0,
// except for a person who asks for help.
func isHook(args []string) bool { return len(args) > 0 && args[0] == "hook" }

// hookMistake reports a hook's invalid command line.
func (a *app) hookMistake(ctx context.Context, err error) int {
	log := newHookLog(config.UserPaths(a.env))
	log.Warn("invalid command line of the hook", "error", err)
	a.fail(err)
	a.discard(ctx)
	return exitDone
}

// discard reads the payload of a hook that does nothing, for at most the time of a hook: a host may treat a failed
// write as a failure of the hook.
func (a *app) discard(ctx context.Context) {
	if isTerminal(a.stdin) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, hookMax)
	defer cancel()
	wait(ctx, func() error {
		_, err := io.Copy(io.Discard, a.stdin)
		return err
	})
}

// hook runs one hook. It returns an error only for an invalid command line.
func (a *app) hook(c *cobra.Command, args []string, f hookFlags) error {
	began := time.Now()
	if why := a.off(); why != "" {
		fmt.Fprintf(a.stderr, "memory-graph: this hook does nothing, since llm_command started it: %s.\n", why)
		a.discard(c.Context())
		return nil
	}
	switch {
	case len(args) != 2:
		return usageError(c, "hook takes a host and an event, but got %d arguments.", len(args))
	case c.Flags().Changed("max") && (f.max < 50*time.Millisecond || f.max > time.Minute):
		return usageError(c, "--max %s is out of range: the range is 50ms to 60s.", f.max)
	case !slices.Contains(hooks.Clients(), args[0]) && hooks.Events(args[0]) == nil:
		return usageError(c, "There are no hooks for %q. Hosts with hooks: %s.", args[0],
			strings.Join(hooks.Clients(), ", "))
	case isTerminal(a.stdin):
		return usageError(c, "hook reads a host's payload from stdin, but stdin is a terminal.")
	}
	if f.plugin && a.setUp(args[0], args[1]) {
		a.discard(c.Context())
		return nil
	}
	paths := config.UserPaths(a.env)
	log := newHookLog(paths).With("host", args[0], "event", args[1])
	cfg, sources, err := a.settings(c)
	if err != nil {
		log.Warn("invalid settings; see `memory-graph config`", "error", err)
		a.discard(c.Context())
		return nil
	}
	if f.behind {
		storeBehind(c.Context(), cfg, log)
		return nil
	}
	answers := hookAnswer[hooks.KindOf(args[0], args[1])]
	most := cmp.Or(f.max, answers, hookMax)
	ctx, cancel := context.WithDeadline(c.Context(), began.Add(cmp.Or(f.max, answers, hookPayload)-processStart))
	defer cancel()
	h := &hooking{cfg: cfg, log: log, now: time.Now, home: config.Home(a.env), dir: workingDir(), flags: f,
		client: args[0], event: args[1], sources: sources, max: most, until: began.Add(most - processStart),
		storeUntil: began.Add(cmp.Or(f.max, hookMax) - processStart),
		starting:   store.Starting, leave: a.leaveBehind, tellsSession: a.variable(sessionVariable) != ""}
	h.open = func(message string, stores bool) (hookMemory, error) {
		routed := *cfg
		routed.Namespace = cmp.Or(h.about.Namespace, cfg.Namespace) // its vectors are read in advance
		return engine.Start(&routed, log, engine.As(hookMode(message != "", stores)), engine.Asking(message, h.about))
	}
	if h.likelyOpens() {
		go store.Warm(cfg.Paths.Cache, log) // while the payload is read
	}
	h.run(ctx, a.stdin, a.stdout)
	return nil
}

// setUp reports whether setup has registered a hook of the host for an event.
func (a *app) setUp(host, event string) bool {
	h, ok := clients.Find(host)
	project := cmp.Or(a.variable("CLAUDE_PROJECT_DIR"), workingDir())
	return ok && h.Hooked(clients.UserPlaces(a.env), project, event)
}

// hookMode returns the mode in which a hook opens the engine. searches says that it searches for a message, stores that
// it stores turns.
func hookMode(searches, stores bool) engine.Mode {
	switch {
	case searches && stores:
		return engine.AskerAndWriter
	case searches:
		return engine.Asker
	case stores:
		return engine.Storer
	}
	return engine.Reader
}
