package retrieval

import (
	"math"

	"memory-graph/text"
)

// Abstention (decision 27). The scores of a ranking say which episode is better, not whether any is good: their scale
// changes with every question. So the best few are weighed again by signals that mean the same in every collection:
//
//	coverage  how much of what the question names, each word weighed by its rarity, stands in the turn or in the turns
//	          just before and after, 0..1
//	cosine    how near their meanings are, -1..1
//
// One of the first five must have coverage + 2 × cosine of strongEvidence or, without a vector, coverage alone of
// strongTextEvidence. docs/benchmarks.md tells how weight and thresholds were found.
const (
	cosineEvidence = 2.0

	strongEvidence     = 1.3
	strongTextEvidence = .55 // of coverage alone, for a turn that has no vector

	weighed = 5
)

// word is one content word of a question and how much it tells.
type word struct {
	stem   string
	weight float64
}

// weigh gives the question's words, stop words aside, by rarity: ln(1 + 1/(share of episodes with it + 1/400)). The last
// term stands for what a small collection cannot know: a word that none of 40 turns has is not rarer than one in 400.
func weigh(stems []string, f frequencies) []word {
	words := make([]word, len(stems))
	for i, stem := range stems {
		words[i] = word{stem, math.Log1p(1 / (f.share(stem) + 1./400))}
	}
	return words
}

// coverage is the share of the words' weight that stands in the candidate, its speaker, or its neighbours.
func coverage(words []word, c *candidate) float64 {
	here := map[string]bool{}
	for _, x := range []*candidate{c, c.prev, c.next} {
		if x == nil {
			continue
		}
		for _, t := range text.Tokens(x.turn.Speaker + " " + x.turn.Content) {
			here[t.Stem] = true
		}
	}
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
func strong(words []word, ranked []scored) bool {
	for _, c := range ranked[:min(weighed, len(ranked))] {
		covered := coverage(words, c.candidate)
		if c.hasVector && covered+cosineEvidence*c.cosine >= strongEvidence || !c.hasVector && covered >= strongTextEvidence {
			return true
		}
	}
	return false
}

// match judges a ranking, best first.
func match(found hits, q question, ranked []scored) Match {
	switch {
	case len(ranked) == 0:
		return None
	case strong(weigh(q.stems, found.frequencies), ranked):
		return Strong
	default:
		return Weak
	}
}
