package contextblock

import (
	"math"
	"slices"

	"memory-graph/classifier"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/internal/text"
)

// What stands before a turn must have earned its place: nobody asked for it, and a turn that is near by chance is worse
// than none. Two questions decide. Does the memory help at all? The more a message is about something particular, the
// less of it has to stand in the best that was found, and where anybody could answer ("write a haiku") it takes nearly
// every word. And what else? What comes close to the best; where the message is surely particular, also what is further
// away, since the best by these figures is often not the one that helps. The numbers are from the development sets of
// docs/benchmarks.md.
const (
	needed         = 1.05 // of the strength of the best, for a message of which nobody can say what it is about
	neededLess     = .35  // a unit of the log-odds that it is about something particular
	mostParticular = 1.25 // log-odds that count at most: however sure, what nothing speaks for is not shown …
	mostGeneral    = -3.  // … and at least

	// Share of the best's score (two thirds) and strength (one) from which what was said is shown, where nobody can say
	// what the message is about, and where it is surely particular.
	near, nearSure                   = .5, .25
	nearAssistant, nearAssistantSure = .65, .6 // what an assistant answered, who mostly repeats
	nearFact                         = .6      // share of the best's strength, of facts and entities
)

// logOdds that the message is about something particular, within what counts of them.
func logOdds(c classifier.Result) float64 {
	odds := 0.
	if c.Particular > 0 {
		odds = math.Log(c.Particular / (1 - min(c.Particular, 1-1e-9)))
	}
	return min(max(odds, mostGeneral), mostParticular)
}

// bar is what has to be reached to be shown.
type bar struct {
	least     float64 // strength of the best
	user      float64 // share of the best
	assistant float64
}

// barFor gives the bar of a message.
func barFor(c classifier.Result) bar {
	odds := logOdds(c)
	sure := max(odds, 0) / mostParticular
	return bar{
		least:     needed - neededLess*odds,
		user:      near + (nearSure-near)*sure,
		assistant: nearAssistant + (nearAssistantSure-nearAssistant)*sure,
	}
}

// worthy leaves of an answer what is worth its place before the message; with nothing that is, all lists are empty.
// What a correction is about need not stand in it ("no, on Fridays"), so what it may correct is kept, the first few.
func worthy(a retrieval.Answer, b bar, corrects func(retrieval.FoundRelation) bool) retrieval.Answer {
	bestScore, best := 0., 0.
	strength := map[int64]float64{}
	for _, f := range a.Episodes {
		s := f.Evidence.Strength()
		strength[f.Episode.ID] = s
		bestScore, best = max(bestScore, f.Score), max(best, s)
	}
	ofFacts := make([]float64, len(a.Relations))
	for i, f := range a.Relations {
		ofFacts[i] = retrieval.Evidence{Coverage: f.Coverage}.Strength()
		for _, id := range f.Relationship.Evidence {
			ofFacts[i] = max(ofFacts[i], strength[id])
		}
		if mayBeShown(f.Relationship.Origin) {
			best = max(best, ofFacts[i])
		}
	}
	ofEntities := make([]float64, len(a.Entities))
	for i, f := range a.Entities {
		ofEntities[i] = retrieval.Evidence{Coverage: f.Coverage}.Strength()
		if mayBeShown(f.Entity.Origin) {
			best = max(best, ofEntities[i])
		}
	}
	out := a
	out.Episodes, out.Relations, out.Entities = nil, nil, nil
	if best < b.least || best == 0 {
		return out
	}
	for _, f := range a.Episodes {
		close := strength[f.Episode.ID] / best
		if bestScore > 0 {
			close = (close + 2*f.Score/bestScore) / 3
		}
		from := b.user
		if f.Episode.Role == memory.RoleAssistant {
			from = b.assistant
		}
		if close >= from && !repeats(f.Episode, out.Episodes) {
			out.Episodes = append(out.Episodes, f)
		}
	}
	shown, corrected := map[int64]bool{}, 0
	fromFact := nearFact * best
	for i, f := range a.Relations {
		may := corrected < mostCorrected && corrects(f)
		if may {
			corrected++
		}
		if may || ofFacts[i] >= fromFact {
			out.Relations = append(out.Relations, f)
			shown[f.Relationship.Head.ID], shown[f.Relationship.Tail.ID] = true, true
		}
	}
	for i, e := range a.Entities {
		if ofEntities[i] >= fromFact || shown[e.Entity.ID] ||
			slices.ContainsFunc(a.Seeds, func(s retrieval.FoundEntity) bool {
				return s.Entity.ID == e.Entity.ID && s.Score == 1
			}) {
			out.Entities = append(out.Entities, e)
		}
	}
	return out
}

// mayBeShown says whether what is of this origin may be shown at all; the rendering leaves the others out.
func mayBeShown(o memory.Origin) bool { return o.Trust() > memory.OriginTool.Trust() }

// repeated is the share of an assistant's words that stand in what it answers, from which the answer says nothing more.
const repeated = .65

// repeats says whether an assistant's turn only says again what one of the turns before it in its session says.
func repeats(e memory.Episode, shown []retrieval.FoundEpisode) bool {
	if e.Role != memory.RoleAssistant {
		return false
	}
	words := contentOf(e.Content)
	for _, f := range shown {
		if f.Episode.Scope.SessionID != e.Scope.SessionID || f.Episode.OccurredAt.After(e.OccurredAt) {
			continue
		}
		said, again := contentOf(f.Episode.Content), 0
		for w := range words {
			if said[w] {
				again++
			}
		}
		if float64(again) >= repeated*float64(len(words)) {
			return true
		}
	}
	return false
}

// contentOf gives the stems of a text that carry meaning.
func contentOf(s string) map[string]bool {
	out := map[string]bool{}
	for _, t := range text.Tokens(s) {
		if !t.Stop() {
			out[t.Stem] = true
		}
	}
	return out
}
