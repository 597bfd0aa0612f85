//go:build unix

package private

import (
	"io/fs"
	"syscall"
)

// hasModes reports whether file modes are meaningful.
const hasModes = true

// owner returns the user id of a file's owner.
func owner(info fs.FileInfo) (uid int, known bool) {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(st.Uid), true
	}
	return 0, false
}
