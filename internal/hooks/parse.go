package hooks

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

// Parse parses a payload. clientName is the id of a host, eventName the event in the host's hook settings. If the
// payload names another known event, that one is used. Even with an error, the event holds everything that could be
// read. The error describes the problem: an unknown host or event, or a payload that is empty, cut off or not JSON.
func Parse(clientName, eventName string, data []byte) (Event, error) {
	h, ok := find(clientName)
	if !ok {
		return Event{Client: clientName, Name: eventName},
			fmt.Errorf("there is no host %q with hooks: %s are known", clientName, strings.Join(Clients(), ", "))
	}
	p, err := readPayload(data)
	row, known := h.event(eventName)
	named := p.first([]string{"hook_event_name", "hookEventName", "agent_action_name"})
	if named != "" {
		if r, ok := h.event(named); ok {
			row, known = r, true
		}
	}
	if of := runs(h, p); of != "" {
		h, _ = find(of)
		if r, ok := h.event(named); ok {
			row = r
		} else if r, ok := h.means(row.kind); ok {
			row = r
		}
	}
	if !known {
		row = event{name: eventName, form: afterward}
		if err == nil {
			err = fmt.Errorf("%s has no known event %q; known events: %s", h.id, eventName, strings.Join(Events(h.id), ", "))
		}
		row.kind, row.text = guess(h, p)
	}
	return h.read(row, p), err
}

// runs returns the host that runs the hooks of another host h, according to the payload; "" if it is h itself.
func runs(h client, p payload) string {
	switch {
	case h.id != "cursor" && p.text("cursor_version") != "":
		return "cursor"
	case h.id == "claude-code" && p.text("hookEventName") != "":
		return "vscode"
	}
	return ""
}

// guess infers the kind of an unknown event from its fields, if they are unambiguous.
func guess(h client, p payload) (Kind, []string) {
	for _, e := range h.events {
		if e.kind == Answer && p.first(e.text) != "" && p.text("error") == "" { // after an error the text is the host's own
			return Answer, e.text
		}
	}
	switch {
	case p.text("tool_name") != "" && p.raw(h.result...) != nil:
		return Tool, nil
	case p.text("tool_name") == "" && p.text("prompt") != "":
		return Prompt, []string{"prompt"}
	}
	return Other, nil
}

// read extracts an event's fields from its payload.
func (h client) read(row event, p payload) Event {
	p = p.with(h.within)
	e := Event{Client: h.id, Name: row.name, Kind: row.kind, Inside: h.inside, form: row.form,
		Session: p.first(h.session), Dir: p.dir(), id: p.first(h.prompt)}
	if e.inner = p.text("agent_id") != "" || row.name == "SubagentStop"; e.inner {
		e.Speaker = p.text("agent_type")
	}
	switch row.kind {
	case Prompt:
		e.Text = h.words(p.first(row.text))
	case Answer:
		e.Text = p.first(row.text)
		if at := strings.LastIndex(e.Text, h.heading); h.heading != "" && at >= 0 {
			e.Text = e.Text[at+len(h.heading):]
		}
		if h.id == "claude-code" {
			e.Transcript = p.first([]string{"agent_transcript_path", "transcript_path"})
		}
	case Start:
		if e.Source = strings.ToLower(p.text("source")); e.Source == "fork" {
			e.Source = "resume" // the host still has the messages of the forked session
		}
	case Tool:
		e.Use = ToolUse{Name: p.text("tool_name"), Input: unquoted(p.raw("tool_input")),
			Response: unquoted(p.raw(h.result...)),
			Failed:   strings.HasSuffix(row.name, "Failure")}
		if id := p.text("tool_use_id"); id != "" {
			e.id = id
		}
	}
	return e
}

// unquoted decodes a string that holds JSON. Cursor passes the input and output of tools in this form.
func unquoted(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 || raw[0] != '"' {
		return raw
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return raw
	}
	if t := strings.TrimSpace(s); t != "" && (t[0] == '{' || t[0] == '[') && json.Valid([]byte(t)) {
		return json.RawMessage(t)
	}
	return raw
}

// drive matches Cursor's form of a Windows path with a drive: /c:/Users/…
var drive = regexp.MustCompile(`^/[A-Za-z]:`)

// dir returns the agent's working directory as an absolute path, or "".
func (p payload) dir() string {
	d := p.text("cwd")
	var roots []string
	if json.Unmarshal(p["workspace_roots"], &roots) == nil && len(roots) > 0 {
		d = clean(roots[0]) // Cursor's cwd is the directory of the tool
	}
	return absolute(d)
}

// absolute returns a host's path as a path of this system, or "" if it is not absolute.
func absolute(d string) string {
	if runtime.GOOS == "windows" && drive.MatchString(d) {
		d = d[1:]
	}
	if !filepath.IsAbs(d) {
		return ""
	}
	return filepath.Clean(d)
}
