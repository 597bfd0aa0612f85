//go:build unix

package cli

import (
	"os/exec"
	"syscall"
)

// detach lets a process outlive the session and the group of this one, which a host may end.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
