package tools

import "memory-graph/internal/memory"

// Named returns the tool of that name from any toolset, whatever o.Toolsets says: for commands and for the HTTP
// interface, which answer through the same functions. The error is NotFound if this version has no such tool.
func Named(mem Memory, o Options, name string) (t Tool, err error) {
	o.Toolsets = []string{everything}
	list, err := o.make(mem, func(t Tool) bool { return t.Definition.Name == name })
	if err == nil && len(list) != 1 {
		err = memory.Errorf(memory.NotFound, "There is no tool named %q.", name)
	}
	if err != nil {
		return Tool{}, err
	}
	return list[0], nil
}
