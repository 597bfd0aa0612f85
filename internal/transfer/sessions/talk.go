package sessions

import (
	"time"

	"memory-graph/internal/hooks"
)

// openBytes bounds the inputs of tool uses that wait for their results, in bytes. The oldest are dropped.
const openBytes = MaxLine

// talk collects the entries of a session into the turns that hooks bring: a prompt, the last message of the assistant
// before the next prompt, and a tool use with its result.
type talk struct {
	host  string
	file  File
	visit func(Turn) error

	last    time.Time // of the newest turn with a time
	answer  *said
	message string // the id of the message that answer is
	open    []call
}

// said is an entry with its time and its id.
type said struct {
	hooks.Kept
	at time.Time
	id string
}

// call is a tool use without its result.
type call struct {
	id string
	said
}

func (t *talk) emit(s said) error {
	s.Client = t.host
	turn := Turn{Event: s.Event(), At: s.at, Dated: !s.at.IsZero(), ID: s.id}
	if turn.Dated {
		t.last = s.at
	} else {
		turn.At = t.about()
	}
	return t.visit(turn)
}

// about estimates the time of a turn without one: the time of the turn before it, else the beginning of the session,
// else the time of the file.
func (t *talk) about() time.Time {
	for _, at := range []time.Time{t.last, t.file.Began} {
		if !at.IsZero() && !at.After(t.file.Modified) { // nothing was said after the file was written
			return at
		}
	}
	return t.file.Modified
}

// prompt yields the user's message, after the answer to the previous one. A text that only the host wrote does not end
// the answer.
func (t *talk) prompt(s said) error {
	s.Kind, s.Client = hooks.Prompt, t.host
	if !s.Event().Spoken() {
		return nil
	}
	if err := t.end(); err != nil {
		return err
	}
	return t.emit(s)
}

// says handles a part of a message of the assistant. Only the last message before the next prompt is an answer.
func (t *talk) says(message string, s said) {
	if s.Text == "" {
		return
	}
	s.Kind = hooks.Answer
	if t.answer != nil && message != "" && t.message == message {
		t.answer.Text += "\n" + s.Text
		return
	}
	t.answer, t.message = &s, message
}

// uses handles a tool use. A message of the assistant before it is a remark, not an answer.
func (t *talk) uses(id string, s said) {
	t.answer = nil
	s.Kind = hooks.Tool
	t.open = append(t.open, call{id, s})
	size := 0
	for i := len(t.open) - 1; i >= 0; i-- {
		if size += len(t.open[i].Use.Input); size > openBytes {
			t.open = append([]call(nil), t.open[i+1:]...)
			return
		}
	}
}

// result yields a tool use with its result. A result without its use is left out.
func (t *talk) result(id string, response []byte, failed bool, at time.Time) error {
	c, ok := t.drop(id)
	if !ok {
		return nil
	}
	c.Use.Response, c.Use.Failed, c.at = response, failed, at
	return t.emit(c.said)
}

// drop forgets a tool use.
func (t *talk) drop(id string) (call, bool) {
	t.answer = nil
	for i, c := range t.open {
		if c.id == id {
			t.open = append(t.open[:i:i], t.open[i+1:]...)
			return c, true
		}
	}
	return call{}, false
}

// end yields the answer that waits.
func (t *talk) end() error {
	if t.answer == nil {
		return nil
	}
	s := *t.answer
	t.answer = nil
	return t.emit(s)
}
