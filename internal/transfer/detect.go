package transfer

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"

	"memory-graph/internal/memory"
)

// peeked is the number of bytes that detection looks at.
const peeked = 1 << 20

// Detect recognises the format of a stream by its beginning. It also returns a reader of the whole stream. The error is
// InvalidArgument if the stream is empty or the format unknown, and the context's if that ends the reading.
func Detect(r io.Reader) (Format, io.Reader, error) {
	in := bufio.NewReaderSize(r, peeked)
	start, err := in.Peek(peeked)
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return "", in, err
	}
	if err != nil && err != io.EOF && err != bufio.ErrBufferFull && len(start) == 0 {
		return "", in, broken(err) // errors further on are reported by the reader of the format
	}
	if len(bytes.TrimSpace(start)) == 0 {
		return "", in, memory.Errorf(memory.InvalidArgument,
			"The file is empty.").WithHint("Give an exported file.")
	}
	for line := range bytes.Lines(start) { // line by line, since the first line may be broken
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
	return "", in, memory.Errorf(memory.InvalidArgument, "The format of the file is not known.").
		WithHint(
			"Known formats: exports of memory-graph, memory.jsonl of the reference memory server, memories of mem0 or " +
				"OpenMemory, and conversations.json of Claude or ChatGPT (also in a zip). --format chooses one.")
}

// telling are the keys that occur in the outermost objects of only one format.
var telling = map[string]Format{
	"mapping": ChatGPT, "chat_messages": Claude, "entityType": Reference, "relationType": Reference, "memory": Mem0,
	"memories": Mem0, "results": Mem0,
}

// detect looks for a telling key in the outermost objects, as far as the text is valid JSON.
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

// lineByLine reports whether a stream has one object per line. It also returns a reader of the whole stream.
func lineByLine(r io.Reader) (bool, io.Reader) {
	in := bufio.NewReaderSize(r, peeked)
	start, _ := in.Peek(peeked) // errors are reported by the reader of the format
	line, rest, more := bytes.Cut(bytes.TrimLeft(start, " \t\r\n"), []byte("\n"))
	var one map[string]json.RawMessage
	if json.Unmarshal(line, &one) != nil || one == nil {
		if end := bytes.TrimSpace(line); len(end) > 0 && bytes.IndexByte([]byte(",[{:"), end[len(end)-1]) >= 0 {
			return false, in // the object continues on the next line
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
