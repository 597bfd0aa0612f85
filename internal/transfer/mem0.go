package transfer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"memory-graph/internal/memory"
)

// readMem0 reads memories of mem0 and OpenMemory: a list, an object that contains a list, or one memory per line.
func readMem0(ctx context.Context, r io.Reader, to Sink) error {
	lines, r := lineByLine(r)
	if !lines {
		return readElements(ctx, r, to, elements{each: mem0Memory,
			named: map[string]elementReader{"relations": mem0Relation}})
	}
	return Lines(ctx, r, to.Problem, func(number int, line []byte) error { return mem0Memory(number, line, to) })
}

// mem0Memory reads one memory.
func mem0Memory(line int, raw json.RawMessage, to Sink) error {
	fields, err := object(raw)
	if err != nil {
		to.Problem(line, WhyBroken(err))
		return nil
	}
	content := ""
	for _, key := range []string{"memory", "content", "text", "data"} {
		if s, ok := stringOf(fields[key]); ok && strings.TrimSpace(s) != "" {
			content = s
			break
		}
	}
	if content == "" {
		to.Problem(line, "a memory without a text (memory, content, text or data)")
		return nil
	}
	t := Message{Line: line, Kind: "memory", Role: memory.RoleAssistant, Content: content} // a model wrote it
	// the time of the text is that of its last change
	for _, key := range []string{"updated_at", "updatedAt", "created_at", "createdAt"} {
		s, ok := stringOf(fields[key])
		if !ok {
			var seconds int64
			if json.Unmarshal(fields[key], &seconds) == nil && seconds > 0 {
				s = fmt.Sprint(seconds)
			}
		}
		if s == "" {
			continue
		}
		var why string
		if t.At, why = mem0Time(s); why != "" {
			to.Note(line, why)
		}
		break
	}
	for _, key := range []string{"run_id", "session_id"} {
		if s, ok := stringOf(fields[key]); ok && s != "" {
			t.Session = sessionName(s, "")
			break
		}
	}
	if s, ok := stringOf(fields["user_id"]); ok {
		t.User = sessionName(s, "")
	}
	id, _ := stringOf(fields["id"])
	if id == "" {
		sum := sha256.Sum256([]byte(t.User + "\x00" + content))
		id = hex.EncodeToString(sum[:8])
	}
	t.Key = "mem0:" + id
	if state, _ := stringOf(fields["state"]); state == "deleted" || state == "archived" {
		return to.gone(t, PassedDeleted)
	}
	return to.Turn(t)
}

// mem0Relation reads one relation of mem0's graph memory.
func mem0Relation(line int, raw json.RawMessage, to Sink) error {
	fields, err := object(raw)
	if err != nil {
		to.Problem(line, "a relation: "+WhyBroken(err))
		return nil
	}
	var parts [3]string
	for i, names := range [][]string{{"source", "source_node"}, {"target", "destination", "destination_node"},
		{"relationship", "relation", "relation_type"}} {
		for _, name := range names {
			if s, ok := stringOf(fields[name]); ok && strings.TrimSpace(s) != "" {
				parts[i] = s
				break
			}
		}
		if parts[i] == "" {
			to.Problem(line, fmt.Sprintf("a relation whose %s is %s", names[0], show(fields[names[0]])))
			return nil
		}
	}
	if memory.Canonical(parts[0]) == memory.Canonical(parts[1]) {
		to.left(1, PassedStructure)
		return nil
	}
	return to.Relation(line, memory.ReferenceRelation{From: parts[0], To: parts[1], Type: parts[2]})
}

// mem0Time reads RFC 3339, or seconds since 1970.
func mem0Time(s string) (time.Time, string) {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && n > 0 && n < year10000 {
		return time.Unix(n, 0).UTC(), ""
	}
	return readTime(s)
}
