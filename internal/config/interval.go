package config

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// interval is the range of a number: [0,1], (0,1], [1,). A duration's ends count nanoseconds.
type interval struct {
	lo, hi         float64
	loOpen, hiOpen bool
	loText, hiText string // as the tag wrote them; "" is no end
}

// parseInterval reads an interval; with duration its ends are written like 30s.
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

// has says whether x lies inside. NaN and the infinities never do.
func (r interval) has(x float64) bool {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return false
	}
	return (x > r.lo || x == r.lo && !r.loOpen) && (x < r.hi || x == r.hi && !r.hiOpen)
}

// words describes the interval behind the name of its kind: "from 0 to 1", "above 0 and at most 1".
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
