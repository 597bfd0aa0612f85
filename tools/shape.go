package tools

import (
	"math"
	"time"

	"memory-graph/internal/memory"
)

// The levels of `detail`; summary is the default.
const (
	detailIDs  = "ids"
	detailFull = "full"
)

// shape says how much of each item an answer carries.
type shape struct {
	detail string
	runes  int  // of a text, where not everything is asked for
	scored bool // items were searched for, so that their scores mean something
}

func (s shape) score(v float64) *float64 {
	if !s.scored {
		return nil
	}
	return rounded(v)
}

// cut gives a text as the answer shows it, and whether it goes on behind that.
func (s shape) cut(text string) (string, bool) {
	if s.detail == detailFull {
		return text, false
	}
	shown := cutRunes(text, s.runes)
	return shown, len(shown) < len(text)
}

// round keeps six decimals: enough to rank by, and half the bytes.
func round(score float64) float64 {
	if math.IsNaN(score) || math.IsInf(score, 0) {
		return 0 // neither is JSON
	}
	return math.Round(score*1e6) / 1e6
}

func rounded(v float64) *float64 {
	v = round(v)
	return &v
}

// instant writes a time on the axis of knowledge, to the millisecond: known_at tells two changes of one second apart.
func instant(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

// noNil keeps a list from becoming null in JSON.
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

// ids words the ids of rows of one kind.
func ids(kind memory.Kind, nums []int64) []string {
	list := make([]string, len(nums))
	for i, n := range nums {
		list[i] = memory.ID{Kind: kind, Num: n}.String()
	}
	return list
}
