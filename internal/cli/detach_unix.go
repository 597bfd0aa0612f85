//go:build unix

package cli

import (
	"os/exec"
	"syscall"
)

// detach starts the process in a new session. A host may end the session and process group of this one.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
