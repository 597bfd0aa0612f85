package vault

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"memory-graph/internal/memory"
)

// MarkdownFile is a file that Walk found.
type MarkdownFile struct {
	Path     string // with slashes, in the folder
	Modified time.Time
	Data     []byte
	TooLarge bool // it has more than 4 MiB, and Data is nil
}

// Walk visits the Markdown files of a folder, or one file. It passes over hidden files and folders, links, and the
// pages of a vault. It returns the folder's own path, absolute and without links.
func Walk(ctx context.Context, path string, visit func(MarkdownFile) error) (root string, err error) {
	return walk(ctx, path, func(f MarkdownFile) error {
		if kind, _ := Own(f.Data); kind != "" {
			return nil
		}
		return visit(f)
	})
}

// CountPages returns how many pages of a vault Walk passes over.
func CountPages(ctx context.Context, path string) (n int, err error) {
	_, err = walk(ctx, path, func(f MarkdownFile) error {
		if kind, _ := Own(f.Data); kind != "" {
			n++
		}
		return nil
	})
	return n, err
}

func walk(ctx context.Context, path string, visit func(MarkdownFile) error) (root string, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", memory.Errorf(memory.InvalidArgument, "Cannot read %s: %w.", path, memory.Reason(err)).
			WithHint("Name a folder or a file that this user can read.")
	}
	dir, only := path, ""
	if !info.IsDir() {
		dir, only = filepath.Split(path)
		if dir == "" {
			dir = "."
		}
	}
	d, err := openFolder(dir, false)
	if err != nil {
		return "", err
	}
	defer d.close()
	if root, err = filepath.Abs(dir); err == nil {
		root, err = filepath.EvalSymlinks(root)
	}
	if err != nil {
		return "", memory.Errorf(memory.InvalidArgument, "Cannot read %s: %w.", dir, memory.Reason(err))
	}
	one := func(file string) error {
		info, err := d.root.Stat(filepath.FromSlash(file))
		if err != nil {
			return d.failed("read", file, err)
		}
		data, ok, err := d.read(file)
		if err != nil {
			return err
		}
		f := MarkdownFile{Path: file, Modified: info.ModTime(), Data: data, TooLarge: !ok}
		if !ok {
			f.Data = nil
		}
		return visit(f)
	}
	if only != "" {
		return root, one(only)
	}
	return root, d.walk(ctx, one)
}

// IsMarkdown reports whether the name of a file is one of Markdown.
func IsMarkdown(name string) bool { return strings.EqualFold(filepath.Ext(name), ext) }
