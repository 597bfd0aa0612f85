package tools

import "slices"

// maker returns one tool.
type maker func(Memory, Options) (Tool, error)

// toolset is a named list of tools.
type toolset struct {
	name   string
	makers []maker
}

// coreMakers are the nine default tools. See docs/decisions.md, "Nine tools by default".
var coreMakers = []maker{
	newStoreEpisode, newRetrieve, newSearchGraph, newRetrieveLinked, newGraphTraverse, newCreateEntity, newCreateRelation,
	newUpdateEntity, newSupersede,
}

// referenceMakers are the nine tools of the reference memory server.
var referenceMakers = []maker{
	newCreateEntities, newCreateRelations, newAddObservations, newDeleteEntities, newDeleteObservations,
	newDeleteRelations,
	newReadGraph, newSearchNodes, newOpenNodes,
}

// toolsets are all toolsets with their tools, in order.
var toolsets = []toolset{
	{"core", coreMakers},
	{"temporal", []maker{newEdgesAt, newHistory, newWhatChanged}},
	{"manage", []maker{
		newList, newUpdateRelation, newMergeEntities, newUnmerge, newUndo, newForget, newRelationDecay, newRollout, newStatus,
	}},
	{"context", []maker{newInjectContext}},
	{"hierarchy", []maker{newRetain, newRecall, newReflect}},
	{"communities", []maker{newCommunities, newRefreshCommunities}},
	{"reference", referenceMakers},
	{single, []maker{newSingle}},
}

const (
	everything = "all"    // all toolsets except single
	single     = "single" // the core as one tool
)

// All returns the tools of o.Toolsets, in order; mcp-go lists them by name. With o.ReadOnly it returns only tools that
// do not write. Without any toolset it uses the core.
func All(mem Memory, o Options) ([]Tool, error) {
	return o.make(mem, func(t Tool) bool { return t.ReadOnly || !o.ReadOnly })
}

// Hidden returns the tools that All leaves out in read-only mode. They reject every call with an explanation, for a
// host that knows them from an earlier start.
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

// make returns the wanted tools of o.Toolsets.
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

// makers returns the makers of o.Toolsets.
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
