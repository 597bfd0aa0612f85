package cli

import "golang.org/x/sys/unix"

// parentOf returns the id of a process's parent, 0 if it is unknown.
func parentOf(pid int) int {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return 0
	}
	return int(info.Eproc.Ppid)
}
