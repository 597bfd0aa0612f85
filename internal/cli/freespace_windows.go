package cli

import "golang.org/x/sys/windows"

// freeSpace returns the bytes that this user can still write on the disk of dir, or -1 if unknown.
func freeSpace(dir string) int64 {
	path, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return -1
	}
	var free uint64
	if err := windows.GetDiskFreeSpaceEx(path, &free, nil, nil); err != nil {
		return -1
	}
	return int64(free)
}
