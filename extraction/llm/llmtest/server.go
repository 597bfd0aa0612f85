// Package llmtest is a language model's endpoint for tests: a real HTTP server that behaves as the endpoints do that
// people run, checks what it is sent as strictly as the strictest of them, and fails in all the ways in which they
// fail. What it answers is written by the test, or kept in golden files: it never reads a text itself.
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

// Model is what the server's model is called.
const Model = "test-model"

// Key is what the profiles that need a key want to see.
const Key = "sk-test-of-nobody"

// Request is one request to the model, as it came.
type Request struct {
	N      int    // from 1, over the life of the server
	Model  string // as asked for
	Format string // "json_schema strict", "json_schema", "json_object" or "text"
	Name   string // of the schema; "" below json_schema
	System string
	User   string
	Quiet  bool   // it was asked not to reason, in a way that this profile reads
	Key    string // sha256 of model and messages, as golden files are named
	Body   map[string]any
	fault  Fault
}

// Answer gives the content of an answer; ok is false where the test has none, which fails it.
type Answer func(q Request) (content string, ok bool)

// Server is an endpoint. Its methods are safe for concurrent use.
type Server struct {
	t       testing.TB
	profile Profile
	answer  Answer
	address string

	mu        sync.Mutex
	http      *httptest.Server // nil: gone
	over      chan struct{}    // closed when it goes
	questions []Request
	always    Fault
	next      []Fault
}

// New starts an endpoint of a profile, which ends with the test.
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

// Gone lets the endpoint disappear: its connections break, and nobody listens.
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

// Back lets an endpoint that is gone listen again, where it did.
func (s *Server) Back() {
	s.t.Helper()
	s.start(s.address)
}

// URL is the address up to and with /v1.
func (s *Server) URL() string { return "http://" + s.address + "/v1" }

// Key is the key that the profile asks for, "" for none.
func (s *Server) Key() string {
	if s.profile.needsKey() {
		return Key
	}
	return ""
}

// Fail lets every request from now on meet the fault; None heals.
func (s *Server) Fail(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.always, s.next = f, nil
}

// FailNext lets the next requests meet one fault each, None for none, and those after them what Fail says.
func (s *Server) FailNext(faults ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next = append(s.next, faults...)
}

// Questions gives all requests so far that could be read, in their order.
func (s *Server) Questions() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.questions...)
}

// Calls is how many requests came.
func (s *Server) Calls() int { return len(s.Questions()) }

// take numbers a question and gives it the fault that is due.
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

// serve answers one request: what is wrong with it first, as endpoints do, then the fault, then the answer.
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

// refuse answers with an error as most endpoints word it.
func refuse(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"message": message,
		"type": "invalid_request_error"}})
}

// reply answers with a completion, bent by the fault.
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
