package kernel

import "math"

func expSumScalar(v []float32, largest, factor float32) float32 {
	var sum float32
	for i, x := range v {
		y := exp((x - largest) * factor)
		v[i] = y
		sum += y
	}
	return sum
}

// geluScalar uses Φ(x) = 1 - Q(x), where Q(x) = φ(x)·(b1·t + … + b5·t⁵) with t = 1/(1 + p·x) for x ≥ 0, within 7.5e-8
// (Abramowitz and Stegun, 26.2.17), and Q(-x) = Φ(x). So x·Φ(x) = max(x, 0) - |x|·Q(|x|). The coefficients include the
// 1/√2π of φ.
func geluScalar(v []float32) {
	const (
		p  = 0.2316419
		b1 = 0.1274147959
		b2 = -0.1422483683
		b3 = 0.71070687067
		b4 = -0.72657601306
		b5 = 0.53070271426
	)
	for i, x := range v {
		a := math.Float32frombits(math.Float32bits(x) &^ (1 << 31))
		t := 1 / (1 + p*a)
		q := exp(-.5*a*a) * t * (b1 + t*(b2+t*(b3+t*(b4+t*b5))))
		v[i] = max(x, 0) - a*q
	}
}

// exp returns eˣ for x ≤ 0, within 3e-7 of its value. Below -87 it returns e⁻⁸⁷, 1.6e-38. x is split into k·ln 2 + r
// with |r| ≤ ln 2 / 2. eʳ is the Taylor polynomial of degree 6 (the remainder is below r⁷/7! = 1.2e-7), and 2ᵏ goes
// into the exponent.
func exp(x float32) float32 {
	const (
		high = 0.693359375    // ln 2 in two parts, the first with so few bits that k times it is exact
		low  = -2.12194440e-4 // (Cody and Waite, 1980)
	)
	x = max(x, -87)
	k := float32(int32(x*math.Log2E - .5)) // x ≤ 0: truncation rounds to nearest here
	r := x - k*high - k*low
	y := 1 + r*(1+r*(1./2+r*(1./6+r*(1./24+r*(1./120+r*(1./720))))))
	return y * math.Float32frombits(uint32(int32(k)+127)<<23)
}
