package retrieval

import (
	"fmt"
	"slices"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval/supersession"
)

// shift tells why a turn is not at the rank of its score.
type shift struct {
	other int64   // the turn that it was placed next to
	lift  float64 // how much better that turn's score was
	first bool    // placed before the other turn, not after it
}

// reorder orders the pairs that concern the first n turns of a ranking. The turn that the question asks for comes
// first: the later one, or the earlier one if the question is about an earlier time. It takes the other turn's place
// and the better score; the other turn follows it.
func reorder(above, below []scored, all []replacement, cs []*candidate, asked supersession.Asked, n int) ([]scored,
	[]scored) {
	byID := make(map[int64]*candidate, len(cs))
	for _, c := range cs {
		byID[c.turn.ID] = c
	}
	out := slices.Clone(above)
	place := func(id int64) int { return slices.IndexFunc(out, func(s scored) bool { return s.turn.ID == id }) }
	// The turns are processed in the order of their ranks, so that of three that replaced each other the last comes first.
	for _, s := range above[:min(len(above), n)] {
		for _, p := range all {
			if !p.moves || p.earlier != s.turn.ID && p.later != s.turn.ID && !acknowledges(s.candidate, p.earlier) {
				continue
			}
			first, second := byID[p.later], byID[p.earlier]
			if first == nil || second == nil {
				continue
			}
			if asked.When == supersession.First || asked.When == supersession.Then && first.turn.OccurredAt.After(asked.Until) {
				if first, second = second, first; asked.When == supersession.Then && first.turn.OccurredAt.After(asked.Until) {
					continue // both are later than the time asked about
				}
			}
			to := place(second.turn.ID)
			if n := second.next; n != nil && acknowledges(n, second.turn.ID) {
				if at := place(n.turn.ID); at >= 0 && (to < 0 || at < to) {
					to = at
				}
			}
			from := place(first.turn.ID)
			if to < 0 || from >= 0 && from < to {
				continue
			}
			moved := scored{candidate: first, score: out[to].score}
			if from >= 0 {
				moved.score = max(moved.score, out[from].score)
				moved.shift = &shift{second.turn.ID, moved.score - out[from].score, true}
				out = slices.Delete(out, from, from+1)
			} else if i := slices.IndexFunc(below, func(s scored) bool { return s.candidate == first }); i >= 0 {
				moved.shift = &shift{second.turn.ID, moved.score - below[i].score, true}
				below = slices.Delete(slices.Clone(below), i, i+1)
			} else {
				moved.shift = &shift{second.turn.ID, moved.score, true}
			}
			out = slices.Insert(out, to, moved)
			if at := place(second.turn.ID); at >= 0 {
				out[at].shift = &shift{other: first.turn.ID}
			}
		}
	}
	return out, below
}

// acknowledges reports whether a turn is an assistant's and directly follows the other one. It repeats what the other
// turn said, so the two belong together.
func acknowledges(c *candidate, id int64) bool {
	return c.turn.Role == memory.RoleAssistant && !c.asks && c.prev != nil && c.prev.turn.ID == id
}

// whyReplaced explains where a turn was placed and what replaced it.
func whyReplaced(c scored, all []replacement) []Feature {
	var out []Feature
	if s := c.shift; s != nil && s.first {
		out = append(out, Feature{Name: "holds", Value: s.lift, Weight: 1,
			Reason: fmt.Sprintf("it takes the rank of %s: of the two, it is what the question asks for",
				memory.EpisodeID(s.other))})
	}
	for _, p := range all {
		if p.orders || p.earlier != c.turn.ID {
			continue
		}
		f := Feature{Name: "replaced", Value: p.points}
		if p.fact != 0 {
			f.Value, f.Reason = 1, fmt.Sprintf("%s ended or replaced a fact that it states: %s", memory.EpisodeID(p.later),
				memory.ID{Kind: memory.KindRelationship, Num: p.fact})
		} else {
			f.Reason = fmt.Sprintf("%s seems to supersede it: %s", memory.EpisodeID(p.later), p.why())
		}
		out = append(out, f)
	}
	return out
}
