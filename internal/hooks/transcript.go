package hooks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// maxTail is the number of bytes read from the end of a transcript.
const maxTail = 1 << 20

// LastAnswer returns the assistant's last message from the end of a transcript, a file of JSON lines. It returns "" if
// there is none after the user's last message. home replaces a leading ~.
func LastAnswer(path, home string) (string, error) {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && home != "" {
		path = filepath.Join(home, rest)
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("read the transcript: %w", err)
	}
	if !info.Mode().IsRegular() { // a pipe would block
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

// lastAnswer searches the lines from the last to the first. The first and the last line may be incomplete; then they
// are not JSON and are skipped.
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
