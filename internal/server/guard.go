package server

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// guardHTTP passes a request to next only if it does not come from a web page of another site, has the token or the
// cookie of the page of explore, and is not too large. The files of that page need neither. With a nil token only the
// cookie counts. The checks run in this order, so a web page cannot find out whether it guessed the token. guardHTTP
// does not read the body. It closes the connection after a rejection.
func guardHTTP(next http.Handler, o HTTPOptions, token *bearer, page *pageDoor) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w := newSteady(rw)
		defer w.extend() // for the output that is sent after the handler returned
		if !hostAllowed(r, o.Public) {
			deny(w, http.StatusForbidden,
				"this Host header is not allowed: use the address that the server printed at its start")
			return
		}
		if !originAllowed(r) {
			deny(w, http.StatusForbidden, "requests from web pages of other sites are not allowed")
			return
		}
		may := nothing
		if !page.open(r) {
			if may = known(r, token, page); may == nothing {
				refuse(w, token)
				return
			}
			if v, ok := r.Context().Value(visitorKey{}).(*visitor); ok {
				v.greet()
			}
		}
		if r.ContentLength > o.MaxBodyBytes {
			deny(w, http.StatusRequestEntityTooLarge, tooLargeBody(o.MaxBodyBytes))
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), rightsKey{}, may)))
	})
}

// known returns the rights of a request's sender at the page. The token gives the right to read. The cookie is valid
// for the HTTP interface only, not for MCP.
func known(r *http.Request, token *bearer, page *pageDoor) rights {
	scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if token != nil && token.accepts(strings.TrimSpace(given)) && strings.EqualFold(scheme, "Bearer") {
		return reads
	}
	if page != nil && strings.HasPrefix(r.URL.Path, restBase+"/") {
		return page.of(r)
	}
	return nothing
}

func refuse(w http.ResponseWriter, token *bearer) {
	if token == nil {
		deny(w, http.StatusUnauthorized, "open the link that memory-graph explore printed, or run it again for a new one")
		return
	}
	w.Header().Set("WWW-Authenticate", `Bearer realm="memory-graph"`)
	deny(w, http.StatusUnauthorized,
		"send the bearer token in the Authorization header: the server printed at its start which file holds it")
}

// hostAllowed rejects host names that are not this machine's. A page whose name was redirected to 127.0.0.1 (DNS
// rebinding) sends its own name. A public server accepts any name, because a proxy may use any. There the token
// protects the server: its owner chose it, and no page knows it.
func hostAllowed(r *http.Request, public bool) bool {
	return public || isLoopback(hostOnly(r.Host))
}

// originAllowed accepts requests that no browser sent, and pages of this machine or of the requested host.
func originAllowed(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" {
		return false
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" { // also "null", which a sandboxed page sends
		return false
	}
	return isLoopback(u.Hostname()) && isLoopback(hostOnly(r.Host)) || strings.EqualFold(u.Host, r.Host)
}

// hostOnly removes the port.
func hostOnly(addr string) string {
	if host, _, err := net.SplitHostPort(addr); err == nil {
		return host
	}
	return strings.Trim(addr, "[]")
}

// visitorKey is the context key of a request's connection.
type visitorKey struct{}

// deny sends an error as JSON and closes the connection. It sends the answer before the rest of the body is read, and
// allows little time for that rest.
func deny(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Connection", "close")
	w.WriteHeader(status)
	code := strings.ToLower(strings.ReplaceAll(http.StatusText(status), " ", "_"))
	b, _ := json.Marshal(map[string]any{"error": map[string]string{"code": code, "message": message}})
	_, _ = w.Write(b) // a client that has gone needs no answer
	control := http.NewResponseController(w)
	_ = control.Flush()                                         // as above
	_ = control.SetReadDeadline(time.Now().Add(refusedTimeout)) // as above
}
