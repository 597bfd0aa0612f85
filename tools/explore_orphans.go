package tools

import (
	"context"

	"memory-graph/internal/facts/hierarchy"
	"memory-graph/internal/memory"
)

const orphansText = "Memories without a parent, each with its nearest possible parents. Nothing is changed."

type orphansArgs struct {
	Memory string `json:"memory,omitempty" jsonschema_description:"Only this one: m7"`
	Limit  *int   `json:"limit,omitempty" jsonschema_description:"Most memories"`
	Cursor string `json:"cursor,omitempty" jsonschema_description:"next_cursor of the last answer, for what follows"`
	scopeArgs
}

// newOrphans returns the tool that proposes parents, without making any assignment.
func newOrphans(mem Memory, o Options) (Tool, error) {
	s := spec{name: "orphans", title: "Memories without a parent", description: orphansText, readOnly: true,
		idempotent: true, bounds: bounds{ranges: map[string]span{"limit": {1, o.MaxResults, o.DefaultLimit}}}}
	return define(o, s, func(ctx context.Context, in orphansArgs) (reflectResult, error) {
		sc, err := in.scope(o)
		if err != nil {
			return reflectResult{}, err
		}
		sc = o.withDefaults(sc)
		p := leaf{limit: o.DefaultLimit}
		if in.Limit != nil {
			p.limit = *in.Limit
		}
		f := fields{o: o}
		only := f.id("memory", in.Memory, memory.KindMemory, "m7")
		q := newCallKey("orphans", sc.Namespace, only)
		if p.offset, err = q.offset(in.Cursor); err != nil {
			f.note(err)
		}
		if f.err != nil {
			return reflectResult{}, f.err
		}
		layers, err := mem.Layers(ctx)
		if err != nil {
			return reflectResult{}, err
		}
		found, err := layers.Reflect(ctx, hierarchy.Reflection{Scope: sc, Only: only, Limit: p.limit, Offset: p.offset},
			caller(ctx))
		if err != nil {
			return reflectResult{}, err
		}
		p.more = found.More
		return shapeReflect(o, q, p, found)
	})
}
