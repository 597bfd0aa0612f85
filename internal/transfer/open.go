package transfer

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path"

	"memory-graph/internal/memory"
)

// Source is an opened file.
type Source struct {
	io.Reader
	Name   string // the file, or the entry in the zip
	Size   int64  // bytes to read, 0 if unknown
	Packed bool   // it was in a zip, or packed with gzip
	read   *counting
	close  []io.Closer

	packed int64 // packed size of a zip entry in bytes
}

// counting counts the bytes that are read.
type counting struct {
	r io.Reader
	n int64
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// Done returns how many bytes of Size have been read.
func (s *Source) Done() int64 { return s.read.n }

// Close closes the file.
func (s *Source) Close() error {
	var errs []error
	for _, c := range s.close {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}

// inZip are the names of importable files in the zip of an export, the best first.
var inZip = []string{"conversations.json", "memories.jsonl.gz", "memories.jsonl", "memories.json", "memory.jsonl"}

// Open opens a file and unpacks gzip and the best file of an export's zip. The error is InvalidArgument if the file
// does not exist or cannot be read. It is TooLarge, also while reading, if the file unpacks to far more than any
// export. Opening and reading end with the context, and the error is then the context's.
func Open(ctx context.Context, name string) (*Source, error) {
	f, err := openFile(ctx, name)
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, unreadable(name, err)
	}
	s := &Source{Name: name, close: []io.Closer{f}}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(unreadable(name, err), f.Close())
	}
	if info.IsDir() {
		return nil, errors.Join(memory.Errorf(memory.InvalidArgument, "%s is a directory.",
			name).WithHint("Give a file in it."), f.Close())
	}
	var from io.Reader = &awaited{ctx: ctx, r: f}
	if info.Mode().IsRegular() {
		s.Size, from = info.Size(), checked{ctx, f}
	}
	in := bufio.NewReader(from)
	s.read = &counting{r: in}
	if start, _ := in.Peek(4); bytes.Equal(start, []byte("PK\x03\x04")) && s.Size > 0 {
		err = s.unzip(ctx, f)
	}
	if err == nil {
		err = s.begin()
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// openFile is os.Open, but returns when the context ends: opening a named pipe blocks until somebody opens it for
// writing. Without blocking, a pipe whose writer is late would look like an empty file. The goroutine that opens the
// file stays until that happens or the process ends.
func openFile(ctx context.Context, name string) (*os.File, error) {
	var f *os.File
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		f, err = os.Open(name)
	}()
	select {
	case <-done:
		return f, err
	case <-ctx.Done():
		go func() {
			if <-done; err == nil {
				_ = f.Close() // nothing was read from it
			}
		}()
		return nil, ctx.Err()
	}
}

// FromStream reads a stream such as stdin until the stream or the context ends.
func FromStream(ctx context.Context, r io.Reader) (*Source, error) {
	in := bufio.NewReader(&awaited{ctx: ctx, r: r})
	if start, _ := in.Peek(4); bytes.Equal(start, []byte("PK\x03\x04")) {
		return nil, memory.Errorf(memory.InvalidArgument,
			"A zip cannot be read from a stream.").WithHint("Give its path instead of -.")
	}
	s := &Source{Name: "stdin", read: &counting{r: in}}
	return s, s.begin()
}

func unreadable(name string, err error) error {
	return memory.Errorf(memory.InvalidArgument, "%s cannot be read: %w.", name,
		memory.Reason(err)).WithHint("Check the path and the permissions of this user.")
}

// unzip opens the best file of a zip.
func (s *Source) unzip(ctx context.Context, f *os.File) error {
	z, err := zip.NewReader(f, s.Size)
	if err != nil {
		return unreadable(s.Name, err)
	}
	for _, want := range inZip {
		for _, entry := range z.File {
			if path.Base(entry.Name) != want {
				continue
			}
			s.packed = min(int64(entry.CompressedSize64), s.Size)
			if err := (&unpacked{packed: func() int64 { return s.packed }}).tooMuch(
				int64(min(entry.UncompressedSize64, math.MaxInt64))); err != nil {
				return err
			}
			r, err := entry.Open()
			if err != nil {
				return unreadable(s.Name, err)
			}
			s.Name, s.Size = fmt.Sprintf("%s in %s", entry.Name, s.Name), int64(entry.UncompressedSize64)
			s.read, s.close = &counting{r: checked{ctx, r}}, append(s.close, r)
			return nil
		}
	}
	return memory.Errorf(memory.InvalidArgument, "%s is a zip without a file that can be imported.", s.Name).
		WithHint("It may hold conversations.json, memories.json, memories.jsonl or memory.jsonl.")
}

// bom is the byte order mark that some programs write at the beginning of a text.
const bom = "\ufeff"

// begin unpacks gzip, limits what unpacks, and skips a byte order mark.
func (s *Source) begin() error {
	in := bufio.NewReader(s.read)
	start, err := in.Peek(2)
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	unpacks := s.packed > 0
	packed := func() int64 { return s.packed }
	if !unpacks {
		packed = s.Done
	}
	if bytes.Equal(start, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(in)
		if err != nil {
			return unreadable(s.Name, err)
		}
		in, s.close, unpacks = bufio.NewReader(z), append(s.close, z), true
	}
	if s.Packed = unpacks; unpacks {
		in = bufio.NewReader(&unpacked{Reader: in, packed: packed})
	}
	if start, _ := in.Peek(len(bom)); string(start) == bom {
		_, _ = in.Discard(len(bom)) // it was peeked, so this cannot fail
	}
	s.Reader = in
	return nil
}
