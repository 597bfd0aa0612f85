package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"memory-graph/internal/clients/splice"
	"memory-graph/internal/config"
	"memory-graph/internal/memory"
)

// given returns the settings of the command line: as environment variables for the host's entry, and as flags for its
// hooks.
func given(c *cobra.Command, cfg *config.Config) (env []splice.Member, flags []string, err error) {
	if f := c.Flags().Lookup("config"); f != nil && f.Changed {
		path, err := filepath.Abs(f.Value.String())
		if err != nil {
			return nil, nil, memory.AsError(err)
		}
		env = append(env, splice.Member{Name: config.EnvPrefix + "CONFIG", Value: path})
		flags = append(flags, "--config="+filepath.ToSlash(path)) // forward slashes work in every shell of Windows
	}
	for _, s := range config.Settings() {
		if config.Given(c.Flags(), s) == nil {
			continue
		}
		if s.Key == "http" || s.Key == "sse" {
			return nil, nil, usageError(c, "--%s has no effect in a host that starts memory-graph over stdio.", s.Flag)
		}
		if s.Own && c.Flags().Changed("in") {
			return nil, nil, usageError(c, "--%s would be written into a project's file, which others may change. "+
				"Write %s into your own config.toml.", s.Flag, s.Key)
		}
		value := s.Show(cfg)
		env = append(env, splice.Member{Name: s.Env, Value: value})
		if s.IsPath() {
			value = filepath.ToSlash(value)
		}
		flags = append(flags, "--"+s.Flag+"="+value)
	}
	return env, flags, nil
}

// unseen warns of environment variables that are set in this shell and that a host will not have.
func (a *app) unseen(c *cobra.Command) {
	for _, s := range config.Settings() {
		set := slices.ContainsFunc(a.env, func(e string) bool { return strings.HasPrefix(e, s.Env+"=") && e != s.Env+"=" })
		if s.Env == "" || !set || config.Given(c.Flags(), s) != nil {
			continue
		}
		how := "use --" + s.Flag + ", or write it into config.toml"
		if s.Secret {
			how = "write it into config.toml"
		}
		fmt.Fprintf(a.stderr, "%s is set in this shell, but the host will not see it: %s.\n", s.Env, how)
	}
}
