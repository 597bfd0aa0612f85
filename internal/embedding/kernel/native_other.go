//go:build !amd64

package kernel

// native has nothing to offer here yet: arm64 wants NEON kernels.
func native() []*Set { return nil }
