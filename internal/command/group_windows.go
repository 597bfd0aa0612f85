package command

import (
	"os/exec"
	"strconv"
	"syscall"
)

const createNoWindow = 0x08000000

// group starts the command without a window.
func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: createNoWindow}
}

// killGroup kills the process and all processes that it started.
func killGroup(pid int) error {
	return exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(pid)).Run()
}
