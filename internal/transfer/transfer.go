// Package transfer reads the files of other programs: of other memories, and conversations of Claude and ChatGPT. It
// streams formats without internal references, and reads graphs and databases through Tables. It reports what it cannot
// read, with the line, and continues.
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

// Format is a file format.
type Format string

// The formats. Own is the format of the export command; the store reads it.
const (
	Own       Format = "memory-graph"
	Reference Format = "reference"
	Mem0      Format = "mem0"
	Claude    Format = "claude"
	ChatGPT   Format = "chatgpt"

	BasicMemory   Format = "basic-memory"
	MemoryService Format = "mcp-memory-service"
	Engram        Format = "engram"
	ClaudeMem     Format = "claude-mem"
	Graphiti      Format = "graphiti" // and Zep
	Letta         Format = "letta"
	Cognee        Format = "cognee"
)

// Formats lists all formats.
var Formats = []Format{Own, Reference, Mem0, Claude, ChatGPT, BasicMemory, MemoryService, Engram, ClaudeMem, Graphiti,
	Letta, Cognee}

// Message is one message of a conversation, or one memory that another program made.
type Message struct {
	Line    int
	Kind    string // what the other program calls it, such as observation; "" for a message of a conversation
	Session string // 1–200 bytes, "" for none
	User    string
	Project string // "" for none
	Role    memory.Role
	Speaker string
	Content string
	At      time.Time // when it was said or last changed; zero if unknown
	Key     string    // identifies the message in every export

	// What the program derived from the message, which is its source.
	Labels   []memory.Label
	Entities []memory.EntityDraft
	Facts    []memory.RelationDraft
	Until    time.Time // when Facts ended, zero if they have not
}

// Sink receives what is read. An error of its functions ends the reading.
type Sink struct {
	Entity   func(line int, e memory.ReferenceEntity) error
	Relation func(line int, r memory.ReferenceRelation) error
	Turn     func(Message) error
	// Gone is told of something that the program has deleted or replaced. nil ignores it.
	Gone func(line int, key string) error
	// Problem is told of each entity, relation, turn or line that could not be taken.
	Problem func(line int, reason string)
	// Note reports something that is imported with changes.
	Note func(line int, reason string)
	// Passed reports something that is left out on purpose.
	Passed func(line int, why Passed)
	// Left receives the number of things that are not imported, because a memory cannot or need not have them. nil
	// ignores it.
	Left func(n int, why Passed)
}

// turn passes a message, unless it is empty.
func (to Sink) turn(m Message) error {
	if strings.TrimSpace(m.Content) == "" {
		to.Passed(m.Line, PassedEmpty)
		return nil
	}
	return to.Turn(m)
}

// gone passes the key of a message that is not imported, because the program has deleted or replaced it.
func (to Sink) gone(m Message, why Passed) error {
	to.Passed(m.Line, why)
	if to.Gone == nil {
		return nil
	}
	return to.Gone(m.Line, m.Key)
}

func (to Sink) left(n int, why Passed) {
	if n > 0 && to.Left != nil {
		to.Left(n, why)
	}
}

// Passed is the reason why something importable is left out.
type Passed string

// The reasons, as the report shows them after a number.
const (
	PassedDeleted Passed = "deleted or archived in the source"
	PassedEmpty   Passed = "empty, or internal to the program"
	PassedBranch  Passed = "on abandoned branches of a conversation"

	PassedReplaced  Passed = "replaced by something newer in the source"
	PassedVectors   Passed = "vectors: they are computed here with this memory's model"
	PassedLinks     Passed = "links between whole memories: they are computed here"
	PassedDerived   Passed = "summaries and beliefs that the program derived from what is imported"
	PassedTools     Passed = "tools, and uses of tools"
	PassedInternal  Passed = "the program's own bookkeeping"
	PassedAccess    Passed = "access rights: a memory here has one owner"
	PassedTypes     Passed = "types: they are properties of entities here"
	PassedStructure Passed = "links to documents, and of something to itself"
)

// MaxLine is the maximal length of a line, in bytes.
const MaxLine = 64 << 20

// year10000 is the end of the supported times, in seconds since 1970.
const year10000 = 253402300800

// maxElement is the maximal size of one element, such as a conversation, in bytes.
const maxElement = 64 << 20

// Read reads a file of any format except Own to its end. The error is InvalidArgument if the file has another format or
// cannot be read to its end. Everything before an error has been passed to the sink.
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
	case BasicMemory:
		return readNoteStream(r, to)
	}
	if lists := listsOf[format]; lists != nil {
		d, err := readDocument(ctx, r, to, lists)
		if err != nil {
			return err
		}
		return tableReaders[format](ctx, d, to)
	}
	if tableReaders[format] != nil {
		return memory.Errorf(memory.InvalidArgument, "The file is not the database of %s.", format).
			WithHint("Give the file of the database, by its path.")
	}
	return memory.Errorf(memory.InvalidArgument, "%q is not a format.", format).WithHint("Use %s.", FormatNames())
}

// FormatNames lists the formats, separated by commas.
func FormatNames() string {
	list := make([]string, len(Formats))
	for i, f := range Formats {
		list[i] = string(f)
	}
	return strings.Join(list, ", ")
}

// Lines calls visit for each nonempty line, with its number from 1. It reports and skips lines longer than MaxLine.
// text is valid only until visit returns.
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
			problem(number, "the file is cut off here; nothing after it can be read")
			return nil
		case err != nil:
			return broken(err)
		}
	}
}

// broken converts a read error, whether or not the file is packed.
func broken(err error) error {
	var own *memory.Error
	if errors.As(err, &own) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return memory.Errorf(memory.InvalidArgument, "The rest of the file cannot be read: %w.",
		err).WithHint("It may be damaged or cut off: get a new copy. Everything before that is imported.")
}

// object parses a line as an object.
func object(line []byte) (map[string]json.RawMessage, error) {
	var fields map[string]json.RawMessage
	err := json.Unmarshal(line, &fields)
	if err == nil && fields == nil {
		err = errNull
	}
	return fields, err
}

// stringOf parses a field as a string; ok is false if it is not one.
func stringOf(raw json.RawMessage) (s string, ok bool) {
	var p *string
	if json.Unmarshal(raw, &p) != nil || p == nil {
		return "", false
	}
	return *p, true
}

// sessionName makes a session name from a conversation's title and its id, which distinguishes equal titles.
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
