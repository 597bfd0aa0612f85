package server

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"memory-graph/internal/memory"
	"memory-graph/store"
	"memory-graph/tools"
)

// metricsPath is where the server reports its metrics, in the text format of Prometheus.
// https://prometheus.io/docs/instrumenting/exposition_formats
const metricsPath = "/metrics"

// latencies are the upper bounds of the buckets of a call's duration, in seconds.
var latencies = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}

// metrics counts the calls of this process. It is safe for concurrent use.
type metrics struct {
	mu    sync.Mutex
	calls map[callName]*callTimes
}

type callName struct {
	tool string
	code memory.Code // "" for a call without an error
}

// callTimes is a histogram.
type callTimes struct {
	under []int64 // one for each of latencies: the number of calls that took at most that long
	n     int64
	sum   time.Duration
}

func newMetrics() *metrics { return &metrics{calls: map[callName]*callTimes{}} }

// observe counts a call.
func (m *metrics) observe(tool string, code memory.Code, took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := m.calls[callName{tool, code}]
	if t == nil {
		t = &callTimes{under: make([]int64, len(latencies))}
		m.calls[callName{tool, code}] = t
	}
	for i, most := range latencies {
		if took.Seconds() <= most {
			t.under[i]++
		}
	}
	t.n++
	t.sum += took
}

// handler answers with the metrics. The counts of the file are read for each request.
func (m *metrics) handler(mem tools.Memory, version string, running func() int64) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			deny(w, http.StatusMethodNotAllowed, "metrics are read with GET")
			return
		}
		var out exposition
		out.family("memory_graph_info", "gauge", "The version of the program; always 1.")
		out.value("memory_graph_info", 1, "version", version)
		if err := out.file(r.Context(), mem); err != nil {
			e := memory.AsError(err)
			deny(w, restStatus[e.Code], e.Error())
			return
		}
		m.write(&out)
		out.family("memory_graph_calls_running", "gauge", "Calls that run now in this process.")
		out.value("memory_graph_calls_running", float64(running()))
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		_, _ = w.Write([]byte(out.String())) // a client that has gone needs no answer
	})
}

// write adds the calls of this process, by tool and outcome.
func (m *metrics) write(out *exposition) {
	const name = "memory_graph_call_duration_seconds"
	out.family(name, "histogram", "How long calls of tools took in this process, by tool and error (none for none).")
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, call := range slices.SortedFunc(maps.Keys(m.calls), func(a, b callName) int {
		return cmp.Or(cmp.Compare(a.tool, b.tool), cmp.Compare(a.code, b.code))
	}) {
		t := m.calls[call]
		labels := []string{"tool", call.tool, "error", cmp.Or(string(call.code), "none")}
		for i, most := range latencies {
			out.value(name+"_bucket", float64(t.under[i]), append(labels, "le", number(most))...)
		}
		out.value(name+"_bucket", float64(t.n), append(labels, "le", "+Inf")...)
		out.value(name+"_sum", t.sum.Seconds(), labels...)
		out.value(name+"_count", float64(t.n), labels...)
	}
}

// exposition is a text of metrics.
type exposition struct{ strings.Builder }

// file adds what the whole file contains: counts, open jobs, the use of models, and what failed or was left out.
func (x *exposition) file(ctx context.Context, mem tools.Memory) error {
	records, err := mem.Records(ctx)
	if err != nil {
		return err
	}
	counts, err := records.Counts(ctx)
	if err != nil {
		return err
	}
	models, err := records.ModelUsages(ctx, time.Time{})
	if err != nil {
		return err
	}
	counters, err := records.CountersOfAll(ctx)
	if err != nil {
		return err
	}
	for _, g := range []struct {
		name, help string
		n          int64
	}{
		{"memory_graph_episodes", "Turns in the file.", counts.Episodes},
		{"memory_graph_entities", "Entities and memories in the file.", counts.Entities},
		{"memory_graph_relationships_active", "Active facts in the file.", counts.Relationships},
		{"memory_graph_namespaces", "Namespaces with turns.", counts.Namespaces},
		{"memory_graph_vectors", "Turns with a vector of the active embedding generation.", counts.Vectors},
	} {
		x.family(g.name, "gauge", g.help)
		x.value(g.name, float64(g.n))
	}
	x.family("memory_graph_jobs", "gauge", "Jobs of the queue, by kind and status.")
	for _, j := range counts.Jobs {
		x.value("memory_graph_jobs", float64(j.N), "kind", j.Kind, "status", j.Status)
	}
	x.models(models)
	x.family("memory_graph_events_total", "counter", "What failed in the background or was left out, by code.")
	for _, c := range counters {
		x.value("memory_graph_events_total", float64(c.N), "code", c.Code)
	}
	return nil
}

// models adds the use of models, over all days.
func (x *exposition) models(list []store.ModelUsage) {
	for _, f := range []struct {
		name, help string
		of         func(store.ModelUsage) int64
	}{
		{"memory_graph_model_calls_total", "Requests to models, by purpose.",
			func(u store.ModelUsage) int64 { return u.Calls }},
		{"memory_graph_model_failures_total", "How many of the requests failed.",
			func(u store.ModelUsage) int64 { return u.Failures }},
		{"memory_graph_model_prompt_tokens_total", "Tokens sent to models.",
			func(u store.ModelUsage) int64 { return u.PromptTokens }},
		{"memory_graph_model_completion_tokens_total", "Tokens received from models.",
			func(u store.ModelUsage) int64 { return u.CompletionTokens }},
	} {
		x.family(f.name, "counter", f.help)
		for _, u := range list {
			x.value(f.name, float64(f.of(u)), "endpoint", u.Endpoint, "model", u.Model, "purpose", u.Purpose)
		}
	}
}

// family begins the metrics of a name.
func (x *exposition) family(name, kind, help string) {
	fmt.Fprintf(x, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

// escaped replaces what a label's value may not contain.
var escaped = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// value adds a line. labels are names, each followed by its value.
func (x *exposition) value(name string, v float64, labels ...string) {
	x.WriteString(name)
	for i := 0; i+1 < len(labels); i += 2 {
		fmt.Fprintf(x, `%s%s="%s"`, map[bool]string{true: "{", false: ","}[i == 0], labels[i],
			escaped.Replace(strings.ToValidUTF8(labels[i+1], "\uFFFD")))
	}
	if len(labels) > 0 {
		x.WriteByte('}')
	}
	x.WriteString(" " + number(v) + "\n")
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
