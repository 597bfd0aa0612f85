package hooks

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// maxGitFile is how much of a file of git's is read, in bytes.
const maxGitFile = 1 << 18

// Project names the project that a directory belongs to, as people call it: the name of the repository at its remote, else
// that of the repository's folder, else its own. Folders below, and other work trees of the same repository, are the same
// project. The home directory and whatever is above it are none: "". git is not run.
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
			if name := remoteName(readSome(filepath.Join(common, "config"))); name != "" {
				return name
			}
			return folderName(common, at)
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	return filepath.Base(dir)
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

// remoteName gives the name of the repository at its remote: origin, or the first where there is none of that name.
func remoteName(config []byte) string {
	remote, first := "", ""
	lines := bufio.NewScanner(bytes.NewReader(config))
	lines.Buffer(nil, maxGitFile+1)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "[") {
			remote = ""
			if name, ok := strings.CutPrefix(line, `[remote "`); ok {
				remote, _, _ = strings.Cut(name, `"`)
			}
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok || remote == "" || !strings.EqualFold(strings.TrimSpace(key), "url") {
			continue
		}
		name := lastSegment(strings.Trim(strings.TrimSpace(value), `"`))
		if name != "" && remote == "origin" {
			return name
		}
		if first == "" {
			first = name
		}
	}
	return first
}

// lastSegment gives the last part of a URL, a path or an scp-like address, without .git.
func lastSegment(url string) string {
	url, _, _ = strings.Cut(url, "?")
	url = strings.TrimRight(url, `/\`)
	url = strings.TrimRight(strings.TrimSuffix(url, "/.git"), `/\`)
	if i := strings.LastIndexAny(url, `/\:`); i >= 0 {
		url = url[i+1:]
	}
	return strings.TrimSuffix(url, ".git")
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
