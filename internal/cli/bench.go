package cli

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"memory-graph/internal/bench"
	"memory-graph/internal/config"
	"memory-graph/internal/embedding"
	"memory-graph/internal/engine"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
)

func newBench(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "bench",
		Short: "Measure recall and speed through the same code as the server",
		Long: `bench measures with the current settings, in a temporary database that it deletes at the end.
docs/benchmarks.md explains the figures and has measured results.`,
		Example: `  memory-graph bench speed --episodes 10000
  memory-graph bench recall --set locomo --data locomo.json`,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
		Args: noArgs,
	}
	c.AddCommand(newBenchRecall(a), newBenchSpeed(a), newBenchExtraction(a), newBenchClassify(a), newBenchContext(a),
		newBenchModel(a), newBenchAnswer(a))
	return c
}

func newBenchRecall(a *app) *cobra.Command {
	var form, data, tool, strategy string
	strategies := []string{"auto", "text", "vector", "fused", "bfs", "hybrid", "synapse", "walk"}
	c := &cobra.Command{
		Use:   "recall --set locomo|passages --data FILE",
		Short: "Store a data set, ask its questions, and measure how much evidence is found",
		Long: `recall stores every turn (locomo) or passage (passages) of a data set and asks every question verbatim. It
compares the first 20 episodes of each answer with the evidence that the data set names. The form of a passages file is
{"corpus": [{"id", "title", "text"}], "questions": [{"question", "gold": [id], "group"}]}.`,
		Example: `  memory-graph bench recall --set locomo --data locomo.json --json
  memory-graph bench recall --set passages --data musique.json --tool search_graph`,
		Args: noArgs,
	}
	c.Flags().StringVar(&form, "set", "", "format of the data set: locomo or passages")
	c.Flags().StringVar(&data, "data", "", "file with the data set")
	c.Flags().StringVar(&tool, "tool", bench.ToolRetrieve, "tool that answers: retrieve or search_graph")
	c.Flags().StringVar(&strategy, "strategy", string(retrieval.Auto), strings.Join(strategies, ", "))
	c.RunE = func(c *cobra.Command, _ []string) error {
		switch {
		case form == "" || data == "":
			return usageError(c, "--set and --data are required.")
		case tool != bench.ToolRetrieve && tool != bench.ToolSearchGraph:
			return usageError(c, "--tool %q is unknown; use %s or %s.", tool, bench.ToolRetrieve, bench.ToolSearchGraph)
		case !slices.Contains(strategies, strategy):
			return usageError(c, "--strategy %q is unknown; use one of %s.", strategy, strings.Join(strategies, ", "))
		}
		set, err := bench.ReadSet(form, data)
		if err != nil {
			return err
		}
		return a.withBenchEngine(c, func(ctx context.Context, cfg *config.Config, e *engine.Engine, _ time.Duration) error {
			r, err := bench.Recall(ctx, e, set, form, bench.Asker{Tool: tool, Strategy: retrieval.Strategy(strategy)},
				a.progress("asking"))
			if err != nil {
				return err
			}
			r.Embedder = cfg.Embedder
			return a.print(r, func(w io.Writer) { writeRecall(w, r) })
		})
	}
	return c
}

func writeRecall(w io.Writer, r bench.RecallResult) {
	fmt.Fprintf(w, "%s (sha256 %.12s…), %s, strategy %s, embedder %s\n\n", r.Data, r.SHA256, r.Tool, r.Strategy,
		r.Embedder)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "group\tn\tR@2\tR@5\tR@10\tR@20\tMRR\t")
	row := func(name string, s bench.Scores) {
		fmt.Fprintf(t, "%s\t%d\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t\n", name, s.N, s.R2, s.R5, s.R10, s.R20, s.MRR)
	}
	row("headline", r.Scores)
	for _, name := range slices.Sorted(maps.Keys(r.Groups)) {
		row(name, r.Groups[name])
	}
	t.Flush()
	fmt.Fprintf(w, "\nstore %.1f ms (p95 %.1f), query %.1f ms (p95 %.1f)\n", r.StoreMS.P50, r.StoreMS.P95, r.QueryMS.P50,
		r.QueryMS.P95)
}

