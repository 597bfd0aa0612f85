package cli

import (
	"path/filepath"
	"runtime"
	"strings"
)

// removesProgram returns the command that removes the program at path. The place tells which installer put it there.
func removesProgram(path string, exists func(string) bool) string {
	p := filepath.ToSlash(path)
	within := func(part string) bool { return strings.Contains(p, part) }
	bin := filepath.ToSlash(filepath.Dir(path))
	quoted := path
	if strings.ContainsAny(path, " \t'") {
		quoted = `"` + path + `"`
	}
	switch {
	case p == "/memory-graph" && exists("/data"):
		return "podman rmi IMAGE, and podman volume rm VOLUME for the volume at /data (or the same with docker)"
	case within("/_npx/"):
		return "npx installed nothing: its copy is in npm's cache (npm cache clean --force)"
	case within("/node_modules/"):
		root, _, _ := strings.Cut(p, "/node_modules/")
		name := npmPackage(p[len(root)+len("/node_modules/"):])
		if strings.HasSuffix(root, "/lib") || within("/npm/node_modules/") {
			return "npm uninstall --global " + name
		}
		return "npm uninstall --prefix " + root + " " + name
	case within("/pipx/venvs/"):
		return "pipx uninstall " + after(p, "/pipx/venvs/")
	case within("/uv/tools/"):
		return "uv tool uninstall " + after(p, "/uv/tools/")
	case within("/uv/archive-") || within("/uv/builds-"):
		return "uvx installed nothing: its copy is in uv's cache (uv cache clean)"
	case exists(filepath.Join(filepath.Dir(bin), "pyvenv.cfg")):
		return bin + "/pip uninstall memory-graph"
	case within("/Cellar/") || within("/homebrew/") || within("/linuxbrew/"):
		return "brew uninstall memory-graph"
	case p == "/usr/bin/memory-graph" && exists("/var/lib/dpkg/info/memory-graph.list"):
		return "sudo apt remove memory-graph"
	case p == "/usr/bin/memory-graph" && (exists("/var/lib/rpm") || exists("/usr/lib/sysimage/rpm")):
		return "sudo rpm --erase memory-graph"
	case runtime.GOOS == "windows":
		return "del " + quoted
	}
	return "rm " + quoted
}

// after returns the name that follows a part of a path.
func after(path, part string) string {
	_, rest, _ := strings.Cut(path, part)
	name, _, _ := strings.Cut(rest, "/")
	return name
}

// npmPackage returns the packages to remove for a program below node_modules: the main package, and that of the
// platform, which extends its name and holds the program. If both came from local files, they were installed by name.
func npmPackage(below string) string {
	parts := strings.Split(below, "/")
	name := parts[0]
	if strings.HasPrefix(name, "@") && len(parts) > 1 {
		name += "/" + parts[1]
	}
	for _, system := range []string{"-linux-", "-darwin-", "-win32-"} {
		if i := strings.LastIndex(name, system); i > 0 {
			return name[:i] + " " + name
		}
	}
	return name
}
