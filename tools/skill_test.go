package tools_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"memory-graph/tools"
)

// The skill is a valid one: it names tools that exist, and its example is stored with all of its relations.
func TestSkill_TeachesCallsThatWork(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("../skills/memory-graph/SKILL.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	head, rest, _ := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n")
	if !strings.HasPrefix(head, "name: memory-graph\ndescription: ") || len(head) > 1024 {
		t.Errorf("the heading is %q", head)
	}
	list, err := tools.All(nil, tools.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"retrieve", "store_episode", "supersede"} {
		found := false
		for _, tool := range list {
			found = found || tool.Definition.Name == name
		}
		if !found || !strings.Contains(rest, "`"+name+"`") {
			t.Errorf("the tool %s is not named, or does not exist", name)
		}
	}
	_, example, _ := strings.Cut(rest, "```json\n")
	example, _, _ = strings.Cut(example, "```")
	mem := &fakeMemory{}
	store, err := tools.All(mem, tools.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(store, func(tool tools.Tool) bool { return tool.Definition.Name == "store_episode" })
	_ = run(t, store[i], example)
	var want struct{ Relations []any }
	if err := json.Unmarshal([]byte(example), &want); err != nil {
		t.Fatal(err)
	}
	if len(mem.input.Relations) != len(want.Relations) || len(want.Relations) < 3 {
		t.Errorf("%d of %d relations are sent", len(mem.input.Relations), len(want.Relations))
	}
}
