package cli

import (
	"errors"
	"io"
	"syscall"

	"memory-graph/internal/memory"
)

// output is stdout. It remembers the first error, so that no command needs to check each write.
type output struct {
	io.Writer
	failed error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	if o.failed == nil {
		o.failed = err
	}
	return n, err
}

// check returns the error of a command: that of its output if there is one. A reader that closes the pipe early, such
// as head, is no error.
func (o *output) check(err error) error {
	if o.failed == nil || errors.Is(o.failed, syscall.EPIPE) {
		return err
	}
	return memory.Errorf(memory.Unavailable, "Cannot write the output: %w.", memory.Reason(o.failed))
}
