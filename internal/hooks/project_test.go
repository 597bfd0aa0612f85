package hooks_test

import (
	"os"
	"path/filepath"
	"testing"

	"memory-graph/internal/hooks"
)

// files writes files below a directory from a map of paths to contents. A path ending with a slash is a directory.
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
		return "[core]\n\tbare = false\n[remote \"upstream\"]\n\turl = https://x/upstream-name\n[remote " +
			"\"origin\"]\n\tfetch = +refs\n\turl = " + url + "\n[branch \"main\"]\n\tremote = origin\n"
	}
	files(t, home, map[string]string{
		"src/shop/.git/HEAD": head, "src/shop/.git/config": remote(
			"git@example.com:acme/shop-web.git"), "src/shop/api/deep/": "",
		"src/shop-fix/.git":                     "gitdir: ../shop/.git/worktrees/shop-fix\n",
		"src/shop/.git/worktrees/shop-fix/HEAD": head, "src/shop/.git/worktrees/shop-fix/commondir": "../..\n",
		"src/shop/lib/.git": "gitdir: ../.git/modules/lib\n", "src/shop/.git/modules/lib/HEAD": head,
		"src/shop/.git/modules/lib/config": remote("https://example.com/acme/lib"),
		"src/alone/.git/HEAD":              head, "src/alone/.git/config": "[core]\n", "src/alone/sub/": "",
		"src/alone-2/.git":                      "gitdir: " + filepath.Join(home, "src/alone/.git/worktrees/alone-2"),
		"src/alone/.git/worktrees/alone-2/HEAD": head, "src/alone/.git/worktrees/alone-2/commondir": "../..",
		"src/slash/.git/HEAD": head, "src/slash/.git/config": remote("ssh://git@host:22/team/slash-name.git/"),
		"src/fork/.git/HEAD": head, "src/fork/.git/config": "[remote \"up\"]\n\turl = /srv/git/forked.git\n",
		"src/bare/.bare/HEAD": head, "src/bare/main/.git": "gitdir: ../.bare/worktrees/main",
		"src/bare/.bare/worktrees/main/commondir": "../..",
		"src/odd/.git": "not a link", "src/empty/.git/": "",
		"notes/": "", ".git/HEAD": head, ".git/config": remote("https://example.com/ann/dotfiles"),
	})
	for dir, want := range map[string]string{
		"src/shop": "acme/shop-web", "src/shop/api/deep": "acme/shop-web", "src/shop/gone": "acme/shop-web",
		"src/shop-fix": "acme/shop-web",
		"src/shop/lib": "acme/lib", "src/alone": "alone", "src/alone/sub": "alone", "src/alone-2": "alone",
		"src/slash": "team/slash-name",
		"src/fork":  "forked", "src/bare/main": "bare", "src/odd": "odd", "src/empty": "empty", "notes": "notes", "": "",
		"..": "",
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
	if got := hooks.Project(filepath.Join(home, "src/shop/api"), ""); got != "acme/shop-web" {
		t.Errorf("without a home: %q", got)
	}
}

func TestProject_TheWaysToOneRepositoryAgreeAndTwoOfOneNameDoNot(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	shop, api := filepath.Join(dir, "shop"), filepath.Join(dir, "api")
	files(t, shop, map[string]string{".git/HEAD": "x",
		".git/config": "[remote \"origin\"]\nurl = https://example.com/acme/shop-web\n"})
	files(t, filepath.Join(dir, "mirror.git"),
		map[string]string{"config": "[remote \"origin\"]\nurl = https://example.com/acme/mirrored\n"})
	for url, want := range map[string]string{
		"https://github.com/acme/api.git":                 "acme/api",
		"https://ann:token@github.com/acme/api":           "acme/api",
		"git@github.com:acme/api.git":                     "acme/api",
		"ssh://git@github.com:22/acme/api.git/":           "acme/api",
		"gh:acme/api":                                     "acme/api",
		"git@github.com:other/api.git":                    "other/api",
		"https://gitlab.com/group/sub/api.git":            "group/sub/api",
		"https://dev.azure.com/org/team%20a/_git/api":     "org/team a/api",
		"git@ssh.dev.azure.com:v3/org/team%20a/api":       "org/team a/api",
		"https://bitbucket.example.com/scm/pay/api.git":   "pay/api",
		"ssh://git@bitbucket.example.com:7999/pay/api":    "pay/api",
		"git@host:api.git":                                "api",
		"https://host/api?x=1":                            "api",
		"codecommit::eu-west-1://api":                     "api",
		"git@host:/srv/git/api.git":                       "srv/git/api",
		shop:                                              "acme/shop-web",
		shop + "/.git":                                    "acme/shop-web",
		"../shop":                                         "acme/shop-web",
		"file://" + shop:                                  "acme/shop-web",
		filepath.Join(dir, "mirror"):                      "acme/mirrored",
		"/no/such/place/gone.git":                         "gone",
		api:                                               "api", // a cycle
		`C:\\src\\gone`:                                   "gone",
		`"https://github.com/acme/api.git" # the old one`: "acme/api",
	} {
		if os.PathSeparator == '/' && url[0] == 'C' {
			want = `C:\src\gone`
		}
		files(t, api, map[string]string{".git/HEAD": "x", ".git/config": "[remote \"origin\"]\n\turl = " + url + "\n"})
		if got := hooks.Project(api, ""); got != want {
			t.Errorf("%s: %q, want %q", url, got, want)
		}
	}
}

func TestProject_TheUserNamesItInTheRepository(t *testing.T) {
	t.Parallel()
	const remote = "[remote \"origin\"]\n\turl = https://example.com/acme/api\n"
	for config, want := range map[string]string{
		remote + "[memory-graph]\n\tproject = shop\n":                  "shop",
		"[Memory-Graph] Project = \"the shop; web\" ; ours\n" + remote: "the shop; web",
		remote + "[memory-graph \"sub\"]\n\tproject = shop\n":          "acme/api",
		remote + "[other]\n\tproject = shop\n":                         "acme/api",
		remote + "[memory-graph]\n\tproject =\n":                       "acme/api",
	} {
		dir := filepath.Join(t.TempDir(), "api")
		files(t, dir, map[string]string{".git/HEAD": "x", ".git/config": config, "deep/": ""})
		if got := hooks.Project(filepath.Join(dir, "deep"), ""); got != want {
			t.Errorf("%q: %q, want %q", config, got, want)
		}
	}
}
