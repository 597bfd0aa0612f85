package server

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"
)

// mcp serves /mcp: it tracks sessions, limits streams and passes the request to mcp-go.
func (h *httpServer) mcp(w http.ResponseWriter, r *http.Request) {
	next := http.Handler(h.streamable)
	if !mcp.IsModernProtocol(r.Header.Get(mcp.HeaderProtocolVersion)) { // newer protocols have no sessions
		id := r.Header.Get(mcpserver.HeaderKeySessionID)
		h.sessions.trim(0)
		if h.sessions.enter(id) {
			defer h.sessions.leave(id)
		} else if r.Method == http.MethodGet { // mcp-go would open a session
			status, message := http.StatusNotFound, "this session has ended: initialize again"
			if id == "" {
				status, message = http.StatusBadRequest, "the header Mcp-Session-Id is missing: initialize first"
			}
			deny(w, status, message)
			return
		}
	}
	switch r.Method {
	case http.MethodPost:
		next = h.message(next)
	case http.MethodGet:
		next = h.stream(next)
	}
	next.ServeHTTP(w, r)
}

// bodies limits the time for bodies that no handler reads, such as that of a DELETE: the server waits for a body before
// it sends the answer. Only a POST has a body for its handler.
func (h *httpServer) bodies(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Body == http.NoBody:
		case r.Method == http.MethodPost:
			// as in readBody, which a handler calls
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(h.bodyTime))
		default:
			if _, status, problem := readBody(w, r, h.maxBody, h.bodyTime); status != 0 {
				deny(w, status, problem)
				return
			}
			r.Body = http.NoBody
		}
		next.ServeHTTP(w, r)
	})
}

// message reads a message before next does. It rejects messages that are not JSON-RPC or arrive too slowly.
func (h *httpServer) message(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, status, problem := readBody(w, r, h.maxBody, h.bodyTime)
		if status != 0 {
			deny(w, status, problem)
			return
		}
		e, bad := parseEnvelope(bytes.TrimSpace(body))
		if bad != nil {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			b, _ := json.Marshal(mcp.NewJSONRPCError(mcp.NewRequestId(e.id), bad.code, bad.text, nil))
			_, _ = w.Write(b) // a client that has gone needs no answer
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		switch mcp.MCPMethod(e.method) {
		case mcp.MethodInitialize:
			h.sessions.trim(1)
		case mcp.MethodSubscriptionsListen:
			h.stream(next).ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// stream answers with an event stream. It limits the number of open streams to half of the connections, and leaves the
// other half for requests that end.
func (h *httpServer) stream(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case h.streams <- struct{}{}:
			defer func() { <-h.streams }()
			next.ServeHTTP(w, r)
		default:
			w.Header().Set("Retry-After", "10")
			deny(w, http.StatusServiceUnavailable, "too many event streams are open: close one, or try again in 10 seconds")
		}
	})
}

// endSession makes the transport forget a session. The transport does so only on a client's request.
func (h *httpServer) endSession(id string) {
	header := http.Header{}
	header.Set(mcpserver.HeaderKeySessionID, id)
	h.streamable.Handle(nowhere{http.Header{}}, &mcpserver.HTTPRequest{Method: http.MethodDelete, Header: header})
}

// nowhere discards an answer.
type nowhere struct{ header http.Header }

func (n nowhere) Header() http.Header       { return n.header }
func (nowhere) WriteHeader(int)             {}
func (nowhere) Write(p []byte) (int, error) { return len(p), nil }
func (nowhere) Flush()                      {}
func (nowhere) CanStream() bool             { return false }
