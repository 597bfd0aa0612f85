package hooks

import (
	"io"
	"os"
	"path/filepath"
	"strings"
)

// maxGitFile is the number of bytes read of a git file.
const maxGitFile = 1 << 18

// NameSource records where the name of a project comes from.
type NameSource string

// The sources of names.
const (
	NoName        NameSource = ""
	FromGitConfig NameSource = "git config memory-graph.project"
	FromRemote    NameSource = "remote of the repository"
	FromFolder    NameSource = "folder of the repository"
	FromDirectory NameSource = "directory"
)

// Project returns the name of the project that a directory belongs to. In a repository it is the name that the user
// configured (git config memory-graph.project NAME), else owner/name of the remote, else the name of its folder.
// Outside of repositories it is the name of the directory. Subdirectories and other work trees of a repository have the
// same project. The home directory and its parents have none: "". Project does not run git.
func Project(dir, home string) string {
	name, _ := FindProject(dir, home)
	return name
}

// FindProject is Project with the source of the name.
func FindProject(dir, home string) (string, NameSource) {
	if dir == "" || !filepath.IsAbs(dir) {
		return "", NoName
	}
	dir = filepath.Clean(dir)
	if above(dir, home) {
		return "", NoName
	}
	for at := dir; ; at = filepath.Dir(at) {
		if above(at, home) {
			break // a repository of dotfiles in the home directory is not a project
		}
		if common, ok := repository(at); ok {
			return named(common, at, 0)
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	return filepath.Base(dir), FromDirectory
}

// named returns the name of the repository with the git directory common and the work tree root.
func named(common, root string, depth int) (string, NameSource) {
	return readConfig(readSome(filepath.Join(common, "config"))).name(root, folderName(common, root), depth)
}

// name returns the first name that exists: the user's, the remote's, the folder's.
func (c gitConfig) name(root, folder string, depth int) (string, NameSource) {
	if c.project != "" {
		return c.project, FromGitConfig
	}
	if remote := c.remoteName(root, depth); remote != "" {
		return remote, FromRemote
	}
	return folder, FromFolder
}

// above reports whether a directory is the home directory or contains it.
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

// repository returns the git directory if root is the root of a work tree. For an additional work tree it returns that
// of the main one. https://git-scm.com/docs/gitrepository-layout
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

// folderName names a repository after the folder of its main work tree; a bare one after its own folder.
func folderName(common, root string) string {
	switch base := filepath.Base(common); {
	case base == ".git" || base == ".bare":
		return filepath.Base(filepath.Dir(common))
	case strings.HasSuffix(base, ".git") && base != ".git":
		return strings.TrimSuffix(base, ".git")
	}
	return filepath.Base(root) // a submodule
}

// readSome returns the beginning of a file, or nil if it cannot be read.
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
