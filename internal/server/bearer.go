package server

import (
	"crypto/sha256"
	"crypto/subtle"
	"io/fs"
	"log/slog"
	"os"
	"sync"
)

// bearer knows the token of HTTP clients. If the token is in a file, a changed file takes effect with the next request.
type bearer struct {
	file string // "" for a configured token, which never changes
	log  *slog.Logger

	mu   sync.Mutex
	sum  [sha256.Size]byte // of the token
	seen os.FileInfo       // of the file when it was last read; nil for none
}

// newBearer returns a bearer for a configured token.
func newBearer(token string) *bearer { return &bearer{sum: sha256.Sum256([]byte(token))} }

// accepts reports whether a client showed the token. It takes equal time for all tokens.
func (b *bearer) accepts(token string) bool {
	want := b.current()
	got := sha256.Sum256([]byte(token))
	return subtle.ConstantTimeCompare(got[:], want[:]) == 1
}

// current returns the hash of the token. If the file is gone or holds no token, the last token stays.
func (b *bearer) current() [sha256.Size]byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.file == "" {
		return b.sum
	}
	if info, err := os.Stat(b.file); err == nil && !unchanged(b.seen, info) {
		b.seen = info // a file that cannot be used is not read again with every request
		if err := b.take(); err != nil {
			b.log.Warn("the token file changed and cannot be used; the previous token stays", "path", b.file, "error", err)
		} else {
			b.log.Info("the token file changed: only the new token is accepted", "path", b.file)
		}
	}
	return b.sum
}

// read reads the file for the first time.
func (b *bearer) read() (sum [sha256.Size]byte, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.seen, err = os.Stat(b.file); err == nil {
		err = b.take()
	}
	return b.sum, err
}

// take reads the token of the file.
func (b *bearer) take() error {
	token, err := readToken(b.file)
	if err == nil {
		b.sum = sha256.Sum256([]byte(token))
	}
	return err
}

// unchanged reports whether a file is the one that was seen before.
func unchanged(before, now fs.FileInfo) bool {
	return before != nil && os.SameFile(before, now) && before.ModTime().Equal(now.ModTime()) &&
		before.Size() == now.Size()
}
