package transfer

import (
	"context"
	"io"

	"memory-graph/internal/memory"
)

// Limits for packed files. An export of conversations unpacks to about ten times its zip.
const (
	maxUnpacked  = 4 << 30  // maximal bytes of one unpacked file
	maxRatio     = 200      // maximal factor by which a file grows when it is unpacked
	ratioCounted = 64 << 20 // bytes from which maxRatio applies: short texts may compress better
)

// unpacked is a file that is being unpacked. Reading fails with TooLarge beyond the limits above.
type unpacked struct {
	io.Reader
	n      int64
	packed func() int64 // packed bytes read so far, or more
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
			"No known export is compressed that much. If you trust the file, unpack it and import what is in it. " +
				"Everything read so far is imported.")
}

// checked is a reader that fails when its context ends.
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

// awaited is checked for a stream on which data may never arrive: a blocked Read returns when the context ends. The
// goroutine that reads the stream stays until the stream or the process ends.
type awaited struct {
	ctx  context.Context
	r    io.Reader
	done chan struct{} // nil while no read is pending
	buf  []byte
	rest []byte // the unread part of buf
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
