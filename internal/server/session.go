package server

import (
	"sync"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"
)

// session is the only client of a stdio connection. mcp-go's own session is a package variable that all servers of a
// process would share.
type session struct {
	notifications chan mcp.JSONRPCNotification
	initialized   atomic.Bool

	mu           sync.Mutex
	client       mcp.Implementation
	capabilities mcp.ClientCapabilities
	version      string
	filter       mcp.SubscriptionFilter
	subscribed   bool
}

var (
	_ mcpserver.SessionWithClientInfo         = (*session)(nil)
	_ mcpserver.SessionWithProtocolVersion    = (*session)(nil)
	_ mcpserver.SessionWithSubscriptionFilter = (*session)(nil)
)

func newSession() *session {
	return &session{notifications: make(chan mcp.JSONRPCNotification, 100)}
}

func (s *session) SessionID() string { return "stdio" }
func (s *session) Initialize()       { s.initialized.Store(true) }
func (s *session) Initialized() bool { return s.initialized.Load() }
func (s *session) NotificationChannel() chan<- mcp.JSONRPCNotification {
	return s.notifications
}

func (s *session) GetClientInfo() mcp.Implementation {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.client
}

func (s *session) SetClientInfo(info mcp.Implementation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.client = info
}

func (s *session) GetClientCapabilities() mcp.ClientCapabilities {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.capabilities
}

func (s *session) SetClientCapabilities(c mcp.ClientCapabilities) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.capabilities = c
}

func (s *session) ProtocolVersion() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.version
}

func (s *session) SetProtocolVersion(v string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version = v
}

func (s *session) SubscriptionFilter() (mcp.SubscriptionFilter, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.filter, s.subscribed
}

func (s *session) SetSubscriptionFilter(f mcp.SubscriptionFilter) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.filter, s.subscribed = f, !f.IsEmpty()
}
