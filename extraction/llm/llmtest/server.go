// Package llmtest provides a language model endpoint for tests. It is a real HTTP server that behaves like common
// endpoints, checks requests as strictly as the strictest of them, and can fail in the ways they fail. The test writes
// its answers, or keeps them in golden files: the server does not interpret texts.
package llmtest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// Model is the name of the server's model.
const Model = "test-model"

// Key is the key for profiles that need one.
const Key = "sk-test-of-nobody"

// Request is one request to the model, as received.
type Request struct {
	N      int    // from 1, over the life of the server
	Model  string // as requested
	Format string // "json_schema strict", "json_schema", "json_object" or "text"
	Name   string // name of the schema; "" without one
	System string
	User   string
	Quiet  bool   // reasoning is disabled, in a way that this profile reads
	Key    string // SHA-256 of model and messages; the name of golden files
	Body   map[string]any
	fault  Fault
}

// Answer returns the content of an answer; ok is false if the test has none, which fails the test.
type Answer func(q Request) (content string, ok bool)

// Server is an endpoint. Its methods are safe for concurrent use.
type Server struct {
	t       testing.TB
	profile Profile
	answer  Answer
	address string

	mu        sync.Mutex
	http      *httptest.Server // nil: stopped
	over      chan struct{}    // closed when the server stops
	questions []Request
	always    Fault
	next      []Fault
}

// New starts an endpoint with a profile. It stops at the end of the test.
func New(t testing.TB, p Profile, a Answer) *Server {
	t.Helper()
	s := &Server{t: t, profile: p, answer: a}
	s.start("127.0.0.1:0")
	s.address = s.http.Listener.Addr().String()
	t.Cleanup(s.Gone)
	return s
}

// start listens at an address.
func (s *Server) start(address string) {
	s.t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", address)
	if err != nil {
		s.t.Fatalf("llmtest: %v", err)
	}
	over := make(chan struct{})
	http := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter,
		r *http.Request) {
		s.serve(w, r, over)
	}))
	_ = http.Listener.Close()
	http.Listener = listener
	http.Start()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.http, s.over = http, over
}

// Gone stops the endpoint: its connections break, and new ones are refused.
func (s *Server) Gone() {
	s.mu.Lock()
	http, over := s.http, s.over
	s.http, s.over = nil, nil
	s.mu.Unlock()
	if http == nil {
		return
	}
	close(over)
	http.CloseClientConnections()
	http.Close()
}

// Back restarts a stopped endpoint at its old address.
func (s *Server) Back() {
	s.t.Helper()
	s.start(s.address)
}

// URL returns the address up to and including /v1.
func (s *Server) URL() string { return "http://" + s.address + "/v1" }

// Key returns the key that the profile requires, "" for none.
func (s *Server) Key() string {
	if s.profile.needsKey() {
		return Key
	}
	return ""
}

// Fail sets the fault of all later requests; None for none.
func (s *Server) Fail(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.always, s.next = f, nil
}

// FailNext sets the faults of the next requests, None for none. Later requests get the fault set by Fail.
func (s *Server) FailNext(faults ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next = append(s.next, faults...)
}

// Questions returns all readable requests so far, in order.
func (s *Server) Questions() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.questions...)
}

// Calls returns how many readable requests arrived.
func (s *Server) Calls() int { return len(s.Questions()) }

// take numbers a question and assigns it the next fault.
func (s *Server) take(q Request) Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	q.N, q.fault = len(s.questions)+1, s.always
	if len(s.next) > 0 {
		q.fault, s.next = s.next[0], s.next[1:]
	}
	s.questions = append(s.questions, q)
	return q
}

// serve answers one request: with its errors first, as endpoints do, then with the fault, then with the answer.
func (s *Server) serve(w http.ResponseWriter, r *http.Request, over <-chan struct{}) {
	if r.Method != http.MethodPost || r.URL.Path != "/v1/chat/completions" {
		s.t.Errorf("llmtest: asked for %s %s", r.Method, r.URL.Path)
		http.NotFound(w, r)
		return
	}
	for name := range r.Header {
		if strings.HasPrefix(name, "Openai-") {
			s.t.Errorf("llmtest: sent the header %s", name)
		}
	}
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client has gone
	}
	var body map[string]any
	if err := json.Unmarshal(raw, &body); err != nil {
		s.t.Errorf("llmtest: the request is not JSON: %v", err)
		refuse(w, http.StatusBadRequest, "the body is not JSON")
		return
	}
	q := s.take(s.profile.read(body))
	if sent := r.Header.Get("Authorization"); sent != "" && !s.profile.needsKey() {
		s.t.Errorf("llmtest: sent %q to an endpoint without a key", sent)
	} else if s.profile.needsKey() && sent != "Bearer "+Key {
		refuse(w, http.StatusUnauthorized, fmt.Sprintf("Incorrect API key provided: %s", strings.TrimPrefix(sent, "Bearer ")))
		return
	}
	if q.fault.before(s, w, r, over) {
		return
	}
	if status, why := s.profile.refuses(q); status != 0 {
		refuse(w, status, why)
		return
	}
	if why := q.fault.refusesForm(q); why != "" {
		refuse(w, http.StatusBadRequest, why)
		return
	}
	content, ok := s.answer(q)
	if !ok {
		s.t.Errorf("llmtest: no answer to question %d, %s:\n%s", q.N, q.Key, q.User)
		refuse(w, http.StatusInternalServerError, "the test has no answer")
		return
	}
	s.reply(w, q, content)
}

// refuse answers with an error in the most common form.
func refuse(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"message": message,
		"type": "invalid_request_error"}})
}

// reply answers with a completion, changed by the fault.
func (s *Server) reply(w http.ResponseWriter, q Request, content string) {
	message := map[string]any{"role": "assistant", "content": content, "refusal": nil}
	usage := map[string]any{"prompt_tokens": (len(q.System) + len(q.User)) / 4, "completion_tokens": len(content) / 4}
	out := map[string]any{
		"id": fmt.Sprintf("chatcmpl-%d", q.N), "object": "chat.completion", "created": 1, "model": q.Model, "usage": usage,
		"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": message}},
	}
	q.fault.bend(s.profile, q, out, message, usage)
	b, err := json.Marshal(out)
	if err != nil {
		s.t.Errorf("llmtest: %v", err)
		return
	}
	if q.fault == Reset {
		reset(s.t, w, b)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(b)
}
