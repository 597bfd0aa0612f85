package socket

import "golang.org/x/sys/unix"

// peerUID returns the effective user id of the other end when it connected or began to listen.
func peerUID(fd int) (int, error) {
	cred, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return 0, err
	}
	return int(cred.Uid), nil
}
