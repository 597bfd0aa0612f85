package cli_test

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"memory-graph/internal/cli"
	"memory-graph/internal/waitfor"
)

// lockedBuffer is a buffer that a test can read while a command writes to it.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func TestServe_EndsCleanlyWhenTold(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, ready string
		args        []string
	}{
		{"stdio", "", nil},
		{"HTTP", "memory-graph listens on http://127.0.0.1:", []string{"serve", "--http", "127.0.0.1:0"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			env := []string{"HOME=" + home, "XDG_DATA_HOME=" + filepath.Join(home, "data"), "XDG_CACHE_HOME=" + cacheHome()}
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			stdin, held := io.Pipe() // a silent host
			defer held.Close()
			var stdout, stderr lockedBuffer
			code := make(chan int)
			go func() { code <- cli.Run(ctx, tt.args, env, stdin, &stdout, &stderr) }()
			waitfor.Until(t, "it says that it is ready", func() bool {
				select {
				case c := <-code:
					t.Fatalf("ended with %d before it was told to: %s", c, stderr.String())
				default:
				}
				return strings.Contains(stderr.String(), tt.ready)
			})
			stop()
			if c := <-code; c != 0 {
				t.Errorf("exit code %d: %s", c, stderr.String())
			}
			if stdout.String() != "" {
				t.Errorf("stdout = %q", stdout.String())
			}
		})
	}
}
