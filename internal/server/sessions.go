package server

import (
	"container/list"
	"errors"
	"sync"
	"time"

	"github.com/google/uuid"
)

// Limits of the sessions of streamable HTTP. Each session costs some 10 KB.
const (
	mostSessions   = 1000
	sessionIdleTTL = 24 * time.Hour // hosts stay open overnight, and some do not initialize again after a 404
)

// errNoSession makes the transport answer 404, after which a client must initialize again.
var errNoSession = errors.New("no such session")

// sessions creates the ids of HTTP sessions and ends idle sessions, least recently used first: each after its idle
// time, and the oldest if there are too many. It does not end a session with a running request or stream; the limit on
// connections limits their number. It implements mcpserver.SessionIdManager. Unlike mcp-go's implementation, it forgets
// ended sessions.
type sessions struct {
	most int
	idle time.Duration
	now  func() time.Time
	end  func(id string) // frees the transport's state of a session; calls Terminate

	mu    sync.Mutex
	byID  map[string]*list.Element
	order *list.List // of *httpSession, least recently used first
}

type httpSession struct {
	id   string
	used time.Time
	busy int // running requests and streams
}

func newSessions(end func(id string)) *sessions {
	return &sessions{
		most: mostSessions, idle: sessionIdleTTL, now: time.Now, end: end,
		byID: map[string]*list.Element{}, order: list.New(),
	}
}

// Generate opens a session and returns its id.
func (s *sessions) Generate() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := "mcp-session-" + uuid.NewString()
	s.byID[id] = s.order.PushBack(&httpSession{id: id, used: s.now()})
	return id
}

// Validate returns an error for a session that is not open.
func (s *sessions) Validate(id string) (terminated bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byID[id] == nil {
		return false, errNoSession
	}
	return false, nil
}

// Terminate removes a session.
func (s *sessions) Terminate(id string) (notAllowed bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.byID[id]; e != nil {
		s.order.Remove(e)
		delete(s.byID, id)
	}
	return false, nil
}

// enter records that a request of a session begins; leave must follow. It returns false if the session is not open.
func (s *sessions) enter(id string) bool { return s.use(id, 1) }

// leave records that a request of a session has ended.
func (s *sessions) leave(id string) { s.use(id, -1) }

func (s *sessions) use(id string, requests int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.byID[id]
	if e == nil {
		return false
	}
	it := e.Value.(*httpSession)
	it.busy += requests
	it.used = s.now()
	s.order.MoveToBack(e)
	return true
}

// trim ends sessions that have been idle too long, and the oldest idle sessions until there is room for that many new
// ones.
func (s *sessions) trim(room int) {
	for _, id := range s.stale(room) {
		s.end(id)
	}
}

func (s *sessions) stale(room int) (ids []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	deadline, over := s.now().Add(-s.idle), len(s.byID)+room-s.most
	for e := s.order.Front(); e != nil; e = e.Next() {
		it := e.Value.(*httpSession)
		if over <= 0 && it.used.After(deadline) {
			break
		}
		if it.busy == 0 {
			ids = append(ids, it.id)
			over--
		}
	}
	return ids
}
