package cli

import (
	"runtime"
	"slices"
	"testing"
)

func TestRemovesProgram_ByTheOneThatInstalledIt(t *testing.T) {
	t.Parallel()
	remove := "rm "
	if runtime.GOOS == "windows" {
		remove = "del "
	}
	for _, c := range []struct {
		path, want string
		there      []string
	}{
		{"/home/ann/.local/bin/memory-graph", remove + "/home/ann/.local/bin/memory-graph", nil},
		{"/home/ann o/memory-graph", remove + `"/home/ann o/memory-graph"`, nil},
		{"/usr/lib/node_modules/@ann/memory-linux-x64/memory-graph",
			"npm uninstall --global @ann/memory @ann/memory-linux-x64", nil},
		{"/srv/app/node_modules/memory-graph-darwin-arm64/memory-graph",
			"npm uninstall --prefix /srv/app memory-graph memory-graph-darwin-arm64", nil},
		{"/home/ann/.npm/_npx/1a2b/node_modules/memory-graph-linux-x64/memory-graph",
			"npx installed nothing: its copy is in npm's cache (npm cache clean --force)", nil},
		{"/home/ann/.local/pipx/venvs/memory-graph/bin/memory-graph", "pipx uninstall memory-graph", nil},
		{"/home/ann/.local/share/uv/tools/ann-memory/bin/memory-graph", "uv tool uninstall ann-memory", nil},
		{"/home/ann/.cache/uv/archive-v0/x/bin/memory-graph",
			"uvx installed nothing: its copy is in uv's cache (uv cache clean)", nil},
		{"/home/ann/env/bin/memory-graph", "/home/ann/env/bin/pip uninstall memory-graph",
			[]string{"/home/ann/env/pyvenv.cfg"}},
		{"/opt/homebrew/Cellar/memory-graph/1.2.3/bin/memory-graph", "brew uninstall memory-graph", nil},
		{"/usr/bin/memory-graph", "sudo apt remove memory-graph", []string{"/var/lib/dpkg/info/memory-graph.list"}},
		{"/usr/bin/memory-graph", "sudo rpm --erase memory-graph", []string{"/usr/lib/sysimage/rpm"}},
		{"/usr/bin/memory-graph", remove + "/usr/bin/memory-graph", nil},
		{"/memory-graph", "podman rmi IMAGE, and podman volume rm VOLUME for the volume at /data (or the same with docker)",
			[]string{"/data"}},
	} {
		got := removesProgram(c.path, func(p string) bool { return slices.Contains(c.there, p) })
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.path, got, c.want)
		}
	}
}
