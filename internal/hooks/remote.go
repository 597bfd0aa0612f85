package hooks

import (
	"net/url"
	"path/filepath"
	"slices"
	"strings"
)

// maxClones is the maximal number of local clones to follow until one has a remote elsewhere.
const maxClones = 4

// remoteName names a repository after its remote: origin, or the first one if there is no origin. The name is the
// remote's path without the host: owner/name. So all URLs of a repository (ssh, https, host aliases) give the same
// name, and different repositories of the same name stay apart.
func (c gitConfig) remoteName(root string, depth int) string {
	for _, origin := range []bool{true, false} {
		for _, r := range c.remotes {
			if (r.name == "origin") != origin {
				continue
			}
			name := ""
			if dir, ok := localPath(r.url); ok {
				name = cloneName(from(root, dir), depth)
			} else {
				name = remotePath(r.url)
			}
			if name != "" {
				return name
			}
		}
	}
	return ""
}

// cloneName names a local repository that was cloned, so a clone of a clone has the same project. A directory that no
// longer exists is named after its folder.
func cloneName(dir string, depth int) string {
	dir = strings.TrimSuffix(dir, string(filepath.Separator)+".git")
	if depth < maxClones {
		for _, root := range []string{dir, dir + ".git"} {
			if common, ok := repository(root); ok {
				name, _ := named(common, root, depth+1)
				return name
			}
			if bare := readConfig(readSome(filepath.Join(root, "config"))); len(bare.remotes) > 0 || bare.project != "" {
				name, _ := bare.name(root, withoutGit(filepath.Base(root)), depth+1)
				return name
			}
		}
	}
	return withoutGit(filepath.Base(dir))
}

// localPath returns the directory of a remote on this machine.
func localPath(address string) (string, bool) {
	if rest, ok := strings.CutPrefix(address, "file://"); ok {
		if path, err := url.PathUnescape(rest); err == nil {
			return path, true
		}
		return rest, true
	}
	if strings.Contains(address, "://") {
		return "", false
	}
	colon, slash := strings.Index(address, ":"), strings.IndexAny(address, `/\`)
	drive := colon == 1 && slash == 2 // a Windows drive
	return address, colon < 0 || drive || slash >= 0 && slash < colon
}

// remotePath returns the path of a URL or an scp-like address, without .git and without parts that only some protocols
// of a host have.
func remotePath(address string) string {
	host, path := "", ""
	if _, rest, ok := strings.Cut(address, "://"); ok {
		host, path, _ = strings.Cut(rest, "/")
		path, _, _ = strings.Cut(path, "?")
	} else if host, path, ok = strings.Cut(address, ":"); !ok {
		return ""
	}
	if plain, err := url.PathUnescape(path); err == nil {
		path = plain
	}
	if _, after, ok := strings.Cut(host, "@"); ok {
		host = after
	}
	host, _, _ = strings.Cut(host, ":")
	parts := slices.DeleteFunc(strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' }),
		func(part string) bool { return part == ".git" || part == "_git" }) // Azure's https URLs have _git
	if len(parts) == 0 {
		return withoutGit(host) // a remote helper's form: codecommit::region://name
	}
	// Bitbucket's https URLs have scm, Azure's ssh URLs v3.
	if len(parts) > 2 && (parts[0] == "scm" || parts[0] == "v3" && strings.HasSuffix(host, "azure.com")) {
		parts = parts[1:]
	}
	parts[len(parts)-1] = withoutGit(parts[len(parts)-1])
	return strings.Join(parts, "/")
}

func withoutGit(name string) string { return strings.TrimSuffix(name, ".git") }
