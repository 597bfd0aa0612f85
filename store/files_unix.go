//go:build unix

package store

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// openNoFollow opens a file, and no symbolic link.
func openNoFollow(path string, flag int, mode fs.FileMode) (*os.File, error) {
	return os.OpenFile(path, flag|syscall.O_NOFOLLOW, mode)
}

// mayRead and mayWrite ask the system what this user may do. To open the file and close it again would give up SQLite's
// locks of this process where they are POSIX's.
func mayRead(path string) error {
	return unix.Faccessat(unix.AT_FDCWD, path, unix.R_OK, unix.AT_EACCESS)
}
func mayWrite(path string) error {
	return unix.Faccessat(unix.AT_FDCWD, path, unix.W_OK, unix.AT_EACCESS)
}
