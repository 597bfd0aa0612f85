package cli

import (
	"slices"
	"testing"

	"memory-graph/hooks"
	"memory-graph/hosts"
)

// What setup writes into a host's hooks, hook understands.
func TestSetup_WritesHooksThatAreKnown(t *testing.T) {
	t.Parallel()
	for _, h := range hosts.All() {
		if h.Hooks == nil {
			continue
		}
		for _, e := range h.Hooks.Events {
			if !slices.Contains(hooks.Events(h.ID), e.Name) {
				t.Errorf("hook %s %s is not known", h.ID, e.Name)
			}
		}
	}
	for _, id := range hooks.Hosts() {
		if h, ok := hosts.Find(id); !ok || h.Hooks == nil {
			t.Errorf("hook knows %s, and setup writes no hooks for it", id)
		}
	}
}
