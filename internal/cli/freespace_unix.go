//go:build linux || darwin

package cli

import "golang.org/x/sys/unix"

// freeSpace returns the bytes that this user can still write on the disk of dir, or -1 if unknown.
func freeSpace(dir string) int64 {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return -1
	}
	return int64(s.Bavail) * int64(s.Bsize) //nolint:unconvert // the types differ by system
}
