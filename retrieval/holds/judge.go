package holds

import "math"

// Pair is an earlier turn, a later one, and how near they are.
type Pair struct {
	Earlier, Later Said
	// Forth and Back are the nearness of the two in standard deviations above what is usual: between the earlier turn and
	// all the later ones compared, and between the later turn and all the earlier ones.
	Forth, Back float64
	// Nearest says that no later turn is nearer to the earlier one, NearestBack that no earlier turn is nearer to the later.
	Nearest, NearestBack bool
	SameSpeaker          bool
	// Found is how well the later turn itself answers the question: 1 the first of the ranking, 0 what is not among its first.
	Found float64
}

// Enough is the points from which a turn is taken to have been replaced.
const Enough = 7.5

// Weights in points. docs/benchmarks.md tells how they were found; none of them matters much within a quarter.
const (
	perDeviation  = .5 // of Forth and of Back, mostDeviation at most
	mostDeviation = 4.
	perNearest    = 1. // for Nearest and for NearestBack
	perChange     = 2.
	otherValued   = 1.5 // values of one kind that differ
	askedValued   = 1.  // and of the kind that the question asks for
	perWords      = 1.5 // words in common, at a quarter of them
	perFound      = 2.5
	another       = -1. // the earlier turn speaks of its speaker, the later is another's
	manyAsked     = -1. // the question asks for several things: each may hold
)

// Points says how sure it is that the later turn took the place of the earlier one, for a question. 0 where a text is too
// long to be judged.
func (p Pair) Points(asked Asked) float64 {
	if !p.Earlier.judged() || !p.Later.judged() {
		return 0
	}
	points := perDeviation*(deviation(p.Forth)+deviation(p.Back)) + perNearest*(truth(p.Nearest)+truth(p.NearestBack)) +
		perChange*p.Later.change + perFound*p.Found
	for k := Number; k < Name; k++ { // that other names stand in it says little
		if otherValue(p.Earlier, p.Later, k, k == Number) {
			points += otherValued
			break
		}
	}
	for _, k := range asked.kinds {
		if otherValue(p.Earlier, p.Later, k, false) {
			points += askedValued
			break
		}
	}
	if n := len(p.Earlier.stems) * len(p.Later.stems); n > 0 {
		points += perWords * min(1, 4*float64(shared(p.Earlier, p.Later))/math.Sqrt(float64(n)))
	}
	return points + another*truth(!p.SameSpeaker && p.Earlier.own) + manyAsked*truth(asked.many)
}

func deviation(x float64) float64 { return max(-1, min(x, mostDeviation)) }

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
