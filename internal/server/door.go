package server

import (
	"net"
	"sync"
	"time"
)

// door is a TCP listener that limits the number of open connections. Connections that showed the token take precedence.
// When the door is full, a new connection replaces the oldest one that never showed the token, or else the one that has
// been idle longest. It is rejected if all others are busy. Accept never waits for a place, so an attacker who holds
// places cannot block others.
type door struct {
	*net.TCPListener
	most int // maximum number of connections
	each int // maximum number of connections of one remote address

	mu   sync.Mutex
	open map[*visitor]struct{}
}

// visitor is a connection that a door accepted.
type visitor struct {
	*net.TCPConn
	door *door
	host string // the remote address without port

	// Guarded by door.mu.
	known   bool      // the connection has shown the token
	working bool      // a request is being read or answered
	since   time.Time // arrival, or the end of the last request
}

func newDoor(lis *net.TCPListener, most int) *door {
	return &door{TCPListener: lis, most: most, each: max(1, most/2), open: map[*visitor]struct{}{}}
}

// Accept returns the next connection that gets a place.
func (d *door) Accept() (net.Conn, error) {
	for {
		c, err := d.AcceptTCP()
		if err != nil {
			return nil, err
		}
		v := &visitor{TCPConn: c, door: d, host: hostOnly(c.RemoteAddr().String()), working: true, since: time.Now()}
		out, ok := d.admit(v)
		if out != nil {
			_ = out.Close() // the connection is abandoned, so an error does not matter
		}
		if ok {
			return v, nil
		}
		_ = c.Close()
	}
}

// admit adds v. out is the connection that v replaced, to be closed, or nil. ok is false if there is no place.
func (d *door) admit(v *visitor) (out *visitor, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	neighbours := 0
	for other := range d.open {
		if other.host == v.host {
			neighbours++
		}
	}
	// All clients on this machine, and all clients of a proxy on it, share one address.
	crowded := neighbours >= d.each && !isLoopback(v.host)
	if crowded || len(d.open) >= d.most {
		for other := range d.open {
			if crowded && other.host != v.host || other.known && other.working {
				continue
			}
			if out == nil || other.before(out) {
				out = other
			}
		}
		if out == nil {
			return nil, false
		}
		delete(d.open, out)
	}
	d.open[v] = struct{}{}
	return out, true
}

// before reports whether v is replaced before o.
func (v *visitor) before(o *visitor) bool {
	if v.known != o.known {
		return !v.known
	}
	return v.since.Before(o.since)
}

// Close closes the connection and frees its place.
func (v *visitor) Close() error {
	v.door.mu.Lock()
	delete(v.door.open, v)
	v.door.mu.Unlock()
	return v.TCPConn.Close()
}

// greet records that v has shown the token.
func (v *visitor) greet() {
	v.door.mu.Lock()
	defer v.door.mu.Unlock()
	v.known = true
}

// work records whether v has a running request.
func (v *visitor) work(on bool) {
	v.door.mu.Lock()
	defer v.door.mu.Unlock()
	if v.working && !on {
		v.since = time.Now()
	}
	v.working = on
}

// mostOpen limits the connections of any server, even if the system allows more open files.
const mostOpen = 1024

// places returns the maximum number of open connections for a process that may open this many files: half of them, so
// that the database, the log and the hooks' socket can still open files.
func places(files uint64) int {
	return int(max(8, min(mostOpen, files/2)))
}
