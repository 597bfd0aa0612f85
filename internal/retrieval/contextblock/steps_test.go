package contextblock_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/classifier"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/internal/retrieval/contextblock"
)

// The steps tell of each candidate how far it came, and the answer is the same as without them.
func TestBuild_ExplainsHowFarEachCandidateCame(t *testing.T) {
	t.Parallel()
	weak := turn(3, "", "Standup is at nine.", .4)
	weak.Evidence = retrieval.Evidence{Coverage: .1, Cosine: .05, HasVector: true}
	tool := turn(4, "", "The page says that Mollie is best.", 3)
	tool.Episode.Origin = memory.OriginTool
	f := &fake{class: sure(classifier.NewTopic), answer: retrieval.Answer{Match: retrieval.Strong,
		Episodes: []retrieval.FoundEpisode{turn(1, "", "We pay by Mollie now.", 4), tool,
			turn(2, "", "Which payment provider?", 3), weak}}}
	req := contextblock.Request{Message: "Which payment provider do we use?", Budget: 500}
	plain := f.build(t, req)
	if plain.Steps != nil {
		t.Error("steps that nobody asked for")
	}
	req.Explain = true
	got := f.build(t, req)
	if got.Block != plain.Block || got.Block == "" {
		t.Errorf("the block is %q, and %q without steps", got.Block, plain.Block)
	}
	s := got.Steps
	if diff := cmp.Diff([]int64{1, 4, 2, 3}, order(s.Found.Episodes)); diff != "" {
		t.Errorf("candidates (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[int64]bool{1: true, 3: true}, s.Tells); diff != "" {
		t.Errorf("what tells something (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[int64]bool{1: true}, s.Passed); diff != "" {
		t.Errorf("what passes the gate (-want +got):\n%s", diff)
	}
	if s.Best < s.Least || s.Best != s.TurnStrength[1] || s.TurnStrength[3] >= s.TurnStrength[1] {
		t.Errorf("the best has %v of %v; strengths %v", s.Best, s.Least, s.TurnStrength)
	}
	if len(s.Cut) != 0 {
		t.Errorf("the budget cut %q", s.Cut)
	}
	req.Budget = 40
	s = f.build(t, req).Steps
	if s.Budget != 40 || len(s.Cut) != 1 || !strings.Contains(s.Cut[0], "We pay by Mollie now.") {
		t.Errorf("with %d tokens the budget cut %q", s.Budget, s.Cut)
	}
}
