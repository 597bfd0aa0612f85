package cli

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"memory-graph/classifier"
	"memory-graph/internal/bench"
	"memory-graph/internal/config"
	"memory-graph/internal/embedding"
	"memory-graph/internal/engine"
)

func newBenchClassify(a *app) *cobra.Command {
	var data string
	var verbose bool
	c := &cobra.Command{
		Use:   "classify",
		Short: "Measure how often the classifier finds the class of a message",
		Long: `classify classifies each message of a file: with the turns before it, without them, and by words alone. The
file has one JSON object per line:

  {"text": "thirty seconds, not ten", "context": ["Shall I add a timeout?"], "label": "correction"}

The labels are conversational, correction, task_continuation and new_topic. Without --data the classifier's own
exemplars are classified, each by a model that was trained without its scene. This takes half a minute.`,
		Example: `  memory-graph bench classify --data messages.jsonl
  memory-graph bench classify --data messages.jsonl --misses
  memory-graph bench classify --json`,
		Args: noArgs,
	}
	c.Flags().StringVar(&data, "data", "", "file with labelled messages")
	c.Flags().BoolVar(&verbose, "misses", false, "list the messages with a wrong class")
	c.RunE = func(c *cobra.Command, _ []string) error {
		cfg, _, err := a.config(c)
		if err != nil {
			return err
		}
		r, err := benchClassify(c.Context(), cfg, data)
		if err != nil {
			return err
		}
		if !verbose {
			r.Misses = nil
		}
		return a.print(r, func(w io.Writer) { writeClassify(w, r) })
	}
	return c
}

func benchClassify(ctx context.Context, cfg *config.Config, data string) (bench.ClassifyResult, error) {
	var list []bench.LabelledMessage
	var sum string
	var err error
	if data != "" {
		if list, sum, err = bench.ReadMessages(data); err != nil {
			return bench.ClassifyResult{}, err
		}
	}
	emb, err := engine.NewEmbedder(cfg, nil)
	if err != nil {
		return bench.ClassifyResult{}, err
	}
	if p, ok := emb.(engine.Prober); ok {
		if err := p.Probe(ctx); err != nil {
			return bench.ClassifyResult{}, err
		}
	}
	if data == "" {
		return bench.ClassifyExemplars(ctx, emb)
	}
	built, err := classifier.New(ctx, emb, cfg.Paths.Cache)
	if err != nil {
		return bench.ClassifyResult{}, err
	}
	words, err := classifier.Open(embedding.None{}, "")
	if err != nil {
		return bench.ClassifyResult{}, err
	}
	r, err := bench.Classify(ctx, built, words, emb.Identity(), list)
	r.Data, r.SHA256 = data, sum
	return r, err
}

func writeClassify(w io.Writer, r bench.ClassifyResult) {
	sum := ""
	if r.SHA256 != "" {
		sum = fmt.Sprintf(" (sha256 %.12s…)", r.SHA256)
	}
	fmt.Fprintf(w, "%s%s, %d messages, embedder %s\n\n", r.Data, sum, r.N, r.Embedder)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "class\tn\tprecision\trecall\tF1\t")
	for _, c := range classifier.Classes() {
		s := r.Classes[c.String()]
		fmt.Fprintf(t, "%s\t%d\t%.3f\t%.3f\t%.3f\t\n", c, s.N, s.Precision, s.Recall, s.F1)
	}
	t.Flush()
	t = tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "\nmacro-F1\t%.3f\n", r.MacroF1)
	if r.WithoutContext != nil {
		fmt.Fprintf(t, "without context\t%.3f\n", *r.WithoutContext)
	}
	if r.Words != nil {
		fmt.Fprintf(t, "words alone\t%.3f\n", *r.Words)
	}
	fmt.Fprintf(t, "cue words\t%.3f\n", r.CueWords)
	fmt.Fprintf(t, "majority\t%.3f\n", r.Majority)
	fmt.Fprintf(t, "abstained\t%.3f (accuracy of the others %.3f)\n", r.Abstained, r.Decided)
	fmt.Fprintf(t, "recall wrongly skipped\t%.3f\n", r.LostRecall)
	if r.QueryMS != nil {
		fmt.Fprintf(t, "took\t%.1f ms (p95 %.1f)\n", r.QueryMS.P50, r.QueryMS.P95)
	}
	t.Flush()
	fmt.Fprintln(w)
	t = tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "label \\ predicted\t")
	for _, c := range classifier.Classes() {
		fmt.Fprintf(t, "%s\t", c)
	}
	fmt.Fprintln(t)
	for _, c := range classifier.Classes() {
		fmt.Fprintf(t, "%s\t", c)
		for _, d := range classifier.Classes() {
			fmt.Fprintf(t, "%d\t", r.Confusion[c.String()][d.String()])
		}
		fmt.Fprintln(t)
	}
	t.Flush()
	for _, m := range r.Misses {
		open := ""
		if m.Abstained {
			open = ", abstained"
		}
		fmt.Fprintf(w, "\n%s → %s (%.2f%s)\n  %s\n", m.Label, m.Class, m.Confidence, open, visible(m.Text))
	}
}
