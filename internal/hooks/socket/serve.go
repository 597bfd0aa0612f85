package socket

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"
)

const (
	// lookEvery is the interval at which a process checks whether the server at the path is gone.
	lookEvery = time.Second

	// atOnce is the number of questions answered concurrently; others wait.
	atOnce = 4

	// longest is the maximal time for a question, even if the client waits longer.
	longest = 10 * time.Second
)

// Serve answers at path until ctx ends, whenever no other process does. The directory need not exist yet. The only
// error is a path that is too long for a socket.
func Serve(ctx context.Context, path string, answer Answer) error {
	if len(path) > maxPath {
		return ErrTooLong
	}
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for {
		if s := listen(ctx, path); s != nil {
			s.answer = answer
			s.run(ctx, look.C)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-look.C:
		}
	}
}

// server answers at one path as long as the socket file is its own.
type server struct {
	path   string
	l      *net.UnixListener
	file   os.FileInfo
	answer Answer
	room   chan struct{}
}

// listen creates the socket unless another process of this user answers there. It returns nil if that is not possible
// now.
func listen(ctx context.Context, path string) *server {
	root, err := openDir(path)
	if err != nil { // for example another user's; hooks and doctor report it
		return nil
	}
	defer func() { _ = root.Close() }() // nothing is written through it
	if conn, err := dial(ctx, root, path); err == nil {
		_ = conn.Close()
		return nil
	}
	name := filepath.Base(path)
	if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil
	}
	l.SetUnlinkOnClose(false)     // the file may belong to another server by then
	info, err := root.Lstat(name) // fails if path now leads to another directory
	if err == nil {
		err = root.Chmod(name, 0o600) // the directory is private already; this also protects the socket if its mode changes
	}
	if err != nil {
		_ = l.Close()
		return nil
	}
	return &server{path: path, l: l, file: info, room: make(chan struct{}, atOnce)}
}

// run answers until ctx ends or another process has replaced the socket.
func (s *server) run(ctx context.Context, look <-chan time.Time) {
	var all sync.WaitGroup
	all.Go(func() {
		for {
			conn, err := s.l.Accept()
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err != nil { // for example too many open files
				if pause(ctx, lookEvery/10) {
					return
				}
				continue
			}
			all.Go(func() { s.serve(ctx, conn) })
		}
	})
	for ours := true; ours; {
		select {
		case <-ctx.Done():
			ours = false
		case <-look:
			ours = s.ours()
		}
	}
	if s.ours() {
		_ = os.Remove(s.path)
	}
	_ = s.l.Close()
	all.Wait()
}

// ours reports whether the socket file is still the one that this server created. If two processes find no server, the
// later one wins.
func (s *server) ours() bool {
	info, err := os.Lstat(s.path)
	return err == nil && os.SameFile(info, s.file)
}

// serve answers one question.
func (s *server) serve(ctx context.Context, conn net.Conn) {
	defer func() { _ = conn.Close() }()
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Now()) }) // do not wait for clients
	defer stop()
	_ = conn.SetDeadline(time.Now().Add(longest))
	if checkPeer(conn) != nil {
		return // it gets no reason
	}
	var r request
	if err := json.NewDecoder(io.LimitReader(conn, maxRequest)).Decode(&r); err != nil {
		return // a client that only checks whether a server answers, or that gave up
	}
	within := min(time.Duration(max(r.WithinMS, 0))*time.Millisecond, longest)
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	_ = json.NewEncoder(conn).Encode(s.reply(ctx, r))
}

func (s *server) reply(ctx context.Context, r request) reply {
	if r.Protocol != protocol {
		return reply{Error: fmt.Sprintf("the server uses version %d of the socket protocol, not %d", protocol,
			r.Protocol)}
	}
	select {
	case s.room <- struct{}{}:
		defer func() { <-s.room }()
	case <-ctx.Done():
		return reply{Error: "the server is busy with other questions"}
	}
	text, err := s.safely(ctx, r.Question)
	if err != nil {
		return reply{Error: err.Error()}
	}
	return reply{Text: text}
}

// safely answers; a panic fails the question, not the server.
func (s *server) safely(ctx context.Context, q ContextRequest) (text string, err error) {
	defer func() {
		if p := recover(); p != nil {
			text, err = "", fmt.Errorf("internal error: %v", p)
		}
	}()
	return s.answer(ctx, q)
}

// pause waits for d and reports whether ctx ended.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return true
	case <-time.After(d):
		return false
	}
}
