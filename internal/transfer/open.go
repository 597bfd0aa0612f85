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

// Source is a file that is being read.
type Source struct {
	io.Reader
	Name  string // of what is read: the file, or the one in the zip
	Size  int64  // bytes that will be taken off the disk, 0 where nobody knows
	read  *counting
	close []io.Closer

	packed int64 // of a file in a zip: what it takes there, in bytes
}

// counting counts bytes.
type counting struct {
	r io.Reader
	n int64
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// Done is how many bytes of Size have been read.
func (s *Source) Done() int64 { return s.read.n }

// Close closes the file.
func (s *Source) Close() error {
	var errs []error
	for _, c := range s.close {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}

// inZip are the files of an export's zip that hold memories or conversations, the best first.
var inZip = []string{"conversations.json", "memories.jsonl.gz", "memories.jsonl", "memories.json", "memory.jsonl"}

// Open opens a file, unpacking what is packed: the conversations of an export's zip, and gzip. The error is
// InvalidArgument for what is not there or cannot be read, and TooLarge, here or in reading, for what unpacks to far
// more than any export. Reading ends with the context.
func Open(ctx context.Context, name string) (*Source, error) {
	f, err := os.Open(name)
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
			name).WithHint("Give the file in it."), f.Close())
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

// FromStream reads what comes over a stream such as stdin, until that or the context ends.
func FromStream(ctx context.Context, r io.Reader) (*Source, error) {
	in := bufio.NewReader(&awaited{ctx: ctx, r: r})
	if start, _ := in.Peek(4); bytes.Equal(start, []byte("PK\x03\x04")) {
		return nil, memory.Errorf(memory.InvalidArgument,
			"A zip cannot be read from a stream.").WithHint("Give its path in place of -.")
	}
	s := &Source{Name: "stdin", read: &counting{r: in}}
	return s, s.begin()
}

func unreadable(name string, err error) error {
	return memory.Errorf(memory.InvalidArgument, "%s cannot be read: %w.", name,
		memory.Reason(err)).WithHint("Check the path and the rights of this user.")
}

// unzip chooses the best file of a zip to be read.
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

// bom is what some programs put before a text.
const bom = "\ufeff"

// begin makes the text of what is read: out of gzip, where it is packed so, and without a byte order mark.
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
	if unpacks {
		in = bufio.NewReader(&unpacked{Reader: in, packed: packed})
	}
	if start, _ := in.Peek(len(bom)); string(start) == bom {
		_, _ = in.Discard(len(bom)) // it has been read
	}
	s.Reader = in
	return nil
}
