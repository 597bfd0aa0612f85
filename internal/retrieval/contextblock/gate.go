package contextblock

import (
	"math"
	"slices"

	"memory-graph/classifier"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/internal/text"
)

// The gate decides what of an answer is put before a turn. Nobody asked for the block, and a turn that is near by
// chance is worse than none.
//
// First, the best item must reach a least strength, or the block stays empty. The more the message is about something
// particular, the lower that is; for a message that anybody could answer ("write a haiku") the item must have nearly
// every word of it. Second, the other items must reach a share of the best. The share is smaller where the message is
// surely particular, since the item that helps is often not the best by these figures. The numbers are from the
// development sets of docs/benchmarks.md.
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

// gate is what an item must reach to be shown.
type gate struct {
	least     float64 // strength of the best
	user      float64 // share of the best
	assistant float64
}

// gateFor gives the gate of a message.
func gateFor(c classifier.Result) gate {
	odds := logOdds(c)
	sure := max(odds, 0) / mostParticular
	return gate{
		least:     needed - neededLess*odds,
		user:      near + (nearSure-near)*sure,
		assistant: nearAssistant + (nearAssistantSure-nearAssistant)*sure,
	}
}

// pass keeps the items of an answer that pass the gate; where none does, all lists are empty. A correction need not
// have a word of the fact it corrects ("no, on Fridays"), so the first mostCorrected facts that it may correct are kept
// too.
func pass(a retrieval.Answer, g gate, corrects func(retrieval.FoundRelation) bool) retrieval.Answer {
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
	if best < g.least || best == 0 {
		return out
	}
	for _, f := range a.Episodes {
		close := strength[f.Episode.ID] / best
		if bestScore > 0 {
			close = (close + 2*f.Score/bestScore) / 3
		}
		from := g.user
		if f.Episode.Role == memory.RoleAssistant {
			from = g.assistant
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
