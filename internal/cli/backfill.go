package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memory-graph/internal/config"
	"memory-graph/internal/engine"
	"memory-graph/internal/memory"
)

// turnsALine is how many turns are read for one line of progress where nobody watches a bar (Z57).
const turnsALine = 50

func newBackfill(a *app) *cobra.Command {
	var limit int
	var model, dry bool
	c := &cobra.Command{
		Use:   "backfill",
		Short: "Read the turns that wait for extraction, now",
		Long: `backfill takes entities and facts from the turns of a namespace that were stored and not yet read, or over which the model failed,
oldest first: with the built-in rules, and with the language model where one is configured. That is how turns get into the graph
that were stored while extraction was off, or while the model was away.

With --model it goes on with the turns that are done and that no model has read: those from before a model was configured. That
may take as many questions as there are turns, and cost money: --dry-run says how many, --limit bounds them.

It may run beside hosts, and be interrupted: each turn is read once, and the next backfill goes on. What a killed process held
is free some seconds later, which backfill waits for. Turns that a host has queued for its model go on waiting for one
where this shell has none: give it the host's MEMORY_GRAPH_LLM_BASE_URL and MEMORY_GRAPH_LLM_MODEL, or leave them to the
host. It fails where no turn at all could be read.`,
		Example: `  memory-graph backfill
  memory-graph backfill --limit 200
  MEMORY_GRAPH_LLM_BASE_URL=http://127.0.0.1:11434/v1 MEMORY_GRAPH_LLM_MODEL=qwen3 memory-graph backfill --model --dry-run`,
		Args: noArgs,
	}
	countVar(c, &limit, "limit", "turns to read at most; 0 is all")
	c.Flags().BoolVar(&model, "model", false, "let the model also read the turns that only the rules have read")
	c.Flags().BoolVar(&dry, "dry-run", false, "only say how many turns would be read")
	c.RunE = func(c *cobra.Command, _ []string) error {
		return a.withEngine(c, func(ctx context.Context, cfg *config.Config, e *engine.Engine) error {
			start := time.Now()
			n, err := e.Backfill(ctx, engine.BackfillRequest{Namespace: cfg.Namespace, Limit: limit, Model: model, DryRun: dry,
				Progress: a.turnsRead(), Begin: func(total int) {
					if model {
						fmt.Fprintf(a.stderr, "%s to read: at most as many questions to %s.\n", many(int64(total), "turn", "turns"),
							cfg.ReadingModel())
					}
				}})
			if err != nil && n.Turns == 0 {
				return err
			}
			r := backfillReport{Namespace: cfg.Namespace, Found: n.Found, Turns: n.Turns, Facts: n.Facts, Again: n.Again,
				Waiting: n.Waiting, Failed: n.Failed,
				Elsewhere: n.Elsewhere, Until: memory.RFC3339(n.Until), NoModel: n.NoModel, until: n.Until, Seconds: time.Since(
					start).Seconds(), Model: cfg.LLMBaseURL != "", DryRun: dry}
			if n.Why != nil {
				r.Why = n.Why.Error()
			}
			if err == nil && n.Turns == 0 && n.Waiting+n.Failed > 0 {
				err = memory.Errorf(memory.Unavailable, "No turn could be read by the model: %s",
					strings.TrimRight(r.Why, ".")+".").
					WithHint("`memory-graph doctor` asks the endpoint; run backfill again when it answers.")
			}
			if err == nil && n.Turns == 0 && n.Waiting+n.Failed == 0 && n.Elsewhere > 0 {
				err = memory.Errorf(memory.Unavailable, "No turn could be read: another process has %s.", r.held()).
					WithHint("Run backfill again then, or leave them to it.")
			}
			return errors.Join(a.print(r, r.write), err)
		})
	}
	return c
}

// turnsRead shows a bar on a terminal, and elsewhere a line on stderr every 50 turns and at the end.
func (a *app) turnsRead() func(done, total int) {
	if bar := a.progress("reading turns"); bar != nil {
		return bar
	}
	said := 0
	return func(done, total int) {
		if done/turnsALine > said || done == total {
			said = done / turnsALine
			fmt.Fprintf(a.stderr, "%d of %s looked at\n", done, many(int64(total), "turn", "turns"))
		}
	}
}

// backfillReport is what backfill did.
type backfillReport struct {
	Namespace string `json:"namespace"`
	DryRun    bool   `json:"dry_run"` // nothing was read
	Found     int    `json:"found"`   // turns that were to be read
	Turns     int    `json:"turns"`   // that were read
	Facts     int    `json:"facts"`   // new ones
	Again     int    `json:"again"`   // facts that were known and found again
	// turns that the rules have read, and the model could not be asked about
	Waiting   int     `json:"waiting"`
	Failed    int     `json:"failed"`                    // turns over which the model failed
	Elsewhere int     `json:"elsewhere"`                 // turns that another process is reading
	Until     string  `json:"elsewhere_until,omitempty"` // its lease on them
	NoModel   int     `json:"no_model"`                  // turns that wait for a model, which this process does not have
	Model     bool    `json:"model"`                     // whether one is configured
	Why       string  `json:"why,omitempty"`             // why the last turn waits or failed
	Seconds   float64 `json:"seconds"`
	until     time.Time
}

// held says how many turns another process has, and until when at least.
func (r backfillReport) held() string {
	turns := many(int64(r.Elsewhere), "turn", "turns")
	if r.until.IsZero() {
		return turns
	}
	return turns + " until " + localTime(r.until)
}

func (r backfillReport) write(w io.Writer) {
	if r.DryRun && r.Found > 0 {
		fmt.Fprintf(w, "%s of namespace %q would be read", many(int64(r.Found), "turn", "turns"), r.Namespace)
		if r.Model {
			fmt.Fprintf(w, ": at most %s to the model", many(int64(r.Found), "question", "questions"))
		}
		fmt.Fprintln(w, ".")
		return
	}
	if r.NoModel > 0 {
		fmt.Fprintf(w,
			"%s for a model, and none is configured here: set MEMORY_GRAPH_LLM_BASE_URL and MEMORY_GRAPH_LLM_MODEL as the "+
				"host does, or leave them to it.\n",
			many(int64(r.NoModel), "turn waits", "turns wait"))
	}
	if r.Turns+r.Waiting+r.Failed+r.Elsewhere+r.NoModel == 0 {
		fmt.Fprintf(w, "No turn of namespace %q waits to be read.\n", r.Namespace)
		return
	}
	if r.Turns > 0 || r.Facts+r.Again > 0 {
		by := "by the rules; no model is configured"
		if r.Model {
			by = "by the rules and the model"
		}
		fmt.Fprintf(w, "%s read %s: %s, %d found again.\n", many(int64(r.Turns), "turn", "turns"), by,
			many(int64(r.Facts), "new fact", "new facts"), r.Again)
	}
	if r.Waiting > 0 {
		fmt.Fprintf(w, "%s for the model, which does not answer: a server goes on when it does, or run backfill again.\n",
			many(int64(r.Waiting), "turn waits", "turns wait"))
	}
	if r.Failed > 0 {
		fmt.Fprintf(w, "The model failed over %s.\n", many(int64(r.Failed), "turn", "turns"))
	}
	if r.Why != "" {
		fmt.Fprintf(w, "Why: %s\n", r.Why)
	}
	if r.Elsewhere > 0 {
		fmt.Fprintf(w, "Another process is reading %s.\n", r.held())
	}
}
