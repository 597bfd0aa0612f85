//go:build unix

package private

import (
	"io/fs"
	"syscall"
)

// hasModes says that files have modes that mean something.
const hasModes = true

// owner gives the user id of a file's owner.
func owner(info fs.FileInfo) (uid int, known bool) {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(st.Uid), true
	}
	return 0, false
}
