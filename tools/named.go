package tools

import "fmt"

// Named returns the tool of that name from any toolset, whatever o.Toolsets says: for commands and for the HTTP
// interface, which answer through the same functions.
func Named(mem Memory, o Options, name string) (Tool, error) {
	o.Toolsets = []string{everything}
	list, err := o.make(mem, func(t Tool) bool { return t.Definition.Name == name })
	if err != nil {
		return Tool{}, err
	}
	if len(list) != 1 {
		return Tool{}, fmt.Errorf("there are %d tools named %q", len(list), name)
	}
	return list[0], nil
}
