package cli

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"memory-graph/internal/memory"
	"memory-graph/internal/transfer"
)

// translate writes the memory in another format. lines is the number of entities, facts and turns.
func translate(ctx context.Context, o opened, to *transfer.Translator) (lines int, err error) {
	if _, err = o.Export(ctx, []string{o.cfg.Namespace}, to, nil); errors.Is(err, transfer.ErrEnough) {
		err = nil
	}
	if err == nil {
		err = to.Close()
	}
	return to.Written(), err
}

// checkOutDir fails if a directory has a file that the export would overwrite.
func checkOutDir(dir string, replace bool) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && !info.IsDir():
		return memory.Errorf(memory.InvalidArgument, "%s is not a directory.", dir).
			WithHint("--format csv writes several files, so --out names a directory.")
	case err != nil:
		return memory.Errorf(memory.Unavailable, "%s cannot be read: %w.", dir, memory.Reason(err)).
			WithHint("Name another directory.")
	}
	for _, name := range transfer.CSVFiles {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil && !replace {
			return there(filepath.Join(dir, name))
		}
	}
	return nil
}

// writeCSV writes the files of the CSV format into a directory. They appear when all are complete, and only their owner
// can read them.
func writeCSV(ctx context.Context, o opened, dir string) (lines int, err error) {
	failed := func(err error) error {
		return memory.Errorf(memory.Unavailable, "Cannot write %s: %w.", dir, memory.Reason(err)).
			WithHint("Name a directory that this user can write to, on a disk with free space.")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return 0, failed(err)
	}
	part, err := os.MkdirTemp(dir, ".export-*")
	if err != nil {
		return 0, failed(err)
	}
	defer func() { _ = os.RemoveAll(part) }() // empty, or left from a failure
	var buffers [len(transfer.CSVFiles)]*bufio.Writer
	var files []io.Closer
	closed := func() error {
		var errs []error
		for _, f := range files {
			errs = append(errs, f.Close())
		}
		files = nil
		return errors.Join(errs...)
	}
	defer func() { err = errors.Join(err, closed()) }()
	for i, name := range transfer.CSVFiles {
		f, err := os.OpenFile(filepath.Join(part, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return 0, failed(err)
		}
		files, buffers[i] = append(files, f), bufio.NewWriterSize(f, 1<<20)
	}
	if lines, err = translate(ctx, o, transfer.ToCSV(buffers[0], buffers[1], buffers[2])); err != nil {
		return lines, err
	}
	for _, b := range buffers {
		if err := b.Flush(); err != nil {
			return lines, failed(err)
		}
	}
	if err := closed(); err != nil {
		return lines, failed(err)
	}
	for _, name := range transfer.CSVFiles {
		if err := os.Rename(filepath.Join(part, name), filepath.Join(dir, name)); err != nil {
			return lines, failed(err)
		}
	}
	return lines, nil
}
