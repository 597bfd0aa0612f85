package cli

import (
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	"memory-graph/internal/config"
)

// maxHookLog is the size at which the hooks' log begins anew, in bytes; the one before it is kept.
const maxHookLog = 256 << 10

// newHookLog makes the log of hooks, which have no terminal and must not fail: hook.log in the data directory. The file
// is opened with the first line, so that a hook without trouble never touches it.
func newHookLog(p config.Paths) *slog.Logger {
	path := hookLogPath(p)
	if path == "" {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(slog.NewTextHandler(&hookLog{path: path}, &slog.HandlerOptions{Level: slog.LevelInfo}))
}

// hookLogPath gives the path of the log, "" where there is no place for one.
func hookLogPath(p config.Paths) string {
	if p.Data == "" {
		return ""
	}
	return filepath.Join(p.Data, "hook.log")
}

// hookLog is a file that is opened late and kept small.
type hookLog struct {
	path string

	mu sync.Mutex
	f  *os.File
}

// Write appends a line. A log that cannot be written is done without: there is nobody to tell.
func (l *hookLog) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.f == nil {
		if info, err := os.Lstat(l.path); err == nil && info.Size() > maxHookLog {
			_ = os.Rename(l.path, l.path+".1") // of two processes that do so the second keeps a short one
		}
		_ = os.MkdirAll(filepath.Dir(l.path), 0o700)
		// a pipe is not waited for
		f, err := os.OpenFile(l.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY|syscall.O_NONBLOCK, 0o600)
		if err != nil {
			return len(line), nil
		}
		l.f = f
	}
	_, _ = l.f.Write(line)
	return len(line), nil
}
