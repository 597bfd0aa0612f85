package server

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"memory-graph/internal/atomicfile"
	"memory-graph/internal/memory"
	"memory-graph/internal/safety/private"
)

// minTokenBytes is the minimum length of a token. A shorter one could be guessed.
const minTokenBytes = 16

// maxTokenFile is the maximum number of bytes to read from the token file.
const maxTokenFile = 64 << 10

// bearerToken returns the bearer for HTTP clients, and a description, for a person, of where to find the token. A
// configured token overrides the one in the token file. If the file does not exist, it is created with a token of 256
// random bits and mode 0600.
func bearerToken(o HTTPOptions, log *slog.Logger) (_ *bearer, where string, err error) {
	if o.Token != "" {
		if len(o.Token) < minTokenBytes {
			return nil, "", memory.Errorf(memory.InvalidArgument, "the configured token has %d characters; the minimum is %d.",
				len(o.Token), minTokenBytes).
				WithHint("Set MEMORY_GRAPH_TOKEN to random characters, such as the output of `openssl rand -hex 32`, " +
					"or leave it unset: the server then creates a token in the data directory.")
		}
		return newBearer(o.Token), "as configured", nil
	}
	if o.TokenFile == "" {
		return nil, "", memory.Errorf(memory.InvalidArgument,
			"no token is set, and there is no data directory to store one in.").
			WithHint("Set MEMORY_GRAPH_TOKEN.")
	}
	b := &bearer{file: o.TokenFile, log: log}
	_, err = b.read()
	if errors.Is(err, fs.ErrNotExist) {
		if err = makeToken(o.TokenFile, atomicfile.CreateNew); err == nil || errors.Is(err, fs.ErrExist) {
			_, err = b.read() // ours, or the token of a process that was faster
		}
	}
	if err != nil {
		return nil, "", tokenFileError(o.TokenFile, err)
	}
	return b, "in " + o.TokenFile, nil
}

func tokenFileError(path string, err error) error {
	return memory.Errorf(memory.Unavailable, "cannot use the token file %s: %w.", path, err).
		WithHint("Set MEMORY_GRAPH_TOKEN, or run `memory-graph token rotate` to create a new token.")
}

// ReadToken returns the token in a token file, and makes the file readable for its owner only. Errors: NotFound if
// there is no such file, Unavailable if it holds no token.
func ReadToken(path string) (string, error) {
	token, err := readToken(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", memory.Errorf(memory.NotFound, "There is no token at %s yet.", path).
			WithHint("The first start with --http creates it, and so does `memory-graph token rotate`.")
	}
	if err != nil {
		return "", tokenFileError(path, err)
	}
	return token, nil
}

// RotateToken replaces the token in a token file by a new one and returns it. Running servers that use the file accept
// only the new token from their next request on. The error is Unavailable if the file cannot be written.
func RotateToken(path string) (string, error) {
	if err := makeToken(path, atomicfile.Replace); err != nil {
		return "", memory.Errorf(memory.Unavailable, "cannot write the token file %s: %w.", path, memory.Reason(err)).
			WithHint("Make its directory writable for this user, or set MEMORY_GRAPH_TOKEN.")
	}
	return ReadToken(path)
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

// makeToken writes a token file of mode 0600 through place, which decides about an existing file.
func makeToken(path string, place func(string, func(*os.File) error) error) error {
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // crypto/rand never fails
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return place(path, func(f *os.File) error {
		_, err := f.WriteString(base64.RawURLEncoding.EncodeToString(secret) + "\n")
		return err
	})
}
