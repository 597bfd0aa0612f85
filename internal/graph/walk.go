package graph

// Link joins two nodes of a small graph, numbered from 0, in both directions. Its weight is above 0.
type Link struct {
	A, B   int
	Weight float64
}

// Walk returns the share of time that a random walker spends at each of n nodes: personalised PageRank (Haveliwala
// 2002) by power iteration. On each step the walker follows a link with probability damping, chosen by weight among the
// node's links. Otherwise, and at a node without links, the walker jumps to a node chosen by the weights in restart.
// The shares sum to 1. Each of the steps shrinks the remaining error by the factor damping. restart has n weights, not
// negative and not all 0.
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
