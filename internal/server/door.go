package server

import (
	"net"
	"sync"
	"time"
)

// door is a TCP listener that bounds the connections that are open. Whoever has shown the token goes before those who
// have not: a new connection takes the place of the oldest one that never showed it, or else of the one that has been
// idle longest, and is turned away only where all others are at work. It never blocks, so nobody waits for a place that
// an attacker holds.
type door struct {
	*net.TCPListener
	most int // connections in all
	each int // connections of one address beyond this machine

	mu   sync.Mutex
	open map[*visitor]struct{}
}

// visitor is a connection that came through a door.
type visitor struct {
	*net.TCPConn
	door *door
	host string // the other end's address without port

	// Guarded by door.mu.
	known   bool      // has shown the token
	working bool      // a request is being read or answered
	since   time.Time // arrival, or the end of the last request
}

func newDoor(lis *net.TCPListener, most int) *door {
	return &door{TCPListener: lis, most: most, each: max(1, most/2), open: map[*visitor]struct{}{}}
}

// Accept gives the next connection that gets a place.
func (d *door) Accept() (net.Conn, error) {
	for {
		c, err := d.AcceptTCP()
		if err != nil {
			return nil, err
		}
		v := &visitor{TCPConn: c, door: d, host: hostOnly(c.RemoteAddr().String()), working: true, since: time.Now()}
		out, ok := d.admit(v)
		if out != nil {
			_ = out.Close() // whatever fails: it is given up
		}
		if ok {
			return v, nil
		}
		_ = c.Close()
	}
}

// admit gives v a place. out is who lost its place for that and is to be closed; ok is false where nobody could.
func (d *door) admit(v *visitor) (out *visitor, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	neighbours := 0
	for other := range d.open {
		if other.host == v.host {
			neighbours++
		}
	}
	// All clients of this machine, and of a proxy on it, share one address.
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

// before says whether v loses its place before o does.
func (v *visitor) before(o *visitor) bool {
	if v.known != o.known {
		return !v.known
	}
	return v.since.Before(o.since)
}

// Close gives the place back.
func (v *visitor) Close() error {
	v.door.mu.Lock()
	delete(v.door.open, v)
	v.door.mu.Unlock()
	return v.TCPConn.Close()
}

// greet notes that v has shown the token.
func (v *visitor) greet() {
	v.door.mu.Lock()
	defer v.door.mu.Unlock()
	v.known = true
}

// work notes whether a request of v is under way.
func (v *visitor) work(on bool) {
	v.door.mu.Lock()
	defer v.door.mu.Unlock()
	if v.working && !on {
		v.since = time.Now()
	}
	v.working = on
}

// mostOpen bounds the connections of any server, however many files the system lets it open.
const mostOpen = 1024

// places gives how many connections may be open where the process may open files of them: half, so that the database,
// the log and the hooks' socket always find one.
func places(files uint64) int {
	return int(max(8, min(mostOpen, files/2)))
}
