package retrieval

import (
	"context"
	"fmt"
	"time"

	"memory-graph/internal/memory"
)

// The thresholds of the quality gate. They are those of memories.sh; docs/decisions.md, "Quality gate", says what
// counts here.
const (
	QualityWindow = 24 * time.Hour // length of the current and of the previous window

	minTried     = 20  // expansions in a window from which its rates are judged
	minJudged    = 12  // expansions that did not fall back, from which coverage and lift are judged
	maxFallbacks = .15 // share of fallbacks from which the gate blocks
	maxErrors    = .05 // share of errors from which it blocks
	maxMore      = .07 // increase of the share of fallbacks between the windows
	maxMoreError = .03 // increase of the share of errors
	minCoverage  = .10 // share of expansions that found something
	maxLess      = .25 // decrease of that share
	maxLessLift  = .35 // relative decrease of the items found by an expansion
)

// QualityStatus is what the gate says about a namespace.
type QualityStatus string

// The states of the gate.
const (
	QualityPass         QualityStatus = "pass"
	QualityFail         QualityStatus = "fail"              // canary answers with the baseline
	QualityInsufficient QualityStatus = "insufficient_data" // too few expansions to judge: they are applied
)

// Quality is the judgement on the expansions of a namespace.
type Quality struct {
	Status   QualityStatus   `json:"status"`
	Blocked  bool            `json:"blocked"` // canary answers with the baseline
	Reasons  []QualityReason `json:"reasons"`
	Current  QualityCounts   `json:"current"`  // the last 24 hours
	Previous QualityCounts   `json:"previous"` // the 24 hours before
}

// QualityReason is one threshold that was crossed.
type QualityReason struct {
	Code      string  `json:"code"`
	Value     float64 `json:"value"`
	Threshold float64 `json:"threshold"`
	Message   string  `json:"message"`
}

// QualityCounts are the counts of a window and what follows from them.
type QualityCounts struct {
	Tried        int64   `json:"tried"`
	Fallbacks    int64   `json:"fallbacks"`
	Errors       int64   `json:"errors"`
	FallbackRate float64 `json:"fallback_rate"` // 0..1
	ErrorRate    float64 `json:"error_rate"`    // 0..1
	Coverage     float64 `json:"coverage"`      // share of the expansions without fallback that found something, 0..1
	Lift         float64 `json:"lift"`          // items that such an expansion found beyond the baseline, on average
}

func (c QualityCounts) judged() int64 { return c.Tried - c.Fallbacks }

func qualityCounts(e memory.Expansions) QualityCounts {
	rate := func(part, of int64) float64 {
		if of <= 0 {
			return 0
		}
		return float64(part) / float64(of)
	}
	done := e.Tried - e.Fallbacks
	return QualityCounts{Tried: e.Tried, Fallbacks: e.Fallbacks, Errors: e.Errors,
		FallbackRate: rate(e.Fallbacks, e.Tried), ErrorRate: rate(e.Errors, e.Tried),
		Coverage: rate(e.Covered, done), Lift: rate(e.Added, done)}
}

// JudgeQuality compares the counts of two adjoining windows with the thresholds.
func JudgeQuality(current, previous memory.Expansions) Quality {
	q := Quality{Status: QualityPass, Reasons: []QualityReason{}, Current: qualityCounts(current),
		Previous: qualityCounts(previous)}
	c, p := q.Current, q.Previous
	fail := func(code string, value, threshold float64, format string, args ...any) {
		q.Reasons = append(q.Reasons, QualityReason{code, value, threshold, fmt.Sprintf(format, args...)})
	}
	if c.Tried >= minTried {
		if c.FallbackRate >= maxFallbacks {
			fail("FALLBACK_RATE_ABOVE_LIMIT", c.FallbackRate, maxFallbacks,
				"%s of the expansions fell back; the limit is %s.", percent(c.FallbackRate), percent(maxFallbacks))
		}
		if c.ErrorRate >= maxErrors {
			fail("GRAPH_ERROR_RATE_ABOVE_LIMIT", c.ErrorRate, maxErrors,
				"%s of the expansions failed; the limit is %s.", percent(c.ErrorRate), percent(maxErrors))
		}
		if p.Tried >= minTried {
			if more := c.FallbackRate - p.FallbackRate; more >= maxMore {
				fail("FALLBACK_RATE_REGRESSION", more, maxMore,
					"The share of fallbacks rose from %s to %s.", percent(p.FallbackRate), percent(c.FallbackRate))
			}
			if more := c.ErrorRate - p.ErrorRate; more >= maxMoreError {
				fail("GRAPH_ERROR_RATE_REGRESSION", more, maxMoreError,
					"The share of errors rose from %s to %s.", percent(p.ErrorRate), percent(c.ErrorRate))
			}
		}
	}
	if c.judged() >= minJudged {
		if c.Coverage < minCoverage {
			fail("EXPANSION_COVERAGE_TOO_LOW", c.Coverage, minCoverage,
				"%s of the expansions found something; the minimum is %s.", percent(c.Coverage), percent(minCoverage))
		}
		if p.judged() >= minJudged {
			if less := p.Coverage - c.Coverage; less >= maxLess {
				fail("EXPANSION_COVERAGE_REGRESSION", less, maxLess,
					"The share of expansions that found something fell from %s to %s.", percent(p.Coverage), percent(c.Coverage))
			}
			if floor := p.Lift * (1 - maxLessLift); p.Lift > 0 && c.Lift < floor {
				fail("CANDIDATE_LIFT_REGRESSION", c.Lift, floor,
					"The items found by an expansion fell from %.2f to %.2f.", p.Lift, c.Lift)
			}
		}
	}
	q.Blocked = len(q.Reasons) > 0
	switch {
	case q.Blocked:
		q.Status = QualityFail
	case c.Tried < minTried:
		q.Status = QualityInsufficient
	}
	return q
}

func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

// RolloutState is what `rollout` shows of a namespace.
type RolloutState struct {
	Namespace string             `json:"namespace"`
	Mode      memory.RolloutMode `json:"mode"`
	Gate      Quality            `json:"gate"`
}

// ReadRollout returns the mode of a namespace, and the judgement of the quality gate at now, the zero
// time for the reader's clock. It runs two statements.
func ReadRollout(ctx context.Context, r Rollout, namespace string, now time.Time) (RolloutState, error) {
	s := RolloutState{Namespace: namespace}
	var err error
	if s.Mode, err = r.RolloutMode(ctx, namespace); err != nil {
		return s, err
	}
	current, previous, err := r.ExpansionCounts(ctx, namespace, now, QualityWindow)
	s.Gate = JudgeQuality(current, previous)
	return s, err
}
