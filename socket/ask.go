package socket

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
)

// Ask asks whoever answers at path. An error says that nobody did, or not in time: ctx needs a deadline.
func Ask(ctx context.Context, path string, q Question) (string, error) {
	until, ok := ctx.Deadline()
	if !ok {
		return "", errors.New("a question needs a deadline")
	}
	conn, err := dial(ctx, path)
	if err != nil {
		return "", err
	}
	defer func() { _ = conn.Close() }()
	if err := conn.SetDeadline(until); err != nil {
		return "", err
	}
	if err := json.NewEncoder(conn).Encode(request{Protocol: protocol, WithinMS: time.Until(until).Milliseconds(), Question: q}); err != nil {
		return "", fmt.Errorf("ask the server: %w", err)
	}
	var r reply
	if err := json.NewDecoder(io.LimitReader(conn, maxReply)).Decode(&r); err != nil {
		return "", fmt.Errorf("the server's answer: %w", err)
	}
	if r.Error != "" {
		return "", errors.New(r.Error)
	}
	return r.Text, nil
}

func dial(ctx context.Context, path string) (net.Conn, error) {
	if len(path) > maxPath {
		return nil, ErrTooLong
	}
	var d net.Dialer
	return d.DialContext(ctx, "unix", path)
}
