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
	if f := detectOther(start); f != "" {
		return f, in, nil
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
			"Known formats: exports of memory-graph, memory.jsonl of the reference memory server, conversations.json of " +
				"Claude or ChatGPT (also in a zip), and what mem0, OpenMemory, basic-memory, mcp-memory-service, engram, " +
				"claude-mem, graphiti, Zep, Letta and cognee store or export. --format chooses one.")
}

// telling are the keys that occur in the outermost objects of only one format.
var telling = map[string]Format{
	"mapping": ChatGPT, "chat_messages": Claude, "entityType": Reference, "relationType": Reference, "memory": Mem0,
	"memories": Mem0, "results": Mem0,
}

// SQLite is the beginning of a database. DetectTables says whose it is.
const SQLite Format = "SQLite"

// detectOther recognises databases, notes, and files that are one JSON object with several lists.
func detectOther(start []byte) Format {
	if bytes.HasPrefix(start, []byte("SQLite format 3\x00")) {
		return SQLite
	}
	if head, _, ok := frontMatter(start); ok && head.text("permalink") != "" {
		return BasicMemory
	}
	_, keys := outermost(start, 1)
	has := func(names ...string) bool {
		for _, name := range names {
			if !slices.Contains(keys, name) {
				return false
			}
		}
		return true
	}
	switch {
	case has("export_metadata"):
		return MemoryService
	case has("sessions", "exported_at"), has("sessions", "observations"):
		return Engram
	case has("agents", "blocks"), has("core_memory", "messages"), has("agents", "mcp_servers"):
		return Letta
	case has("nodes") && bytes.Contains(start, []byte(`"topological_rank"`)), has("nodes") &&
		bytes.Contains(start, []byte(`"relationship_name"`)):
		return Cognee
	case has("nodes", "edges") && bytes.Contains(start, []byte(`"target"`)) && !bytes.Contains(start, []byte(`"uuid"`)) &&
		!bytes.Contains(start, []byte(`"uuid_"`)):
		return Cognee // as its server gives a graph
	case has("nodes", "edges"), has("nodes", "episodes"), has("episodes", "edges"), has("nodes") &&
		bytes.Contains(start, []byte(`"group_id"`)), has("episodes") && bytes.Contains(start, []byte(`"group_id"`)):
		return Graphiti
	}
	return ""
}

// detect looks for a telling key in the outermost objects, as far as the text is valid JSON.
func detect(text []byte) Format {
	f, keys := outermost(text, 2)
	if f == "" && slices.Contains(keys, "content") && slices.Contains(keys, "id") {
		return Mem0
	}
	return f
}

// outermost returns the keys of objects down to a depth, as far as the text is valid JSON. It stops at a telling key
// if the depth is 2.
func outermost(text []byte, most int) (Format, []string) {
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
				if depth <= most {
					keys = append(keys, v)
					if f, ok := telling[v]; ok && most > 1 {
						return f, keys
					}
				}
				expectKey = false
				continue
			}
			if key == "record" && depth == 1 && v == string(Own) {
				return Own, keys
			}
		}
		expectKey = len(inObject) > 0 && inObject[len(inObject)-1]
	}
	return "", keys
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
