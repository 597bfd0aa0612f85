// Package explorer holds the page of `memory-graph explore`: its built files, and the headers under which a browser
// runs them. web/ is their source; scripts/explorer.sh builds dist/ from it. The page has no data of its own: it asks
// the HTTP interface of package server.
package explorer

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

//go:embed dist
var built embed.FS

// Base is the path below which the page is served.
const Base = "/explore/"

// policy forbids the page everything but its own files and requests to its own server. Stored text that would become
// markup could load and run nothing.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'; trusted-types explore"

// kinds are the media types of the built files. The page has no other files.
var kinds = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml",
}

// asset is one built file.
type asset struct {
	body []byte
	kind string
	tag  string
}

// appFile is the whole page as one file. It is for hosts, and is not served.
const appFile = "app.html"

// App returns the page as one HTML document, for hosts that show it beside a conversation. It asks its host, and
// nobody else.
func App() (string, error) {
	body, err := built.ReadFile("dist/" + appFile)
	return string(body), err
}

// Headers sets the headers under which a browser treats an answer as what it is, shows it in no frame, and tells no
// other site of it.
func Headers(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
}

// Handler serves the built files below Base.
func Handler() (http.Handler, error) {
	files := map[string]asset{}
	err := fs.WalkDir(built, "dist", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == appFile {
			return err
		}
		body, err := built.ReadFile(name)
		sum := sha256.Sum256(body)
		files[strings.TrimPrefix(name, "dist/")] = asset{body, kinds[path.Ext(name)],
			`"` + hex.EncodeToString(sum[:12]) + `"`}
		return err
	})
	if err != nil {
		return nil, err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		Headers(w.Header())
		name := strings.TrimPrefix(r.URL.Path, Base)
		if name == "" {
			name = "index.html"
		}
		file, ok := files[name]
		switch {
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "The page is only read.", http.StatusMethodNotAllowed)
			return
		case !ok || file.kind == "":
			http.Error(w, "There is nothing at this address.", http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", file.kind)
		w.Header().Set("Cache-Control", "no-cache") // asks each time, and is told that its copy is current
		w.Header().Set("ETag", file.tag)
		if r.Header.Get("If-None-Match") == file.tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		_, _ = w.Write(file.body) // a client that has gone needs no answer; net/http sends no body for HEAD
	}), nil
}
