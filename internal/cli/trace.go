package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/store"
)

func newTrace(a *app) *cobra.Command {
	var limit int
	c := &cobra.Command{
		Use:   "trace [ID]",
		Short: "Show how questions were answered",
		Long: `trace lists the last questions whose answers were recorded, newest first. With an ID, it shows one of them:
where the search began, what the graph added, the features of each item, the rollout and its gate, and how long each
step took.

Traces are recorded only with traces.enabled (MEMORY_GRAPH_TRACES_ENABLED=true), and deleted after
traces.retention_days. They hold the masked question, ids, names and numbers, and no content of turns.`,
		Example: `  memory-graph trace
  memory-graph trace 12
  memory-graph trace 12 --json`,
		Args: atMostOne("the number of one trace"),
	}
	c.Flags().IntVar(&limit, "limit", callsDefault, "traces to list, 1 to 1,000")
	c.RunE = func(c *cobra.Command, args []string) error {
		if limit < 1 || limit > callsMost {
			return usageError(c, "--limit %d is out of range: the range is 1 to 1,000.", limit)
		}
		if len(args) == 0 {
			return a.withMemory(c, false, func(ctx context.Context, o opened) error { return a.listTraces(ctx, o, limit) })
		}
		id, err := strconv.ParseInt(strings.TrimSpace(args[0]), 10, 64)
		if err != nil || id < 1 {
			return usageError(c, "%q is not the number of a trace, such as 12.", args[0])
		}
		return a.withMemory(c, false, func(ctx context.Context, o opened) error {
			t, err := o.TraceByID(ctx, o.cfg.Namespace, id)
			if err != nil {
				return err
			}
			r, err := newTraceRow(t)
			if err != nil {
				return err
			}
			return a.print(r, func(w io.Writer) { r.write(w, a.paint) })
		})
	}
	return c
}

// traceRow is one trace.
type traceRow struct {
	ID        int64                  `json:"id"`
	At        string                 `json:"at"`
	Namespace string                 `json:"namespace"`
	TookUS    int64                  `json:"took_us"`
	Request   retrieval.TraceRequest `json:"request"`
	Answer    retrieval.TraceAnswer  `json:"answer"`
	at        time.Time
}

func newTraceRow(t store.Trace) (traceRow, error) {
	r := traceRow{ID: t.ID, At: memory.RFC3339(t.At), Namespace: t.Namespace, TookUS: t.Took.Microseconds(), at: t.At}
	if err := json.Unmarshal(t.Request, &r.Request); err != nil {
		return r, fmt.Errorf("read trace %d: %w", t.ID, err)
	}
	if err := json.Unmarshal(t.Answer, &r.Answer); err != nil {
		return r, fmt.Errorf("read trace %d: %w", t.ID, err)
	}
	return r, nil
}

// traceList is the output of trace without an ID.
type traceList struct {
	Namespace string     `json:"namespace"`
	Recording bool       `json:"recording"` // traces.enabled
	Dropped   int64      `json:"dropped"`   // traces that were not recorded, since too many waited
	Traces    []traceRow `json:"traces"`
	More      bool       `json:"more"`
}

func (a *app) listTraces(ctx context.Context, o opened, limit int) error {
	list, more, err := o.Traces(ctx, o.cfg.Namespace, 0, limit)
	if err != nil {
		return err
	}
	out := traceList{Namespace: o.cfg.Namespace, Recording: o.cfg.Traces.Enabled, Traces: []traceRow{}, More: more}
	for _, t := range list {
		r, err := newTraceRow(t)
		if err != nil {
			return err
		}
		out.Traces = append(out.Traces, r)
	}
	counters, err := o.Counters(ctx, o.cfg.Namespace)
	if err != nil {
		return err
	}
	for _, c := range counters {
		if c.Code == store.TraceDropped {
			out.Dropped = c.N
		}
	}
	return a.print(out, func(w io.Writer) { out.write(w, a.paint) })
}