func newBenchSpeed(a *app) *cobra.Command {
	var n, clients int
	c := &cobra.Command{
		Use:   "speed",
		Short: "Measure the time of storing and searching at a given size",
		Example: `  memory-graph bench speed --episodes 10000
  memory-graph bench speed --episodes 100000 --clients 4 --json`,
		Args: noArgs,
	}
	c.Flags().IntVar(&n, "episodes", 10_000, "turns to store, about 30 tokens each, 100 to 10,000,000")
	c.Flags().IntVar(&clients, "clients", 1, "concurrent callers, 1 to 64")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if n < 100 || n > 10_000_000 {
			return usageError(c, "--episodes %d is out of range: the range is 100 to 10,000,000.", n)
		}
		if clients < 1 || clients > 64 {
			return usageError(c, "--clients %d is out of range: the range is 1 to 64.", clients)
		}
		return a.withBenchEngine(c, func(ctx context.Context, cfg *config.Config, e *engine.Engine,
			open time.Duration) error {
			r, err := bench.Speed(ctx, e, n, clients, a.progress("storing"))
			if err != nil {
				return err
			}
			if cfg.Embedder == embedding.ProviderNone {
				r.EmbeddedPerS = nil // nothing was embedded
			}
			r.OpenMS = float64(open.Microseconds()) / 1000
			return a.print(r, func(w io.Writer) { writeSpeed(w, r) })
		})
	}
	return c
}

func writeSpeed(w io.Writer, r bench.SpeedResult) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "episodes\t%d by %d concurrent callers\n", r.Episodes, r.Clients)
	fmt.Fprintf(t, "opening\t%.0f ms\n", r.OpenMS)
	fmt.Fprintf(t, "storing\t%.0f per second, each %.1f ms (p95 %.1f)\n", r.StorePerS, r.StoreMS.P50, r.StoreMS.P95)
	if r.EmbeddedPerS != nil {
		fmt.Fprintf(t, "embedding\t%.0f per second\n", *r.EmbeddedPerS)
	}
	fmt.Fprintf(t, "search while storing\t%.1f ms (p95 %.1f)\n", r.RetrieveBusy.P50, r.RetrieveBusy.P95)
	fmt.Fprintf(t, "search\t%.1f ms (p95 %.1f)\n", r.RetrieveMS.P50, r.RetrieveMS.P95)
	if r.TraverseMS != nil {
		fmt.Fprintf(t, "traversal\t%.1f ms (p95 %.1f)\n", r.TraverseMS.P50, r.TraverseMS.P95)
	}
	if r.RSSMB > 0 {
		fmt.Fprintf(t, "peak memory\t%.0f MB\n", r.RSSMB)
	}
	t.Flush()
}

// withBenchEngine runs f on an engine with a temporary database. f gets the time that opening it took.
func (a *app) withBenchEngine(c *cobra.Command,
	f func(context.Context, *config.Config, *engine.Engine, time.Duration) error) error {
	cfg, _, err := a.config(c)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "memory-graph-bench-")
	if err != nil {
		return memory.Errorf(memory.Unavailable, "Cannot create a temporary directory: %w.", err)
	}
	defer os.RemoveAll(dir)
	cfg.DB, cfg.ReadOnly = filepath.Join(dir, "bench.db"), false
	log, done, err := a.logger(cfg)
	if err != nil {
		return err
	}
	defer done()
	start := time.Now()
	e, err := engine.Start(cfg, log)
	if err != nil {
		return err
	}
	defer e.Close()
	if _, err := e.Store(c.Context()); err != nil {
		return err
	}
	return f(c.Context(), cfg, e, time.Since(start))
}

// progress returns a function that shows a progress bar, or nil if stderr is not a terminal.
func (a *app) progress(what string) func(done, total int) {
	if !isTerminal(a.stderr) {
		return nil
	}
	var bar *progressbar.ProgressBar
	return func(done, total int) {
		if bar == nil {
			bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(a.stderr), progressbar.OptionSetDescription(what),
				progressbar.OptionShowCount(), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())
		}
		_ = bar.Set(done) // the work continues without the bar
	}
}
