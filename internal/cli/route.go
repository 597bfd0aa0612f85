package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"memory-graph/internal/config"
	"memory-graph/internal/memory"
)

func newRoute(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "route [DIRECTORY]",
		Short: "Explain in which namespace a directory's turns go, and why",
		Long: `route shows the project and the namespace of a directory, by default the working directory, and the reason.

Routes map the owner of repositories, or an owner/name pattern, to a namespace: an organisation's repositories can so
share a memory, while all others use the setting namespace. Hooks, servers over stdio, imports and the other commands
follow them. They are read only from your own config.toml:

  [memory.graph.routes]
  "acme" = "work"              # every repository of acme
  "acme/secret-*" = "secret"   # except these: the more specific route counts

A namespace that a flag or a variable names, such as MEMORY_GRAPH_NAMESPACE, counts for every directory.`,
		Example: `  memory-graph route
  memory-graph route ~/src/acme/api --json`,
		Args: atMostOne("one directory"),
		RunE: func(c *cobra.Command, args []string) error {
			cfg, sources, err := a.settings(c)
			if err != nil {
				return err
			}
			dir := workingDir()
			if len(args) > 0 {
				if dir, err = filepath.Abs(args[0]); err != nil {
					return memory.AsError(err)
				}
				if info, err := os.Stat(dir); err != nil || !info.IsDir() {
					return memory.Errorf(memory.InvalidArgument, "%s is not a directory.", args[0]).
						WithHint("Name the directory of a repository.")
				}
			}
			for _, w := range cfg.Warnings {
				fmt.Fprintln(a.stderr, "memory-graph: "+visible(w))
			}
			r := newRouting(cfg, sources).of(cfg.Project, dir, config.Home(a.env))
			object := struct {
				Directory string `json:"directory"`
				routed
				Usual  string        `json:"usual_namespace"` // without a route
				Routes config.Routes `json:"routes"`
			}{dir, r, cfg.Namespace, cfg.Routes}
			return a.print(object, func(w io.Writer) {
				t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
				project := "none"
				if r.Project != "" {
					project = fmt.Sprintf("%s (%s)", visible(r.Project), r.ProjectFrom)
				}
				fmt.Fprintf(t, "directory\t%s\nproject\t%s\nnamespace\t%s\nwhy\t%s\n", visible(cmp.Or(dir, "unknown")), project,
					visible(r.Namespace), visible(r.Reason))
				_ = t.Flush() // stdout; write errors are ignored, as in all commands
			})
		},
	}
}
