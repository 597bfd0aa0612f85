package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"memory-graph/internal/config"
	"memory-graph/internal/engine"
	"memory-graph/internal/memory"
)

// searchArgs are the arguments of the tool retrieve that search has flags for.
type searchArgs struct {
	Query    string   `json:"query,omitempty"`
	IDs      []string `json:"ids,omitempty"`
	Strategy string   `json:"strategy,omitempty"`
	Since    string   `json:"since,omitempty"`
	Until    string   `json:"until,omitempty"`
	Limit    int      `json:"limit,omitempty"`
	Detail   string   `json:"detail,omitempty"`
	Explain  bool     `json:"explain,omitempty"`
}

func newSearch(a *app) *cobra.Command {
	var in searchArgs
	c := &cobra.Command{
		Use:   "search QUERY",
		Short: "Find turns and facts, as an agent would",
		Long: `search asks the memory a question, as the tool retrieve does, and lists the turns, entities and facts that
answer it, the best first. --json prints the tool's answer. --project and --user restrict it to what belongs to them.`,
		Example: `  memory-graph search "Which database does billing use?"
  memory-graph search launch --since 2026-03-01 --limit 5
  memory-graph search "Ann" --strategy bfs --json`,
		Args: func(c *cobra.Command, args []string) error {
			if strings.TrimSpace(strings.Join(args, "")) == "" {
				return usageError(c, "search needs a question or words.")
			}
			return nil
		},
	}
	c.Flags().StringVar(&in.Strategy, "strategy", "",
		"auto, text, vector, fused, bfs, hybrid, synapse, walk or hybrid_graph")
	c.Flags().StringVar(&in.Since, "since", "", "only what was said at or after this time: RFC 3339 or a date")
	c.Flags().StringVar(&in.Until, "until", "", "only what was said before this time")
	countVar(c, &in.Limit, "limit", "results of each list (default: the setting limits.default_results)")
	c.Flags().BoolVar(&in.Explain, "explain", false, "with --json: how each score was made")
	c.RunE = func(c *cobra.Command, args []string) error {
		in.Query = strings.Join(args, " ")
		if c.Flags().Changed("limit") && in.Limit == 0 {
			return usageError(c, "--limit 0 is out of range.")
		}
		return a.withEngine(c, func(ctx context.Context, cfg *config.Config, e *engine.Engine) error {
			if st, err := e.Store(ctx); err != nil {
				return err
			} else if _, err := a.status(ctx, opened{st, cfg}); err != nil {
				return err
			}
			var found foundItems
			answer, err := a.askTool(ctx, cfg, e, "retrieve", in, &found)
			if err != nil {
				return err
			}
			return a.print(json.RawMessage(answer), func(w io.Writer) { found.write(w, a.paint) })
		})
	}
	return c
}

// write prints what was found as tables.
func (f foundItems) write(w io.Writer, paint func(colour, text string) string) {
	if len(f.Episodes)+len(f.Entities)+len(f.Relations) == 0 {
		fmt.Fprint(w, "Nothing matches.")
		if f.BelowThreshold > 0 {
			fmt.Fprintf(w, " %s below the threshold; --strategy text or vector shows them.",
				many(int64(f.BelowThreshold), "turn is", "turns are"))
		}
		fmt.Fprintln(w)
		return
	}
	fmt.Fprintf(w, "match: %s\n", f.Match)
	f.tables(w, paint, len(f.Episodes), len(f.Entities), len(f.Relations))
}

// tables prints the lists that are not empty, and below each how many of all turns, entities and facts it leaves out.
func (f foundItems) tables(w io.Writer, paint func(colour, text string) string, turnsOf, entitiesOf, factsOf int) {
	turns := table{columns: []column{{title: "TURN"}, {title: "TIME"}, {title: "BY"}, {title: "SCORE", right: true},
		{title: "NOTE"}, {title: "TEXT"}}}
	for _, e := range f.Episodes {
		by, note := e.Role, ""
		if e.Speaker != "" {
			by = e.Speaker
		}
		if len(e.SupersededBy) > 0 {
			note = "replaced by " + summary(e.SupersededBy, 3)
		}
		turns.add("", e.ID, shownTime(e.OccurredAt), by, number(e.Score), note, e.Content)
	}
	entities := table{columns: []column{{title: "ENTITY"}, {title: "NAME"}, {title: "TYPE"}, {title: "DESCRIPTION"}}}
	for _, e := range f.Entities {
		entities.add("", e.ID, e.Name, e.Type, e.Description)
	}
	facts := table{columns: []column{{title: "FACT"}, {title: "CONFIDENCE", right: true}, {title: "SINCE"},
		{title: "UNTIL"}, {title: "CONTENT"}}}
	for _, r := range f.Relations {
		facts.add("", r.ID, number(r.Confidence), shownTime(r.ValidFrom), shownTime(r.ValidUntil),
			r.Head+" → "+r.Relation+" → "+r.Tail)
	}
	for _, list := range []struct {
		table
		of        int
		one, some string
	}{{turns, turnsOf, "more turn", "more turns"}, {entities, entitiesOf, "more entity", "more entities"},
		{facts, factsOf, "more fact", "more facts"}} {
		if len(list.rows) > 0 {
			fmt.Fprintln(w)
			list.write(w, paint)
		}
		if more := list.of - len(list.rows); more > 0 {
			fmt.Fprintf(w, "and %s\n", many(int64(more), list.one, list.some))
		}
	}
}

// number returns a number with two decimals, or "" for none.
func number(n *float64) string {
	if n == nil {
		return ""
	}
	return fmt.Sprintf("%.2f", *n)
}

// shownTime returns a time of a tool's answer in the local time zone, or "" for none.
func shownTime(s string) string {
	t, err := memory.ParseTime("time", s)
	if err != nil { // a month or a year, or none
		return s
	}
	return localTime(t)
}
