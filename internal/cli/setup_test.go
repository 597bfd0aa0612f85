package cli

import (
	"slices"
	"testing"
	"time"

	"memory-graph/internal/clients"
	"memory-graph/internal/command"
	"memory-graph/internal/hooks"
	"memory-graph/tools"
)

// hook accepts every command line that setup writes into a host's hooks.
func TestSetup_WritesHooksThatAreKnown(t *testing.T) {
	t.Parallel()
	for _, h := range clients.All() {
		if h.Hooks == nil {
			continue
		}
		for _, e := range h.Hooks.Events {
			if !slices.Contains(hooks.Events(h.ID), e.Name) {
				t.Errorf("hook %s %s is not known", h.ID, e.Name)
			}
		}
	}
	for _, id := range hooks.Clients() {
		if h, ok := clients.Find(id); !ok || h.Hooks == nil {
			t.Errorf("hook knows %s, and setup writes no hooks for it", id)
		}
	}
}

// A hook stores no result of memory-graph's own tools, in any toolset, even if the host does not name the server.
func TestHooks_KnowEveryToolOfOurs(t *testing.T) {
	t.Parallel()
	for _, toolset := range []string{"all", "single"} {
		o := tools.Defaults()
		o.Toolsets = []string{toolset}
		list, err := tools.All(nil, o)
		if err != nil || len(list) == 0 {
			t.Fatalf("%d tools, %v", len(list), err)
		}
		for _, tool := range list {
			for name, server := range map[string]string{"MCP:" + tool.Definition.Name: "",
				"mcp__mine__" + tool.Definition.Name: "mine"} {
				e, err := hooks.Parse("cursor", "postToolUse",
					[]byte(`{"tool_name":"`+name+`","tool_input":{},"tool_output":"found"}`))
				if err != nil {
					t.Fatal(err)
				}
				if turn, ok := e.Turn(time.Now(), hooks.Keeping{MaxBytes: 4000, AllTools: true, Server: server}); ok {
					t.Errorf("%s would be stored: %s", name, turn.Text)
				}
			}
		}
	}
}

// The commands that setup offers can be run, and their tools, servers and hooks are switched off.
func TestSetup_OffersCommandsThatAreKnown(t *testing.T) {
	t.Parallel()
	n := 0
	for _, h := range clients.All() {
		if h.Asks == nil {
			continue
		}
		n++
		args, err := command.Split(h.Asks.Command)
		if err != nil || len(command.Quiet(args)) <= len(args) || h.Asks.Vendor == "" {
			t.Errorf("%s: %q, run as %q, %v", h.ID, h.Asks.Command, command.Quiet(args), err)
		}
	}
	if n != 3 {
		t.Errorf("%d hosts have a command, want 3", n)
	}
}
