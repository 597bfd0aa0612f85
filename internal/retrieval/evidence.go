package retrieval

import (
	"math"
	"slices"

	"memory-graph/internal/text"
)

// Abstention. The scores of a ranking say which episode is better, not whether any is good: their scale changes with
// every question. So the first few episodes are judged again by two measures that are comparable between questions:
//
//	coverage  share of the question's words, weighted by their rarity, in the turn and the turns just before and after
//	          it, 0..1
//	cosine    similarity of the vectors of the turn and the question, -1..1
//
// A turn is not evidence if neither it nor its neighbours have a value of the kind that the question asks for (an
// amount, a name). It is not evidence either if the only words it shares with the question name the subject: the name
// alone makes the vectors similar. Coverage counts half if the question names another speaker. The match is strong if
// one of the first five turns has coverage + 2 × cosine of at least strongEvidence or, without a vector, coverage of at
// least strongTextEvidence. docs/experiments.md, "Abstention", tells how the weight and the thresholds were found.
const (
	cosineEvidence = 2.0

	strongEvidence     = 1.15
	strongTextEvidence = .55 // of coverage alone, for a turn that has no vector

	besideIt = .5 // factor of coverage for a turn by another speaker than the question names

	weighed = 5
)

// word is a content word of a question with its weight.
type word struct {
	stem   string
	weight float64
}

// weigh returns the content words of a question with the weight ln(1 + 1/(share of episodes with the word + 1/400)).
// The last term limits the weight in small collections: a word that is in none of 40 turns may still be a common one.
func weigh(stems []string, f frequencies) []word {
	words := make([]word, len(stems))
	for i, stem := range stems {
		words[i] = word{stem, math.Log1p(1 / (f.share(stem) + 1./400))}
	}
	return words
}

// Evidence measures how much of a question a turn contains, in figures that are comparable between questions.
type Evidence struct {
	Coverage  float64 // share of the question's words in the turn, weighted by their rarity, 0..1
	Cosine    float64 // similarity of the vectors, -1..1
	HasVector bool    // false: Cosine is not set
}

// The strength of a turn without a vector is wordsAlone + wordsAloneEach × coverage.
const (
	wordsAlone     = .7
	wordsAloneEach = 2.
)

// Strength returns coverage + 2 × cosine, or an estimate of it from coverage for a turn without a vector.
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

// A long turn loses up to missesFocus of its coverage if it does not contain the focus of the question. From longTokens
// tokens on a turn loses all of it, a shorter one in proportion: a short turn often answers in other words.
const (
	missesFocus = 1.5
	longTokens  = 160
)

// unfocused returns what the candidate loses because it and the turns beside it do not contain the focus.
func (c *candidate) unfocused(words []word, q *parsedQuestion) float64 {
	var focus []word
	for _, w := range words {
		if slices.Contains(q.focus, w.stem) {
			focus = append(focus, w)
		}
	}
	if len(focus) == 0 {
		return 0
	}
	here, tokens := map[string]bool{}, 0
	for _, x := range []*candidate{c, c.prev, c.next} {
		if x == nil || x.reading == nil {
			continue
		}
		tokens = max(tokens, x.reading.tokens)
		for _, s := range x.reading.sentences {
			for _, m := range s.found {
				here[q.reader.stems[m.Stem]] = true
			}
		}
	}
	return missesFocus * (1 - shareOf(focus, here)) * min(1, float64(tokens)/longTokens)
}

// around returns the stems in the best passages of the candidate and of the turns just before and after, and in their
// speakers' names.
func around(c *candidate) map[string]bool {
	here := map[string]bool{}
	for _, x := range []*candidate{c, c.prev, c.next} {
		if x == nil || x.echo && x != c.prev { // the turn after an echo may answer the question
			continue
		}
		for _, t := range text.Tokens(x.turn.Speaker + " " + x.quoted()) {
			here[t.Stem] = true
		}
	}
	return here
}

// saidAround returns the texts of the candidate and of the turns just before and after.
func saidAround(c *candidate) []string {
	said := make([]string, 0, 3)
	for _, x := range []*candidate{c, c.prev, c.next} {
		if x != nil && (!x.echo || x == c.prev) {
			said = append(said, x.turn.Content)
		}
	}
	return said
}

// shareOf returns the share of the words' total weight that is found in the stems.
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

// strong reports whether one of the first turns of a ranking is evidence. A turn without a vector is judged by its
// words.
func strong(words []word, q *parsedQuestion, ranked []scored) bool {
	for _, c := range ranked[:min(weighed, len(ranked))] {
		if c.echo || !q.wanted.in(saidAround(c.candidate)...) {
			continue
		}
		if !q.demands.metBy(c.candidate) {
			continue
		}
		here := around(c.candidate)
		covered := shareOf(words, here) - c.unfocused(words, q)
		if onlyNamed(words, q, here) {
			continue
		}
		if c.othersNamed {
			covered *= besideIt
		}
		if c.hasVector && covered+cosineEvidence*c.cosine >= strongEvidence || !c.hasVector && covered >= strongTextEvidence {
			return true
		}
	}
	return false
}

// onlyNamed reports whether the stems of a turn contain names of the question, one of them not a place, but none of its
// other words, though it has some. The turn is about the same subject, but does not say what is asked.
func onlyNamed(words []word, q *parsedQuestion, here map[string]bool) bool {
	subject, others := false, false
	for _, w := range words {
		switch {
		case !q.capitalised[w.stem]:
			if here[w.stem] {
				return false
			}
			others = true
		case here[w.stem] && !q.places[w.stem]:
			subject = true
		}
	}
	return subject && others
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
