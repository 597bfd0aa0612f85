package contextblock

import (
	"slices"
	"strings"

	"memory-graph/classifier"
	"memory-graph/extraction"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/internal/text"
)

// The gate decides which items of an answer are put before a turn. Nobody asked for the block, and an irrelevant turn
// is worse than none.
//
// First, the strongest item must reach a minimum strength, or the block stays empty. The surer it is that the message
// is about something particular, the lower the minimum. For a general message ("write a haiku"), the item must contain
// nearly every word of it. For the minimum, a message that names a person of the memory is surely particular. Second,
// the other items must reach a share of the strongest. The share is lower if the message is surely particular, since
// the item that helps is often not the strongest. Third, beside standing facts every turn must reach the minimum by
// itself: the best answer then depends on the user, and a turn that is only nearer than others is mostly about
// something else. The numbers were tuned on the development sets of docs/experiments.md, "The context block before a
// turn".
const (
	needed     = 1.   // minimum strength if the classifier cannot tell whether the message is particular
	neededLess = .35  // reduction of the minimum per unit of the log-odds that the message is particular
	mostSure   = 1.25 // limit of the log-odds: even the surest message needs some evidence, and no message needs too much

	// The share from which a user's turn is shown, if the classifier is unsure and if the message is surely particular.
	// An item's share is two thirds of its score and one third of its strength, each relative to the best.
	near, nearSure = .5, .25
	nearAssistant  = .65 // the same for an assistant's turn, which mostly repeats
	nearFact       = .6  // the share for facts and entities, of the strength alone
)

// logOdds returns the log-odds that the message is about something particular, within the limits.
func logOdds(c classifier.Result) float64 {
	if c.Particular <= 0 {
		return 0 // unclassified
	}
	return min(max(logit(c.Particular), -mostSure), mostSure)
}

// gate is the minimum that items must reach to be shown.
type gate struct {
	least float64 // strength of the strongest item
	each  float64 // strength of every turn
	user  float64 // minimum share for a user's turn
}

// gateFor returns the gate for a message of the log-odds. It may name a known person, and stand beside standing facts.
func gateFor(odds float64, named, standing bool) gate {
	g := gate{user: near + (nearSure-near)*max(odds, 0)/mostSure}
	if named {
		odds = mostSure
	}
	g.least = needed - neededLess*odds
	if standing {
		g.each = g.least
	}
	return g
}

// namesPerson reports whether a message names a person where the search of the graph began. The user, whom "I" names,
// is not named.
func namesPerson(message string, seeds []retrieval.FoundEntity) bool {
	words := contentOf(message)
	return slices.ContainsFunc(seeds, func(s retrieval.FoundEntity) bool {
		if s.Score < 1 || !memory.IsPerson(s.Entity.Type) || strings.EqualFold(s.Entity.Name, extraction.DefaultSelf) {
			return false
		}
		for w := range contentOf(s.Entity.Name) {
			if words[w] {
				return true
			}
		}
		return false
	})
}

// pass keeps the items of an answer that pass the gate; if the strongest does not, all lists are empty. A correction
// need not share a word with the fact that it corrects ("no, on Fridays"), so the first mostCorrected facts that it may
// correct are kept too.
func pass(a retrieval.Answer, g gate, corrects func(retrieval.FoundRelation) bool) retrieval.Answer {
	strength, ofFacts, ofEntities, best := strengths(a)
	bestScore := 0.
	for _, f := range a.Episodes {
		bestScore = max(bestScore, f.Score)
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
			from = nearAssistant
		}
		if strength[f.Episode.ID] >= g.each && close >= from && !repeats(f.Episode, out.Episodes) {
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

// strengths returns the strength of each turn by its id, of each fact and of each entity, and that of the strongest
// item that may be shown.
func strengths(a retrieval.Answer) (ofTurns map[int64]float64, ofFacts, ofEntities []float64, best float64) {
	ofTurns = map[int64]float64{}
	for _, f := range a.Episodes {
		ofTurns[f.Episode.ID] = f.Evidence.Strength()
		best = max(best, ofTurns[f.Episode.ID])
	}
	ofFacts = make([]float64, len(a.Relations))
	for i, f := range a.Relations {
		ofFacts[i] = retrieval.Evidence{Coverage: f.Coverage}.Strength()
		for _, id := range f.Relationship.Evidence {
			ofFacts[i] = max(ofFacts[i], ofTurns[id])
		}
		if mayBeShown(f.Relationship.Origin) {
			best = max(best, ofFacts[i])
		}
	}
	ofEntities = make([]float64, len(a.Entities))
	for i, f := range a.Entities {
		ofEntities[i] = retrieval.Evidence{Coverage: f.Coverage}.Strength()
		if mayBeShown(f.Entity.Origin) {
			best = max(best, ofEntities[i])
		}
	}
	return ofTurns, ofFacts, ofEntities, best
}

// mayBeShown reports whether items of this origin may be shown. The rendering leaves out the others.
func mayBeShown(o memory.Origin) bool { return o.Trust() > memory.OriginTool.Trust() }

// repeated is the share of an assistant's words found in an earlier turn from which its turn adds nothing.
const repeated = .65

// repeats reports whether an assistant's turn only repeats a shown earlier turn of its session.
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

// contentOf returns the stems of the content words of a text.
func contentOf(s string) map[string]bool {
	out := map[string]bool{}
	for _, t := range text.Tokens(s) {
		if !t.Stop() {
			out[t.Stem] = true
		}
	}
	return out
}
