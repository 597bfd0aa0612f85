package socket

import (
	"fmt"
	"net"
	"os"
)

// checkPeer refuses a connection to another user's process. A path can change before it is used; a connection cannot.
func checkPeer(conn net.Conn) error {
	unix, ok := conn.(*net.UnixConn)
	if !ok {
		return fmt.Errorf("a %T is not a local connection", conn)
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
		return fmt.Errorf("the user at the other end of the socket is unknown: %w", failed)
	}
	if me := os.Geteuid(); uid != me {
		return fmt.Errorf("the other end of the socket belongs to another user (uid %d, and this process runs as %d)", uid,
			me)
	}
	return nil
}
