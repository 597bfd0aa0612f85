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

// turnsALine is the number of turns between two lines of progress if stderr is not a terminal.
const turnsALine = 50

func newBackfill(a *app) *cobra.Command {
	var limit int
	var model, dry bool
	c := &cobra.Command{
		Use:   "backfill",
		Short: "Extract facts from the turns that wait for extraction",
		Long: `backfill extracts entities and facts from the turns of a namespace that were never read, or whose extraction
failed. It reads the oldest turns first, with the built-in rules and, if one is configured, with the language model. Use
it for turns that were stored while extraction was off or the model was not available.

--model also reads the turns that the rules have read and no model has, such as those from before a model was
configured. Every turn can cost one request to the model: --dry-run counts them, and --limit bounds them.

backfill can run while hosts use the database. It can be interrupted: each turn is read once, and the next backfill
continues. If another process was killed while it read turns, backfill waits some seconds until they are free again.

Turns that a host has queued for its model wait until a process with a model reads them. Set the host's
MEMORY_GRAPH_LLM_BASE_URL and MEMORY_GRAPH_LLM_MODEL for backfill too, or leave these turns to the host. The exit code
is 1 if turns were found and none could be read.`,
		Example: `  memory-graph backfill
  memory-graph backfill --limit 200
  export MEMORY_GRAPH_LLM_BASE_URL=http://127.0.0.1:11434/v1 MEMORY_GRAPH_LLM_MODEL=qwen3
  memory-graph backfill --model --dry-run`,
		Args: noArgs,
	}
	countVar(c, &limit, "limit", "maximum number of turns to read; 0: all")
	c.Flags().BoolVar(&model, "model", false, "also read the turns with the model that only the rules have read")
	c.Flags().BoolVar(&dry, "dry-run", false, "only count the turns that would be read")
	c.RunE = func(c *cobra.Command, _ []string) error {
		return a.withEngine(c, func(ctx context.Context, cfg *config.Config, e *engine.Engine) error {
			start := time.Now()
			n, err := e.Backfill(ctx, engine.BackfillRequest{Namespace: cfg.Namespace, Limit: limit, Model: model, DryRun: dry,
				Progress: a.turnsRead(), Begin: func(total int) {
					if model {
						fmt.Fprintf(a.stderr, "%s to read, with at most one request each to %s.\n", many(int64(total), "turn", "turns"),
							cfg.ReadingModel())
					}
				}})
			if err != nil && n.Turns == 0 {
				return err
			}
			r := backfillReport{Namespace: cfg.Namespace, Found: n.Found, Turns: n.Turns, Facts: n.Facts, Again: n.Again,
				Waiting: n.Waiting, Failed: n.Failed,
				Elsewhere: n.Elsewhere, Until: memory.RFC3339(n.Until), NoModel: n.NoModel, until: n.Until, Seconds: time.Since(
					start).Seconds(), Model: cfg.UsesModel(), DryRun: dry}
			if n.Why != nil {
				r.Why = n.Why.Error()
			}
			if err == nil && n.Turns == 0 && n.Waiting+n.Failed > 0 {
				err = memory.Errorf(memory.Unavailable, "The model could not read any turn: %s",
					strings.TrimRight(r.Why, ".")+".").
					WithHint("`memory-graph doctor` tests the model; run backfill again when it answers.")
			}
			if err == nil && n.Turns == 0 && n.Waiting+n.Failed == 0 && n.Elsewhere > 0 {
				err = memory.Errorf(memory.Unavailable, "No turn could be read: another process is reading %s.", r.held()).
					WithHint("Run backfill again later, or leave these turns to that process.")
			}
			return errors.Join(a.print(r, r.write), err)
		})
	}
	return c
}

// turnsRead shows a progress bar on a terminal. Otherwise it prints a line to stderr every 50 turns and at the end.
func (a *app) turnsRead() func(done, total int) {
	if bar := a.progress("reading turns"); bar != nil {
		return bar
	}
	said := 0
	return func(done, total int) {
		if done/turnsALine > said || done == total {
			said = done / turnsALine
			fmt.Fprintf(a.stderr, "%d of %s processed\n", done, many(int64(total), "turn", "turns"))
		}
	}
}

// backfillReport is the output of backfill.
type backfillReport struct {
	Namespace string `json:"namespace"`
	DryRun    bool   `json:"dry_run"` // nothing was read
	Found     int    `json:"found"`   // turns to read
	Turns     int    `json:"turns"`   // turns read
	Facts     int    `json:"facts"`   // new facts
	Again     int    `json:"again"`   // known facts that were found again
	// turns that the rules have read and the model has not, since it did not answer
	Waiting   int     `json:"waiting"`
	Failed    int     `json:"failed"`                    // turns that the model could not read
	Elsewhere int     `json:"elsewhere"`                 // turns that another process is reading
	Until     string  `json:"elsewhere_until,omitempty"` // when that process's lease ends
	NoModel   int     `json:"no_model"`                  // turns that wait for a model, while none is configured here
	Model     bool    `json:"model"`                     // whether a model is configured
	Why       string  `json:"why,omitempty"`             // why the last turn waits or failed
	Seconds   float64 `json:"seconds"`
	until     time.Time
}

// held returns the number of turns that another process is reading, and when its lease ends.
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
			fmt.Fprintf(w, ", with at most %s to the model", many(int64(r.Found), "request", "requests"))
		}
		fmt.Fprintln(w, ".")
		return
	}
	if r.NoModel > 0 {
		fmt.Fprintf(w,
			"%s for a model, and none is configured here. Set MEMORY_GRAPH_LLM_BASE_URL and MEMORY_GRAPH_LLM_MODEL to the "+
				"host's values, or leave these turns to the host.\n",
			many(int64(r.NoModel), "turn waits", "turns wait"))
	}
	if r.Turns+r.Waiting+r.Failed+r.Elsewhere+r.NoModel == 0 {
		fmt.Fprintf(w, "No turn of namespace %q waits for extraction.\n", r.Namespace)
		return
	}
	if r.Turns > 0 || r.Facts+r.Again > 0 {
		by := "by the rules (no model is configured)"
		if r.Model {
			by = "by the rules and the model"
		}
		fmt.Fprintf(w, "%s read %s: %s, %d known.\n", many(int64(r.Turns), "turn", "turns"), by,
			many(int64(r.Facts), "new fact", "new facts"), r.Again)
	}
	if r.Waiting > 0 {
		fmt.Fprintf(w, "%s for the model, which cannot be asked now. A server retries; or run backfill again later.\n",
			many(int64(r.Waiting), "turn waits", "turns wait"))
	}
	if r.Failed > 0 {
		fmt.Fprintf(w, "The model failed on %s.\n", many(int64(r.Failed), "turn", "turns"))
	}
	if r.Why != "" {
		fmt.Fprintf(w, "Reason: %s\n", r.Why)
	}
	if r.Elsewhere > 0 {
		fmt.Fprintf(w, "Another process is reading %s.\n", r.held())
	}
}
