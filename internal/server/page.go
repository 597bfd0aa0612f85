package server

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"memory-graph/internal/explorer"
)

// pageDoor lets browsers into the page of explore. A browser shows a key or the token once, and gets a cookie for it.
type pageDoor struct {
	token *bearer // for those who only read; nil for none
	https bool    // the cookie is only for connections with TLS

	mu     sync.Mutex
	secret []byte            // of the cookies of this process
	key    [sha256.Size]byte // of the one-time link; of no key after its use
	used   [sha256.Size]byte // of the one-time link after its use
	closed func()            // called when a used link closes the page; nil for none
}

// rights are what a browser may do.
type rights int

const (
	nothing rights = iota
	reads
	writes // as the user
)

func newPageDoor(token *bearer, https bool) *pageDoor {
	return &pageDoor{token: token, https: https, secret: randomBytes()}
}

func randomBytes() []byte {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // crypto/rand never fails
	return b
}

// newKey returns a key that opens the page once.
func (d *pageDoor) newKey() string {
	key := base64.RawURLEncoding.EncodeToString(randomBytes())
	d.mu.Lock()
	defer d.mu.Unlock()
	d.key = sha256.Sum256([]byte(key))
	return key
}

// cookieName differs for each port: a browser sends the cookies of a host to all of its ports.
func cookieName(r *http.Request) string {
	_, port, _ := strings.Cut(strings.TrimPrefix(r.Host, "["), "]:")
	if port == "" {
		_, port, _ = strings.Cut(r.Host, ":")
	}
	return "memory-graph-explore-" + port
}

// value returns the content of a cookie. A cookie is valid until the process ends, and a reader's cookie only until the
// token changes.
func (d *pageDoor) value(may rights) string {
	mac := hmac.New(sha256.New, d.secret)
	fmt.Fprint(mac, int(may))
	if may == reads {
		sum := d.token.current()
		mac.Write(sum[:])
	}
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// of returns the rights of the browser that sends a request. A request from another page has no rights, even if the
// page is on another port of this machine.
func (d *pageDoor) of(r *http.Request) rights {
	c, err := r.Cookie(cookieName(r))
	if err != nil || !ownPage(r) {
		return nothing
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, may := range []rights{writes, reads} {
		if may == reads && d.token == nil {
			continue
		}
		if subtle.ConstantTimeCompare([]byte(c.Value), []byte(d.value(may))) == 1 {
			return may
		}
	}
	return nothing
}

// ownPage reports whether no other page sends a request.
func ownPage(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
		return false
	}
	origin := r.Header.Get("Origin")
	return origin == "" || strings.EqualFold(origin, "http://"+r.Host) || strings.EqualFold(origin, "https://"+r.Host)
}

func (d *pageDoor) give(w http.ResponseWriter, r *http.Request, may rights) {
	http.SetCookie(w, &http.Cookie{Name: cookieName(r), Value: d.value(may), Path: "/", HttpOnly: true, Secure: d.https,
		SameSite: http.SameSiteStrictMode})
}

// pageKey is the parameter of the one-time link.
const pageKey = "key"

// enter answers a one-time link: the browser gets the cookie, and an address without the key. A link that is used again
// by another browser closes the page for both: somebody else has seen it.
func (d *pageDoor) enter(w http.ResponseWriter, r *http.Request) {
	explorer.Headers(w.Header())
	w.Header().Set("Cache-Control", "no-store")
	inside := d.of(r) == writes
	sum := sha256.Sum256([]byte(r.URL.Query().Get(pageKey)))
	d.mu.Lock()
	defer d.mu.Unlock()
	none := [sha256.Size]byte{}
	switch {
	case inside:
	case d.key != none && subtle.ConstantTimeCompare(sum[:], d.key[:]) == 1:
		d.used, d.key = d.key, none
		d.give(w, r, writes)
	case d.used != none && subtle.ConstantTimeCompare(sum[:], d.used[:]) == 1:
		d.secret, d.used = randomBytes(), none
		if d.closed != nil {
			d.closed()
		}
		http.Error(w, "This link was used before, so the page is now closed for everybody. If it was not you, somebody else "+
			"on this machine saw the link. Run memory-graph explore again.", http.StatusForbidden)
		return
	default:
		http.Error(w, "This link is not valid. Run memory-graph explore again.", http.StatusForbidden)
		return
	}
	http.Redirect(w, r, explorer.Base, http.StatusSeeOther)
}

// looks reports whether a request is only a preview or a prefetch of a link. Such a request must not use up a one-time
// link.
func looks(r *http.Request) bool {
	return r.Method != http.MethodGet || strings.Contains(r.Header.Get("Sec-Purpose"), "prefetch") ||
		r.Header.Get("Purpose") == "prefetch"
}

// signIn gives the cookie of a reader to a browser that showed the token in the Authorization header.
func (d *pageDoor) signIn(w http.ResponseWriter, r *http.Request) {
	explorer.Headers(w.Header())
	w.Header().Set("Cache-Control", "no-store")
	if r.Method != http.MethodPost || !ownPage(r) || r.Header.Get(pageHeader) == "" {
		deny(w, http.StatusForbidden, "only the page itself signs in")
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.give(w, r, reads)
	w.WriteHeader(http.StatusNoContent)
}

// pageHeader is a header that the page sends with every request that changes something. A form of another site cannot
// send it. A script of another site needs a preflight request, which is refused.
const pageHeader = "X-Memory-Graph"

// open reports whether a request needs no token: the files of the page hold no data.
func (d *pageDoor) open(r *http.Request) bool {
	return d != nil && (r.Method == http.MethodGet || r.Method == http.MethodHead) &&
		(r.URL.Path == strings.TrimSuffix(explorer.Base, "/") || strings.HasPrefix(r.URL.Path, explorer.Base))
}

// handle adds the page to mux. links reports whether one-time links lead to it.
func (d *pageDoor) handle(mux *http.ServeMux, links bool) error {
	files, err := explorer.Handler()
	if err != nil {
		return fmt.Errorf("serve %s: %w", explorer.Base, err)
	}
	mux.HandleFunc(explorer.Base, func(w http.ResponseWriter, r *http.Request) {
		if links && r.URL.Path == explorer.Base && r.URL.Query().Has(pageKey) {
			if looks(r) {
				http.Error(w, "This link opens once, and only in a browser that shows the page.", http.StatusForbidden)
				return
			}
			d.enter(w, r)
			return
		}
		files.ServeHTTP(w, r)
	})
	if !links {
		mux.HandleFunc(explorer.Base+"sign-in", d.signIn)
	}
	return nil
}

// rightsKey is the context key of a browser's rights.
type rightsKey struct{}

// mayWrite reports whether a request comes from a person at the page.
func mayWrite(ctx context.Context) bool {
	may, _ := ctx.Value(rightsKey{}).(rights)
	return may == writes
}
