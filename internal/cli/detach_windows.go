package cli

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// detach lets a process outlive the console and the group of this one, which a host may end.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true,
		CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP}
}
