package tools_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/tools"
)

func names(t *testing.T, o tools.Options) []string {
	t.Helper()
	list, err := tools.All(nil, o)
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, tool := range list {
		out = append(out, tool.Definition.Name)
	}
	return out
}

var (
	nine = []string{"store_episode", "retrieve", "search_graph", "retrieve_linked", "graph_traverse", "create_entity",
		"create_relation",
		"update_entity", "supersede"}
	temporal = []string{"edges_at", "history", "what_changed"}
	manage   = []string{"list", "update_relation", "merge_entities", "unmerge", "undo", "forget", "relation_decay",
		"rollout", "status"}
	before = []string{"inject_context"}
	layers = []string{"retain", "recall", "reflect"}
	groups = []string{"communities", "refresh_communities"}

	referenceNine = []string{"create_entities", "create_relations", "add_observations", "delete_entities",
		"delete_observations", "delete_relations",
		"read_graph", "search_nodes", "open_nodes"}
)

func TestToolsets_OfferWhatTheyName(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		sets []string
		want []string
	}{
		{nil, nine},
		{[]string{"core"}, nine},
		{[]string{"temporal"}, temporal},
		{[]string{"manage", "core"}, slices.Concat(nine, manage)},
		{[]string{"single"}, []string{"memory_graph"}},
		{[]string{"all"}, slices.Concat(nine, temporal, manage, before, layers, groups, referenceNine)},
		{[]string{"hierarchy"}, layers},
		{[]string{"communities"}, groups},
	} {
		o := tools.Defaults()
		o.Toolsets = tc.sets
		if diff := cmp.Diff(tc.want, names(t, o)); diff != "" {
			t.Errorf("%v:\n%s", tc.sets, diff)
		}
	}
}

func TestToolsets_ReadOnlyHideAndRefuseWhatWrites(t *testing.T) {
	t.Parallel()
	o := every()
	o.ReadOnly = true
	want := []string{"retrieve", "search_graph", "retrieve_linked", "graph_traverse", "edges_at", "history",
		"what_changed", "list", "status", "inject_context", "recall", "communities", "read_graph", "search_nodes",
		"open_nodes", "memory_graph"}
	if diff := cmp.Diff(want, names(t, o)); diff != "" {
		t.Error(diff)
	}
	mem := &fakeMemory{}
	hidden, err := tools.Hidden(mem, o)
	if err != nil || len(hidden) != 21 {
		t.Fatalf("%d tools are hidden, %v", len(hidden), err)
	}
	for _, tool := range hidden {
		failed(t, run(t, tool, `{}`), "read_only", tool.Definition.Name)
	}
	single := all(t, mem, o)["memory_graph"]
	failed(t, run(t, single, `{"action":"supersede","relationship_id":"r1"}`), "read_only", "supersede")
	if mem.calls > 0 {
		t.Error("a write reached the memory")
	}
	if r := run(t, single, `{"action":"retrieve"}`); r.isError {
		t.Errorf("reading: %s", r.text)
	}
	if s := string(single.Definition.RawInputSchema); strings.Contains(s, "store_episode") {
		t.Errorf("a read-only server offers a writing tool: %s", s)
	}
}

// TestToolsets_SayWhatMayBeLost lists the tools about which hosts should ask their users.
func TestToolsets_SayWhatMayBeLost(t *testing.T) {
	t.Parallel()
	var destructive []string
	for name, tool := range all(t, nil, every()) {
		if *tool.Definition.Annotations.DestructiveHint {
			destructive = append(destructive, name)
		}
	}
	slices.Sort(destructive)
	if diff := cmp.Diff([]string{"delete_entities", "delete_observations", "delete_relations", "forget", "merge_entities"},
		destructive); diff != "" {
		t.Error(diff)
	}
}

func TestSingle_ListsEveryArgumentThatItsActionsList(t *testing.T) {
	t.Parallel()
	properties := func(tool tools.Tool) map[string]json.RawMessage {
		var s struct {
			Properties map[string]json.RawMessage
		}
		if err := json.Unmarshal(tool.Definition.RawInputSchema, &s); err != nil {
			t.Fatal(err)
		}
		return s.Properties
	}
	list := all(t, nil, every())
	single := list["memory_graph"]
	have := properties(single)
	for _, name := range nine {
		if !strings.Contains(string(have["action"]), `"`+name+`"`) || !strings.Contains(single.Definition.Description, name) {
			t.Errorf("%s is not an action", name)
		}
		for p := range properties(list[name]) {
			if have[p] == nil {
				t.Errorf("%s of %s is not listed", p, name)
			}
		}
	}
	const budget = 9000 // bytes
	if b, err := json.Marshal(single.Definition); err != nil || len(b) > budget {
		t.Errorf("%d bytes, more than %d (%v)", len(b), budget, err)
	}
}
