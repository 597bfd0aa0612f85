package server

import (
	"bytes"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"
)

// mcpPath is the path of streamable HTTP.
const mcpPath = "/mcp"

const noSessionHeader = "the header Mcp-Session-Id is missing: initialize first"

// mcp serves /mcp: it tracks sessions, limits streams and passes the request to mcp-go.
func (h *httpServer) mcp(w http.ResponseWriter, r *http.Request) {
	if status, problem := checkKind(w.Header(), r); status != 0 {
		deny(w, status, problem)
		return
	}
	next := http.Handler(h.streamable)
	if mcp.IsModernProtocol(r.Header.Get(mcp.HeaderProtocolVersion)) { // without sessions
		r.Header.Del(mcp.HeaderLastEventID) // the protocol ignores it, and mcp-go would reject the request
	} else {
		id := r.Header.Get(mcpserver.HeaderKeySessionID)
		h.sessions.trim(0)
		if h.sessions.enter(id) {
			defer h.sessions.leave(id)
		} else if r.Method == http.MethodGet || r.Method == http.MethodDelete { // mcp-go would open a session, or answer 200
			status, message := http.StatusNotFound, "this session has ended: initialize again"
			if id == "" {
				status, message = http.StatusBadRequest, noSessionHeader
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
			answerError(w, mcp.NewJSONRPCError(mcp.NewRequestId(e.id), bad.code, bad.text, nil))
			return
		}
		header, declared := r.Header.Get(mcp.HeaderProtocolVersion), declaredVersion(body)
		if wrong := unsupported(e, declared, header); wrong != nil {
			answerError(w, wrong)
			return
		}
		if !mcp.IsModernProtocol(max(header, declared)) && r.URL.Path == mcpPath &&
			r.Header.Get(mcpserver.HeaderKeySessionID) == "" && e.method != string(mcp.MethodInitialize) {
			deny(w, http.StatusBadRequest, noSessionHeader)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		switch mcp.MCPMethod(e.method) {
		case mcp.MethodResourcesRead, mcp.MethodPromptsGet:
			next = repaired(next, body)
		case mcp.MethodNotificationCancelled:
			if mcp.IsModernProtocol(header) { // it ends with its connection; mcp-go would end another client's request
				w.WriteHeader(http.StatusAccepted)
				return
			}
		case mcp.MethodInitialize:
			h.sessions.trim(1)
		case mcp.MethodSubscriptionsListen:
			h.stream(next).ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// answerError sends an error of the protocol, for a request that mcp-go does not see.
func answerError(w http.ResponseWriter, e any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	b, _ := json.Marshal(e) // always encodes
	_, _ = w.Write(b)       // a client that has gone needs no answer
}

// checkKind rejects a request to /mcp whose method, content type or Accept header the transport does not have. It
// accepts an Accept header that lacks one of the two types, because the answer to most requests is JSON.
func checkKind(out http.Header, r *http.Request) (status int, problem string) {
	answer := "application/json"
	switch r.Method {
	case http.MethodPost:
		kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
		if err != nil || kind != answer {
			return http.StatusUnsupportedMediaType, "the Content-Type must be application/json"
		}
	case http.MethodGet:
		answer = "text/event-stream"
	case http.MethodDelete:
		return 0, ""
	default:
		out.Set("Allow", "POST, GET, DELETE")
		return http.StatusMethodNotAllowed, "use POST; protocols before 2026-07-28 also have GET and DELETE"
	}
	if accepts(r.Header, answer) {
		return 0, ""
	}
	return http.StatusNotAcceptable, "the Accept header must contain application/json and text/event-stream"
}

// accepts reports whether the client takes answers of this type. A client without an Accept header takes all.
func accepts(h http.Header, kind string) bool {
	given := strings.Join(h.Values("Accept"), ",")
	if strings.TrimSpace(given) == "" {
		return true
	}
	major, _, _ := strings.Cut(kind, "/")
	for part := range strings.SplitSeq(given, ",") {
		got, parameters, err := mime.ParseMediaType(part)
		if err != nil {
			continue
		}
		if q, err := strconv.ParseFloat(parameters["q"], 64); err == nil && q == 0 {
			continue
		}
		if got == kind || got == major+"/*" || got == "*/*" {
			return true
		}
	}
	return false
}

// stream answers with an event stream. It limits the number of open streams to half of the connections, and leaves the
// other half for requests that end.
func (h *httpServer) stream(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case h.streams <- struct{}{}:
			defer func() { <-h.streams }()
			w.Header().Set("X-Accel-Buffering", "no") // proxies must pass each event on at once
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
