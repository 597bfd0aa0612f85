package cli

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"memory-graph/internal/config"
	"memory-graph/internal/memory"
)

// newRoot puts the commands together. Without a command it serves.
func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "memory-graph",
		Short: "A memory for agents: an MCP server in one program",
		Long: `memory-graph is an MCP server that stores the turns of conversations and a graph of facts, and gives back what is relevant
to a question.
Without a command it serves MCP over stdin and stdout, which is how hosts start it.

The settings below are the common ones; "memory-graph config keys" lists all. Each is a flag, an environment variable
and a key of config.toml, in that order of precedence.`,
		Example: `  memory-graph demo                          see what it does
  memory-graph                               serve one host over stdio
  memory-graph serve --http 127.0.0.1:8765   serve over HTTP
  memory-graph facts Ann                     what is known about somebody
  memory-graph undo                          take back what a call changed
  memory-graph doctor                        find out what is wrong`,
		Args:          noArgs,
		RunE:          a.serve,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	config.AddFlags(root.PersistentFlags())
	root.PersistentFlags().BoolVar(&a.json, "json", false, "Print one JSON object instead of text")
	root.SetFlagErrorFunc(flagError)
	root.SetHelpCommand(newHelp())
	root.AddCommand(commands(a)...)
	return root
}

// commands lists the commands in the order of --help's source; cobra sorts them by name.
func commands(a *app) []*cobra.Command {
	return []*cobra.Command{
		newBackfill(a),
		newBench(a),
		newConfig(a),
		newContext(a),
		newDemo(a),
		newDoctor(a),
		newEntities(a),
		newExport(a),
		newFacts(a),
		newHook(a),
		newImport(a),
		newQuarantine(a),
		newServe(a),
		newSetup(a),
		newStats(a),
		newUndo(a),
		newVersion(a),
	}
}

// noArgs refuses arguments, and takes what stands in a command's place for a mistyped one.
func noArgs(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if !c.HasSubCommands() {
		return usageError(c, "%s takes no arguments, and was given %q.", c.CommandPath(), args[0])
	}
	return usageHint(usageError(c, "%s has no command %q.", c.CommandPath(), args[0]), suggestCommand(c, args[0]))
}

// suggestCommand gives the commands below c that a mistyped name may have meant, "" where none is like it.
func suggestCommand(c *cobra.Command, name string) string {
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	return config.Suggest(name, names)
}

// usageHint puts a suggestion before the hint of an error; "" is none.
func usageHint(e *memory.Error, near string) error {
	if near == "" {
		return e
	}
	return e.WithHint("Did you mean %s? %s", near, e.Hint)
}

// flagError words what pflag says, and tells where a secret goes that somebody tries to give as a flag.
func flagError(c *cobra.Command, err error) error {
	for _, s := range config.Settings() {
		if s.Secret && strings.Contains(err.Error(), "--"+strings.ReplaceAll(s.Key, "_", "-")) {
			return usageError(c,
				"%s is a secret and no flag, since other users can read a command line: set %s or write it into the "+
					"configuration file.", s.Key, s.Env)
		}
	}
	e := usageError(c, "%w.", err)
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || unknown.GetSpecifiedShortnames() != "" {
		return e
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Name != behindFlag { // settings that --help leaves out are hidden too
			names = append(names, "--"+f.Name)
		}
	})
	return usageHint(e, config.Suggest("--"+unknown.GetSpecifiedName(), names))
}

// newHelp is "help [command]", which unlike cobra's own fails for a command that is not there.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [command]",
		Short: "Show the help of a command",
		RunE: func(c *cobra.Command, args []string) error {
			target, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				e := usageError(c.Root(), "There is no help for %q.", strings.Join(args, " "))
				return usageHint(e, suggestCommand(target, rest[0]))
			}
			target.InitDefaultHelpFlag()
			return target.Help()
		},
	}
}
