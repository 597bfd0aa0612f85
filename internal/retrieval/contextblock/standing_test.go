package contextblock_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/classifier"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/internal/retrieval/contextblock"
)

// told is a memory of what the user said of themselves, nearest first.
type told []retrieval.FoundEpisode

func (s told) Standing(context.Context, retrieval.Request, []float32, int) ([]retrieval.FoundEpisode, error) {
	return s, nil
}

// personal is a request whose best answer depends on the user.
func personal(p float64) classifier.Result {
	class := sure(classifier.NewTopic)
	class.Personal, class.Particular, class.Standing = p, .5, []float32{1}
	return class
}

func buildWith(t *testing.T, f *fake, s told, req contextblock.Request) contextblock.Decision {
	t.Helper()
	b := contextblock.Builder{Classifier: f, Retriever: f, Standing: s, Episodes: f,
		Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler)}
	got, err := b.Build(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestBuild_GivesStandingFactsAPlaceWhereTheAnswerDependsOnTheUser(t *testing.T) {
	t.Parallel()
	s := told{turn(1, "", "I live in Ghent.", .4), turn(2, "", "I'm vegetarian.", .35), turn(3, "", "I like jazz.", .1)}
	for p, want := range map[float64][]int64{.9: {1, 2}, .02: nil} {
		f := &fake{class: personal(p), answer: retrieval.Answer{Match: retrieval.None}}
		got := buildWith(t, f, s, contextblock.Request{Message: "Plan me a trip", Budget: 500})
		if diff := cmp.Diff(want, order(got.Answer.Standing)); diff != "" {
			t.Errorf("personal %.2f:\n%s", p, diff)
		}
		if strings.Contains(got.Block, "About the user:\n- [2026-11-22] [user] I live in Ghent.\n") != (want != nil) {
			t.Errorf("personal %.2f: block %q", p, got.Block)
		}
	}
}

func TestBuild_ShowsNoStandingFactThatIsUntrustedOrDoesNotLast(t *testing.T) {
	t.Parallel()
	change := func(content string, change func(*retrieval.FoundEpisode)) retrieval.FoundEpisode {
		f := turn(1, "", content, .5)
		if change != nil {
			change(&f)
		}
		return f
	}
	for name, f := range map[string]retrieval.FoundEpisode{
		"quarantined": change("I live in Ghent.", func(f *retrieval.FoundEpisode) {
			f.Episode.Status = memory.StatusQuarantined
		}),
		"of a tool": change("I live in Ghent.", func(f *retrieval.FoundEpisode) {
			f.Episode.Origin = memory.OriginTool
		}),
		"of the assistant": change("I live in Ghent.", func(f *retrieval.FoundEpisode) {
			f.Episode.Role = memory.RoleAssistant
		}),
		"replaced":        change("I live in Ghent.", func(f *retrieval.FoundEpisode) { f.SupersededBy = []int64{9} }),
		"a question":      change("Where do I live?", nil),
		"of the day":      change("I'm off to Ghent tomorrow.", nil),
		"not of the user": change("The build is red.", nil),
		"long":            change("I live in Ghent. "+strings.Repeat("More of it. ", 20), nil),
	} {
		got := buildWith(t, &fake{class: personal(.95), answer: retrieval.Answer{Match: retrieval.None}}, told{f},
			contextblock.Request{Message: "Plan me a trip", Budget: 500})
		if got.Block != "" || got.Reason != contextblock.ReasonNothing {
			t.Errorf("%s: %q, %s", name, got.Block, got.Reason)
		}
	}
	rule := told{turn(1, "", "Never force-push to main.", .5)}
	got := buildWith(t, &fake{class: personal(.95), answer: retrieval.Answer{Match: retrieval.None}}, rule,
		contextblock.Request{Message: "Push it", Budget: 500})
	if !strings.Contains(got.Block, "Never force-push") {
		t.Errorf("a rule for the agent is not shown: %q", got.Block)
	}
}

// Standing facts take a third of the block at most.
func TestBuild_StandingFactsStayInTheirShareOfTheBudget(t *testing.T) {
	t.Parallel()
	var s told
	for i := range int64(4) {
		s = append(s, turn(10+i, "", "I have "+strings.Repeat("a very long list of things to say about it ", 3), .5))
		s[i].Episode.Content += string(rune('a' + i))
	}
	f := &fake{class: personal(.95), answer: retrieval.Answer{Match: retrieval.Strong, Episodes: []retrieval.FoundEpisode{
		turn(1, "", "The ferry leaves at nine.", 1)}}}
	for _, budget := range []int{60, 150, 300, 500} {
		got := buildWith(t, f, s, contextblock.Request{Message: "Plan me a trip", Budget: budget})
		if got.Tokens > budget {
			t.Errorf("%d tokens of %d", got.Tokens, budget)
		}
		_, section, _ := strings.Cut(got.Block, "About the user:\n")
		section, _, _ = strings.Cut(section, "Recent episodes:\n")
		if n := retrieval.EstimateTokens(section); n > budget/3+1 {
			t.Errorf("budget %d: the section takes %d tokens", budget, n)
		}
		if budget >= 150 && !strings.Contains(got.Block, "leaves at nine") {
			t.Errorf("budget %d: block\n%s", budget, got.Block)
		}
	}
}

// Beside standing facts a turn must be found for itself: "reserve a table for Friday" is near to all that is said of
// Fridays. No turn is shown twice.
func TestBuild_BesideStandingFactsEveryTurnMustReachTheMinimum(t *testing.T) {
	t.Parallel()
	weak := turn(2, "", "We deploy on Fridays.", .9)
	weak.Evidence = retrieval.Evidence{Cosine: .25, HasVector: true}
	answer := retrieval.Answer{Match: retrieval.Strong, Episodes: []retrieval.FoundEpisode{
		turn(1, "", "I live in Ghent.", 1), weak, turn(3, "", "The ferry leaves at nine.", .8)}}
	for _, tc := range []struct {
		personal       float64
		standing, want []int64
	}{{.9, []int64{1}, []int64{3}}, {.4, nil, []int64{1, 2, 3}}} {
		class := personal(tc.personal)
		class.Particular = .9
		got := buildWith(t, &fake{class: class, answer: answer}, told{turn(1, "", "I live in Ghent.", .4)},
			contextblock.Request{Message: "Reserve a table for Friday", Budget: 500})
		if diff := cmp.Diff([][]int64{tc.standing, tc.want},
			[][]int64{order(got.Answer.Standing), order(got.Answer.Episodes)}); diff != "" {
			t.Errorf("personal %.1f:\n%s", tc.personal, diff)
		}
	}
}