func (l traceList) write(w io.Writer, paint func(colour, text string) string) {
	if len(l.Traces) == 0 {
		fmt.Fprintf(w, "There are no traces in namespace %q.", visible(l.Namespace))
		if !l.Recording {
			fmt.Fprint(w, " Set traces.enabled = true to record them.")
		}
		fmt.Fprintln(w)
		return
	}
	t := table{columns: []column{{title: "ID", right: true}, {title: "TIME"}, {title: "ASKED"}, {title: "STRATEGY"},
		{title: "MATCH"}, {title: "FALLBACK"}, {title: "MS", right: true}, {title: "QUESTION"}}}
	for _, r := range l.Traces {
		t.add("", fmt.Sprint(r.ID), localTime(r.at), r.Request.Asked, string(r.Answer.Strategy), string(r.Answer.Match),
			string(r.Answer.Fallback), millis(r.TookUS), oneLine(r.Request.Query))
	}
	t.write(w, paint)
	if l.More {
		fmt.Fprintln(w, "There are older traces: use --limit.")
	}
	if l.Dropped > 0 {
		fmt.Fprintf(w, "%s not recorded, since too many waited.\n", many(l.Dropped, "trace was", "traces were"))
	}
}

func millis(us int64) string { return fmt.Sprintf("%.1f", float64(us)/1000) }

func (r traceRow) write(w io.Writer, paint func(colour, text string) string) {
	row := func(name, format string, args ...any) {
		fmt.Fprintf(w, "%-10s %s\n", name, visible(fmt.Sprintf(format, args...)))
	}
	row("question", "%s", r.Request.Query)
	row("asked", "%s, %s, strategy %s", localTime(r.at), r.Request.Asked, r.Request.Strategy)
	row("answered", "strategy %s, match %s, %s ms", r.Answer.Strategy, r.Answer.Match, millis(r.TookUS))
	if r.Answer.Rollout != "" {
		row("rollout", "%s", r.Answer.Rollout)
	}
	if g := r.Answer.Gate; g != nil {
		row("gate", "%s, %s in 24 hours, %s, %s", g.Status, many(g.Current.Tried, "expansion", "expansions"),
			many(g.Current.Fallbacks, "fallback", "fallbacks"), many(g.Current.Errors, "error", "errors"))
	}
	if r.Answer.Fallback != "" {
		row("fallback", "%s", r.Answer.Fallback)
	}
	if r.Answer.Cause != "" {
		row("cause", "%s", r.Answer.Cause)
	}
	var steps []string
	for _, t := range r.Answer.Timings {
		steps = append(steps, t.Step+" "+millis(t.Micros)+" ms")
	}
	row("timings", "%s", strings.Join(steps, ", "))
	for _, list := range []struct {
		name  string
		items []retrieval.TraceItem
	}{{"SEEDS", r.Answer.Seeds}, {"EXPANSIONS", r.Answer.Expansions}, {"EPISODES", r.Answer.Episodes},
		{"RELATIONS", r.Answer.Relations}, {"ENTITIES", r.Answer.Entities}} {
		if len(list.items) == 0 {
			continue
		}
		fmt.Fprintln(w)
		t := table{columns: []column{{title: list.name}, {title: "SCORE", right: true}, {title: "FROM"}, {title: "NAME"},
			{title: "FEATURES"}}}
		for _, it := range list.items {
			t.add("", it.ID, fmt.Sprintf("%.3f", it.Score), from(it), it.Name, features(it))
		}
		t.write(w, paint)
	}
}

// from returns the tier of the baseline to which an item belongs, or how the graph led to it.
func from(it retrieval.TraceItem) string {
	if g := it.Graph; g != nil {
		return fmt.Sprintf("%s %s, %s, via %s", g.Seed, g.EdgeType, many(int64(g.HopCount), "hop", "hops"),
			g.LinkedNode.Name)
	}
	if it.Tier != "" {
		return string(it.Tier)
	}
	return strings.Join(it.MatchedBy, ", ")
}

func features(it retrieval.TraceItem) string {
	var out []string
	for _, f := range it.Features {
		out = append(out, fmt.Sprintf("%s %.2f×%.2f", f.Name, f.Weight, f.Value))
	}
	return strings.Join(out, ", ")
}
