package clients

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memory-graph/internal/memory"
)

// A problem with one file does not affect the change of the other.
func TestPlan_GoesOnWhereOneFileIsBroken(t *testing.T) {
	t.Parallel()
	h, p, servers, dir := cursor(t)
	install(t, h, p, options())
	put(t, filepath.Join(dir, ".cursor", "hooks.json"), "{memory-graph")
	changes, err := h.Uninstall(p, options())
	if err != nil || len(changes) != 2 || changes[0].Problem != nil || changes[0].Empty() {
		t.Fatalf("%+v, %v", changes, err)
	}
	refused(t, changes[1].Problem, memory.Conflict, "hooks.json:1:2", "was not changed", "`hook cursor`")
	if !changes[1].Empty() {
		t.Error("a file with a problem would be changed")
	}
	if _, err := changes[0].Write(now); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(servers); !os.IsNotExist(err) {
		t.Errorf("%s is left: %v", servers, err)
	}
}

// The hint is a command to copy, with the host's id and its directory.
func TestProblem_NamesTheHost(t *testing.T) {
	t.Parallel()
	h, p, servers, dir := cursor(t)
	put(t, servers, "{")
	err := problem(h.Install(p, options()))
	refused(t, err, memory.Conflict, "`memory-graph setup cursor --print`")
	o := options()
	o.Dir, o.Name = filepath.Join(dir, "my work"), "second memory"
	put(t, filepath.Join(o.Dir, ".cursor", "mcp.json"), "{")
	err = problem(h.Install(p, o))
	refused(t, err, memory.Conflict, "setup cursor --print --in "+quote(p.system, o.Dir)+" --name ", "second memory")
}

// Snippets work for any existing file.
func TestSnippets_AskNoFile(t *testing.T) {
	t.Parallel()
	eachClient(t, func(t *testing.T, h Client) {
		p, _ := home(t)
		servers, hooks, err := h.FilesOf(p, "")
		if err != nil {
			t.Fatal(err)
		}
		put(t, servers, "\xff\xfe{\x00")
		if hooks != "" && hooks != servers {
			put(t, filepath.Join(hooks, "a directory"), "")
		}
		snippets, err := h.Snippets(p, options())
		if err := problem(snippets, err); err != nil {
			t.Fatal(err)
		}
		all := ""
		for _, s := range snippets {
			all += string(s.After)
		}
		if !strings.Contains(all, `"serve"`) || listsHooks(h) && strings.Count(all, "hook "+h.ID) != len(h.Hooks.Events) {
			t.Errorf("the snippets are\n%s", all)
		}
	})
}
