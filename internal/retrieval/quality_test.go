package retrieval_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
)

func TestJudgeQuality_BlocksAtItsThresholds(t *testing.T) {
	t.Parallel()
	healthy := memory.Expansions{Tried: 100, Fallbacks: 2, Covered: 90, Added: 300}
	for name, c := range map[string]struct {
		current, previous memory.Expansions
		status            retrieval.QualityStatus
		want              []string
	}{
		"nothing tried": {status: retrieval.QualityInsufficient},
		"too few to judge": {current: memory.Expansions{Tried: 11, Fallbacks: 11, Errors: 11},
			status: retrieval.QualityInsufficient},
		"healthy":        {current: healthy, previous: healthy, status: retrieval.QualityPass},
		"without a past": {current: healthy, status: retrieval.QualityPass},
		"nineteen failed": {current: memory.Expansions{Tried: 19, Fallbacks: 19, Errors: 19},
			status: retrieval.QualityInsufficient},
		"fifteen of a hundred fall back": {current: memory.Expansions{Tried: 100, Fallbacks: 15, Covered: 85, Added: 85},
			status: retrieval.QualityFail, want: []string{"FALLBACK_RATE_ABOVE_LIMIT"}},
		"fourteen of a hundred fall back": {current: memory.Expansions{Tried: 100, Fallbacks: 14, Covered: 85, Added: 85},
			status: retrieval.QualityPass},
		"five of a hundred fail": {
			current: memory.Expansions{Tried: 100, Fallbacks: 5, Errors: 5, Covered: 90, Added: 90},
			status:  retrieval.QualityFail, want: []string{"GRAPH_ERROR_RATE_ABOVE_LIMIT"}},
		"seven more of a hundred fall back": {
			current:  memory.Expansions{Tried: 100, Fallbacks: 8, Covered: 90, Added: 300},
			previous: memory.Expansions{Tried: 100, Fallbacks: 1, Covered: 90, Added: 300},
			status:   retrieval.QualityFail, want: []string{"FALLBACK_RATE_REGRESSION"}},
		"three more of a hundred fail": {
			current:  memory.Expansions{Tried: 100, Fallbacks: 4, Errors: 4, Covered: 90, Added: 300},
			previous: memory.Expansions{Tried: 100, Fallbacks: 1, Errors: 1, Covered: 90, Added: 300},
			status:   retrieval.QualityFail, want: []string{"GRAPH_ERROR_RATE_REGRESSION"}},
		"one of twelve finds something": {current: memory.Expansions{Tried: 12, Covered: 1, Added: 5},
			status: retrieval.QualityFail, want: []string{"EXPANSION_COVERAGE_TOO_LOW"}},
		"none of eleven finds anything": {current: memory.Expansions{Tried: 11}, status: retrieval.QualityInsufficient},
		"a quarter less find something": {
			current:  memory.Expansions{Tried: 20, Covered: 10, Added: 40},
			previous: memory.Expansions{Tried: 20, Covered: 15, Added: 40},
			status:   retrieval.QualityFail, want: []string{"EXPANSION_COVERAGE_REGRESSION"}},
		"much less is found": {
			current:  memory.Expansions{Tried: 20, Covered: 20, Added: 25},
			previous: memory.Expansions{Tried: 20, Covered: 20, Added: 40},
			status:   retrieval.QualityFail, want: []string{"CANDIDATE_LIFT_REGRESSION"}},
		"somewhat less is found": {
			current:  memory.Expansions{Tried: 20, Covered: 20, Added: 27},
			previous: memory.Expansions{Tried: 20, Covered: 20, Added: 40}, status: retrieval.QualityPass},
	} {
		q := retrieval.JudgeQuality(c.current, c.previous)
		var got []string
		for _, r := range q.Reasons {
			got = append(got, r.Code)
		}
		slices.Sort(got)
		if diff := cmp.Diff(c.want, got); diff != "" || q.Status != c.status || q.Blocked != (len(c.want) > 0) {
			t.Errorf("%s: status %s, blocked %v, reasons (-want +got):\n%s", name, q.Status, q.Blocked, diff)
		}
	}
}
