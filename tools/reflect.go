package tools

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"

	"memory-graph/internal/facts/hierarchy"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/store"
)

//go:embed reflect.md
var reflectText string

type reflectArgs struct {
	Assign objects[assignArgs] `json:"assign,omitempty" jsonschema_description:"Memories to put under a parent"`
	Layer  *int                `json:"layer,omitempty" within:"0,3" words:"domain,concept,fact,episode" jsonschema_description:"Only memories of this layer: 1 concept, 2 fact, 3 episode"`
	Limit  *int                `json:"limit,omitempty" jsonschema_description:"Most memories"`
	Cursor string              `json:"cursor,omitempty" jsonschema_description:"next_cursor of the last answer, for what follows"`
	scopeArgs
}

type assignArgs struct {
	Memory string `json:"memory" jsonschema_description:"Id or title: m7"`
	Parent string `json:"parent" jsonschema_description:"Id or title of what it belongs under"`
}

type reflectResult struct {
	Assigned    []assignedItem `json:"assigned"`
	Errors      []itemError    `json:"errors"`
	Orphans     []orphanItem   `json:"orphans"`
	NextCursor  string         `json:"next_cursor,omitempty"`
	MemoryState memory.State   `json:"memory_state"`
}

type assignedItem struct {
	ID     string   `json:"id"`
	Name   string   `json:"name"`
	Layer  *int     `json:"layer,omitempty"`
	Parent relative `json:"parent"`
}

// orphanItem is a memory without a parent, and its possible parents.
type orphanItem struct {
	entityItem
	Candidates []candidateItem `json:"candidates"`
}

type candidateItem struct {
	relative
	Score *float64 `json:"score"`
}

func newReflect(mem Memory, o Options) (Tool, error) {
	s := spec{
		name: "reflect", title: "Organise knowledge", description: reflectText, idempotent: true,
		bounds: bounds{most: map[string]int{"assign": o.MaxEntities},
			ranges: map[string]span{"limit": {1, o.MaxResults, o.DefaultLimit}}},
	}
	return define(o, s, func(ctx context.Context, in reflectArgs) (reflectResult, error) {
		sc, err := in.scope(o)
		if err != nil {
			return reflectResult{}, err
		}
		sc = o.withDefaults(sc)
		p := leaf{limit: o.DefaultLimit}
		if in.Limit != nil {
			p.limit = *in.Limit
		}
		q := newCallKey("reflect", sc.Namespace, in.Layer)
		if p.offset, err = q.offset(in.Cursor); err != nil {
			return reflectResult{}, err
		}
		assign, err := in.assignments(o)
		if err != nil {
			return reflectResult{}, err
		}
		layers, err := mem.Layers(ctx)
		if err != nil {
			return reflectResult{}, err
		}
		done, err := layers.Reflect(ctx, hierarchy.Reflection{Scope: sc, Layer: in.Layer, Limit: p.limit, Offset: p.offset,
			Assign: assign}, caller(ctx))
		if err != nil {
			return reflectResult{}, err
		}
		p.more = done.More
		return shapeReflect(o, q, p, done)
	})
}

func (in reflectArgs) assignments(o Options) ([]store.Assignment, error) {
	f := fields{o: o}
	var list []store.Assignment
	for _, it := range in.Assign {
		f.note(inside("assign", it.Err))
		if it.Err == nil {
			list = append(list, store.Assignment{Memory: f.name("memory", it.Value.Memory),
				Parent: f.name("parent", it.Value.Parent)})
		}
	}
	return list, f.err
}

// shapeReflect cuts an answer to its maximum size by leaving out orphans. The rest reports what was done.
func shapeReflect(o Options, q callKey, p leaf, done hierarchy.Reflected) (reflectResult, error) {
	s := shape{runes: o.SummaryRunes}
	res := reflectResult{Assigned: []assignedItem{}, Errors: []itemError{}, Orphans: []orphanItem{},
		NextCursor: q.cursor(maxOffset), MemoryState: state(done.State)}
	for _, a := range done.Assigned {
		res.Assigned = append(res.Assigned, assignedItem{a.Memory.Ref().String(), a.Memory.Name, a.Memory.Layer,
			newRelative(a.Parent, shape{detail: detailIDs})})
	}
	for _, e := range done.Errors {
		res.Errors = append(res.Errors, itemError{e.Item, e.Message})
	}
	envelope, err := json.Marshal(res)
	if err != nil {
		return res, fmt.Errorf("encode answer: %w", err)
	}
	items := make([]orphanItem, len(done.Orphans))
	for i, orphan := range done.Orphans {
		items[i] = orphanItem{newEntityItem(retrieval.FoundEntity{Entity: orphan.Memory,
			Confidence: orphan.Memory.Confidence}, s), []candidateItem{}}
		for _, c := range orphan.Candidates {
			items[i].Candidates = append(items[i].Candidates, candidateItem{newRelative(c.Entity, s), rounded(c.Score)})
		}
	}
	c, err := newColumn(items, orphanItem.shortened)
	if err != nil {
		return res, err
	}
	rows, dropped := fit(o.answerBytes("")-1-len(envelope), c)
	res.Orphans = head(items, rows, dropped[0])
	p.found, p.shown = len(items), rows
	res.NextCursor = q.next(p)
	return res, nil
}

// shortened cuts the description. The candidates are short.
func (it orphanItem) shortened(excess int) orphanItem {
	it.entityItem = it.entityItem.shortened(excess)
	return it
}
