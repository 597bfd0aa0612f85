package server

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// guardHTTP lets a request through to next only if it comes from this machine's own pages or from no page at all, knows
// the token, and is not too large: in this order, so that a web page cannot find out whether its guess was right. It
// reads nothing of the body, and closes the connection of whom it refuses: who has no token gets no second request.
func guardHTTP(next http.Handler, o HTTPOptions, token string) http.Handler {
	want := sha256.Sum256([]byte(token))
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w := newSteady(rw)
		defer w.extend() // for what is sent when the handler has returned
		if !hostAllowed(r, o.Public) {
			deny(w, http.StatusForbidden, "this Host is not served: use the address that the server listens on")
			return
		}
		if !originAllowed(r) {
			deny(w, http.StatusForbidden, "requests from web pages of other sites are not served")
			return
		}
		scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		got := sha256.Sum256([]byte(strings.TrimSpace(given))) // equal lengths, so that comparing takes equal time
		if !strings.EqualFold(scheme, "Bearer") || subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
			w.Header().Set("WWW-Authenticate", `Bearer realm="memory-graph"`)
			deny(w, http.StatusUnauthorized, "a bearer token is needed: the server printed at its start where it is kept")
			return
		}
		if v, ok := r.Context().Value(visitorKey{}).(*visitor); ok {
			v.greet()
		}
		if r.ContentLength > o.MaxBodyBytes {
			deny(w, http.StatusRequestEntityTooLarge, "the request body is too large")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// hostAllowed refuses names that are not this machine's: a page whose name was pointed at 127.0.0.1 behind the
// browser's back (DNS rebinding) carries its own name. A public server is asked by whatever name its proxy has; there
// the token that its owner chose, which no page knows, has to do.
func hostAllowed(r *http.Request, public bool) bool {
	return public || isLoopback(hostOnly(r.Host))
}

// originAllowed lets through what no browser sent, and pages of this machine or of the very host that is asked.
func originAllowed(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" {
		return false
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" { // "null" too: a sandboxed page
		return false
	}
	return isLoopback(u.Hostname()) && isLoopback(hostOnly(r.Host)) || strings.EqualFold(u.Host, r.Host)
}

// hostOnly takes the port off.
func hostOnly(addr string) string {
	if host, _, err := net.SplitHostPort(addr); err == nil {
		return host
	}
	return strings.Trim(addr, "[]")
}

// visitorKey holds the connection of a request.
type visitorKey struct{}

// deny answers with the errors of the tool contract and closes the connection. The answer goes out before any more of
// the body is read, and for the rest of the body there is little time.
func deny(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Connection", "close")
	w.WriteHeader(status)
	b, _ := json.Marshal(map[string]any{"error": map[string]string{"code": http.StatusText(status), "message": message}})
	_, _ = w.Write(b) // a client that has gone needs no answer
	control := http.NewResponseController(w)
	_ = control.Flush()                                         // as above
	_ = control.SetReadDeadline(time.Now().Add(refusedTimeout)) // as above
}
