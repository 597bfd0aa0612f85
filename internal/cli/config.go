package cli

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"memory-graph/internal/config"
)

func newConfig(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "config",
		Short: "Show the settings and where they come from, or write a file with all of them",
		Example: `  memory-graph config init
  memory-graph config show
  memory-graph config path
  memory-graph config keys`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return usageError(c, "config needs one of: init, show, path, keys.")
		},
	}
	c.AddCommand(newConfigInit(a), newConfigShow(a), newConfigPath(a), newConfigKeys(a))
	return c
}

// settingRow is one setting in force.
type settingRow struct {
	Key    string `json:"key"`
	Value  any    `json:"value"` // for a secret: whether it is set
	Source string `json:"source"`
}

func newConfigShow(a *app) *cobra.Command {
	var changed bool
	c := &cobra.Command{
		Use:   "show",
		Short: "Print every setting with its value and where it came from",
		Example: `  memory-graph config show
  memory-graph config show --changed
  MEMORY_GRAPH_MAX_HOPS=3 memory-graph config show --json`,
		Args: noArgs,
	}
	c.Flags().BoolVar(&changed, "changed", false, "only settings that are not the default")
	c.RunE = func(c *cobra.Command, _ []string) error {
		cfg, sources, err := a.config(c)
		if err != nil {
			return err
		}
		rows := []settingRow{}
		var shown []string
		for _, s := range config.Settings() {
			if changed && sources[s.Key] == "default" {
				continue
			}
			rows = append(rows, settingRow{s.Key, jsonValue(s, cfg), sources[s.Key]})
			shown = append(shown, maskedSetting(s.Show(cfg)))
		}
		object := map[string]any{"file": cfg.File, "settings": rows}
		return a.print(object, func(w io.Writer) {
			t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
			for _, warning := range cfg.Warnings {
				fmt.Fprintln(a.stderr, "memory-graph: "+visible(warning))
			}
			fmt.Fprintln(t, "KEY\tVALUE\tSOURCE")
			for i, r := range rows {
				fmt.Fprintf(t, "%s\t%s\t%s\n", r.Key, shown[i], r.Source)
			}
			_ = t.Flush() // stdout; write errors are ignored, as in all commands
		})
	}
	return c
}

// jsonValue returns the value with its type. A duration becomes text such as "10s"; a secret becomes whether it is set,
// and credentials in other values are hidden.
func jsonValue(s config.Setting, cfg *config.Config) any {
	if s.Secret {
		return s.Show(cfg)
	}
	v := s.Value(cfg)
	switch v := v.(type) {
	case time.Duration:
		return v.String()
	case string:
		return maskedSetting(v)
	}
	return v
}

func newConfigPath(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "path",
		Short: "Print where the configuration file and the directories are",
		Long: "Print where the configuration file and the directories are. It works with a broken file too, and creates " +
			"nothing.",
		Example: "  memory-graph config path",
		Args:    noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			file, err := config.LoadOptions{Env: a.env, Flags: c.Flags()}.FilePath()
			if err != nil {
				return err
			}
			p := config.UserPaths(a.env)
			object := map[string]string{"file": file, "data": p.Data, "config": p.Config, "cache": p.Cache}
			return a.print(object, func(w io.Writer) {
				t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
				fmt.Fprintf(t, "file\t%s\ndata\t%s\nconfig\t%s\ncache\t%s\n", file, p.Data, p.Config, p.Cache)
				_ = t.Flush()
			})
		},
	}
}

func newConfigKeys(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "keys",
		Short:   "List every setting with its variable, default and range",
		Example: "  memory-graph config keys | grep limits",
		Args:    noArgs,
		RunE: func(*cobra.Command, []string) error {
			type row struct {
				Key      string `json:"key"`
				Variable string `json:"variable,omitempty"` // absent for a table
				Flag     string `json:"flag,omitempty"`     // absent for a secret and a table
				Alias    string `json:"flag_alias,omitempty"`
				Default  string `json:"default"`
				Allowed  string `json:"allowed"`
				Meaning  string `json:"meaning"`
			}
			rows := []row{}
			for _, s := range config.Settings() {
				r := row{s.Key, s.Env, "", "", s.Default, s.Allowed(), s.Meaning()}
				if s.Flag != "" {
					r.Flag = "--" + s.Flag
				}
				if s.Alias != "" {
					r.Alias = "--" + s.Alias
				}
				rows = append(rows, r)
			}
			return a.print(map[string]any{"keys": rows}, func(w io.Writer) {
				for _, r := range rows {
					def := "empty"
					if r.Default != "" {
						def = r.Default
					}
					fmt.Fprintf(w, "%s  (default %s; %s)\n    %s\n", r.Key, def, r.Allowed, r.Meaning)
				}
				fmt.Fprintf(w,
					"\nAs variable: %s and the key in capitals, _ for each dot. As flag: -- and the key, - for each _ and dot (not "+
						"for secrets).\n", config.EnvPrefix)
			})
		},
	}
}
