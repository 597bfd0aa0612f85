//go:build !amd64

package kernel

// native returns nil: there are no kernels for other architectures yet. arm64 needs NEON kernels.
func native() []*Set { return nil }
