package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"memory-graph/internal/config"
	"memory-graph/internal/memory"
)

func newConfigInit(a *app) *cobra.Command {
	var force bool
	c := &cobra.Command{
		Use:   "init",
		Short: "Write a config.toml with every setting, after two questions",
		Long: `init writes a configuration file with every setting: its meaning, the allowed values and the default, as
comments. At a terminal it first asks two questions: whether to build a graph of what is said, and which language model
helps with that. Settings that are given as flags are written with their values, and are not asked for.

The file is the one that "config path" prints, or the one of --config. An existing file is replaced only with --force.`,
		Example: `  memory-graph config init
  memory-graph config init --graph-memory --llm-model qwen3:8b --llm-base-url http://127.0.0.1:11434/v1
  memory-graph config init --graph-memory=false --namespace work --force`,
		Args: noArgs,
	}
	c.Flags().BoolVar(&force, "force", false, "replace an existing file")
	c.RunE = func(c *cobra.Command, _ []string) error {
		flags := c.Flags()
		path, err := config.LoadOptions{Env: a.env, Flags: flags}.FilePath()
		switch {
		case err != nil:
			return err
		case path == "":
			return memory.Errorf(memory.InvalidArgument, "The place of the configuration file is unknown.").
				WithHint("Set HOME, or name a file with --config.")
		case flags.Changed("llm-command") && !config.IsOwnFile(path, a.env):
			return usageError(c, "llm_command is not read from %s, but only from your own config.toml.", path)
		}
		if _, _, err := outFile(path, force); err != nil { // before anything is asked
			return err
		}
		chosen := map[string]any{}
		asked := flags.Changed("enabled") || flags.Changed("graph-memory") || flags.Changed("llm-model") ||
			flags.Changed("llm-command")
		if !asked && isTerminal(a.stdin) {
			answers, err := a.answers(c.Context(), config.Default(), nil)
			if err != nil {
				return err
			}
			for _, m := range answers {
				chosen[m.Name] = m.Value
			}
		}
		text, err := config.Template(flags, chosen)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return memory.Errorf(memory.Unavailable, "Cannot make the directory of %s: %w.", path, memory.Reason(err)).
				WithHint("Name a file in a directory that this user can write to, with --config.")
		}
		if err := writeOut(path, force, func(w io.Writer) error { _, err := w.Write(text); return err }); err != nil {
			return err
		}
		return a.print(map[string]string{"file": path}, func(w io.Writer) {
			fmt.Fprintf(w, "Wrote %s. Hosts and servers read it at their next start.\n", path)
		})
	}
	return c
}
