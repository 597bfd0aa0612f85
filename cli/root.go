package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"memory-graph/config"
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
	root.SuggestionsMinimumDistance = 2
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
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		return usageError(c, "%s has no command %q; did you mean %s?", c.CommandPath(), args[0], strings.Join(near, " or "))
	}
	return usageError(c, "%s has no command %q.", c.CommandPath(), args[0])
}

// flagError words what pflag says, and tells where a secret goes that somebody tries to give as a flag.
func flagError(c *cobra.Command, err error) error {
	for _, s := range config.Settings() {
		if s.Secret && strings.Contains(err.Error(), "--"+strings.ReplaceAll(s.Key, "_", "-")) {
			return usageError(c, "%s is a secret and no flag, since other users can read a command line: set %s or write it into the configuration file.", s.Key, s.Env)
		}
	}
	return usageError(c, "%w.", err)
}

// newHelp is "help [command]", which unlike cobra's own fails for a command that is not there.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [command]",
		Short: "Show the help of a command",
		RunE: func(c *cobra.Command, args []string) error {
			target, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return usageError(c.Root(), "There is no help for %q.", strings.Join(args, " "))
			}
			target.InitDefaultHelpFlag()
			return target.Help()
		},
	}
}
