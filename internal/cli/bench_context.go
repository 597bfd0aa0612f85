package cli

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"memory-graph/internal/bench"
	"memory-graph/internal/config"
	"memory-graph/internal/engine"
)

func newBenchContext(a *app) *cobra.Command {
	var data string
	var verbose bool
	c := &cobra.Command{
		Use:   "context --data FILE",
		Short: "Measure how many relevant turns a context block holds",
		Long: `context stores the turns of each store in a file as a hook does. It then renders the context block for each
message:

  {"stores": [{"name": "…",
    "turns": [{"role": "user", "text": "…", "session": "s1", "at": "2026-09-03T10:00:00Z"}],
    "messages": [{"text": "…", "at": "2026-11-20T09:00:00Z", "relevant": [3, 17]}]}]}

"relevant" lists the turns that help with the message, counted from 0. If it is empty, the block should be empty too.
Each message begins a new session; "previous" can hold the turns directly before it.`,
		Example: `  memory-graph bench context --data blocks.json
  memory-graph bench context --data blocks.json --misses
  memory-graph bench context --data blocks.json --json`,
		Args: noArgs,
	}
	c.Flags().StringVar(&data, "data", "", "file with stores and messages")
	c.Flags().BoolVar(&verbose, "misses", false, "list the blocks that miss relevant turns or hold irrelevant lines")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if data == "" {
			return usageError(c, "--data is required.")
		}
		stores, sum, err := bench.ReadBlocks(data)
		if err != nil {
			return err
		}
		return a.withBenchEngine(c, func(ctx context.Context, cfg *config.Config, e *engine.Engine, _ time.Duration) error {
			r, err := bench.Context(ctx, e, stores, cfg.BudgetTokens, a.progress("asking"))
			if err != nil {
				return err
			}
			r.Data, r.SHA256, r.Embedder = data, sum, cfg.Embedder
			if !verbose {
				r.Misses = nil
			}
			return a.print(r, func(w io.Writer) { writeContextScores(w, r) })
		})
	}
	return c
}

func writeContextScores(w io.Writer, r bench.ContextResult) {
	fmt.Fprintf(w, "%s (sha256 %.12s…), embedder %s\n\n", r.Data, r.SHA256, r.Embedder)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t,
		"something helps:\tn\trecall\thit\thelpful lines\tlines\ttokens\tnothing helps:\tn\tempty\tlines\ttokens\t")
	row := func(name string, s bench.ContextScores) {
		fmt.Fprintf(t, "%s\t%d\t%.3f\t%.3f\t%.3f\t%.1f\t%.0f\t\t%d\t%.3f\t%.1f\t%.0f\t\n", name, s.Helped, s.Recall, s.Hit,
			s.Helpful, s.Lines, s.Tokens,
			s.Unhelped, s.Empty, s.Stray, s.Wasted)
	}
	row("all", r.ContextScores)
	for _, name := range slices.Sorted(maps.Keys(r.Stores)) {
		row(name, r.Stores[name])
	}
	t.Flush()
	fmt.Fprintf(w, "\nblock %.1f ms (p95 %.1f)\n", r.QueryMS.P50, r.QueryMS.P95)
	for _, m := range r.Misses {
		class := ""
		if m.Class != "" {
			class = ", " + m.Class
		}
		fmt.Fprintf(w, "\n%s (%s%s)\n", visible(m.Text), m.Store, class)
		for _, s := range m.Missing {
			fmt.Fprintf(w, "  missing  %s\n", visible(s))
		}
		for _, s := range m.Stray {
			fmt.Fprintf(w, "  no help  %s\n", visible(s))
		}
	}
}
