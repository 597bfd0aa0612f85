package hooks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// maxTail is how much of a transcript's end is read, in bytes.
const maxTail = 1 << 20

// LastAnswer reads the assistant's last message from the end of a transcript, a file of JSON lines; "" where the end
// has none behind the user's last words. home stands for a leading ~.
func LastAnswer(path, home string) (string, error) {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && home != "" {
		path = filepath.Join(home, rest)
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("read the transcript: %w", err)
	}
	if !info.Mode().IsRegular() { // a pipe would wait for somebody to write
		return "", fmt.Errorf("the transcript %s is not a file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("read the transcript: %w", err)
	}
	defer f.Close()
	size := min(info.Size(), maxTail)
	tail := make([]byte, size)
	n, err := f.ReadAt(tail, info.Size()-size)
	if n == 0 && err != nil {
		return "", fmt.Errorf("read the transcript: %w", err)
	}
	return lastAnswer(tail[:n]), nil
}

// lastAnswer goes through lines from the last to the first. The first of a tail may be half a line, and the last one
// too while the host writes: neither is JSON then.
func lastAnswer(tail []byte) string {
	for len(tail) > 0 {
		i := bytes.LastIndexByte(tail, '\n')
		line := tail[i+1:]
		tail = tail[:max(i, 0)]
		var entry struct {
			Type      string `json:"type"`
			Sidechain bool   `json:"isSidechain"`
			Meta      bool   `json:"isMeta"`
			Message   struct {
				Content json.RawMessage `json:"content"`
			} `json:"message"`
		}
		if json.Unmarshal(line, &entry) != nil || entry.Meta || entry.Sidechain {
			continue
		}
		said := strings.TrimSpace(textOf(entry.Message.Content, 4))
		switch {
		case said == "":
		case entry.Type == "assistant":
			return said
		case entry.Type == "user":
			return ""
		}
	}
	return ""
}
