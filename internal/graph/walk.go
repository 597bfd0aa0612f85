package graph

// Link joins two nodes of a small graph, numbered from 0, in both directions. Its weight is above 0.
type Link struct {
	A, B   int
	Weight float64
}

// Walk gives how much of its time a walker spends at each of n nodes who goes from node to node along links, each as
// likely as its weight among those of the node, and before every step goes home instead with the probability 1 −
// damping: to one of the nodes of restart, as likely as its weight there. Where no link leads on it goes home too. This
// is personalised PageRank (Haveliwala 2002) by power iteration; the shares sum to 1. steps bounds the work: what is
// left to settle shrinks by the factor damping with each. restart has n weights, not negative and not all 0.
func Walk(n int, links []Link, restart []float64, damping float64, steps int) []float64 {
	home := make([]float64, n)
	sum := 0.0
	for _, w := range restart {
		sum += w
	}
	for i, w := range restart {
		home[i] = w / sum
	}
	total := make([]float64, n)
	for _, l := range links {
		total[l.A] += l.Weight
		total[l.B] += l.Weight
	}
	at, next := append([]float64(nil), home...), make([]float64, n)
	for range steps {
		clear(next)
		stays := 0.0
		for _, l := range links {
			next[l.B] += damping * at[l.A] * l.Weight / total[l.A]
			next[l.A] += damping * at[l.B] * l.Weight / total[l.B]
		}
		for i, share := range at {
			stays += share
			if total[i] > 0 {
				stays -= damping * share
			}
		}
		for i := range next {
			next[i] += stays * home[i]
		}
		at, next = next, at
	}
	return at
}
