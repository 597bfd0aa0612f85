// Package hooks parses the payloads of hooks, the commands that hosts run at events. It extracts the turn to remember
// and writes the answer in the host's format. Package cli connects it with the engine. The only files it reads are the
// transcript and the project's .git, to which a payload points.
package hooks

import (
	"time"

	"memory-graph/internal/memory"
)

// MaxPayload is the number of bytes of a payload that are read. It is several times the longest stored turn, and can be
// read well within a host's timeout. The rest of a longer payload is ignored.
const MaxPayload = 1 << 20

// Kind is the meaning of an event, independent of its name in the host.
type Kind string

// The kinds of events.
const (
	Prompt Kind = "prompt" // the user sent a message, which is about to be answered
	Tool   Kind = "tool"   // a tool was used
	Answer Kind = "answer" // the assistant has answered
	Start  Kind = "start"  // a session begins or continues
	Rest   Kind = "rest"   // the session ends or is about to be compacted: time to store what is left
	Other  Kind = ""       // unknown
)

// Event is a parsed payload.
type Event struct {
	Client string // by its id: "claude-code"
	Name   string // as the host spells it: "UserPromptSubmit"
	Kind   Kind

	Session string // the host's session id, which the agent also sees
	Dir     string // the agent's working directory, absolute; "" if unknown
	Inside  bool   // the host runs its hooks in the agent's working directory
	Source  string // of a Start: startup, resume (also for a fork), clear or compact

	Text       string // the user's own words in a Prompt, the assistant's in an Answer
	Speaker    string // the kind of agent, if it is a subagent
	Transcript string // path of the session's transcript, for hosts whose Answer may lack Text
	Use        ToolUse

	id    string // of the prompt, the turn or the tool use; "" if the host sends none
	inner bool   // from a subagent
	form  form
}

// ToolUse is one use of a tool.
type ToolUse struct {
	Name     string
	Input    []byte // JSON; nil if unknown
	Response []byte // JSON
	Failed   bool   // Response is the error
}

// Capture is the part of an event to remember.
type Capture struct {
	Role    memory.Role // user, assistant or tool
	Speaker string
	Text    string
	At      time.Time

	// Key identifies the turn across repeated deliveries; "" if the host sends no id.
	Key string
}
