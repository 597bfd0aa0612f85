// Package socket lets a process that has a memory open answer others of the same machine: a hook, which lives for
// a moment, need not open the file and read models where a server has done so. It is a Unix socket in the
// directory of the database's spool, which only the user can enter; each end makes sure that the other is a
// process of the same user. Whoever finds nobody there, or gets no answer, opens the memory himself.
package socket

import (
	"context"
	"errors"
	"path/filepath"

	"memory-graph/internal/memory"
)

// ContextRequest asks what stands before a turn or at the beginning of a session.
type ContextRequest struct {
	Scope   memory.Scope `json:"scope"` // Namespace required
	Message string       `json:"message,omitempty"`
	Begins  bool         `json:"begins,omitempty"` // a session: Message is empty, and Source says how
	Source  string       `json:"source,omitempty"`
	Budget  int          `json:"budget"` // tokens
}

// Answer gives the text for a question, "" where there is none.
type Answer func(ctx context.Context, q ContextRequest) (string, error)

// Beside gives the path of the socket in a directory.
func Beside(dir string) string { return filepath.Join(dir, "socket") }

// protocol is the version of what goes over the socket: a program of another one is not understood, and not asked.
const protocol = 1

// request is a line of JSON; the connection ends with the reply to it.
type request struct {
	Protocol int            `json:"protocol"`
	WithinMS int64          `json:"within_ms"` // how long the asker waits
	Question ContextRequest `json:"question"`
}

type reply struct {
	Text  string `json:"text"`
	Error string `json:"error,omitempty"`
}

const (
	maxRequest = 8 << 20 // bytes; a message is at most a host's payload, and JSON may write a byte with six
	maxReply   = 4 << 20

	// maxPath is the longest path that a socket can have on every system, in bytes (104 with its end on macOS).
	maxPath = 103
)

// ErrTooLong is that a socket cannot have its path.
var ErrTooLong = errors.New("the path is too long for a socket")
