package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
)

func newRollout(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "rollout [off|shadow|canary]",
		Short: "Show or set how far graph expansion is rolled out",
		Long: `rollout shows how far the strategy hybrid_graph is rolled out in the namespace, and what its expansions
found in the last 24 hours and in the 24 hours before. With a mode, it sets that mode for all processes:

off     answers are the baseline: standing instructions, this session, the ranking
shadow  the graph is expanded and measured, and answers are the baseline
canary  answers are expanded (the default), unless the quality gate blocks it

The gate blocks canary if too many expansions failed or fell back, found too little, or found much less than before.
Expansions are still measured while it blocks, so it opens again when the causes are gone.`,
		Example: `  memory-graph rollout
  memory-graph rollout shadow --namespace work
  memory-graph rollout --json`,
		Args: atMostOne("one mode"),
		RunE: func(c *cobra.Command, args []string) error {
			mode := memory.RolloutMode("")
			if len(args) > 0 {
				var err error
				if mode, err = memory.ParseRolloutMode(strings.TrimSpace(args[0])); err != nil {
					return usageError(c, "%q is not a mode: use off, shadow or canary.", args[0])
				}
			}
			return a.withMemory(c, mode != "", func(ctx context.Context, o opened) error { return a.rollout(ctx, o, mode) })
		},
	}
}

func (a *app) rollout(ctx context.Context, o opened, mode memory.RolloutMode) error {
	if mode != "" {
		by := memory.Caller{Actor: "cli", Client: "memory-graph " + buildInfo().Version}
		if err := o.SetRolloutMode(ctx, o.cfg.Namespace, mode, by); err != nil {
			return err
		}
	}
	r, err := retrieval.ReadRollout(ctx, o, o.cfg.Namespace, time.Time{})
	if err != nil {
		return err
	}
	return a.print(r, func(w io.Writer) {
		fmt.Fprintf(w, "%-10s %s\n", "namespace", visible(r.Namespace))
		fmt.Fprintf(w, "%-10s %s\n", "mode", r.Mode)
		if !o.cfg.HybridGraph.Enabled {
			fmt.Fprintf(w, "%-10s hybrid_graph.enabled is false: every answer is the baseline\n", "")
		}
		fmt.Fprintf(w, "%-10s %s\n", "gate", gateLine(r))
		for _, reason := range r.Gate.Reasons {
			fmt.Fprintf(w, "%-10s %s: %s\n", "", reason.Code, reason.Message)
		}
		t := table{columns: []column{{title: "24 HOURS"}, {title: "EXPANSIONS", right: true},
			{title: "FALLBACKS", right: true}, {title: "ERRORS", right: true}, {title: "COVERAGE", right: true},
			{title: "ITEMS EACH", right: true}}}
		for _, row := range []struct {
			name string
			n    retrieval.QualityCounts
		}{{"current", r.Gate.Current}, {"previous", r.Gate.Previous}} {
			t.add("", row.name, fmt.Sprint(row.n.Tried), fmt.Sprint(row.n.Fallbacks), fmt.Sprint(row.n.Errors),
				fmt.Sprintf("%.0f %%", 100*row.n.Coverage), fmt.Sprintf("%.1f", row.n.Lift))
		}
		t.write(w, a.paint)
	})
}

func gateLine(r retrieval.RolloutState) string {
	switch {
	case r.Gate.Blocked && r.Mode == memory.RolloutCanary:
		return string(r.Gate.Status) + ": answers are the baseline"
	case r.Gate.Status == retrieval.QualityInsufficient:
		return "too few expansions to judge"
	}
	return string(r.Gate.Status)
}
