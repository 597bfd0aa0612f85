package classifier

import "math"

// minimize finds the least value of a smooth, strictly convex function of n variables from 0 on by L-BFGS (Nocedal and
// Wright, Numerical Optimization, algorithm 7.5) with backtracking. f fills the gradient.
func minimize(f func(x, gradient []float64) float64, n int) []float64 {
	const (
		memory     = 10
		iterations = 300
		enough     = 1e-2 // of the gradient's length
	)
	x, g := make([]float64, n), make([]float64, n)
	y := f(x, g)
	var steps, changes [][]float64
	for range iterations {
		if norm(g) < enough {
			break
		}
		d := direction(g, steps, changes)
		slope := inner(d, g)
		if slope >= 0 { // rounding: begin again with the steepest way
			steps, changes = nil, nil
			d = direction(g, nil, nil)
			slope = inner(d, g)
		}
		t := 1.
		if len(steps) == 0 {
			t = 1 / max(1, norm(g))
		}
		next, gNext := make([]float64, n), make([]float64, n)
		var yNext float64
		for range 40 {
			for i := range next {
				next[i] = x[i] + t*d[i]
			}
			if yNext = f(next, gNext); yNext <= y+1e-4*t*slope {
				break
			}
			t /= 2
		}
		if yNext >= y {
			break
		}
		step, change := make([]float64, n), make([]float64, n)
		for i := range step {
			step[i], change[i] = next[i]-x[i], gNext[i]-g[i]
		}
		if inner(step, change) > 0 {
			steps, changes = append(steps, step), append(changes, change)
			if len(steps) > memory {
				steps, changes = steps[1:], changes[1:]
			}
		}
		x, g, y = next, gNext, yNext
	}
	return x
}

// direction is minus the gradient times an estimate of the inverse Hessian (the two-loop recursion).
func direction(g []float64, steps, changes [][]float64) []float64 {
	d := make([]float64, len(g))
	for i, v := range g {
		d[i] = -v
	}
	alpha := make([]float64, len(steps))
	for i := len(steps) - 1; i >= 0; i-- {
		alpha[i] = inner(steps[i], d) / inner(steps[i], changes[i])
		for j := range d {
			d[j] -= alpha[i] * changes[i][j]
		}
	}
	if k := len(steps) - 1; k >= 0 {
		scale := inner(steps[k], changes[k]) / inner(changes[k], changes[k])
		for j := range d {
			d[j] *= scale
		}
	}
	for i := range steps {
		beta := inner(changes[i], d) / inner(steps[i], changes[i])
		for j := range d {
			d[j] += (alpha[i] - beta) * steps[i][j]
		}
	}
	return d
}

func inner(a, b []float64) float64 {
	var sum float64
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

func norm(a []float64) float64 { return math.Sqrt(inner(a, a)) }
