//go:build linux || darwin

package cli

import "golang.org/x/sys/unix"

// freeSpace gives the bytes that this user may still write on the disk of a directory, -1 where that is unknown.
func freeSpace(dir string) int64 {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return -1
	}
	return int64(s.Bavail) * int64(s.Bsize) //nolint:unconvert // the types differ by system
}
