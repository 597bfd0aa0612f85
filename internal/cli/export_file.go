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

// outFile is where a file is written to: behind links. The error is Conflict for one that is there, unless it is to be
// replaced. direct says that it is no file but a device or a pipe, which is written into.
func outFile(name string, replace bool) (target string, direct bool, err error) {
	target = name
	if resolved, err := filepath.EvalSymlinks(name); err == nil {
		target = resolved
	}
	info, err := os.Stat(target)
	switch {
	case err != nil: // nothing is there, or writing says what is wrong
		return target, false, nil
	case info.IsDir():
		return "", false, memory.Errorf(memory.InvalidArgument, "%s is a directory.", name).WithHint("Name a file in it.")
	case !info.Mode().IsRegular():
		return target, true, nil
	case !replace:
		return "", false, there(name)
	}
	return target, false, nil
}

// writeOut writes a file beside its place and puts it there once it is whole, readable by its owner alone: what is cut
// off leaves no half of it, and what was there stays until then.
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
		return memory.Errorf(memory.Unavailable, "%s cannot be written: %w.", name,
			err).WithHint("Name a file in a directory that this user may write, on a disk with room.")
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
	case errors.Is(err, fs.ErrExist): // somebody else's came meanwhile
		return there(name)
	case err != nil:
		return failed(err)
	}
	return nil
}

func there(name string) error {
	return memory.Errorf(memory.Conflict, "%s exists already, and is left as it is.",
		name).WithHint("Name another file, or add --force to replace this one.")
}
