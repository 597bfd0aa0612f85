package cli

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"syscall"
	"testing"
)

type broken struct{ err error }

func (b broken) Write([]byte) (int, error) { return 0, b.err }

func TestRun_SaysThatTheOutputCannotBeWritten(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		out  io.Writer
		exit int
		says string
	}{
		"full disk":   {broken{syscall.ENOSPC}, exitFailed, "Cannot write the output: no space left on device"},
		"other":       {broken{errors.New("gone")}, exitFailed, "Cannot write the output: gone"},
		"closed pipe": {broken{syscall.EPIPE}, exitDone, ""},
		"fine":        {io.Discard, exitDone, ""},
	} {
		var stderr bytes.Buffer
		exit := Run(t.Context(), []string{"config", "keys"}, []string{"HOME=" + t.TempDir()}, strings.NewReader(""), c.out,
			&stderr)
		if exit != c.exit || !strings.Contains(stderr.String(), c.says) || c.says == "" && stderr.Len() > 0 {
			t.Errorf("%s: exit %d, %s", name, exit, stderr.String())
		}
	}
}
