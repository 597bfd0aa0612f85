package sessions

import (
	"encoding/json"
	"fmt"
	"strings"

	"memory-graph/internal/hooks"
)

// cursor reads the transcripts of Cursor: ~/.cursor/projects/DIRECTORY/agent-transcripts/SESSION/SESSION.jsonl. The
// lines have no times, no ids and no results of tools. Turns get the time of the file, and the number of the line as
// id.
type cursor struct {
	talk
	lines int
}

func (c *cursor) line(raw []byte) error {
	var e struct {
		Role    string `json:"role"`
		Message struct {
			Content json.RawMessage `json:"content"`
		} `json:"message"`
	}
	c.lines++
	if json.Unmarshal(raw, &e) != nil {
		return errBroken
	}
	s := said{Kept: hooks.Kept{Session: c.file.Session, Dir: c.file.Dir, ID: fmt.Sprint("line ", c.lines)}}
	s.id = c.file.Session + " " + s.ID
	s.Text = strings.TrimSpace(hooks.Text(e.Message.Content))
	switch e.Role {
	case "user":
		return c.prompt(s)
	case "assistant":
		c.says("", s)
		for _, p := range partsOf(e.Message.Content) {
			if p.Type == "tool_use" {
				c.answer = nil
			}
		}
	}
	return nil
}
