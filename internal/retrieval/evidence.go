package retrieval

import (
	"math"
	"slices"

	"memory-graph/internal/text"
)

// Abstention. The scores of a ranking say which episode is better, not whether any is good: their scale
// changes with every question. So the best few are weighed again by signals that mean the same in every collection:
//
//	coverage  how much of what the question names, each word weighed by its rarity, stands in the turn or in the turns
//	          just before and after, 0..1
//	cosine    how near their meanings are, -1..1
//
// A turn that has, like its neighbours, nothing of the kind that the question asks for (an amount, a name) is no
// evidence, nor is what tells of the one who is named and of nothing else that is asked: its meaning is near for the
// name alone. Where that is a place, and what somebody else says than the one who is named, coverage counts half. One
// of the first five must have coverage + 2 × cosine of strongEvidence or, without a vector, coverage alone of
// strongTextEvidence. docs/benchmarks.md tells how weight and thresholds were found.
const (
	cosineEvidence = 2.0

	strongEvidence     = 1.3
	strongTextEvidence = .55 // of coverage alone, for a turn that has no vector

	besideIt = .5 // what coverage counts where a turn is beside the question: the place alone, or another speaker

	weighed = 5
)

// word is one content word of a question and how much it tells.
type word struct {
	stem   string
	weight float64
}

// weigh gives the question's words, stop words aside, by rarity: ln(1 + 1/(share of episodes with it + 1/400)). The
// last term stands for what a small collection cannot know: a word that none of 40 turns has is not rarer than one in
// 400.
func weigh(stems []string, f frequencies) []word {
	words := make([]word, len(stems))
	for i, stem := range stems {
		words[i] = word{stem, math.Log1p(1 / (f.share(stem) + 1./400))}
	}
	return words
}

// Evidence is how much a turn by itself has of a question, in figures that mean the same in every collection.
type Evidence struct {
	Coverage  float64 // share of the question's words, each weighed by its rarity, that stand in the turn, 0..1
	Cosine    float64 // of the meanings, -1..1
	HasVector bool    // else Cosine says nothing
}

// How much the words alone count for a turn that has no vector yet, on the scale of words and meaning.
const (
	wordsAlone     = .7
	wordsAloneEach = 2.
)

// Strength is coverage + 2 × cosine, or as much as that is likely to be by the words alone.
func (e Evidence) Strength() float64 {
	switch {
	case e.HasVector:
		return e.Coverage + cosineEvidence*e.Cosine
	case e.Coverage > 0:
		return wordsAlone + wordsAloneEach*e.Coverage
	}
	return 0
}

func evidence(words []word, c *candidate) Evidence {
	return Evidence{Coverage: shareOf(words, stemsOf(c.turn.Speaker+" "+c.turn.Content)), Cosine: c.cosine,
		HasVector: c.hasVector}
}

// around gives the stems that stand in the candidate and in the turns just before and after, their speakers' among
// them.
func around(c *candidate) map[string]bool {
	here := map[string]bool{}
	for _, x := range []*candidate{c, c.prev, c.next} {
		if x == nil || x.echo && x != c.prev { // what stands behind a question may answer it
			continue
		}
		for _, t := range text.Tokens(x.turn.Speaker + " " + x.turn.Content) {
			here[t.Stem] = true
		}
	}
	return here
}

// saidAround gives what the candidate and the turns just before and after say.
func saidAround(c *candidate) []string {
	said := make([]string, 0, 3)
	for _, x := range []*candidate{c, c.prev, c.next} {
		if x != nil && (!x.echo || x == c.prev) {
			said = append(said, x.turn.Content)
		}
	}
	return said
}

// shareOf is the share of the words' weight that is among the stems.
func shareOf(words []word, here map[string]bool) float64 {
	var found, all float64
	for _, w := range words {
		all += w.weight
		if here[w.stem] {
			found += w.weight
		}
	}
	if all == 0 {
		return 0
	}
	return found / all
}

// strong says whether one of the best of a ranking is evidence. What has no vector (yet) is judged by its words alone.
func strong(words []word, q *parsedQuestion, ranked []scored) bool {
	for _, c := range ranked[:min(weighed, len(ranked))] {
		if c.echo || !q.asked.Wanted.In(saidAround(c.candidate)...) {
			continue
		}
		here := around(c.candidate)
		covered := shareOf(words, here)
		named, subject := onlyNamed(words, q, here)
		if subject {
			continue
		}
		if c.othersNamed || named {
			covered *= besideIt
		}
		if c.hasVector && covered+cosineEvidence*c.cosine >= strongEvidence || !c.hasVector && covered >= strongTextEvidence {
			return true
		}
	}
	return false
}

// onlyNamed says whether of the question's words nothing but names stands there, though it has others, and whether one
// of the names is whom or what the question is about, and not a place ("in Lisbon"): what is about the same person and
// says nothing of what is asked.
func onlyNamed(words []word, q *parsedQuestion, here map[string]bool) (named, subject bool) {
	others := false
	for _, w := range words {
		switch {
		case !q.capitalised[w.stem]:
			if here[w.stem] {
				return false, false
			}
			others = true
		case here[w.stem]:
			named, subject = true, subject || !q.places[w.stem]
		}
	}
	return named && others, subject && others
}

// match judges a ranking, best first.
func match(words []word, q *parsedQuestion, ranked []scored) Match {
	switch {
	case !slices.ContainsFunc(ranked, func(s scored) bool { return !s.echo && !s.besideEcho() }):
		return None
	case strong(words, q, ranked):
		return Strong
	default:
		return Weak
	}
}
