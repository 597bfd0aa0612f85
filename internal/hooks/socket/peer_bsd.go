//go:build darwin || freebsd

package socket

import "golang.org/x/sys/unix"

// peerUID returns the effective user id of the other end when it connected or began to listen.
func peerUID(fd int) (int, error) {
	cred, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	if err != nil {
		return 0, err
	}
	return int(cred.Uid), nil
}
