package hooks

import "encoding/json"

// Kept is an entry of a file in which a host keeps a session.
type Kept struct {
	Client, Session, Dir string
	Kind                 Kind // Prompt, Answer or Tool

	// ID is the id that the host's hooks send with the same entry: of the prompt, the turn or the tool use. "" if the
	// file does not have it.
	ID   string
	Text string  // of a Prompt or an Answer
	Use  ToolUse // of a Tool
}

// Event returns the event that the host's hook would have brought. Both lead to the same turn with the same key.
func (k Kept) Event() Event {
	h, _ := find(k.Client)
	e := Event{Client: k.Client, Kind: k.Kind, Session: k.Session, Dir: absolute(k.Dir), Text: k.Text, Use: k.Use,
		id: k.ID}
	switch k.Kind {
	case Prompt:
		e.Text = h.words(k.Text)
	case Tool:
		e.Use.Input, e.Use.Response = unquoted(k.Use.Input), unquoted(k.Use.Response)
	}
	return e
}

// Text returns the text of a message: a string, or the joined strings and text blocks of a list. Images and other
// blocks are left out.
func Text(raw json.RawMessage) string { return textOf(raw, 4) }
