package vault

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"memory-graph/internal/memory"
)

// Bounds of a folder that is read.
const (
	mostFiles = 500_000
	pageBytes = 4 << 20 // of one page
)

// folder is a vault on disk. Nothing outside of it is read or written, whatever links it has.
type folder struct {
	root *os.Root
	path string
}

// openFolder opens a folder; with create it makes it.
func openFolder(dir string, create bool) (*folder, error) {
	if create {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, memory.Errorf(memory.InvalidArgument, "Cannot make the folder %s: %w.", dir, memory.Reason(err)).
				WithHint("Name a folder that this user can write to.")
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, memory.Errorf(memory.InvalidArgument, "Cannot open the folder %s: %w.", dir, memory.Reason(err)).
			WithHint("Name a folder that this user can read.")
	}
	return &folder{root, dir}, nil
}

func (d *folder) close() { _ = d.root.Close() }

// walk visits the Markdown files of a folder by their paths with slashes. It passes over hidden files and folders and
// links.
func (d *folder) walk(ctx context.Context, visit func(file string) error) error {
	files := 0
	err := fs.WalkDir(d.root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return err
		case name != "." && strings.HasPrefix(e.Name(), "."):
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		case !e.Type().IsRegular() || !strings.EqualFold(path.Ext(name), ext):
			return nil
		}
		if files++; files > mostFiles {
			return memory.Errorf(memory.InvalidArgument, "%s has more than %d Markdown files.", d.path, mostFiles).
				WithHint("Name a smaller folder.")
		}
		return visit(name)
	})
	var own *memory.Error
	if err != nil && !errors.As(err, &own) && ctx.Err() == nil {
		err = memory.Errorf(memory.InvalidArgument, "The folder %s cannot be read: %w.", d.path, memory.Reason(err))
	}
	return err
}

// link returns the first part of a path that is a link, "" for none.
func (d *folder) link(file string) string {
	for i, c := range file + "/" {
		if c != '/' {
			continue
		}
		if info, err := d.root.Lstat(filepath.FromSlash(file[:i])); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return file[:i]
		}
	}
	return ""
}

// hashOf returns the hash of the file at a path, "" if there is none.
func (d *folder) hashOf(file string) (string, error) {
	f, err := d.root.Open(filepath.FromSlash(file))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", d.failed("read", file, err)
	}
	defer func() { _ = f.Close() }() // opened read-only
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", d.failed("read", file, err)
	}
	return hex.EncodeToString(h.Sum(nil)[:hashBytes]), nil
}

// hashBytes is the number of bytes of a SHA-256 that identify the content of a page.
const hashBytes = 16

func hashed(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:hashBytes])
}

// read returns the content of a page. ok is false if it is larger than a page may be.
func (d *folder) read(file string) (data []byte, ok bool, err error) {
	f, err := d.root.Open(filepath.FromSlash(file))
	if err != nil {
		return nil, false, d.failed("read", file, err)
	}
	defer func() { _ = f.Close() }() // opened read-only
	data, err = io.ReadAll(io.LimitReader(f, pageBytes+1))
	if err != nil {
		return nil, false, d.failed("read", file, err)
	}
	return data, len(data) <= pageBytes, nil
}

// write puts a file in its place in one step, so that nobody sees a part of it.
func (d *folder) write(file string, write func(io.Writer) error) (err error) {
	name := filepath.FromSlash(file)
	if err := d.root.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return d.failed("write", file, err)
	}
	part := filepath.Join(filepath.Dir(name), ".memory-graph-"+hashed([]byte(file))[:12]+".part")
	f, err := d.root.OpenFile(part, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return d.failed("write", file, err)
	}
	if err = errors.Join(write(f), f.Close()); err == nil {
		err = d.root.Rename(part, name)
	}
	if err != nil {
		_ = d.root.Remove(part) // report the first error
		return d.failed("write", file, err)
	}
	return nil
}

func (d *folder) remove(file string) error {
	err := d.root.Remove(filepath.FromSlash(file))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return d.failed("remove", file, err)
	}
	return nil
}

func (d *folder) failed(what, file string, err error) error {
	var own *memory.Error
	if errors.As(err, &own) || errors.Is(err, context.Canceled) {
		return err
	}
	if link := d.link(file); link != "" {
		return memory.Errorf(memory.Conflict, "%s is a link, and links are not followed.", filepath.Join(d.path, link)).
			WithHint("Put what it leads to in its place, or name another folder.")
	}
	return memory.Errorf(memory.Unavailable, "Cannot %s %s: %w.", what, filepath.Join(d.path, filepath.FromSlash(file)),
		memory.Reason(err)).WithHint("Check the permissions of the folder and the free space of its disk.")
}

// local reports whether a path of a manifest is one of a page: inside of the folder, and not hidden.
func local(file string) bool {
	if !filepath.IsLocal(filepath.FromSlash(file)) || path.Clean(file) != file || !strings.HasSuffix(file, ext) ||
		strings.ContainsAny(file, "\\\x00") {
		return false
	}
	for part := range strings.SplitSeq(file, "/") {
		if strings.HasPrefix(part, ".") {
			return false
		}
	}
	return true
}

// listed names the first few of a list.
func listed(names []string) string {
	const most = 5
	text := strings.Join(names[:min(len(names), most)], ", ")
	if more := len(names) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
