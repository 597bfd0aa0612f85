package retrieval

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval/supersession"
)

// line returns a ranking of turns 1, 2, ... on the first days of a year, in the given order.
func line(order ...int64) (above []scored, cs []*candidate) {
	for i, id := range order {
		c := &candidate{turn: memory.Rankable{ID: id, Role: memory.RoleUser, SessionID: "s",
			OccurredAt: time.Date(2026, 1, int(id), 0, 0, 0, 0, time.UTC)}}
		cs = append(cs, c)
		above = append(above, scored{candidate: c, score: float64(10 - i)})
	}
	return above, cs
}

func order(list []scored) []int64 {
	out := []int64{}
	for _, s := range list {
		out = append(out, s.turn.ID)
	}
	return out
}

func TestReorder_PutsWhatIsAskedForFirst(t *testing.T) {
	t.Parallel()
	pair := func(earlier, later int64) replacement {
		return replacement{earlier: earlier, later: later, moves: true}
	}
	third := supersession.Asked{When: supersession.Then, Until: time.Date(2026, 1, 3, 12, 0, 0, 0, time.UTC)}
	for name, c := range map[string]struct {
		ranked []int64
		pairs  []replacement
		asked  supersession.Asked
		want   []int64
	}{
		"nothing": {[]int64{1, 2, 3}, nil, supersession.Asked{}, []int64{1, 2, 3}},
		"the later one": {[]int64{1, 3, 4, 2}, []replacement{pair(1, 2)}, supersession.Asked{},
			[]int64{2, 1, 3, 4}},
		"it stands there already": {[]int64{2, 3, 1}, []replacement{pair(1, 2)}, supersession.Asked{}, []int64{2, 3, 1}},
		"the last of three": {[]int64{1, 4, 2, 3}, []replacement{pair(1, 2), pair(2, 3)}, supersession.Asked{},
			[]int64{3, 2, 1, 4}},
		"the question is not about": {[]int64{1, 2}, []replacement{{earlier: 1, later: 2}}, supersession.Asked{},
			[]int64{1, 2}},
		"what was first": {[]int64{2, 3, 1}, []replacement{pair(1, 2)},
			supersession.Asked{When: supersession.First}, []int64{1, 2, 3}},
		"what was then":               {[]int64{4, 1, 2}, []replacement{pair(2, 4)}, third, []int64{2, 4, 1}},
		"both were later than that":   {[]int64{4, 5}, []replacement{pair(4, 5)}, third, []int64{4, 5}},
		"both were earlier than that": {[]int64{1, 2}, []replacement{pair(1, 2)}, third, []int64{2, 1}},
		"what is not there":           {[]int64{1, 2}, []replacement{pair(1, 9)}, supersession.Asked{}, []int64{1, 2}},
	} {
		above, cs := line(c.ranked...)
		got, _ := reorder(above, nil, c.pairs, cs, c.asked, judgedFirst)
		if diff := cmp.Diff(c.want, order(got)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if !slices.IsSortedFunc(got, func(a, b scored) int { return int(b.score - a.score) }) && len(c.pairs) < 2 {
			t.Errorf("%s: the scores are not in order: %v", name, got)
		}
		if diff := cmp.Diff(c.ranked, order(above)); diff != "" {
			t.Errorf("%s changed what it was given: %s", name, diff)
		}
	}
}

func TestReorder_LosesAndRepeatsNothing(t *testing.T) {
	t.Parallel()
	above, cs := line(1, 3, 5)
	below, more := line(4, 2)
	got, rest := reorder(above, below, []replacement{{earlier: 1, later: 2, moves: true}}, append(cs, more...),
		supersession.Asked{}, judgedFirst)
	if diff := cmp.Diff([]int64{2, 1, 3, 5}, order(got)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]int64{4}, order(rest)); diff != "" {
		t.Error("what came up is still below:", diff)
	}
	if s := got[0]; s.score != above[0].score || s.shift == nil || s.shift.lift != above[0].score-below[1].score {
		t.Errorf("%+v", s)
	}
}

func TestReorder_TakesTheAcknowledgementWithIt(t *testing.T) {
	t.Parallel()
	above, cs := line(2, 9, 1, 5)
	said, repeated := cs[2], cs[0]
	repeated.turn.Role, repeated.prev, said.next = memory.RoleAssistant, said, repeated
	got, _ := reorder(above, nil, []replacement{{earlier: 1, later: 5, moves: true}}, cs, supersession.Asked{},
		judgedFirst)
	if diff := cmp.Diff([]int64{5, 2, 9, 1}, order(got)); diff != "" {
		t.Error(diff)
	}
}

func TestTogether_WithoutASessionWithinAnHourOrOtherSpeakersOfOne(t *testing.T) {
	t.Parallel()
	at := func(session string, minute int) *candidate {
		return &candidate{turn: memory.Rankable{SessionID: session,
			OccurredAt: time.Date(2026, 1, 1, 0, minute, 0, 0, time.UTC)}}
	}
	by := func(speaker string, c *candidate) *candidate {
		c.turn.Speaker = speaker
		return c
	}
	for _, c := range []struct {
		a, b *candidate
		want bool
	}{
		{at("s", 0), at("s", 5), false},
		{by("Ann", at("s", 0)), by("Ben", at("s", 5)), true},
		{by("Ann", at("s", 0)), by("Ben", at("r", 5)), false},
		{at("s", 0), at("r", 1), false},
		{at("", 0), at("", 5), true},
		{at("", 0), at("", 61), false},
		{at("", 0), at("s", 1), false},
	} {
		if got := together(c.a, c.b); got != c.want {
			t.Errorf("%q at %v and %q at %v: %v", c.a.turn.SessionID, c.a.turn.OccurredAt, c.b.turn.SessionID,
				c.b.turn.OccurredAt, got)
		}
	}
}
