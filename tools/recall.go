package tools

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"memory-graph/internal/facts/hierarchy"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/store"
)

//go:embed recall.md
var recallText string

type recallArgs struct {
	Query   string `json:"query,omitempty" jsonschema_description:"What to remember, as a question or in words"`
	Under   string `json:"under,omitempty" jsonschema_description:"Only memories below this one, at any depth; without query all of them"`
	Limit   *int   `json:"limit,omitempty" jsonschema_description:"Most memories"`
	ValidAt string `json:"valid_at,omitempty" jsonschema_description:"What was true then: a date or RFC 3339"`
	KnownAt string `json:"known_at,omitempty" unlisted:"true" jsonschema_description:"What was believed then instead of now"`
	Detail  string `json:"detail,omitempty" unlisted:"true" enum:"ids,summary,full" jsonschema_description:"How much of each item; default summary"`
	scopeArgs
}

type recallResult struct {
	Memories    []recalledItem `json:"memories"`
	Truncated   bool           `json:"truncated,omitempty"` // more memories matched than limit, or than fit in the answer
	MemoryState memory.State   `json:"memory_state"`
}

// recalledItem is a memory with its parent, siblings, children and relationships.
type recalledItem struct {
	entityItem
	MatchedBy     []string       `json:"matched_by"`
	ParentMemory  *relative      `json:"parent_memory,omitempty"`
	Siblings      []relative     `json:"siblings"`
	SiblingCount  int            `json:"sibling_count"`
	Children      []relative     `json:"children"`
	ChildCount    int            `json:"child_count"`
	Relationships []relationItem `json:"relationships"`
	More          bool           `json:"more_relationships,omitempty"` // retrieve_linked lists all of them
}

// relative is a memory near another one in the hierarchy.
type relative struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"` // if it differs from the name
	Layer       *int   `json:"layer,omitempty"`
}

// relativeRunes is the maximum length of a relative's description, except with detail full.
const relativeRunes = 160

func newRecall(mem Memory, o Options) (Tool, error) {
	s := spec{
		name: "recall", title: "Remember knowledge", description: recallText, readOnly: true, idempotent: true,
		bounds: bounds{ranges: map[string]span{"limit": {1, o.MaxResults, o.DefaultLimit}}},
	}
	return define(o, s, func(ctx context.Context, in recallArgs) (recallResult, error) {
		r, err := readArgs{ValidAt: in.ValidAt, KnownAt: in.KnownAt, Limit: in.Limit, scopeArgs: in.scopeArgs}.reading(o,
			o.DefaultLimit)
		if err != nil {
			return recallResult{}, err
		}
		f := fields{o: o}
		query, under := strings.TrimSpace(in.Query), f.reference("under", in.Under)
		f.note(tooLong("query", query, o.MaxQueryBytes))
		if query == "" && under == "" {
			f.note(memory.Errorf(memory.InvalidArgument,
				"query is empty.").WithHint("Give query, under or both."))
		}
		if f.err != nil {
			return recallResult{}, f.err
		}
		layers, err := mem.Layers(ctx)
		if err != nil {
			return recallResult{}, err
		}
		found, err := layers.Recall(ctx, hierarchy.RecallQuery{Scope: r.scope, Query: query, Under: under, At: r.at,
			Limit: r.limit})
		if err != nil {
			return recallResult{}, err
		}
		return shapeRecall(o, in.Detail, found)
	})
}

// shapeRecall cuts an answer to its maximum size.
func shapeRecall(o Options, detail string, found hierarchy.Recollection) (recallResult, error) {
	items := make([]recalledItem, len(found.Memories))
	for i, r := range found.Memories {
		items[i] = newRecalledItem(r, shape{detail: detail, runes: o.SummaryRunes, scored: true,
			full: o.FullConfidence})
	}
	res := recallResult{Memories: []recalledItem{}, Truncated: true, MemoryState: state(found.State)}
	envelope, err := json.Marshal(res)
	if err != nil {
		return res, fmt.Errorf("encode answer: %w", err)
	}
	c, err := newColumn(items, recalledItem.shortened)
	if err != nil {
		return res, err
	}
	rows, dropped := fit(o.answerBytes(detail)-1-len(envelope), c)
	res.Memories = head(items, rows, dropped[0])
	res.Truncated = found.More || len(res.Memories) < len(items)
	return res, nil
}

func newRecalledItem(r hierarchy.Recalled, s shape) recalledItem {
	it := recalledItem{
		entityItem: newEntityItem(retrieval.FoundEntity{Entity: r.Memory, Confidence: r.Memory.Confidence, Score: r.Score},
			s), MatchedBy: noNil(r.MatchedBy),
		Siblings: relatives(r.Siblings, s), SiblingCount: r.Siblings.Total, Children: relatives(r.Children,
			s), ChildCount: r.Children.Total,
		Relationships: relationItems(r.Links, shape{detail: s.detail, runes: s.runes}), More: r.MoreLinks,
	}
	if r.Parent != nil {
		it.ParentMemory = to(newRelative(*r.Parent, s))
		it.Parent = it.ParentMemory.ID
	}
	return it
}

func relatives(f store.Family, s shape) []relative {
	list := make([]relative, len(f.Nodes))
	for i, e := range f.Nodes {
		list[i] = newRelative(e, s)
	}
	return list
}

func newRelative(e memory.Entity, s shape) relative {
	r := relative{ID: e.Ref().String(), Name: e.Name, Layer: e.Layer}
	if s.detail != detailIDs && e.Description != e.Name {
		r.Description, _ = shape{detail: s.detail, runes: relativeRunes}.cut(e.Description)
	}
	return r
}

// shortened removes the memory's surroundings, farthest first, and then cuts its description.
func (it recalledItem) shortened(excess int) recalledItem {
	full := sizeOf(it)
	for _, leave := range []func(){
		func() { it.Relationships, it.More = []relationItem{}, it.More || len(it.Relationships) > 0 },
		func() { it.Siblings = []relative{} },
		func() { it.Children = []relative{} },
	} {
		if full-sizeOf(it) >= excess {
			return it
		}
		leave()
	}
	if left := excess - (full - sizeOf(it)); left > 0 {
		it.entityItem = it.entityItem.shortened(left)
	}
	return it
}
