package transfer

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"slices"

	"memory-graph/internal/memory"
)

// peeked is how much of a file is looked at to tell what it is.
const peeked = 1 << 20

// Detect tells the format of a stream from its beginning, and gives the stream with nothing taken off. The error is
// InvalidArgument where it is none that is known.
func Detect(r io.Reader) (Format, io.Reader, error) {
	in := bufio.NewReaderSize(r, peeked)
	start, err := in.Peek(peeked)
	if err != nil && err != io.EOF && err != bufio.ErrBufferFull && len(start) == 0 {
		return "", in, broken(err) // where it breaks off later, whoever reads on tells
	}
	if len(bytes.TrimSpace(start)) == 0 {
		return "", in, memory.Errorf(memory.InvalidArgument,
			"There is nothing in the file.").WithHint("Give a file that something was exported into.")
	}
	for line := range bytes.Lines(start) { // a broken first line must not hide what the others are
		if f := detect(line); f != "" {
			return f, in, nil
		}
		if len(line) > peeked/8 {
			break
		}
	}
	if f := detect(start); f != "" {
		return f, in, nil
	}
	return "", in, memory.Errorf(memory.InvalidArgument, "The file is of no format that is known.").
		WithHint(
			"It may be an export of memory-graph, a memory.jsonl of the reference memory server, memories of mem0 or " +
				"OpenMemory, or a conversations.json of Claude or ChatGPT (also in its zip); --format says which.")
}

// telling are the keys that only files of one format have, in the outermost objects.
var telling = map[string]Format{
	"mapping": ChatGPT, "chat_messages": Claude, "entityType": Reference, "relationType": Reference, "memory": Mem0,
	"memories": Mem0, "results": Mem0,
}

// detect looks for a telling key in the first objects, as far as the text can be read.
func detect(text []byte) Format {
	dec := json.NewDecoder(bytes.NewReader(text))
	depth, key := 0, ""
	var inObject []bool
	expectKey := false
	var keys []string
	for {
		token, err := dec.Token()
		if err != nil {
			break
		}
		switch v := token.(type) {
		case json.Delim:
			switch v {
			case '{', '[':
				depth++
				inObject = append(inObject, v == '{')
				expectKey = v == '{'
			default:
				depth--
				inObject = inObject[:len(inObject)-1]
				expectKey = len(inObject) > 0 && inObject[len(inObject)-1]
			}
			continue
		case string:
			if expectKey {
				key = v
				if depth <= 2 {
					keys = append(keys, v)
					if f, ok := telling[v]; ok {
						return f
					}
				}
				expectKey = false
				continue
			}
			if key == "record" && depth == 1 && v == string(Own) {
				return Own
			}
		}
		expectKey = len(inObject) > 0 && inObject[len(inObject)-1]
	}
	if slices.Contains(keys, "content") && slices.Contains(keys, "id") {
		return Mem0
	}
	return ""
}

// lineByLine says whether a stream has an object in each line, and gives it with nothing taken off.
func lineByLine(r io.Reader) (bool, io.Reader) {
	in := bufio.NewReaderSize(r, peeked)
	start, _ := in.Peek(peeked) // what is wrong with it reading will tell
	line, rest, more := bytes.Cut(bytes.TrimLeft(start, " \t\r\n"), []byte("\n"))
	var one map[string]json.RawMessage
	if json.Unmarshal(line, &one) != nil || one == nil {
		if end := bytes.TrimSpace(line); len(end) > 0 && bytes.IndexByte([]byte(",[{:"), end[len(end)-1]) >= 0 {
			return false, in // it goes on in the next line
		}
		return more && len(line) > 0 && line[0] == '{' && bytes.HasPrefix(bytes.TrimSpace(rest), []byte(`{"`)), in
	}
	for _, list := range lists {
		if inner := bytes.TrimSpace(one[list]); len(inner) > 0 && inner[0] == '[' {
			return false, in
		}
	}
	return true, in
}
