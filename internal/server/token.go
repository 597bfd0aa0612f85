package server

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"memory-graph/internal/memory"
	"memory-graph/internal/safety/private"
)

// minTokenBytes is the minimum length of a token. A shorter one could be guessed.
const minTokenBytes = 16

// maxTokenFile is the maximum number of bytes to read from the token file.
const maxTokenFile = 64 << 10

// bearerToken returns the token for HTTP clients and a description, for a person, of where to find it. A configured
// token overrides the one in the token file. If the file does not exist, it is created with a token of 256 random bits
// and mode 0600.
func bearerToken(o HTTPOptions) (token, where string, err error) {
	if o.Token != "" {
		if len(o.Token) < minTokenBytes {
			return "", "", memory.Errorf(memory.InvalidArgument, "the configured token has %d characters; the minimum is %d.",
				len(o.Token), minTokenBytes).
				WithHint("Set MEMORY_GRAPH_TOKEN to random characters, such as the output of `openssl rand -hex 32`, " +
					"or leave it unset: the server then creates a token in the data directory.")
		}
		return o.Token, "as configured", nil
	}
	if o.TokenFile == "" {
		return "", "", memory.Errorf(memory.InvalidArgument,
			"no token is set, and there is no data directory to store one in.").
			WithHint("Set MEMORY_GRAPH_TOKEN.")
	}
	token, err = readToken(o.TokenFile)
	if errors.Is(err, fs.ErrNotExist) {
		if err = makeToken(o.TokenFile); err == nil {
			token, err = readToken(o.TokenFile) // ours, or the token of a process that was faster
		}
	}
	if err != nil {
		return "", "", memory.Errorf(memory.Unavailable, "cannot use the token file %s: %w.", o.TokenFile, err).
			WithHint("Set MEMORY_GRAPH_TOKEN, or delete the file and restart to create a new token.")
	}
	return token, "in " + o.TokenFile, nil
}

// readToken reads a token file and makes it readable for its owner only.
func readToken(path string) (string, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }() // nothing was written
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("it is %s, not a file", private.Kind(info.Mode()))
	}
	if info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		if err := f.Chmod(0o600); err != nil {
			return "", fmt.Errorf("other accounts can read it, and its mode cannot be changed: %w", err)
		}
	}
	b, err := io.ReadAll(io.LimitReader(f, maxTokenFile))
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(b))
	if len(token) < minTokenBytes || strings.ContainsAny(token, " \t\r\n") {
		return "", fmt.Errorf("it does not contain a token of at least %d characters", minTokenBytes)
	}
	return token, nil
}

// makeToken creates a token file atomically. It keeps a file that another process created meanwhile.
func makeToken(path string) error {
	secret := make([]byte, 32)
	if _, err := rand.Read(secret); err != nil {
		return fmt.Errorf("create a random token: %w", err)
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(dir, ".token-*") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.WriteString(base64.RawURLEncoding.EncodeToString(secret) + "\n")
	if err = errors.Join(err, tmp.Close()); err != nil {
		return err
	}
	if err := os.Link(tmp.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return os.Rename(tmp.Name(), path) // the file system has no links
	}
	return nil
}
