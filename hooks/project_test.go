package hooks_test

import (
	"os"
	"path/filepath"
	"testing"

	"memory-graph/hooks"
)

// files writes files below a directory, a map of paths to contents; a path that ends with a slash is a directory.
func files(t *testing.T, root string, list map[string]string) {
	t.Helper()
	for path, content := range list {
		at := filepath.Join(root, filepath.FromSlash(path))
		dir := filepath.Dir(at)
		if path[len(path)-1] == '/' {
			dir = at
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if dir == at {
			continue
		}
		if err := os.WriteFile(at, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestProject_IsTheProjectsOwnName(t *testing.T) {
	t.Parallel()
	home := filepath.Join(t.TempDir(), "ann")
	const head = "ref: refs/heads/main\n"
	remote := func(url string) string {
		return "[core]\n\tbare = false\n[remote \"upstream\"]\n\turl = https://x/upstream-name\n[remote \"origin\"]\n\tfetch = +refs\n\turl = " + url + "\n[branch \"main\"]\n\tremote = origin\n"
	}
	files(t, home, map[string]string{
		"src/shop/.git/HEAD": head, "src/shop/.git/config": remote("git@example.com:acme/shop-web.git"), "src/shop/api/deep/": "",
		"src/shop-fix/.git":                     "gitdir: ../shop/.git/worktrees/shop-fix\n",
		"src/shop/.git/worktrees/shop-fix/HEAD": head, "src/shop/.git/worktrees/shop-fix/commondir": "../..\n",
		"src/shop/lib/.git": "gitdir: ../.git/modules/lib\n", "src/shop/.git/modules/lib/HEAD": head, "src/shop/.git/modules/lib/config": remote("https://example.com/acme/lib"),
		"src/alone/.git/HEAD": head, "src/alone/.git/config": "[core]\n", "src/alone/sub/": "",
		"src/alone-2/.git":                      "gitdir: " + filepath.Join(home, "src/alone/.git/worktrees/alone-2"),
		"src/alone/.git/worktrees/alone-2/HEAD": head, "src/alone/.git/worktrees/alone-2/commondir": "../..",
		"src/slash/.git/HEAD": head, "src/slash/.git/config": remote("ssh://git@host:22/team/slash-name.git/"),
		"src/fork/.git/HEAD": head, "src/fork/.git/config": "[remote \"up\"]\n\turl = /srv/git/forked.git\n",
		"src/bare/.bare/HEAD": head, "src/bare/main/.git": "gitdir: ../.bare/worktrees/main", "src/bare/.bare/worktrees/main/commondir": "../..",
		"src/odd/.git": "not a link", "src/empty/.git/": "",
		"notes/": "", ".git/HEAD": head, ".git/config": remote("https://example.com/ann/dotfiles"),
	})
	for dir, want := range map[string]string{
		"src/shop": "shop-web", "src/shop/api/deep": "shop-web", "src/shop/gone": "shop-web", "src/shop-fix": "shop-web", "src/shop/lib": "lib",
		"src/alone": "alone", "src/alone/sub": "alone", "src/alone-2": "alone", "src/slash": "slash-name", "src/fork": "forked", "src/bare/main": "bare",
		"src/odd": "odd", "src/empty": "empty", "notes": "notes", "": "", "..": "",
	} {
		if got := hooks.Project(filepath.Join(home, filepath.FromSlash(dir)), home); got != want {
			t.Errorf("%s: %q, want %q", dir, got, want)
		}
	}
	for _, dir := range []string{"/", "", "relative"} {
		if got := hooks.Project(dir, home); got != "" {
			t.Errorf("%q is project %q", dir, got)
		}
	}
	if got := hooks.Project(filepath.Join(home, "src/shop/api"), ""); got != "shop-web" {
		t.Errorf("without a home: %q", got)
	}
}
