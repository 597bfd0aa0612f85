package server

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// message is one line of stdin, or the error that ended reading.
type message struct {
	line    []byte
	tooLong bool // the line was skipped
	err     error
}

// readLines sends every line that is not blank, then closes out. It ends when the input or ctx ends. A blocked read
// ends only with the process, because it cannot be interrupted.
func readLines(ctx context.Context, r *bufio.Reader, most int, out chan<- message) {
	defer close(out)
	send := func(m message) bool {
		select {
		case out <- m:
			return true
		case <-ctx.Done():
			return false
		}
	}
	for {
		line, tooLong, err := readLine(r, most)
		line = bytes.TrimSpace(line)
		if (tooLong || len(line) > 0) && !send(message{line: line, tooLong: tooLong}) {
			return
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				send(message{err: err})
			}
			return
		}
	}
}

// readLine reads up to the next newline and keeps at most `most` bytes: an endless line must not fill the memory.
func readLine(r *bufio.Reader, most int) (line []byte, tooLong bool, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if !tooLong {
			line = append(line, part...)
			if len(bytes.TrimRight(line, "\r\n")) > most {
				line, tooLong = nil, true
			}
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, tooLong, err
		}
	}
}

// envelope holds the fields of a message that the transport needs.
type envelope struct {
	id     any // string or number; nil for a notification
	method string
	answer bool // the message is an answer to a request of the server
}

// fault is a JSON-RPC error for an invalid message.
type fault struct {
	code int
	text string
}

// parseEnvelope parses a message, without surrounding white space, as JSON-RPC 2.0
// (https://www.jsonrpc.org/specification). If the message is invalid, the envelope still has the id if it was readable.
func parseEnvelope(line []byte) (envelope, *fault) {
	if !json.Valid(line) {
		if id, deep := nestedID(line); deep {
			return envelope{id: id}, &fault{mcp.PARSE_ERROR,
				fmt.Sprintf("parse error: the message is nested deeper than %d levels", maxNesting)}
		}
		return envelope{}, &fault{mcp.PARSE_ERROR, "parse error: the message is not JSON"}
	}
	if line[0] == '[' {
		return envelope{}, &fault{mcp.INVALID_REQUEST,
			"invalid request: batches are not supported, send one message at a time"}
	}
	var raw struct {
		JSONRPC json.RawMessage `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Method  json.RawMessage `json:"method"`
		Result  json.RawMessage `json:"result"`
		Error   json.RawMessage `json:"error"`
	}
	if json.Unmarshal(line, &raw) != nil {
		return envelope{}, &fault{mcp.INVALID_REQUEST, "invalid request: the message is not an object"}
	}
	var e envelope
	if len(raw.ID) > 0 {
		if json.Unmarshal(raw.ID, &e.id) != nil {
			e.id = nil
		}
		if n, number := e.id.(float64); number && n == math.Trunc(n) {
			// an integer
		} else if _, text := e.id.(string); !text {
			return envelope{}, &fault{mcp.INVALID_REQUEST, "invalid request: id is neither a string nor an integer"}
		}
	}
	var version string
	if json.Unmarshal(raw.JSONRPC, &version) != nil || version != mcp.JSONRPC_VERSION {
		return e, &fault{mcp.INVALID_REQUEST, `invalid request: jsonrpc is not "2.0"`}
	}
	if len(raw.Method) == 0 {
		if e.answer = e.id != nil && (raw.Result != nil || raw.Error != nil); e.answer {
			return e, nil
		}
		return e, &fault{mcp.INVALID_REQUEST, "invalid request: method is missing"}
	}
	if json.Unmarshal(raw.Method, &e.method) != nil || e.method == "" {
		return e, &fault{mcp.INVALID_REQUEST, "invalid request: method is not a string"}
	}
	return e, nil
}

// wait waits until done is closed, for at most d.
func wait(done <-chan struct{}, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-done:
	case <-t.C:
	}
}
