package clients

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/clients/splice"
	"memory-graph/internal/memory"
)

// cursor is a host with two files of JSON.
func cursor(t *testing.T) (Client, Places, string, string) {
	t.Helper()
	h, _ := Find("cursor")
	p, dir := home(t)
	servers, _, err := h.FilesOf(p, "")
	if err != nil {
		t.Fatal(err)
	}
	return h, p, servers, dir
}

// problem returns err, or else the Problem of the first change that has one.
func problem(changes []Change, err error) error {
	for _, c := range changes {
		if err == nil {
			err = c.Problem
		}
	}
	return err
}

func refused(t *testing.T, err error, code memory.Code, parts ...string) {
	t.Helper()
	e := memory.AsError(err)
	if e == nil || e.Code != code {
		t.Fatalf("error %v, want one of code %s", err, code)
	}
	for _, part := range parts {
		if !strings.Contains(e.Error(), part) {
			t.Errorf("%q does not say %q", e, part)
		}
	}
}

func TestInstall_SaysWhereAFileIsBroken(t *testing.T) {
	t.Parallel()
	h, p, servers, dir := cursor(t)
	const broken = "{\n  \"mcpServers\": {\n    \"a\": }\n}\n"
	put(t, servers, broken)
	err := problem(h.Install(p, options()))
	refused(t, err, memory.Conflict, servers+":3:10", "Nothing was written")
	if got := text(t, servers); got != broken {
		t.Errorf("it became %q", got)
	}
	if list, err := os.ReadDir(filepath.Dir(servers)); err != nil || len(list) != 1 {
		t.Errorf("%d other files in the directory, %v", len(list)-1, err)
	}
	codex, _ := Find("codex")
	put(t, filepath.Join(dir, ".codex", "config.toml"), "a = 1\nb = \n")
	err = problem(codex.Install(p, options()))
	refused(t, err, memory.Conflict, "config.toml:2:")
}

// If the second file is broken, the first one is not changed either.
func TestInstall_WritesAllOrNothing(t *testing.T) {
	t.Parallel()
	h, p, servers, _ := cursor(t)
	put(t, filepath.Join(filepath.Dir(servers), "hooks.json"), "{")
	err := problem(h.Install(p, options()))
	refused(t, err, memory.Conflict, "hooks.json:1:2")
	if _, err := os.Stat(servers); !os.IsNotExist(err) {
		t.Errorf("%s was written: %v", servers, err)
	}
}

func TestInstall_WritesThroughLinks(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege on Windows")
	}
	for _, there := range []bool{true, false} {
		h, p, servers, dir := cursor(t)
		target := filepath.Join(dir, "dotfiles", "mcp.json")
		if there {
			put(t, target, "{}\n")
		}
		if err := os.MkdirAll(filepath.Dir(servers), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join("..", "dotfiles", "mcp.json"), servers); err != nil {
			t.Fatal(err)
		}
		install(t, h, p, options())
		if info, err := os.Lstat(servers); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Fatalf("the link is gone: %v, %v", info, err)
		}
		if !strings.Contains(text(t, target), "memory-graph") {
			t.Error("the target of the link was not written")
		}
		uninstall(t, h, p, options())
		if there && text(t, target) != "{}\n" {
			t.Errorf("it is %q", text(t, target))
		}
	}
}

// The parent of a linked directory is not its parent in the path.
func TestInstall_WritesThroughALinkInALinkedDirectory(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege on Windows")
	}
	h, p, servers, dir := cursor(t)
	shared := filepath.Join(dir, "dot", "shared", "mcp.json")
	put(t, shared, "{}\n")
	if err := os.MkdirAll(filepath.Join(dir, "dot", "cursor"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join("dot", "cursor"), filepath.Dir(servers)); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join("..", "shared", "mcp.json"), servers); err != nil {
		t.Fatal(err)
	}
	install(t, h, p, options())
	if !strings.Contains(text(t, shared), "memory-graph") {
		t.Errorf("the target of the link is %q", text(t, shared))
	}
	if _, err := os.Stat(filepath.Join(dir, "shared")); !os.IsNotExist(err) {
		t.Errorf("another file was written: %v", err)
	}
}

