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
	// lookEvery is how often a process looks whether somebody answers at the path: who did may have died.
	lookEvery = time.Second

	// atOnce is how many questions are answered at the same time; others wait.
	atOnce = 4

	// longest is how long a question may take, whatever its asker says.
	longest = 10 * time.Second
)

// Serve answers at path until ctx ends, whenever no other process does. The directory need not exist yet. An error is
// that the path can have no socket.
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

// server answers at one path, which is its own as long as the file is.
type server struct {
	path   string
	l      *net.UnixListener
	file   os.FileInfo
	answer Answer
	room   chan struct{}
}

// listen takes the path, unless a process of this user answers there; nil is that it cannot be had now.
func listen(ctx context.Context, path string) *server {
	root, err := openDir(path)
	if err != nil { // such as of another user: hooks and doctor say so
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
	l.SetUnlinkOnClose(false)     // the file may be another's by then
	info, err := root.Lstat(name) // which is not there where the path leads to another directory by now
	if err == nil {
		err = root.Chmod(name, 0o600) // nobody else can enter the directory; should that change, nobody else can connect
	}
	if err != nil {
		_ = l.Close()
		return nil
	}
	return &server{path: path, l: l, file: info, room: make(chan struct{}, atOnce)}
}

// run answers until ctx ends or the path is another's.
func (s *server) run(ctx context.Context, look <-chan time.Time) {
	var all sync.WaitGroup
	all.Go(func() {
		for {
			conn, err := s.l.Accept()
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err != nil { // such as too many open files
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

// ours says whether the file at the path is still the one that we made: of two processes that found nobody there, the
// later one has it.
func (s *server) ours() bool {
	info, err := os.Lstat(s.path)
	return err == nil && os.SameFile(info, s.file)
}

// serve answers one question.
func (s *server) serve(ctx context.Context, conn net.Conn) {
	defer func() { _ = conn.Close() }()
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Now()) }) // a server that ends waits for nobody
	defer stop()
	_ = conn.SetDeadline(time.Now().Add(longest))
	if checkPeer(conn) != nil {
		return // it learns nothing, not even why
	}
	var r request
	if err := json.NewDecoder(io.LimitReader(conn, maxRequest)).Decode(&r); err != nil {
		return // somebody who only looks whether we are there, or who gave up
	}
	within := min(time.Duration(max(r.WithinMS, 0))*time.Millisecond, longest)
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	_ = json.NewEncoder(conn).Encode(s.reply(ctx, r))
}

func (s *server) reply(ctx context.Context, r request) reply {
	if r.Protocol != protocol {
		return reply{Error: fmt.Sprintf("the server speaks version %d of the socket's protocol, not %d", protocol,
			r.Protocol)}
	}
	select {
	case s.room <- struct{}{}:
		defer func() { <-s.room }()
	case <-ctx.Done():
		return reply{Error: "the server has other questions to answer"}
	}
	text, err := s.safely(ctx, r.Question)
	if err != nil {
		return reply{Error: err.Error()}
	}
	return reply{Text: text}
}

// safely answers; a panic ends the question and not the server.
func (s *server) safely(ctx context.Context, q ContextRequest) (text string, err error) {
	defer func() {
		if p := recover(); p != nil {
			text, err = "", fmt.Errorf("internal error: %v", p)
		}
	}()
	return s.answer(ctx, q)
}

// pause waits, and says whether ctx ended.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return true
	case <-time.After(d):
		return false
	}
}
