// Package socket lets a process that has the memory open answer other processes on the same machine. A hook is
// short-lived: it need not open the file and load models if a server has done so. The socket is a Unix socket in the
// directory of the database's spool, which only the user can enter. Each end checks that the other is a process of the
// same user. A client that gets no answer opens the memory itself.
package socket

import (
	"context"
	"errors"
	"path/filepath"

	"memory-graph/internal/memory"
)

// ContextRequest asks for the context of a turn or of the beginning of a session.
type ContextRequest struct {
	Scope   memory.Scope `json:"scope"` // Namespace required
	Message string       `json:"message,omitempty"`
	Begins  bool         `json:"begins,omitempty"` // a session; Message is empty, and Source is its kind
	Source  string       `json:"source,omitempty"`
	Budget  int          `json:"budget"` // tokens
}

// Answer returns the text for a question, "" for none.
type Answer func(ctx context.Context, q ContextRequest) (string, error)

// Beside returns the path of the socket in a directory.
func Beside(dir string) string { return filepath.Join(dir, "socket") }

// protocol is the version of the protocol. A server rejects requests of another version.
const protocol = 1

// request is one line of JSON. The connection ends after the reply.
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
	maxRequest = 8 << 20 // bytes; a message is at most a host's payload, and JSON may encode a byte as six
	maxReply   = 4 << 20

	// maxPath is the longest socket path that all systems support, in bytes (macOS: 104 with the final NUL).
	maxPath = 103
)

// ErrTooLong means that the path is too long for a socket.
var ErrTooLong = errors.New("the path is too long for a socket")