func TestInstall_RefusesWhatIsNoFile(t *testing.T) {
	t.Parallel()
	h, p, servers, _ := cursor(t)
	if err := os.MkdirAll(servers, 0o755); err != nil {
		t.Fatal(err)
	}
	err := problem(h.Install(p, options()))
	refused(t, err, memory.Unavailable, servers, "not a regular file")
	if err := os.Remove(servers); err != nil {
		t.Fatal(err)
	}
	put(t, servers, "")
	if err := os.Truncate(servers, splice.MaxBytes+1); err != nil {
		t.Fatal(err)
	}
	err = problem(h.Install(p, options()))
	refused(t, err, memory.Unavailable, servers, "larger than 64 MiB")
	if runtime.GOOS == "windows" {
		return
	}
	if err := os.Remove(servers); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(servers, servers); err != nil {
		t.Fatal(err)
	}
	err = problem(h.Install(p, options()))
	refused(t, err, memory.Unavailable, servers, "cycle")
}

func TestInstall_LeavesReadOnlyFiles(t *testing.T) {
	t.Parallel()
	h, p, servers, _ := cursor(t)
	put(t, servers, "{}")
	if err := os.Chmod(servers, 0o444); err != nil {
		t.Fatal(err)
	}
	err := problem(h.Install(p, options()))
	refused(t, err, memory.ReadOnly, servers, "read-only")
	if text(t, servers) != "{}" {
		t.Error("it was written")
	}
}

// A directory in which nothing can be created is reported on writing.
func TestWrite_SaysWhatCannotBeWritten(t *testing.T) {
	t.Parallel()
	h, p, servers, dir := cursor(t)
	put(t, filepath.Join(dir, ".cursor"), "a file where the directory has to be")
	err := problem(h.Install(p, options()))
	if err == nil {
		changes, _ := h.Install(p, options())
		_, err = changes[0].Write(now)
	}
	refused(t, err, memory.Unavailable, servers)
}

func TestWrite_RefusesWhatChangedMeanwhile(t *testing.T) {
	t.Parallel()
	h, p, servers, _ := cursor(t)
	put(t, servers, "{}")
	changes, err := h.Install(p, options())
	if err != nil {
		t.Fatal(err)
	}
	put(t, servers, `{"theme": 1}`)
	_, err = changes[0].Write(now)
	refused(t, err, memory.Conflict, "another program")
	if got := text(t, servers); got != `{"theme": 1}` {
		t.Errorf("it became %q", got)
	}
}

// Among copies of one second the one with the highest number is the newest.
func TestBackups_AreNewestFirst(t *testing.T) {
	t.Parallel()
	_, _, servers, _ := cursor(t)
	for _, name := range []string{"20261122T092959Z", "20261122T093000Z-002", "20261122T093000Z", "20261122T093001Z",
		"20261122T093000Z-010"} {
		put(t, servers+".memory-graph-"+name+".bak", name)
	}
	var got []string
	for _, b := range (&snapshot{path: servers}).backups() {
		got = append(got, string(b.data))
	}
	want := []string{"20261122T093001Z", "20261122T093000Z-010", "20261122T093000Z-002", "20261122T093000Z",
		"20261122T092959Z"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Two changes within a second make two copies.
func TestWrite_NeverOverwritesACopy(t *testing.T) {
	t.Parallel()
	h, p, servers, _ := cursor(t)
	put(t, servers, "{}")
	for range 3 {
		install(t, h, p, options())
		uninstall(t, h, p, options())
	}
	copies, err := filepath.Glob(servers + ".memory-graph-*.bak")
	if err != nil || len(copies) != 6 {
		t.Errorf("%d copies, want 6: %v", len(copies), err)
	}
	if text(t, servers+".memory-graph-20261122T093000Z.bak") != "{}" {
		t.Error("the first copy is not the first text")
	}
}

func TestWrite_KeepsTheMode(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no file modes")
	}
	h, p, servers, _ := cursor(t)
	put(t, servers, "{}")
	if err := os.Chmod(servers, 0o640); err != nil {
		t.Fatal(err)
	}
	install(t, h, p, options())
	if info, err := os.Stat(servers); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// A diff shows the entries of others around ours, with their secrets masked.
func TestDiff_HidesSecrets(t *testing.T) {
	t.Parallel()
	h, p, servers, _ := cursor(t)
	listed, _ := existing(h)
	put(t, servers, listed)
	changes, err := h.Install(p, options())
	if err != nil {
		t.Fatal(err)
	}
	d := changes[0].Diff()
	if strings.Contains(d, "ghp_") || !strings.Contains(d, "TOKEN") || !strings.Contains(d, "+      \"memory-graph\": {") {
		t.Errorf("the diff is\n%s", d)
	}
}
