package cli

import (
	"cmp"
	"errors"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"memory-graph/internal/config"
	"memory-graph/internal/memory"
)

// Command returns the command line without streams, for manual pages and completions. It is not meant to be executed.
func Command() *cobra.Command { return newRoot(&app{}) }

// newRoot returns the root command with all subcommands. Without a subcommand it runs serve.
func newRoot(a *app) *cobra.Command {
	version := false
	root := &cobra.Command{
		Use:   "memory-graph",
		Short: "A memory for agents: an MCP server in one program",
		Long: `memory-graph is an MCP server. It stores the turns of conversations and a graph of facts, and returns what is
relevant to a question. Without a command it serves MCP over stdin and stdout; hosts start it this way.

The flags below include the common settings; "memory-graph config keys" lists all. Every setting except a secret has a
flag. A flag overrides the environment variable, which overrides the key in config.toml.`,
		Example: `  memory-graph demo                          run the server on a sample conversation
  memory-graph                               serve one host over stdio
  memory-graph serve --http 127.0.0.1:8765   serve over HTTP
  memory-graph facts Ann                     show what is known about somebody
  memory-graph undo                          revert what a call changed
  memory-graph doctor                        check everything`,
		Args: noArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if version {
				return a.version()
			}
			return a.serve(c, args)
		},
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	config.AddFlags(root.PersistentFlags())
	root.PersistentFlags().BoolVar(&a.json, "json", false, "Print one JSON object instead of text")
	root.Flags().BoolVar(&version, "version", false, "Print the program version")
	root.SetFlagErrorFunc(flagError)
	root.SetHelpCommand(newHelp())
	root.AddCommand(commands(a)...)
	return root
}

// commands returns all commands; --help sorts them by name.
func commands(a *app) []*cobra.Command {
	return []*cobra.Command{
		newBackfill(a),
		newBackup(a),
		newBench(a),
		newCommunities(a),
		newConfig(a),
		newContext(a),
		newDemo(a),
		newDoctor(a),
		newEntities(a),
		newExplore(a),
		newExport(a),
		newExtract(a),
		newFacts(a),
		newForget(a),
		newHook(a),
		newImport(a),
		newPurge(a),
		newQuarantine(a),
		newRemember(a),
		newRestore(a),
		newRollout(a),
		newRoute(a),
		newSearch(a),
		newServe(a),
		newSetup(a),
		newStats(a),
		newToken(a),
		newTrace(a),
		newUndo(a),
		newUninstall(a),
		newVersion(a),
	}
}

// noArgs refuses arguments. In a command with subcommands, it treats the argument as a mistyped subcommand.
func noArgs(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if !c.HasSubCommands() {
		return usageError(c, "%s takes no arguments, but got %q.", c.CommandPath(), args[0])
	}
	return usageHint(usageError(c, "%s has no command %q.", c.CommandPath(), args[0]), suggestCommand(c, args[0]))
}

// suggestCommand returns the subcommands of c that are similar to a mistyped name, or "" if there are none.
func suggestCommand(c *cobra.Command, name string) string {
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	return config.Suggest(name, names)
}

// usageHint adds a suggestion to the hint of an error; near is "" for none.
func usageHint(e *memory.Error, near string) error {
	if near == "" {
		return e
	}
	return e.WithHint("Did you mean %s? %s", near, e.Hint)
}

// flagError turns an error of pflag into a usage error. If the flag would be a secret, it says where to set the secret.
func flagError(c *cobra.Command, err error) error {
	for _, s := range config.Settings() {
		if s.Secret && strings.Contains(err.Error(), "--"+strings.ReplaceAll(s.Key, "_", "-")) {
			return usageError(c,
				"%s is a secret and has no flag, since other users can read a command line. Set %s, or write it into "+
					"the configuration file.", s.Key, s.Env)
		}
	}
	var invalid *pflag.InvalidValueError
	var number *strconv.NumError
	if errors.As(err, &invalid) && errors.As(err, &number) {
		return usageError(c, "--%s takes %s, but got %q.", invalid.GetFlag().Name,
			cmp.Or(valueWords[invalid.GetFlag().Value.Type()], "a whole number"), invalid.GetValue())
	}
	e := usageError(c, "%w.", err)
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || unknown.GetSpecifiedShortnames() != "" {
		return e
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Name != behindFlag { // suggest the hidden flags of settings, but not this one
			names = append(names, "--"+f.Name)
		}
	})
	return usageHint(e, config.Suggest("--"+unknown.GetSpecifiedName(), names))
}

// valueWords describe the values of flags that are not whole numbers, by pflag's name of the type.
var valueWords = map[string]string{"bool": "true or false"}

// newHelp returns the command "help [command]". Unlike cobra's own, it fails for an unknown command.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [command]",
		Short: "Show the help of a command",
		RunE: func(c *cobra.Command, args []string) error {
			target, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				e := usageError(c.Root(), "Unknown command %q.", strings.Join(args, " "))
				return usageHint(e, suggestCommand(target, rest[0]))
			}
			target.InitDefaultHelpFlag()
			return target.Help()
		},
	}
}
