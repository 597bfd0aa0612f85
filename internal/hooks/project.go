package hooks

import (
	"cmp"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// maxGitFile is how much of a file of git's is read, in bytes.
const maxGitFile = 1 << 18

// Project names the project that a directory belongs to: what the user called the repository (git config
// memory-graph.project NAME), else owner/name of its remote, else its folder's name; outside of repositories the
// directory's own. Folders below, and other work trees of the same repository, are the same project. The home directory
// and whatever is above it are none: "". git is not run.
func Project(dir, home string) string {
	if dir == "" || !filepath.IsAbs(dir) {
		return ""
	}
	dir = filepath.Clean(dir)
	if above(dir, home) {
		return ""
	}
	for at := dir; ; at = filepath.Dir(at) {
		if above(at, home) {
			break // a repository of the home directory's own files is no project
		}
		if common, ok := repository(at); ok {
			return named(common, at, 0)
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	return filepath.Base(dir)
}

// named names the repository whose own files are in common and whose work tree begins at root.
func named(common, root string, depth int) string {
	return readConfig(readSome(filepath.Join(common, "config"))).name(root, folderName(common, root), depth)
}

// name gives the first name that there is: the user's, the remote's, the folder's.
func (c gitConfig) name(root, folder string, depth int) string {
	if c.project != "" {
		return c.project
	}
	return cmp.Or(c.remoteName(root, depth), folder)
}

// above says whether a directory is the home directory or holds it.
func above(dir, home string) bool {
	if dir == filepath.Dir(dir) {
		return true // the root
	}
	if home == "" {
		return false
	}
	rel, err := filepath.Rel(dir, filepath.Clean(home))
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// repository gives the directory of git's own files if root is where a work tree begins: that of the main work tree,
// where there are several. https://git-scm.com/docs/gitrepository-layout
func repository(root string) (common string, ok bool) {
	at := filepath.Join(root, ".git")
	info, err := os.Stat(at)
	if err != nil {
		return "", false
	}
	if info.IsDir() {
		_, err := os.Stat(filepath.Join(at, "HEAD"))
		return at, err == nil
	}
	dir, ok := strings.CutPrefix(firstLine(string(readSome(at))), "gitdir:")
	if dir = strings.TrimSpace(dir); !ok || dir == "" {
		return "", false
	}
	dir = from(root, dir)
	if shared := firstLine(string(readSome(filepath.Join(dir, "commondir")))); shared != "" {
		return from(dir, shared), true
	}
	return dir, true
}

func from(dir, path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// folderName names a repository without a remote by the folder of its main work tree; a bare one by its own.
func folderName(common, root string) string {
	switch base := filepath.Base(common); {
	case base == ".git" || base == ".bare":
		return filepath.Base(filepath.Dir(common))
	case strings.HasSuffix(base, ".git") && base != ".git":
		return strings.TrimSuffix(base, ".git")
	}
	return filepath.Base(root) // a submodule
}

// readSome gives the beginning of a file; nil where it cannot be read.
func readSome(path string) []byte {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxGitFile))
	if err != nil {
		return nil
	}
	return data
}
