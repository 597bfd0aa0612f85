//go:build unix

package clients

import (
	"io/fs"
	"os"
	"syscall"
)

// sameOwner gives a new file the owner of the old one, for setup under sudo. Without the permission to do so, the
// current user owns the file anyway.
func sameOwner(path string, old fs.FileInfo) {
	if s, ok := old.Sys().(*syscall.Stat_t); ok {
		_ = os.Lchown(path, int(s.Uid), int(s.Gid))
	}
}
