//go:build !unix

package server

// openFiles returns how many files the process may have open. Here the system sets no limit.
func openFiles() uint64 { return 2 * mostOpen }
