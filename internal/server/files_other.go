//go:build !unix

package server

// openFiles gives how many files the process may have open at a time: here the system sets no bound of its own.
func openFiles() uint64 { return 2 * mostOpen }
