//go:build !linux && !darwin && !windows

package cli

// freeSpace would give the free bytes of a directory's disk; here they are unknown.
func freeSpace(string) int64 { return -1 }
