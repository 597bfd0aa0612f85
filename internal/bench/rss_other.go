//go:build !linux

package bench

// peakRSS returns 0: this system reports it only through additional libraries.
func peakRSS() float64 { return 0 }
