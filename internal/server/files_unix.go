//go:build unix

package server

import "syscall"

// openFiles returns how many files the process may have open.
func openFiles() uint64 {
	var l syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l) != nil {
		return 256 // the lowest common default
	}
	return uint64(l.Cur) //nolint:unconvert // signed on some systems
}
