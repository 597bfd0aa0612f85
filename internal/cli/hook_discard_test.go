package cli

import (
	"io"
	"strings"
	"testing"
	"testing/synctest"
)

// A host may treat a failed write as a failure of the hook, so a hook that does nothing reads its payload, too. It does
// not wait for a host that never ends it.
func TestHook_ThatDoesNothingReadsThePayload(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		args, env []string
		stderr    string
	}{
		"off": {[]string{"hook", "claude-code", "Stop"}, []string{"MEMORY_GRAPH_OFF=1"},
			"MEMORY_GRAPH_OFF is set"},
		"invalid settings": {[]string{"hook", "claude-code", "Stop"}, []string{"MEMORY_GRAPH_MAX_HOPS=x"}, ""},
		"unknown host":     {[]string{"hook", "teapot", "Stop"}, nil, "no hooks for"},
		"unknown flag":     {[]string{"hook", "--teapot"}, nil, "unknown flag"},
	} {
		for _, ends := range []bool{true, false} {
			home := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				payload, host := io.Pipe()
				wrote := make(chan error, 1)
				go func() {
					_, err := host.Write(make([]byte, 1<<20))
					if ends {
						_ = host.Close() // never fails
					}
					wrote <- err
				}()
				var out, errs strings.Builder
				code := Run(t.Context(), row.args, append(row.env, "HOME="+home, "USERPROFILE="+home), payload, &out, &errs)
				_ = payload.Close() // never fails
				if err := <-wrote; err != nil || code != 0 || out.Len() > 0 {
					t.Errorf("%s, ends %v: the host's write: %v; code %d, %q", name, ends, err, code, &out)
				}
				if !strings.Contains(errs.String(), row.stderr) || row.stderr == "" && errs.Len() > 0 {
					t.Errorf("%s: stderr %q", name, &errs)
				}
			})
		}
	}
}
