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

// given collects the settings of the command line: for the host's entry as variables, for its hooks as flags.
func given(c *cobra.Command, cfg *config.Config) (env []splice.Member, flags []string, err error) {
	if f := c.Flags().Lookup("config"); f != nil && f.Changed {
		path, err := filepath.Abs(f.Value.String())
		if err != nil {
			return nil, nil, memory.AsError(err)
		}
		env = append(env, splice.Member{Name: config.EnvPrefix + "CONFIG", Value: path})
		flags = append(flags, "--config="+filepath.ToSlash(path)) // which every shell of Windows takes
	}
	for _, s := range config.Settings() {
		f := c.Flags().Lookup(s.Flag)
		if s.Flag == "" || f == nil || !f.Changed {
			continue
		}
		if s.Key == "http" || s.Key == "sse" {
			return nil, nil, usageError(c, "--%s is no setting of a host that starts memory-graph itself.", s.Flag)
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

// unseen names the variables that count here and not in a host, which does not come from this shell.
func (a *app) unseen(c *cobra.Command) {
	for _, s := range config.Settings() {
		f := c.Flags().Lookup(s.Flag)
		given := s.Flag != "" && f != nil && f.Changed
		set := slices.ContainsFunc(a.env, func(e string) bool { return strings.HasPrefix(e, s.Env+"=") && e != s.Env+"=" })
		if !set || given {
			continue
		}
		how := "give it as --" + s.Flag + ", or write it into config.toml"
		if s.Secret {
			how = "write it into config.toml"
		}
		fmt.Fprintf(a.stderr, "%s is set here, and the host will not see it: %s.\n", s.Env, how)
	}
}
