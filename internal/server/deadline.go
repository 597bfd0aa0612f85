package server

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

// Time limits against clients that hold a connection without using it. Whole answers have no limit, because an event
// stream has no end.
const (
	readHeaderTimeout = 5 * time.Second
	bodyTimeout       = time.Minute      // from the end of the header to the end of the body
	writeTimeout      = 30 * time.Second // for each part of an answer
	// for the body of a rejected request, so that the client reads the answer before a reset
	refusedTimeout = 500 * time.Millisecond
	idleTimeout    = 2 * time.Minute
)

// steady sets a new deadline for every write, so a stream may last as long as its client reads.
type steady struct {
	http.ResponseWriter
	control *http.ResponseController
}

func newSteady(w http.ResponseWriter) *steady {
	s := &steady{w, http.NewResponseController(w)}
	s.extend()
	return s
}

func (s *steady) extend() {
	_ = s.control.SetWriteDeadline(time.Now().Add(writeTimeout)) // fails on a closed connection
}

func (s *steady) Write(p []byte) (int, error) {
	s.extend()
	return s.ResponseWriter.Write(p)
}

// Flush implements http.Flusher.
func (s *steady) Flush() {
	s.extend()
	_ = s.control.Flush() // as above
}

// Unwrap is for http.ResponseController.
func (s *steady) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// tooLargeBody is the message for a request body above the limit, in bytes.
func tooLargeBody(limit int64) string {
	return fmt.Sprintf("the request body is larger than %d bytes", limit)
}

// readBody reads a request body of at most `most` bytes within the limit. If that fails, status and message are the
// answer.
func readBody(w http.ResponseWriter, r *http.Request, most int64, limit time.Duration) (body []byte, status int,
	message string) {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(limit)) // fails on a closed connection, and so does reading
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	var tooLarge *http.MaxBytesError
	switch {
	case err == nil:
		_ = control.SetReadDeadline(time.Time{}) // otherwise the connection would count as closed at the deadline
		return body, 0, ""
	case errors.As(err, &tooLarge):
		return nil, http.StatusRequestEntityTooLarge, tooLargeBody(most)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, http.StatusRequestTimeout, fmt.Sprintf("the request body did not arrive within %s", limit)
	default:
		return nil, http.StatusBadRequest, "the request body is incomplete"
	}
}
