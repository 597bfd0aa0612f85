//go:build !unix

package store

import (
	"io/fs"
	"os"
)

func openNoFollow(path string, flag int, mode fs.FileMode) (*os.File, error) {
	return os.OpenFile(path, flag, mode)
}

// What this user may do is seen when SQLite does it.
func mayRead(string) error  { return nil }
func mayWrite(string) error { return nil }
