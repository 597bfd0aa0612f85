package config

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// interval is the range of a number, such as [0,1], (0,1] or [1,). The bounds of a duration are in nanoseconds.
type interval struct {
	lo, hi         float64
	loOpen, hiOpen bool
	loText, hiText string // as in the tag; "" for unbounded
}

// parseInterval parses an interval; with duration, its bounds are durations such as 30s.
func parseInterval(s string, duration bool) (interval, error) {
	bad := func() (interval, error) { return interval{}, fmt.Errorf("range %q is not an interval", s) }
	if len(s) < 3 || !strings.ContainsRune("[(", rune(s[0])) || !strings.ContainsRune("])", rune(s[len(s)-1])) {
		return bad()
	}
	lo, hi, ok := strings.Cut(s[1:len(s)-1], ",")
	if !ok {
		return bad()
	}
	r := interval{lo: math.Inf(-1), hi: math.Inf(1), loOpen: s[0] == '(', hiOpen: s[len(s)-1] == ')', loText: lo,
		hiText: hi}
	for _, end := range []struct {
		text string
		to   *float64
	}{{lo, &r.lo}, {hi, &r.hi}} {
		switch {
		case end.text == "":
		case duration:
			d, err := time.ParseDuration(end.text)
			if err != nil {
				return bad()
			}
			*end.to = float64(d)
		default:
			f, err := strconv.ParseFloat(end.text, 64)
			if err != nil {
				return bad()
			}
			*end.to = f
		}
	}
	return r, nil
}

// has reports whether x is in the interval. NaN and the infinities never are.
func (r interval) has(x float64) bool {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return false
	}
	return (x > r.lo || x == r.lo && !r.loOpen) && (x < r.hi || x == r.hi && !r.hiOpen)
}

// words describes the interval in words that follow a noun: "from 0 to 1", "above 0 and at most 1".
func (r interval) words() string {
	switch {
	case r.loText != "" && r.hiText != "" && !r.loOpen && !r.hiOpen:
		return "from " + r.loText + " to " + r.hiText
	case r.loText == "" && r.hiText == "":
		return ""
	}
	var parts []string
	if r.loText != "" {
		parts = append(parts, map[bool]string{true: "above ", false: "at least "}[r.loOpen]+r.loText)
	}
	if r.hiText != "" {
		parts = append(parts, map[bool]string{true: "below ", false: "at most "}[r.hiOpen]+r.hiText)
	}
	return strings.Join(parts, " and ")
}
