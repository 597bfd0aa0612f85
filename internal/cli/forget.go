package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"memory-graph/internal/config"
	"memory-graph/internal/engine"
	"memory-graph/internal/memory"
)

func newForget(a *app) *cobra.Command {
	var yes bool
	c := &cobra.Command{
		Use:   "forget ID...",
		Short: "Delete turns, entities, facts or memories for good",
		Long: `forget deletes what the ids name (t56, e12, r34, m7), and everything that is derived only from it: facts
without other evidence, facts about a deleted entity, and entities that nothing else mentions. It does what the tool
forget does. Without --yes it only shows what would be deleted. With --yes it deletes for good: undo cannot restore it,
and only a backup still has it.

search, facts and entities print the ids.`,
		Example: `  memory-graph forget t56
  memory-graph forget t56 r34 --yes
  memory-graph forget e12 --json`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError(c, "forget needs the ids of turns, entities, facts or memories.")
			}
			return nil
		},
	}
	c.Flags().BoolVarP(&yes, "yes", "y", false, "delete for good")
	c.RunE = func(c *cobra.Command, args []string) error {
		var ids []memory.ID
		for _, arg := range args {
			id, err := memory.ParseID(strings.TrimSpace(arg))
			if err != nil {
				return memory.Errorf(memory.InvalidArgument, "%q is not an id, and forget deletes nothing by name.", arg).
					WithHint("`memory-graph search %q` prints the ids, such as t56, e12, r34 or m7.", arg)
			}
			ids = append(ids, id)
		}
		by, err := person()
		if err != nil {
			return err
		}
		return a.withEngine(c, func(ctx context.Context, cfg *config.Config, e *engine.Engine) error {
			return a.forget(ctx, cfg, e, ids, yes, by)
		})
	}
	return c
}

// forgetReport is the output of forget.
type forgetReport struct {
	DryRun    bool     `json:"dry_run"`
	Namespace string   `json:"namespace"`
	Episodes  int      `json:"episodes"`
	Relations int      `json:"relations"`
	Entities  int      `json:"entities"`
	Objects   []string `json:"objects"` // up to 100 of them
	// EndsTakenBack are facts that stay and lose their end, because only forgotten turns support it.
	EndsTakenBack []string `json:"ends_taken_back,omitempty"`
	// Superseded are facts that end because one of EndsTakenBack holds again.
	Superseded []string `json:"superseded,omitempty"`
}

func (a *app) forget(ctx context.Context, cfg *config.Config, e *engine.Engine, ids []memory.ID, yes bool,
	by memory.Caller) error {
	st, err := e.Store(ctx)
	if err != nil {
		return err
	}
	f, err := st.Forget(ctx, cfg.Namespace, ids, yes, by)
	if err != nil {
		return err
	}
	r := forgetReport{f.DryRun, cfg.Namespace, f.Episodes, f.Relationships, f.Entities, idTexts(f.Objects),
		idTexts(f.EndsTakenBack), idTexts(f.Superseded)}
	var shown, open foundItems
	for _, list := range []struct {
		ids  []string
		into *foundItems
	}{{r.Objects, &shown}, {r.EndsTakenBack, &open}} {
		if these := list.ids[:min(len(list.ids), cfg.Limits.Results)]; r.DryRun && !a.json && len(these) > 0 {
			if _, err := a.askTool(ctx, cfg, e, "retrieve", searchArgs{IDs: these}, list.into); err != nil {
				return err
			}
		}
	}
	return a.print(r, func(w io.Writer) {
		if !r.DryRun {
			fmt.Fprintf(w, "Deleted for good: %s.\n", r.line())
			if len(r.EndsTakenBack) > 0 {
				fmt.Fprintf(w, "Ends taken back: %s.\n", summary(r.EndsTakenBack, 10))
			}
			if len(r.Superseded) > 0 {
				fmt.Fprintf(w, "Ended by them: %s.\n", summary(r.Superseded, 10))
			}
			return
		}
		fmt.Fprintf(w, "This would delete for good: %s.\n", r.line())
		shown.tables(w, a.paint, r.Episodes, r.Entities, r.Relations)
		if len(r.EndsTakenBack) > 0 {
			fmt.Fprint(w, "\nEnds taken back. These facts hold again, or until a later fact contradicts them:\n")
			open.tables(w, a.paint, 0, 0, len(r.EndsTakenBack))
		}
		if len(r.Superseded) > 0 {
			fmt.Fprintf(w, "They would end %s.\n", summary(r.Superseded, 10))
		}
		fmt.Fprintf(w, "\nNothing is deleted yet. To delete: memory-graph forget %s --yes\n",
			strings.Join(idTexts(ids), " "))
	})
}

func (r forgetReport) line() string {
	return fmt.Sprintf("%s, %s, %s", many(int64(r.Episodes), "turn", "turns"), many(int64(r.Relations), "fact", "facts"),
		many(int64(r.Entities), "entity", "entities"))
}
