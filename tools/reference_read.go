package tools

import (
	"context"
	"slices"
	"strings"

	"memory-graph/internal/memory"
)

type refNothing struct{}

func (refNothing) missing() string { return "" }

// referenceGraph returns the wanted entities and the relations that have one of them as an end. If all is set, it
// returns the whole graph.
func referenceGraph(ctx context.Context, mem Memory, namespace string, all bool,
	wanted func(memory.ReferenceEntity) bool) (any, refGraph, error) {
	g := refGraph{Entities: []refEntity{}, Relations: []refRelation{}}
	names := map[string]bool{}
	records, err := mem.Records(ctx)
	if err != nil {
		return g, g, err
	}
	err = records.ReferenceEntities(ctx, namespace, func(e memory.ReferenceEntity) error {
		if all || wanted(e) {
			names[e.Name] = true
			g.Entities = append(g.Entities, newRefEntity(e))
		}
		return nil
	})
	if err != nil || !all && len(names) == 0 {
		return g, g, err
	}
	err = records.ReferenceRelations(ctx, namespace, func(r memory.ReferenceRelation) error {
		if all || names[r.From] || names[r.To] {
			g.Relations = append(g.Relations, newRefRelation(r))
		}
		return nil
	})
	return g, g, err
}

func newReadGraph(mem Memory, o Options) (Tool, error) {
	s := spec{name: "read_graph", title: "Read the graph", readOnly: true, idempotent: true}
	return referenceTool(o, s, func(ctx context.Context, scope memory.Scope, _ refNothing) (any, refGraph, error) {
		return referenceGraph(ctx, mem, scope.Namespace, true, nil)
	})
}

type refQuery struct {
	Query *string `json:"query" jsonschema_description:"Text to look for in names, types and observations"`
}

func (in refQuery) missing() string {
	if in.Query == nil {
		return "query"
	}
	return ""
}

func newSearchNodes(mem Memory, o Options) (Tool, error) {
	s := spec{name: "search_nodes", title: "Search nodes", readOnly: true, idempotent: true}
	return referenceTool(o, s, func(ctx context.Context, scope memory.Scope, in refQuery) (any, refGraph, error) {
		query := strings.ToLower(*in.Query)
		holds := func(s string) bool { return strings.Contains(strings.ToLower(s), query) }
		return referenceGraph(ctx, mem, scope.Namespace, false, func(e memory.ReferenceEntity) bool {
			return holds(e.Name) || holds(e.Type) || slices.ContainsFunc(e.Observations, holds)
		})
	})
}

type refOpen struct {
	Names *[]string `json:"names" jsonschema_description:"Names of the entities"`
}

func (in refOpen) missing() string {
	if in.Names == nil {
		return "names"
	}
	return ""
}

func newOpenNodes(mem Memory, o Options) (Tool, error) {
	s := spec{name: "open_nodes", title: "Open nodes", readOnly: true, idempotent: true}
	return referenceTool(o, s, func(ctx context.Context, scope memory.Scope, in refOpen) (any, refGraph, error) {
		wanted := map[string]bool{}
		for _, name := range *in.Names {
			wanted[memory.Canonical(name)] = true
		}
		return referenceGraph(ctx, mem, scope.Namespace, false,
			func(e memory.ReferenceEntity) bool { return wanted[memory.Canonical(e.Name)] })
	})
}
