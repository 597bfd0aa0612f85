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

// minTokenBytes is the shortest token that is taken: a shorter one could be guessed.
const minTokenBytes = 16

// maxTokenFile bounds what is read of the token file, in bytes.
const maxTokenFile = 64 << 10

// bearerToken gives the token of HTTP clients and, for a person, where to find it. A configured one wins; otherwise the
// one in the token file, which is made with 256 random bits and mode 0600 when it is not there.
func bearerToken(o HTTPOptions) (token, where string, err error) {
	if o.Token != "" {
		if len(o.Token) < minTokenBytes {
			return "", "", memory.Errorf(memory.InvalidArgument, "the configured token has %d characters and needs at least %d.",
				len(o.Token), minTokenBytes).
				WithHint("Set MEMORY_GRAPH_TOKEN to random characters, such as the output of `openssl rand -hex 32`, " +
					"or leave it unset to have a token made and kept in the data directory.")
		}
		return o.Token, "as configured", nil
	}
	if o.TokenFile == "" {
		return "", "", memory.Errorf(memory.InvalidArgument,
			"no token is set and there is no data directory to keep one in.").
			WithHint("Set MEMORY_GRAPH_TOKEN.")
	}
	token, err = readToken(o.TokenFile)
	if errors.Is(err, fs.ErrNotExist) {
		if err = makeToken(o.TokenFile); err == nil {
			token, err = readToken(o.TokenFile) // ours, or that of a process that was faster
		}
	}
	if err != nil {
		return "", "", memory.Errorf(memory.Unavailable, "the token file %s cannot be used: %w.", o.TokenFile, err).
			WithHint("Set MEMORY_GRAPH_TOKEN, or remove the file to have a new one made.")
	}
	return token, "in " + o.TokenFile, nil
}

// readToken reads a token file and takes away the rights of others to read it.
func readToken(path string) (string, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }() // it was only read
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("it is %s, not a file", private.Kind(info.Mode()))
	}
	if info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		if err := f.Chmod(0o600); err != nil {
			return "", fmt.Errorf("others may read it: %w", err)
		}
	}
	b, err := io.ReadAll(io.LimitReader(f, maxTokenFile))
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(b))
	if len(token) < minTokenBytes || strings.ContainsAny(token, " \t\r\n") {
		return "", fmt.Errorf("it holds no token of at least %d characters", minTokenBytes)
	}
	return token, nil
}

// makeToken writes a new token file, complete or not at all, and leaves one alone that another process made meanwhile.
func makeToken(path string) error {
	secret := make([]byte, 32)
	if _, err := rand.Read(secret); err != nil {
		return fmt.Errorf("draw a token: %w", err)
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
		return os.Rename(tmp.Name(), path) // a file system without links
	}
	return nil
}
