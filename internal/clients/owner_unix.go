//go:build unix

package clients

import (
	"io/fs"
	"os"
	"syscall"
)

// sameOwner gives a new file to whom the old one belongs, which matters where setup runs with sudo. Who may not do that
// owns the new file anyway.
func sameOwner(path string, old fs.FileInfo) {
	if s, ok := old.Sys().(*syscall.Stat_t); ok {
		_ = os.Lchown(path, int(s.Uid), int(s.Gid))
	}
}
