package transfer

import (
	"context"
	"io"

	"memory-graph/internal/memory"
)

// What packed files may unpack to. Exports of conversations come to ten times their zip or so.
const (
	maxUnpacked  = 4 << 30  // bytes of one file
	maxRatio     = 200      // times what was read for it …
	ratioCounted = 64 << 20 // … from so many bytes on: little text may be packed well
)

// unpacked is a file that is being unpacked. It ends in TooLarge where that comes to more than any export has.
type unpacked struct {
	io.Reader
	n      int64
	packed func() int64 // bytes that were read for it so far, or more
}

func (u *unpacked) Read(p []byte) (int, error) {
	if err := u.tooMuch(u.n); err != nil {
		return 0, err
	}
	n, err := u.Reader.Read(p)
	u.n += int64(n)
	return n, err
}

func (u *unpacked) tooMuch(n int64) error {
	switch {
	case n > maxUnpacked:
		return unpackItself("The file unpacks to more than %d GiB.", maxUnpacked>>30)
	case n > ratioCounted && n > maxRatio*u.packed():
		return unpackItself("The file unpacks to more than %d times its size.", maxRatio)
	}
	return nil
}

func unpackItself(format string, limit int) error {
	return memory.Errorf(memory.TooLarge, format, limit).
		WithHint(
			"No export is packed like that. If you trust it, unpack it and give the file that is in it. What was read by then " +
				"is taken.")
}

// checked is a file that is read until nobody waits any more.
type checked struct {
	ctx context.Context
	r   io.Reader
}

func (c checked) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

// awaited is checked for a stream, of which nothing may ever come: reading it ends with the context. What is being
// read then is left to itself, until the stream ends or the process.
type awaited struct {
	ctx  context.Context
	r    io.Reader
	done chan struct{} // nil: nothing is being read
	buf  []byte
	rest []byte // of buf
	err  error
}

func (a *awaited) Read(p []byte) (int, error) {
	if len(a.rest) == 0 && a.err == nil {
		if err := a.ctx.Err(); err != nil {
			return 0, err
		}
		if a.done == nil {
			if a.buf == nil {
				a.buf = make([]byte, 64<<10)
			}
			a.done = make(chan struct{})
			go func(done chan<- struct{}) {
				defer close(done)
				n, err := a.r.Read(a.buf)
				a.rest, a.err = a.buf[:n], err
			}(a.done)
		}
		select {
		case <-a.done:
			a.done = nil
		case <-a.ctx.Done():
			return 0, a.ctx.Err()
		}
	}
	n := copy(p, a.rest)
	if a.rest = a.rest[n:]; n > 0 {
		return n, nil
	}
	return 0, a.err
}
