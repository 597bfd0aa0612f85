// Package sessions reads the files in which Claude Code, Codex, Gemini CLI and Cursor keep their sessions. It yields
// the turns that the host's hooks would have brought, in constant memory. Only files are read; nothing is written.
package sessions

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"memory-graph/internal/hooks"
)

// MaxLine is the maximal length of a line in bytes. Longer lines, such as those with large images, are skipped.
const MaxLine = 8 << 20

// Turn is an entry of a session that may become a turn of the memory.
type Turn struct {
	hooks.Event
	At    time.Time // when it was said; if Dated is false, the time of the turn before, the session or the file
	Dated bool
	ID    string // of the entry, the same in every copy of the session that the host makes; "" if unknown
}

// Skipped counts what could not be read.
type Skipped struct {
	Long   int // lines longer than MaxLine
	Broken int // lines that are not JSON of the host
}

// Add adds the counts of another file.
func (s *Skipped) Add(o Skipped) { s.Long, s.Broken = s.Long+o.Long, s.Broken+o.Broken }

// reader reads the lines of one host's file.
type reader interface {
	// line reads a line. It returns errBroken if the line is not in the host's format.
	line(raw []byte) error
	// end yields the answer that waits at the end of the file, if any.
	end() error
}

var errBroken = errors.New("not an entry of a session")

// Read reads the turns of a file in their order. An error of visit ends the reading and is returned. read is told how
// many bytes were read since the last call.
func (f File) Read(ctx context.Context, visit func(Turn) error, read func(bytes int)) (Skipped, error) {
	var skipped Skipped
	file, err := os.Open(f.Path)
	if err != nil {
		return skipped, fmt.Errorf("read a session: %w", err)
	}
	defer func() { _ = file.Close() }() // opened for reading
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return skipped, fmt.Errorf("read a session: %s is not a file: %w", f.Path, err)
	}
	r := f.reader(visit)
	if f.whole() {
		return skipped, f.readWhole(ctx, file, r, &skipped, read)
	}
	err = lines(ctx, file, func(raw []byte, size int) error {
		read(size)
		if raw == nil {
			skipped.Long++
			return nil
		}
		err := r.line(raw)
		if errors.Is(err, errBroken) {
			skipped.Broken++
			return nil
		}
		return err
	})
	if err == nil {
		err = r.end()
	}
	return skipped, err
}

// lines calls visit with each line, or with nil for a line longer than MaxLine, and with its length. An incomplete line
// at the end, which the host is still writing, is left out. raw is valid only until visit returns.
func lines(ctx context.Context, from io.Reader, visit func(raw []byte, size int) error) error {
	in := bufio.NewReaderSize(from, 256<<10)
	var text []byte
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		text = text[:0]
		size := 0
		var err error
		for {
			var part []byte
			part, err = in.ReadSlice('\n')
			if size += len(part); size <= MaxLine {
				text = append(text, part...)
			}
			if err != bufio.ErrBufferFull {
				break
			}
		}
		if err == nil || err == io.EOF && json.Valid(text) {
			raw := text
			if size > MaxLine {
				raw = nil
			}
			if e := visit(raw, size); e != nil {
				return e
			}
		}
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return fmt.Errorf("read a session: %w", err)
		}
	}
}

// parseTime reads the time of an entry; the zero time if it has none.
func parseTime(s string) time.Time {
	at, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return time.Time{}
	}
	return at.UTC()
}
