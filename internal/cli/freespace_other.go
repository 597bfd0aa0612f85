//go:build !linux && !darwin && !windows

package cli

// freeSpace returns -1: the free space is unknown on this system.
func freeSpace(string) int64 { return -1 }
