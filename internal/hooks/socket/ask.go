package socket

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"time"

	"memory-graph/internal/safety/private"
)

// Ask sends a question to the server at path. An error means that no server answered in time; ctx needs a deadline. Ask
// refuses a directory or socket that another user could have created.
func Ask(ctx context.Context, path string, q ContextRequest) (string, error) {
	conn, err := send(ctx, path, q)
	if err != nil {
		return "", err
	}
	defer func() { _ = conn.Close() }()
	var r reply
	if err := json.NewDecoder(io.LimitReader(conn, maxReply)).Decode(&r); err != nil {
		return "", fmt.Errorf("the server's answer: %w", err)
	}
	if r.Error != "" {
		return "", errors.New(r.Error)
	}
	return r.Text, nil
}

// Tell lets the server at path store what waits in the spool now, as it does before each answer, and does not wait for
// it. An error means that no server was told. ctx needs a deadline, which also limits the server.
func Tell(ctx context.Context, path string) error {
	conn, err := send(ctx, path, ContextRequest{})
	if err != nil {
		return err
	}
	return conn.Close()
}

// send connects to the server at path and sends a question, all within the deadline of ctx.
func send(ctx context.Context, path string, q ContextRequest) (net.Conn, error) {
	until, ok := ctx.Deadline()
	if !ok {
		return nil, errors.New("a question needs a deadline")
	}
	root, err := openDir(path)
	if err != nil {
		return nil, err
	}
	conn, err := dial(ctx, root, path)
	_ = root.Close() // nothing was written through it
	if err != nil {
		return nil, err
	}
	if err := conn.SetDeadline(until); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	if err := json.NewEncoder(conn).Encode(request{Protocol: protocol, WithinMS: time.Until(until).Milliseconds(),
		Question: q}); err != nil {
		return nil, errors.Join(fmt.Errorf("ask the server: %w", err), conn.Close())
	}
	return conn, nil
}

// openDir opens the directory of a socket. It must belong to this user.
func openDir(path string) (*os.Root, error) {
	if len(path) > maxPath {
		return nil, ErrTooLong
	}
	return private.OpenDir(filepath.Dir(path))
}

// dial connects to the socket at path in the directory root and checks that the other process belongs to this user.
func dial(ctx context.Context, root *os.Root, path string) (net.Conn, error) {
	if err := private.CheckSocket(root, filepath.Base(path)); err != nil {
		return nil, err
	}
	var d net.Dialer
	conn, err := d.DialContext(ctx, "unix", path)
	if err != nil {
		return nil, err
	}
	if err := checkPeer(conn); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}
