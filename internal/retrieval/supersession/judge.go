package supersession

import (
	"math"
	"time"
)

// Pair is an earlier turn, a later one, and how near they are.
type Pair struct {
	Earlier, Later *Said
	// Forth and Back are the nearness of the two in standard deviations above what is usual: between the earlier turn and
	// all the later ones compared, and between the later turn and all the earlier ones.
	Forth, Back float64
	// Nearest says that no later turn is nearer to the earlier one, NearestBack that no earlier turn is nearer to the later.
	Nearest, NearestBack bool
	SameSpeaker          bool
	// Told is when the earlier turn was said, and Retold when the later one was. Zero: not known.
	Told, Retold time.Time
	// Found is how well the later turn itself answers the question: 1 the first of the ranking, 0 what is not among its first.
	Found float64
}

// Enough is the points from which a turn is taken to have been replaced.
const Enough = 7.

// What the judgement adds up. docs/experiments.md tells how the numbers were found.
const (
	perDeviation  = .5 // of Forth and of Back, mostDeviation at most
	mostDeviation = 4.
	perNearest    = 1. // for Nearest and for NearestBack
	perChange     = 2.
	otherValued   = 1.5 // values of one kind that differ
	askedValued   = 1.  // and of a kind that the question asks for
	askedExactly  = 2.  // of a kind that tells things apart: a date, a code of the same shape, a number of the same unit
	perWords      = 1.5 // words in common, in full from a quarter of them
	perFound      = 2.5
	perEnded      = 1.5 // the later turn says of something in the earlier one that it is no more
	another       = -1. // the earlier turn speaks of its speaker, and the later is somebody else's
	adding        = -2. // the later turn says that it comes to what is
	manyAsked     = -1. // the question asks for several things: each may hold
)

// Points returns how sure it is, for a question, that the later turn replaced the earlier one; from Enough on it counts
// as replaced. It returns 0 if a text is too long to judge. If no words tell of a change, the later turn must have
// another value, and must cover everything that the question names in the earlier turn: the pancakes take three eggs,
// and the sponge cake five.
func (p Pair) Points(asked Asked) float64 {
	if !p.Earlier.judged() || !p.Later.judged() {
		return 0
	}
	if p.dated() {
		return 0
	}
	p.Later = p.Later.as(p.counting(asked))
	change := p.Later.change
	if p.refuses() {
		change = 1
	}
	if len(p.Later.denied) > 0 && len(common(p.Later.denied, p.Earlier.content())) > 0 {
		change = 1
	}
	if asked.where && p.Later.moved {
		change = 1
	}
	valued := p.valued(asked)
	if change == 0 && (valued == 0 || !p.coversAsked(asked)) {
		return 0
	}
	points := p.nearness() + perChange*change + valued +
		another*truth(!p.SameSpeaker && p.Earlier.own) + adding*truth(p.Later.adds) + manyAsked*truth(asked.many)
	if p.Later.ends && points < Enough && points+perEnded+perWords >= Enough {
		points += perEnded * truth(p.ended())
	}
	if points+perWords >= Enough && p.another(asked) {
		return 0
	}
	if points+perWords < Enough { // and the words would not make it enough
		return points
	}
	a, b := p.Earlier.content(), p.Later.content()
	if n := len(a) * len(b); n > 0 {
		points += perWords * min(1, 4*float64(len(common(a, b)))/math.Sqrt(float64(n)))
	}
	return points
}

// nearness gives the points that need no look at what is said.
func (p Pair) nearness() float64 {
	return perDeviation*(deviation(p.Forth)+deviation(p.Back)) + perNearest*(truth(p.Nearest)+truth(p.NearestBack)) + perFound*p.Found
}

// Best returns an upper bound of Points from what is known so far: Earlier and Later may be nil. It avoids reading the
// turns and comparing their words, which is expensive.
func (p Pair) Best(asked Asked) float64 {
	points := p.nearness() + perWords
	switch {
	case p.Later == nil:
		return points + perChange + perEnded + p.mostValued(asked)
	case p.Later.words > MaxWords:
		return 0
	case p.Earlier != nil && p.Earlier.words > MaxWords:
		return 0
	}
	p.Later = p.Later.as(future | planned | hypothetical)
	change := p.Later.change
	if len(p.Later.denied) > 0 || len(p.Later.refused) > 0 || asked.where && p.Later.moved {
		change = 1
	}
	valued := p.mostValued(asked)
	if p.Earlier != nil {
		valued = p.valued(asked)
	}
	if change == 0 && valued == 0 {
		return 0
	}
	return points + perChange*change + perEnded*truth(p.Later.ends) + valued + adding*truth(p.Later.adds) + manyAsked*truth(asked.many)
}

// mostValued is what valued can be for the question, and for what the later turn says where that is known.
func (p Pair) mostValued(asked Asked) float64 {
	if p.Later != nil && len(p.Later.values) == 0 {
		return 0
	}
	if len(asked.kinds) == 0 {
		return otherValued
	}
	return otherValued + askedExactly
}

// valued gives the points for values of one kind that differ. That other names stand in a text says little, unless a name
// is asked for.
func (p Pair) valued(asked Asked) float64 {
	points := 0.
	for k := Number; k < Name; k++ {
		if otherValue(p.Earlier, p.Later, k, k == Number) {
			points = otherValued
			break
		}
	}
	best := 0.
	for _, k := range asked.kinds {
		switch byUnit := k == Number || k == Code; {
		case k != Name && otherValue(p.Earlier, p.Later, k, byUnit):
			return points + askedExactly
		case byUnit || k == Name:
			best = max(best, askedValued*truth(otherValue(p.Earlier, p.Later, k, false)))
		}
	}
	return points + best
}

// coversAsked says whether all that the question names of the earlier turn stands in the later one too.
func (p Pair) coversAsked(asked Asked) bool {
	named := common(asked.stems, p.Earlier.content())
	return len(common(named, p.Later.content())) == len(named)
}

func deviation(x float64) float64 { return max(-1, min(x, mostDeviation)) }

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
