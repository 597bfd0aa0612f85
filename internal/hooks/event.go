// Package hooks reads what hosts give to the commands that they run at events ("hooks"), says what of it is a turn to
// remember, and writes the answer in the host's form. It decides nothing about the memory: package cli puts it together
// with the engine. Besides the transcript and the project's .git, which a payload points to, it reads no files.
package hooks

import (
	"time"

	"memory-graph/internal/memory"
)

// MaxPayload is how much of a payload is looked at, in bytes: several times the longest turn that is stored, and what
// can be read in a part of the time that a host waits. What is longer is taken as far as it goes.
const MaxPayload = 1 << 20

// Kind says what an event means, whatever its host calls it.
type Kind string

// The kinds of events.
const (
	Prompt Kind = "prompt" // the user said something that is about to be answered
	Tool   Kind = "tool"   // a tool was used
	Answer Kind = "answer" // the assistant has answered
	Start  Kind = "start"  // a session begins or goes on
	Rest   Kind = "rest"   // a moment to store what is left over: the session ends, or is about to be compacted
	Other  Kind = ""       // nothing that is known
)

// Event is one payload of a host.
type Event struct {
	Client string // by its id: "claude-code"
	Name   string // as the host spells it: "UserPromptSubmit"
	Kind   Kind

	Session string // the host's own id, as the agent sees it too
	Dir     string // where the agent works: absolute; "" where the host does not say
	Source  string // of a Start: startup, resume (a fork too), clear or compact, in the hosts' common words

	Text       string // of a Prompt the user's own words, of an Answer what the assistant said
	Speaker    string // the kind of agent, where it is not the one that the user talks to
	Transcript string // path of the session's transcript, for the hosts that leave Text out of an Answer
	Use        ToolUse

	id    string // of the prompt, the turn or the tool's use; "" where the host gives none
	inner bool   // of an agent that works for the one that the user talks to
	form  form
}

// ToolUse is one use of a tool.
type ToolUse struct {
	Name     string
	Input    []byte // JSON; nil where it is not known
	Response []byte // JSON
	Failed   bool   // Response says why
}

// Capture is a turn that a hook takes from an event, to be remembered.
type Capture struct {
	Role    memory.Role // user, assistant or tool
	Speaker string
	Text    string
	At      time.Time

	// Key is the same for a repeated delivery of the turn and differs for any other turn; "" where the host gives nothing
	// to tell by.
	Key string
}
