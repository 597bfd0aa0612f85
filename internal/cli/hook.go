package cli

import (
	"context"
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

// hookMax is how long a hook holds its host up, from the start of the process on.
const hookMax = 300 * time.Millisecond

// processStart is reserved of it for what happens before this package has the word: the system starts the process, and
// the packages are made ready.
const processStart = 40 * time.Millisecond

// hookHeap bounds the memory of a hook, which ends before it is worth collecting any.
const hookHeap = 512 << 20

type hookFlags struct {
	max      time.Duration
	allTools bool
	server   string
	behind   bool // this is the process that a hook left behind
}

func newHook(a *app) *cobra.Command {
	var f hookFlags
	c := &cobra.Command{
		Use:   "hook HOST EVENT",
		Short: "Answer a hook of a host, and store its turn",
		Long: `hook is what hosts run at their events; memory-graph setup HOST configures it. It reads the host's payload on stdin. Before a
user's message it answers with what the memory has about it, at a session's beginning with what the last one was about, each
in the host's form; it stores messages, answers and what tools did as turns of the project and the session that the payload
names. The project is MEMORY_GRAPH_PROJECT where that is set, else what "git config memory-graph.project" says, else owner/name
of the repository's remote, else its folder's name; the session is the host's own.

It never fails its host: the exit code is 0 whatever happens, and what went wrong is in hook.log in the data directory. It
never holds it up for longer than --max: what cannot be answered by then is not, and what is not stored by then waits in
files beside the database until a server, the next hook, or a process that the hook leaves behind stores it.

Hosts and events:
` + hookEvents(),
		Example: `  echo '{"session_id":"s1","cwd":"/src/shop","prompt":"Which port does the shop use?"}' | memory-graph hook claude-code UserPromptSubmit
  memory-graph hook codex Stop < payload.json
  memory-graph hook gemini-cli BeforeAgent --max 1s < payload.json`,
	}
	c.Flags().DurationVar(&f.max, "max", hookMax, "longest time the host waits, from 50ms to 60s")
	c.Flags().BoolVar(&f.allTools, "all-tools", false,
		"store what every tool did; otherwise not of tools that only look at files")
	c.Flags().StringVar(&f.server, "server", clients.DefaultName,
		"the `name` that the host has for our MCP server, whose tools are not stored")
	c.Flags().BoolVar(&f.behind, behindFlag, false,
		"store what waits and end: what a hook leaves behind when its time is over")
	_ = c.Flags().MarkHidden(behindFlag) // it is there: the line above defines it
	c.RunE = func(c *cobra.Command, args []string) error { return a.hook(c, args, f) }
	return c
}

// hookEvents lists what is known, a host a line.
func hookEvents() string {
	var b strings.Builder
	for _, h := range hooks.Clients() {
		b.WriteString("  " + h + strings.Repeat(" ", max(1, 13-len(h))) + strings.Join(hooks.Events(h), ", ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// isHook says whether a command line is a hook's, which fails with a line on stderr and in the log, and exit code 0. A
// person who asks for help is not a host.
func isHook(args []string) bool { return len(args) > 0 && args[0] == "hook" }

// hookMistake tells a command line that cannot be understood.
func (a *app) hookMistake(err error) int {
	log := newHookLog(config.UserPaths(a.env))
	log.Warn("the hook's command line cannot be used", "error", err)
	a.fail(err)
	return exitDone
}

// hook runs one hook. An error is one of the command line.
func (a *app) hook(c *cobra.Command, args []string, f hookFlags) error {
	began := time.Now()
	switch {
	case len(args) != 2:
		return usageError(c, "hook takes a host and an event, and was given %d arguments.", len(args))
	case f.max < 50*time.Millisecond || f.max > time.Minute:
		return usageError(c, "--max %s is out of range: it takes 50ms to 60s.", f.max)
	case !slices.Contains(hooks.Clients(), args[0]) && hooks.Events(args[0]) == nil:
		return usageError(c, "There are no hooks of %q: %s have some that are known.", args[0],
			strings.Join(hooks.Clients(), ", "))
	case isTerminal(a.stdin):
		return usageError(c, "hook reads a host's payload on stdin, and that is a terminal.")
	}
	paths := config.UserPaths(a.env)
	log := newHookLog(paths).With("host", args[0], "event", args[1])
	cfg, _, err := a.config(c)
	if err != nil {
		log.Warn("the settings cannot be used; see `memory-graph config`", "error", err)
		return nil
	}
	if f.behind {
		storeBehind(c.Context(), cfg, log)
		return nil
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(hookHeap))
	ctx, cancel := context.WithDeadline(c.Context(), began.Add(f.max-processStart))
	defer cancel()
	h := &hooking{cfg: cfg, log: log, now: time.Now, home: config.Home(a.env), flags: f, client: args[0], event: args[1],
		open: func(asks, stores bool) (hookMemory, error) {
			return engine.Start(cfg, log, engine.As(hookMode(asks, stores)))
		},
		starting: store.Starting, leave: a.leaveBehind}
	h.run(ctx, a.stdin, a.stdout)
	return nil
}

// hookMode is how a hook opens the memory: whether it asks anything, and whether it stores turns after that.
func hookMode(asks, stores bool) engine.Mode {
	switch {
	case !asks:
		return engine.Writer
	case stores:
		return engine.AskerAndWriter
	}
	return engine.Asker
}
