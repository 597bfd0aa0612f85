package tools

import "memory-graph/internal/memory"

// unlisted are the tools that no toolset has: those behind the HTTP interface and the page of explore.
var unlisted = []maker{newTraces, newSession, newFind, newNode, newFact, newTurn, newNeighbourhood, newConflicts,
	newQuarantine, newRelease, newWhy, newCalls, newCall, newOrphans}

// Named returns the tool of that name from any toolset, whatever o.Toolsets says, or one that no toolset has: for
// commands and for the HTTP interface, which answer through the same functions. The error is NotFound if this
// version has no such tool.
func Named(mem Memory, o Options, name string) (t Tool, err error) {
	o.Toolsets = []string{everything}
	list, err := o.make(mem, func(t Tool) bool { return t.Definition.Name == name })
	for _, mk := range unlisted {
		if err == nil {
			if t, err = mk(mem, o); t.Definition.Name == name {
				list = append(list, t)
			}
		}
	}
	if err == nil && len(list) != 1 {
		err = memory.Errorf(memory.NotFound, "There is no tool named %q.", name)
	}
	if err != nil {
		return Tool{}, err
	}
	return list[0], nil
}
