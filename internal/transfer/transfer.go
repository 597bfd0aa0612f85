// Package transfer reads what other programs have kept: the reference memory server's memory.jsonl, exports of mem0 and
// OpenMemory, and the conversations of Claude and ChatGPT. Everything is read as a stream, so that the size of a file
// does not matter; what cannot be taken is reported with its line and the rest goes on.
package transfer

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"time"

	"memory-graph/internal/memory"
)

// Format is a kind of file.
type Format string

// The formats. Own is what export writes; the store reads it.
const (
	Own       Format = "memory-graph"
	Reference Format = "reference"
	Mem0      Format = "mem0"
	Claude    Format = "claude"
	ChatGPT   Format = "chatgpt"
)

// Formats are all of them.
var Formats = []Format{Own, Reference, Mem0, Claude, ChatGPT}

// Message is one message of a conversation, or one memory that another program made.
type Message struct {
	Line    int
	Session string // 1–200 bytes, "" for none
	User    string
	Role    memory.Role
	Content string
	At      time.Time // zero: unknown
	Key     string    // the same for the same message in every export
}

// Sink takes what is read. An error of one of its functions ends the reading.
type Sink struct {
	Entity   func(line int, e memory.Observed) error
	Relation func(line int, r memory.ObservedRelation) error
	Turn     func(Message) error
	// Problem is told of each entity, relation, turn or line that could not be taken.
	Problem func(line int, reason string)
	// Note is told what is taken, but not as it stands.
	Note func(line int, reason string)
	// Passed is told what is left out because it should be.
	Passed func(line int, why Passed)
}

// Passed says why something is left out that could be taken.
type Passed string

// The reasons, as people read them behind a number.
const (
	PassedDeleted Passed = "deleted or archived there"
	PassedEmpty   Passed = "empty, or of the program itself"
	PassedBranch  Passed = "on branches of a conversation that were left for another"
)

// MaxLine is the longest line that is read, in bytes.
const MaxLine = 64 << 20

// year10000 is behind all times that are read, in seconds since 1970.
const year10000 = 253402300800

// maxElement is the largest conversation that is read, in bytes.
const maxElement = 64 << 20

// Read reads a file of a format, other than Own, to its end. The error is InvalidArgument for what is no such file from
// the beginning on, and for one that breaks off where nothing behind can be made out; what was read by then is taken.
func Read(ctx context.Context, format Format, r io.Reader, to Sink) error {
	switch format {
	case Reference:
		return readReference(ctx, r, to)
	case Mem0:
		return readMem0(ctx, r, to)
	case Claude:
		return readElements(ctx, r, to, elements{each: claudeConversation, mend: true})
	case ChatGPT:
		return readElements(ctx, r, to, elements{each: chatGPTConversation, mend: true})
	}
	return memory.Errorf(memory.InvalidArgument, "%q is not a format.", format).WithHint("Use %s.", FormatNames())
}

// FormatNames lists the formats for a sentence.
func FormatNames() string {
	list := make([]string, len(Formats))
	for i, f := range Formats {
		list[i] = string(f)
	}
	return strings.Join(list, ", ")
}

// Lines visits the lines of a file that hold anything, with their numbers from 1. A line that is longer than MaxLine is
// reported and passed over. What visit is given is its own only until it returns.
func Lines(ctx context.Context, r io.Reader, problem func(line int, reason string),
	visit func(line int, text []byte) error) error {
	in := bufio.NewReaderSize(r, 1<<20)
	var text []byte
	for number := 1; ; number++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		text = text[:0]
		tooLong := false
		var err error
		for {
			var part []byte
			part, err = in.ReadSlice('\n')
			if tooLong = tooLong || len(text)+len(part) > MaxLine; !tooLong {
				text = append(text, part...)
			}
			if err != bufio.ErrBufferFull {
				break
			}
		}
		if tooLong {
			problem(number, "the line is longer than 64 MiB")
		} else if len(bytes.TrimSpace(text)) > 0 {
			if e := visit(number, text); e != nil {
				return e
			}
		}
		switch {
		case err == io.EOF:
			return nil
		case errors.Is(err, io.ErrUnexpectedEOF):
			problem(number, "the file breaks off here; nothing behind it can be read")
			return nil
		case err != nil:
			return broken(err)
		}
	}
}

// broken says that a file cannot be read on, in what way ever it is packed or kept.
func broken(err error) error {
	var own *memory.Error
	if errors.As(err, &own) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return memory.Errorf(memory.InvalidArgument, "The file cannot be read on: %w.",
		err).WithHint("It may be damaged or cut off: get it anew. What stands before that is taken.")
}

// object reads a line as an object.
func object(line []byte) (map[string]json.RawMessage, error) {
	var fields map[string]json.RawMessage
	err := json.Unmarshal(line, &fields)
	if err == nil && fields == nil {
		err = errNull
	}
	return fields, err
}

// stringOf reads a field as a text; ok is false where it is none.
func stringOf(raw json.RawMessage) (s string, ok bool) {
	var p *string
	if json.Unmarshal(raw, &p) != nil || p == nil {
		return "", false
	}
	return *p, true
}

// sessionName makes the name of a session of a conversation's title and its id, which tells two of one title apart.
func sessionName(title, id string) string {
	title = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(title, ""))
	title = strings.Join(strings.Fields(title), " ")
	const longest = 200
	tail := ""
	if id = strings.Map(func(r rune) rune {
		if r <= ' ' || r > '~' {
			return -1
		}
		return r
	}, id); id != "" {
		tail = " (" + id[:min(len(id), 8)] + ")"
	}
	for len(title)+len(tail) > longest {
		r := []rune(title)
		title = string(r[:len(r)-1])
	}
	return strings.TrimSpace(title + tail)
}
