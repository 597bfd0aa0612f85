package tools

import "slices"

// maker makes one tool.
type maker func(Memory, Options) (Tool, error)

// toolset is a named choice of tools.
type toolset struct {
	name   string
	makers []maker
}

// coreMakers make the nine of the design card.
var coreMakers = []maker{
	newStoreEpisode, newRetrieve, newSearchGraph, newRetrieveLinked, newGraphTraverse, newCreateEntity, newCreateRelation,
	newUpdateEntity, newSupersede,
}

// referenceMakers make the nine of the reference memory server.
var referenceMakers = []maker{
	newCreateEntities, newCreateRelations, newAddObservations, newDeleteEntities, newDeleteObservations,
	newDeleteRelations,
	newReadGraph, newSearchNodes, newOpenNodes,
}

// toolsets are all tools in the order of the contract, by the toolset that offers them. A toolset without tools is one
// of a later version.
var toolsets = []toolset{
	{"core", coreMakers},
	{"temporal", []maker{newEdgesAt, newHistory, newWhatChanged}},
	{"manage", []maker{
		newList, newUpdateRelation, newMergeEntities, newUnmerge, newUndo, newForget, newRelationDecay, newStatus,
	}},
	{"context", []maker{newInjectContext}},
	{"hierarchy", []maker{newRetain, newRecall, newReflect}},
	{"communities", nil},
	{"reference", referenceMakers},
	{single, []maker{newSingle}},
}

const (
	everything = "all"    // the name of all the toolsets but single
	single     = "single" // the core as one tool
)

// All gives the tools of o.Toolsets in the order of the contract (mcp-go lists them by name); with o.ReadOnly only
// those that write nothing. Toolsets that have no tools in this version add none; where nothing is left, it is the
// core.
func All(mem Memory, o Options) ([]Tool, error) {
	return o.make(mem, func(t Tool) bool { return t.ReadOnly || !o.ReadOnly })
}

// Hidden gives, where o is read-only, the tools that All leaves out, refusing every call: a host that knows them from
// another start is told why, instead of that there is no such tool.
func Hidden(mem Memory, o Options) ([]Tool, error) {
	if !o.ReadOnly {
		return nil, nil
	}
	list, err := o.make(mem, func(t Tool) bool { return !t.ReadOnly })
	for i, t := range list {
		list[i] = refusing(t)
	}
	return list, err
}

// make gives the tools of o.Toolsets that are wanted.
func (o Options) make(mem Memory, wanted func(Tool) bool) ([]Tool, error) {
	var list []Tool
	for _, mk := range o.makers() {
		t, err := mk(mem, o)
		if err != nil {
			return nil, err
		}
		if wanted(t) {
			list = append(list, t)
		}
	}
	return list, nil
}

// makers are the makers of o.Toolsets.
func (o Options) makers() []maker {
	var list []maker
	for _, set := range toolsets {
		if slices.Contains(o.Toolsets, set.name) || slices.Contains(o.Toolsets, everything) && set.name != single {
			list = append(list, set.makers...)
		}
	}
	if len(list) == 0 {
		return coreMakers
	}
	return list
}

// Without gives those of the named toolsets that have no tools in this version.
func Without(names []string) []string {
	var out []string
	for _, set := range toolsets {
		if len(set.makers) == 0 && slices.Contains(names, set.name) {
			out = append(out, set.name)
		}
	}
	return out
}
