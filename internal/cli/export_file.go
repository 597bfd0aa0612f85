package cli

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"memory-graph/internal/atomicfile"
	"memory-graph/internal/memory"
)

// outFile returns the path to write, with links resolved. The error is Conflict if the file exists and replace is
// false. direct reports whether the target is a device or a pipe, which is written directly.
func outFile(name string, replace bool) (target string, direct bool, err error) {
	target = name
	if resolved, err := filepath.EvalSymlinks(name); err == nil {
		target = resolved
	}
	info, err := os.Stat(target)
	switch {
	case err != nil: // the file does not exist, or writing it will fail with the same error
		return target, false, nil
	case info.IsDir():
		return "", false, memory.Errorf(memory.InvalidArgument, "%s is a directory.", name).
			WithHint("Name a file in that directory.")
	case !info.Mode().IsRegular():
		return target, true, nil
	case !replace:
		return "", false, there(name)
	}
	return target, false, nil
}

// writeOut writes a temporary file and renames it when it is complete. Only the owner can read the file. An interrupted
// export therefore leaves no partial file, and keeps the old one.
func writeOut(name string, replace bool, write func(io.Writer) error) error {
	target, direct, err := outFile(name, replace)
	if err != nil {
		return err
	}
	failed := func(err error) error {
		var own *memory.Error
		if errors.As(err, &own) {
			return err
		}
		return memory.Errorf(memory.Unavailable, "Cannot write %s: %w.", name,
			err).WithHint("Name a file in a directory that this user can write to, on a disk with free space.")
	}
	if direct {
		f, err := os.OpenFile(target, os.O_WRONLY, 0)
		if err != nil {
			return failed(err)
		}
		if err := errors.Join(write(f), f.Close()); err != nil {
			return failed(err)
		}
		return nil
	}
	place := atomicfile.CreateNew
	if replace {
		place = atomicfile.Replace
	}
	switch err := place(target, func(f *os.File) error { return write(f) }); {
	case errors.Is(err, fs.ErrExist): // another program created it meanwhile
		return there(name)
	case err != nil:
		return failed(err)
	}
	return nil
}

func there(name string) error {
	return memory.Errorf(memory.Conflict, "%s already exists.",
		name).WithHint("Name another file, or add --force to overwrite this one.")
}
