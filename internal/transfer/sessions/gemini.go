package sessions

import (
	"context"
	"encoding/json"
	"io"
	"strings"

	"memory-graph/internal/hooks"
)

// gemini reads the sessions of Gemini CLI: ~/.gemini/tmp/PROJECT/chats/session-TIME-ID.jsonl. A line is the head of the
// session, a message, or a change of the session ($set), which may repeat messages with other times. The first
// occurrence of a message counts. Older versions write one JSON object with a list of messages.
type gemini struct {
	talk
	session  string
	subagent bool
	seen     map[string]bool // messages, and uses of tools
}

type geminiEntry struct {
	Session  string          `json:"sessionId"`
	Kind     string          `json:"kind"`
	Messages []geminiMessage `json:"messages"`
	Set      struct {
		Session  string          `json:"sessionId"`
		Messages []geminiMessage `json:"messages"`
	} `json:"$set"`
	geminiMessage
}

type geminiMessage struct {
	ID        string          `json:"id"`
	Timestamp string          `json:"timestamp"`
	Type      string          `json:"type"`
	Content   json.RawMessage `json:"content"`
	Shown     json.RawMessage `json:"displayContent"` // what the user typed, if Content has more
	Calls     []geminiCall    `json:"toolCalls"`
}

type geminiCall struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Args      json.RawMessage `json:"args"`
	Result    json.RawMessage `json:"result"`
	Shown     json.RawMessage `json:"resultDisplay"`
	Status    string          `json:"status"`
	Timestamp string          `json:"timestamp"`
}

func (g *gemini) line(raw []byte) error {
	var e geminiEntry
	if json.Unmarshal(raw, &e) != nil {
		return errBroken
	}
	if e.Session != "" {
		g.head(e.Session, e.Kind)
	}
	if e.Set.Session != "" {
		g.head(e.Set.Session, "")
	}
	for _, list := range [][]geminiMessage{e.Messages, e.Set.Messages, {e.geminiMessage}} {
		for _, m := range list {
			if err := g.said(m); err != nil {
				return err
			}
		}
	}
	return nil
}

func (g *gemini) head(session, kind string) {
	g.session, g.subagent = session, g.subagent || kind == "subagent"
}

// said reads a message. Messages of other types are the host's.
func (g *gemini) said(m geminiMessage) error {
	if g.subagent || g.session == "" || m.Type != "user" && m.Type != "gemini" {
		return nil
	}
	s := said{Kept: hooks.Kept{Session: g.session, Dir: g.file.Dir, ID: m.ID}, at: parseTime(m.Timestamp), id: m.ID}
	if content := m.Content; g.first("message", m.ID) {
		if len(m.Shown) > 0 {
			content = m.Shown
		}
		s.Text = strings.TrimSpace(hooks.Text(content))
		if m.Type == "user" {
			return g.prompt(s)
		}
		g.says(m.ID, s)
	}
	for _, c := range m.Calls {
		if !g.first("call", c.ID) {
			continue
		}
		s.Text, s.ID, s.id, s.Use = "", c.ID, c.ID, hooks.ToolUse{Name: c.Name, Input: c.Args}
		g.uses(c.ID, s)
		at := parseTime(c.Timestamp)
		if at.IsZero() {
			at = s.at
		}
		if err := g.result(c.ID, geminiOutput(c), c.Status == "error", at); err != nil {
			return err
		}
	}
	return nil
}

// geminiOutput returns the output of a tool as the hook gets it.
func geminiOutput(c geminiCall) json.RawMessage {
	var results []struct {
		Function struct {
			Response struct {
				Output json.RawMessage `json:"output"`
				Error  json.RawMessage `json:"error"`
			} `json:"response"`
		} `json:"functionResponse"`
	}
	if json.Unmarshal(c.Result, &results) == nil && len(results) > 0 {
		if out := results[0].Function.Response; len(out.Output) > 0 {
			return out.Output
		} else if len(out.Error) > 0 {
			return out.Error
		}
	}
	return c.Shown
}

// first reports whether something with an id comes for the first time.
func (g *gemini) first(what, id string) bool {
	if id == "" {
		return true
	}
	if g.seen == nil {
		g.seen = map[string]bool{}
	}
	key := what + ":" + id
	if g.seen[key] {
		return false
	}
	g.seen[key] = true
	return true
}

// readWhole reads a file that is one JSON object. It may have MaxLine bytes.
func (f File) readWhole(ctx context.Context, file io.Reader, r reader, skipped *Skipped, read func(int)) error {
	raw, err := io.ReadAll(io.LimitReader(file, MaxLine+1))
	if err == nil {
		err = ctx.Err()
	}
	read(int(f.Size))
	switch {
	case err != nil:
		return err
	case len(raw) > MaxLine:
		skipped.Long++
		return nil
	}
	if err = r.line(raw); err == errBroken {
		skipped.Broken++
		return nil
	}
	if err == nil {
		err = r.end()
	}
	return err
}
