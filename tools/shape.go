package tools

import (
	"math"
	"time"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
)

// Values of `detail`; the default is summary.
const (
	detailIDs  = "ids"
	detailFull = "full"
)

// shape sets how much of each item an answer contains.
type shape struct {
	detail string
	runes  int  // maximum length of a text, except with detail full
	scored bool // a search found the items, so they have scores
	// relations are those that the call asked for. A fact that is stored under another name is shown under the name that
	// the caller gave.
	relations []string
	full      float64 // facts with a lower stored confidence are marked as raw
}

// shape returns the shape of an answer about facts of these relations.
func (o Options) shape(detail string, relations []string) shape {
	return shape{detail: detail, runes: o.SummaryRunes, relations: relations, full: o.FullConfidence}
}

func (s shape) score(v float64) *float64 {
	if !s.scored {
		return nil
	}
	return rounded(v)
}

// cut returns a text as the answer shows it, and whether it was cut.
func (s shape) cut(text string) (string, bool) {
	if s.detail == detailFull {
		return text, false
	}
	shown := cutRunes(text, s.runes)
	return shown, len(shown) < len(text)
}

// round keeps six decimals: enough for ranking, and half the bytes.
func round(score float64) float64 {
	if math.IsNaN(score) || math.IsInf(score, 0) {
		return 0 // JSON has neither
	}
	return math.Round(score*1e6) / 1e6
}

// shownExpansion rounds the numbers of an expansion.
func shownExpansion(e *retrieval.Expansion) *retrieval.Expansion {
	if e == nil {
		return nil
	}
	out := *e
	out.Confidence, out.Score = round(e.Confidence), round(e.Score)
	return &out
}

func rounded(v float64) *float64 {
	v = round(v)
	return &v
}

// instant formats a time on the axis of knowledge, to the millisecond: two changes in one second need different times.
func instant(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

// noNil returns an empty list for nil, so that its JSON is not null.
func noNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func state(s memory.State) memory.State {
	s.Degraded = noNil(s.Degraded)
	return s
}

// ids formats the ids of rows of one kind.
func ids(kind memory.Kind, nums []int64) []string {
	list := make([]string, len(nums))
	for i, n := range nums {
		list[i] = memory.ID{Kind: kind, Num: n}.String()
	}
	return list
}
