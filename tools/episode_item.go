package tools

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"memory-graph/memory"
	"memory-graph/retrieval"
)

// The levels of `detail`; summary is the default.
const (
	detailIDs  = "ids"
	detailFull = "full"
)

// episodeItem is an episode as answers carry it.
type episodeItem struct {
	ID         string         `json:"id"`
	Role       string         `json:"role,omitempty"`
	Speaker    string         `json:"speaker,omitempty"`
	Content    string         `json:"content,omitempty"`
	Truncated  bool           `json:"truncated,omitempty"` // content goes on behind what is shown
	OccurredAt string         `json:"occurred_at,omitempty"`
	SessionID  string         `json:"session_id,omitempty"`
	Status     string         `json:"status,omitempty"`
	Source     string         `json:"source,omitempty"` // from here to CreatedAt only with full
	Project    string         `json:"project,omitempty"`
	User       string         `json:"user,omitempty"`
	Origin     string         `json:"origin,omitempty"`
	CreatedAt  string         `json:"created_at,omitempty"`
	Score      *float64       `json:"score,omitempty"` // absent where nothing was searched for
	Why        *retrieval.Why `json:"why,omitempty"`
}

func newEpisodeItem(f retrieval.Found, detail string, summaryRunes int, scored bool) episodeItem {
	e := f.Episode
	it := episodeItem{ID: memory.EpisodeID(e.ID).String(), Why: f.Why}
	if scored {
		score := round(f.Score)
		it.Score = &score
	}
	if detail == detailIDs {
		return it
	}
	it.Role, it.Speaker, it.SessionID, it.Status = string(e.Role), e.Speaker, e.Scope.SessionID, e.Status
	it.OccurredAt = memory.RFC3339(e.OccurredAt)
	if detail == detailFull {
		it.Content = e.Content
		it.Source, it.Project, it.User, it.Origin = e.Source, e.Scope.Project, e.Scope.User, string(e.Origin)
		it.CreatedAt = memory.RFC3339(e.CreatedAt)
		return it
	}
	it.Content = cutRunes(e.Content, summaryRunes)
	it.Truncated = len(it.Content) < len(e.Content)
	return it
}

// round keeps six decimals: enough to rank by, and half the bytes.
func round(score float64) float64 {
	if math.IsNaN(score) || math.IsInf(score, 0) {
		return 0 // neither is JSON
	}
	return math.Round(score*1e6) / 1e6
}

// fit takes as many items from the front as have room in most bytes of JSON. An item that has no room even alone is cut
// and marked, because it could never be delivered otherwise.
func fit(items []episodeItem, most int) ([]episodeItem, error) {
	used := 0
	for i, it := range items {
		b, err := json.Marshal(it)
		if err != nil {
			return nil, fmt.Errorf("encode %s: %w", it.ID, err)
		}
		if i == 0 && len(b) > most {
			return []episodeItem{shorten(it, len(b)-most)}, nil
		}
		if used += len(b) + 1; used-1 > most { // a comma behind every item but the last
			return items[:i], nil
		}
	}
	return items, nil
}

// shorten cuts excess bytes of JSON from an item's content.
func shorten(it episodeItem, excess int) episodeItem {
	room := jsonLen(it.Content) - excess - len(`"truncated":true,`)
	it.Content = cutAt(it.Content, func(cut int) bool { return jsonLen(it.Content[:cut]) <= room })
	it.Truncated = true
	return it
}

// jsonLen is the length of s inside a JSON string as encoding/json writes it.
func jsonLen(s string) int {
	b, err := json.Marshal(s)
	if err != nil {
		return 6 * len(s) // cannot be: strings always encode
	}
	return len(b) - 2
}

// cutAt gives the longest prefix, on a safe place, whose length passes; ok falls from true to false once as cut grows.
func cutAt(s string, ok func(cut int) bool) string {
	lo, hi := 0, len(s)
	for lo < hi {
		mid := (lo + hi + 1) / 2
		if ok(runeStart(s, mid)) {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	return s[:safeCut(s, runeStart(s, lo))]
}

// cutRunes gives at most n characters from the front of s, cut on a safe place.
func cutRunes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	runes := 0
	for i := range s {
		if runes == n {
			return s[:safeCut(s, i)]
		}
		runes++
	}
	return s
}

// runeStart moves a place back to the start of the rune that it lies in.
func runeStart(s string, at int) int {
	for at > 0 && at < len(s) && !utf8.RuneStart(s[at]) {
		at--
	}
	return at
}

// safeCut moves a rune's place back so that no accent, flag or emoji sequence is torn apart. A sequence longer than any
// real one is torn all the same, so that a prefix always comes out.
func safeCut(s string, at int) int {
	const longest = 512 // bytes
	start := runeStart(s, max(0, at-longest))
	end := start
	for end < at {
		cluster, _, _, _ := uniseg.FirstGraphemeClusterInString(s[end:], -1)
		if end+len(cluster) > at {
			break
		}
		end += len(cluster)
	}
	if end == start {
		return at
	}
	return end
}

// trimBlock drops whole lines from the end of a rendered block until it takes at most `most` bytes of JSON; the line that
// closes the block stays.
func trimBlock(block string, most int) string {
	if jsonLen(block) <= most {
		return block
	}
	lines := strings.Split(strings.TrimRight(block, "\n"), "\n")
	closing := lines[len(lines)-1]
	room := most - jsonLen(closing)
	keep := 0
	for ; keep < len(lines)-1; keep++ {
		if room -= jsonLen(lines[keep]) + 2; room < 0 { // 2: the newline, escaped
			break
		}
	}
	if keep == 0 {
		return ""
	}
	return strings.Join(append(lines[:keep:keep], closing), "\n")
}
