package cli

import (
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	"memory-graph/internal/config"
)

// maxHookLog is the size in bytes at which the log of hooks is rotated; one old file is kept.
const maxHookLog = 256 << 10

// newHookLog returns the log of hooks, hook.log in the data directory. The file is opened for the first line, so a hook
// without problems never touches it.
func newHookLog(p config.Paths) *slog.Logger {
	path := hookLogPath(p)
	if path == "" {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(slog.NewTextHandler(&hookLog{path: path}, &slog.HandlerOptions{Level: slog.LevelInfo}))
}

// hookLogPath returns the path of the log, or "" without a data directory.
func hookLogPath(p config.Paths) string {
	if p.Data == "" {
		return ""
	}
	return filepath.Join(p.Data, "hook.log")
}

// hookLog is a log file that is opened on the first write and rotated.
type hookLog struct {
	path string

	mu sync.Mutex
	f  *os.File
}

// Write appends a line. It ignores errors, since a hook has no other place to report them.
func (l *hookLog) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.f == nil {
		if info, err := os.Lstat(l.path); err == nil && info.Size() > maxHookLog {
			_ = os.Rename(l.path, l.path+".1") // if two processes rotate at once, the kept file is short
		}
		_ = os.MkdirAll(filepath.Dir(l.path), 0o700)
		// do not block on a named pipe
		f, err := os.OpenFile(l.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY|syscall.O_NONBLOCK, 0o600)
		if err != nil {
			return len(line), nil
		}
		l.f = f
	}
	_, _ = l.f.Write(line)
	return len(line), nil
}
