package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// extractionReport is the progress and cost of extraction.
type extractionReport struct {
	Turns    map[string]int64 `json:"turns"`    // by status: pending, done, failed, skipped, quarantined
	Dropped  []countRow       `json:"dropped"`  // what checks rejected, by reason
	Degraded []codeRow        `json:"degraded"` // background work that failed in part
	Models   []modelRow       `json:"models"`   // calls of each model, for the whole file
	// MostTried is the last error of the namespace's turn with the most attempts; "" if none waits.
	MostTried string `json:"most_tried,omitempty"`
}

// codeRow is a degradation code and how often it occurred.
type codeRow struct {
	Code      string `json:"code"`
	N         int64  `json:"n"`
	LastAt    string `json:"last_at"`
	LastError string `json:"last_error,omitempty"`
}

// modelRow counts the calls of one model.
type modelRow struct {
	Endpoint         string `json:"endpoint"`
	Model            string `json:"model"`
	Purpose          string `json:"purpose"`
	Calls            int64  `json:"calls"`
	Failures         int64  `json:"failures"`
	PromptTokens     int64  `json:"prompt_tokens"`
	CompletionTokens int64  `json:"completion_tokens"`
	// computed with llm_input_price and llm_output_price; absent if neither is set, and for embedding requests
	Cost *float64 `json:"cost,omitempty"`
}

func readExtraction(ctx context.Context, o opened) (extractionReport, error) {
	r := extractionReport{Turns: map[string]int64{}, Dropped: []countRow{}, Degraded: []codeRow{}, Models: []modelRow{}}
	turns, err := o.ExtractionCounts(ctx, o.cfg.Namespace)
	if err != nil {
		return r, err
	}
	for _, status := range []string{memory.StatusPending, memory.StatusDone, memory.StatusFailed, memory.StatusSkipped,
		memory.StatusQuarantined} {
		r.Turns[status] = 0
	}
	for _, c := range turns {
		r.Turns[c.Name] = c.N
	}
	counters, err := o.Counters(ctx, o.cfg.Namespace)
	if err != nil {
		return r, err
	}
	for _, c := range counters {
		if reason, ok := strings.CutPrefix(c.Code, store.DroppedPrefix); ok {
			r.Dropped = append(r.Dropped, countRow{reason, c.N})
		} else {
			r.Degraded = append(r.Degraded, codeRow{c.Code, c.N, memory.RFC3339(c.LastAt), c.LastError})
		}
	}
	failed, err := o.FailedJobs(ctx, store.JobFilter{Kind: store.KindExtract, Namespace: o.cfg.Namespace}, 1)
	if err != nil {
		return r, err
	}
	for _, j := range failed {
		r.MostTried = j.Kind + " of " + j.Subject + ": " + j.LastError
	}
	models, err := o.ModelUsages(ctx, time.Time{})
	if err != nil {
		return r, err
	}
	for _, m := range models {
		row := modelRow{Endpoint: m.Endpoint, Model: m.Model, Purpose: m.Purpose, Calls: m.Calls, Failures: m.Failures,
			PromptTokens: m.PromptTokens, CompletionTokens: m.CompletionTokens}
		if in, out := o.cfg.LLMInputPrice, o.cfg.LLMOutputPrice; (in > 0 || out > 0) && !m.Embeds() {
			const million = 1e6
			cost := (float64(m.PromptTokens)*in + float64(m.CompletionTokens)*out) / million
			row.Cost = &cost
		}
		r.Models = append(r.Models, row)
	}
	return r, nil
}

// write prints the report as text; it omits zero counts.
func (r extractionReport) write(row func(name, format string, args ...any)) {
	var parts []string
	for _, status := range []string{memory.StatusDone, memory.StatusPending, memory.StatusFailed, memory.StatusQuarantined,
		memory.StatusSkipped} {
		if n := r.Turns[status]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, status))
		}
	}
	if len(parts) > 0 {
		row("extraction", "turns: %s", strings.Join(parts, ", "))
	}
	for i, m := range r.Models {
		line := fmt.Sprintf("%s at %s for %s: %s, %d failed, %d tokens sent, %d received", visible(m.Model),
			visible(m.Endpoint), m.Purpose,
			many(m.Calls, "call", "calls"), m.Failures, m.PromptTokens, m.CompletionTokens)
		if m.Cost != nil {
			line += fmt.Sprintf(", cost %.4f", *m.Cost)
		}
		row(first(i, "model"), "%s", line)
	}
	if r.MostTried != "" {
		row("most tried", "%s", visible(r.MostTried))
	}
	if len(r.Dropped) > 0 {
		parts = parts[:0]
		for _, d := range r.Dropped {
			parts = append(parts, fmt.Sprintf("%d %s", d.N, strings.ReplaceAll(visible(d.Name), "_", " ")))
		}
		row("left out", "%s", strings.Join(parts, ", "))
	}
	for i, d := range r.Degraded {
		row(first(i, "degraded"), "%s: %s, last at %s: %s", d.Code, many(d.N, "time", "times"), d.LastAt,
			visible(d.LastError))
	}
}
