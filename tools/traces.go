package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/store"
)

// tracesText describes the traces to readers of the HTTP interface. No toolset has the tool.
const tracesText = "How questions were answered, newest first: where the search began, what the graph added, " +
	"features, gate and times. With id: one trace. Recorded only with traces.enabled; secrets are masked."

type tracesArgs struct {
	ID     string `json:"id,omitempty" jsonschema_description:"The number of one trace: 12"`
	Limit  *int   `json:"limit,omitempty" jsonschema_description:"Most traces"`
	Cursor string `json:"cursor,omitempty" jsonschema_description:"next_cursor of the last answer, for what follows"`
	scopeArgs
}

type tracesResult struct {
	Traces      []traceItem  `json:"traces"`
	NextCursor  string       `json:"next_cursor,omitempty"`
	MemoryState memory.State `json:"memory_state"`
}

// traceItem is one question and how it was answered.
type traceItem struct {
	ID      int64                  `json:"id"`
	At      string                 `json:"at"`
	TookUS  int64                  `json:"took_us"` // microseconds
	Request retrieval.TraceRequest `json:"request"`
	Answer  retrieval.TraceAnswer  `json:"answer"`
}

func newTraceItem(t store.Trace) (traceItem, error) {
	item := traceItem{ID: t.ID, At: memory.RFC3339(t.At), TookUS: t.Took.Microseconds()}
	if err := json.Unmarshal(t.Request, &item.Request); err != nil {
		return item, fmt.Errorf("read trace %d: %w", t.ID, err)
	}
	if err := json.Unmarshal(t.Answer, &item.Answer); err != nil {
		return item, fmt.Errorf("read trace %d: %w", t.ID, err)
	}
	return item, nil
}

// newTraces returns the tool behind the paths of traces. It is only for the HTTP interface, since agents have no use
// for it.
func newTraces(mem Memory, o Options) (Tool, error) {
	s := spec{name: "traces", title: "How questions were answered", description: tracesText, readOnly: true,
		idempotent: true, bounds: bounds{ranges: map[string]span{"limit": {1, o.MaxResults, o.DefaultLimit}}}}
	return define(o, s, func(ctx context.Context, in tracesArgs) (tracesResult, error) {
		sc, err := in.scope(o)
		if err != nil {
			return tracesResult{}, err
		}
		return in.read(ctx, mem, o, o.withDefaults(sc).Namespace)
	})
}

func (in tracesArgs) read(ctx context.Context, mem Memory, o Options, namespace string) (tracesResult, error) {
	p := leaf{limit: o.DefaultLimit}
	if in.Limit != nil {
		p.limit = *in.Limit
	}
	q := newCallKey("traces", namespace, in.ID)
	var err error
	if p.offset, err = q.offset(in.Cursor); err != nil {
		return tracesResult{}, err
	}
	records, err := mem.Records(ctx)
	if err != nil {
		return tracesResult{}, err
	}
	var list []store.Trace
	if in.ID == "" {
		list, p.more, err = records.Traces(ctx, namespace, p.offset, p.limit)
	} else {
		list = make([]store.Trace, 1)
		list[0], err = oneTrace(ctx, records, namespace, in.ID)
	}
	if err != nil {
		return tracesResult{}, err
	}
	st, err := mem.State(ctx, namespace)
	if err != nil {
		return tracesResult{}, err
	}
	res := tracesResult{Traces: []traceItem{}, MemoryState: state(st)}
	room := o.FullAnswerBytes
	for _, t := range list {
		item, err := newTraceItem(t)
		if err != nil {
			return tracesResult{}, err
		}
		if room -= sizeOf(item); room < 0 && len(res.Traces) > 0 {
			break
		}
		res.Traces = append(res.Traces, item)
	}
	p.found, p.shown = len(list), len(res.Traces)
	res.NextCursor = q.next(p)
	return res, nil
}

func oneTrace(ctx context.Context, records Records, namespace, ref string) (store.Trace, error) {
	id, err := parseTraceID(ref)
	if err != nil {
		return store.Trace{}, err
	}
	return records.TraceByID(ctx, namespace, id)
}

func parseTraceID(ref string) (int64, error) {
	id, err := strconv.ParseInt(strings.TrimSpace(ref), 10, 64)
	if err != nil || id < 1 {
		return 0, memory.Errorf(memory.InvalidArgument, "%q is not the number of a trace.", clip(ref)).
			WithHint("Give a number of the list of traces, such as 12.")
	}
	return id, nil
}
