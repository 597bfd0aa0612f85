package server

import (
	"errors"
	"io"
	"net/http"
	"os"
	"time"
)

// Time limits against clients that hold a connection without using it. There is none for whole answers: an event stream
// has no end.
const (
	readHeaderTimeout = 5 * time.Second
	bodyTimeout       = time.Minute            // from the end of the header to that of the body
	writeTimeout      = 30 * time.Second       // of each part of an answer, until the client has taken it
	refusedTimeout    = 500 * time.Millisecond // for a refused body, so that its sender reads the refusal before a reset
	idleTimeout       = 2 * time.Minute
)

// steady gives every write a deadline of its own, so that a stream may last for ever while its client reads.
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
	_ = s.control.SetWriteDeadline(time.Now().Add(writeTimeout)) // fails on a connection that is gone
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

// readBody reads a request body of at most `most` bytes within the limit. Where that fails, status says how to answer.
func readBody(w http.ResponseWriter, r *http.Request, most int64, limit time.Duration) (body []byte, status int,
	message string) {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(limit)) // fails on a connection that is gone, as reading does then
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	var tooLarge *http.MaxBytesError
	switch {
	case err == nil:
		_ = control.SetReadDeadline(time.Time{}) // else the connection counts as closed when the time is up
		return body, 0, ""
	case errors.As(err, &tooLarge):
		return nil, http.StatusRequestEntityTooLarge, "the request body is too large"
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, http.StatusRequestTimeout, "the request body took too long"
	default:
		return nil, http.StatusBadRequest, "the request body ended early"
	}
}
