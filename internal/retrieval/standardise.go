package retrieval

import "math"

// The typical distribution of cosines of unrelated turns with all-MiniLM-L6-v2, measured on the development
// conversations. Cosines of other models have been brought to its scale.
const (
	AssumedMean = .12
	AssumedStd  = .11

	// assumed is the number of assumed cosines that are added to those of a namespace. Of two turns, one would always
	// be a standard deviation above the other.
	assumed = 3
)

// steady adds the assumed cosines to Mean and Std. It matters only in a namespace of few turns.
func (s *Similarities) steady() {
	if s == nil || s.Compared == 0 {
		return
	}
	n, sum, squares := s.sums()
	s.distribute(n+assumed, sum+assumed*AssumedMean, squares+assumed*(AssumedMean*AssumedMean+AssumedStd*AssumedStd))
}

// leaveOutEchoes leaves the cosines of echoes out of Mean and Std, and standardises those of the candidates anew. The
// cosine of an echo is nearly 1. In a namespace of 200 turns, one echo adds a seventh to Std.
func (s *Similarities) leaveOutEchoes(cs []*candidate) {
	if s == nil || s.Compared == 0 {
		return
	}
	n, sum, squares := s.sums()
	all := n
	for _, c := range cs {
		if c.echo && c.hasVector {
			n--
			sum -= c.cosine
			squares -= c.cosine * c.cosine
		}
	}
	if n == all || n < 1 {
		return
	}
	s.distribute(n, sum, squares)
	for _, c := range cs {
		if c.hasVector {
			c.setCosine(c.cosine, s)
		}
	}
}

// sums returns the number, the sum and the sum of the squares of the compared cosines.
func (s *Similarities) sums() (n, sum, squares float64) {
	n = float64(s.Compared)
	return n, n * s.Mean, n * (s.Std*s.Std + s.Mean*s.Mean)
}

func (s *Similarities) distribute(n, sum, squares float64) {
	s.Compared = int(n)
	s.Mean = sum / n
	s.Std = math.Sqrt(max(0, squares/n-s.Mean*s.Mean))
}
