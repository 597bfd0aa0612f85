package socket

import (
	"fmt"
	"net"
	"os"
)

// checkPeer refuses the other end of a connection where it is another user's process: a path can lead somewhere
// else by the time that it is used, a connection cannot.
func checkPeer(conn net.Conn) error {
	unix, ok := conn.(*net.UnixConn)
	if !ok {
		return fmt.Errorf("a %T is no connection of this machine", conn)
	}
	raw, err := unix.SyscallConn()
	if err != nil {
		return err
	}
	var uid int
	var failed error
	if err := raw.Control(func(fd uintptr) { uid, failed = peerUID(int(fd)) }); err != nil {
		return err
	}
	if failed != nil {
		return fmt.Errorf("who is at the other end of the socket is unknown: %w", failed)
	}
	if me := os.Geteuid(); uid != me {
		return fmt.Errorf("the other end of the socket is another user's (uid %d, and this process runs as %d)", uid, me)
	}
	return nil
}
