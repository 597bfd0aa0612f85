package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"

	"memory-graph/config"
	"memory-graph/engine"
)

// turnsALine is how many turns are read for one line of progress where nobody watches a bar (Z57).
const turnsALine = 50

func newBackfill(a *app) *cobra.Command {
	var limit int
	c := &cobra.Command{
		Use:   "backfill",
		Short: "Read the turns that wait for extraction, now",
		Long: `backfill takes entities and facts from the turns of a namespace that were stored and not yet read, or over which the model failed,
oldest first: with the built-in rules, and with the language model where one is configured. That is how turns get into the graph
that were stored while extraction was off, before a model was configured, or while it was away.

It may run beside hosts, and be interrupted: each turn is read once, and the next backfill goes on. Where no model is
configured, the turns that wait for one are done once the rules have read them.`,
		Example: `  memory-graph backfill
  memory-graph backfill --limit 200
  MEMORY_GRAPH_LLM_BASE_URL=http://127.0.0.1:11434/v1 MEMORY_GRAPH_LLM_MODEL=qwen3 memory-graph backfill --json`,
		Args: noArgs,
	}
	c.Flags().IntVar(&limit, "limit", 0, "turns to read at most; 0 is all")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if limit < 0 {
			return usageError(c, "--limit %d is out of range: it takes 0 (all) or more.", limit)
		}
		return a.withEngine(c, func(ctx context.Context, cfg *config.Config, e *engine.Engine) error {
			start := time.Now()
			n, err := e.Backfill(ctx, engine.BackfillRequest{Namespace: cfg.Namespace, Limit: limit, Progress: a.turnsRead()})
			if err != nil && n.Turns == 0 {
				return err
			}
			r := backfillReport{Namespace: cfg.Namespace, Turns: n.Turns, Facts: n.Facts, Again: n.Again, Waiting: n.Waiting, Failed: n.Failed,
				Elsewhere: n.Elsewhere, Seconds: time.Since(start).Seconds(), Model: cfg.LLMBaseURL != ""}
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
			fmt.Fprintf(a.stderr, "%d of %s read\n", done, many(int64(total), "turn", "turns"))
		}
	}
}

// backfillReport is what backfill did.
type backfillReport struct {
	Namespace string  `json:"namespace"`
	Turns     int     `json:"turns"`     // that were read
	Facts     int     `json:"facts"`     // new ones
	Again     int     `json:"again"`     // facts that were known and found again
	Waiting   int     `json:"waiting"`   // turns that the rules have read, and the model could not be asked about
	Failed    int     `json:"failed"`    // turns over which the model failed
	Elsewhere int     `json:"elsewhere"` // turns that another process is reading
	Model     bool    `json:"model"`     // whether one is configured
	Seconds   float64 `json:"seconds"`
}

func (r backfillReport) write(w io.Writer) {
	if r.Turns+r.Waiting+r.Failed+r.Elsewhere == 0 {
		fmt.Fprintf(w, "No turn of namespace %q waits to be read.\n", r.Namespace)
		return
	}
	by := "by the rules; no model is configured"
	if r.Model {
		by = "by the rules and the model"
	}
	fmt.Fprintf(w, "%s read %s: %s, %d found again.\n", many(int64(r.Turns), "turn", "turns"), by, many(int64(r.Facts), "new fact", "new facts"), r.Again)
	if r.Waiting > 0 {
		fmt.Fprintf(w, "%s for the model, which does not answer: a server goes on when it does, or run backfill again.\n", many(int64(r.Waiting), "turn waits", "turns wait"))
	}
	if r.Failed > 0 {
		fmt.Fprintf(w, "The model failed over %s: `memory-graph doctor` says why.\n", many(int64(r.Failed), "turn", "turns"))
	}
	if r.Elsewhere > 0 {
		fmt.Fprintf(w, "%s being read by another process.\n", many(int64(r.Elsewhere), "turn is", "turns are"))
	}
}

// withEngine runs f on the memory, which must be there, as a command that may write.
func (a *app) withEngine(c *cobra.Command, f func(context.Context, *config.Config, *engine.Engine) error) error {
	cfg, _, err := a.config(c)
	if err != nil {
		return err
	}
	info, err := os.Stat(cfg.DB)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode().IsRegular() && info.Size() == 0 {
		return noDatabase(cfg.DB)
	}
	log, done, err := a.logger(cfg)
	if err != nil {
		return err
	}
	defer done()
	e, err := engine.Start(cfg, log, engine.ForCommand())
	if err != nil {
		return err
	}
	defer e.Close()
	if _, err := e.Store(c.Context()); err != nil {
		return err
	}
	return f(c.Context(), cfg, e)
}
