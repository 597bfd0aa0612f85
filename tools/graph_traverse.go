package tools

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
)

//go:embed graph_traverse.md
var graphTraverseText string

type graphTraverseArgs struct {
	StartEntity string   `json:"start_entity" jsonschema_description:"Id (e12), name or alias"`
	EndEntity   string   `json:"end_entity,omitempty" jsonschema_description:"Give the shortest paths to this one"`
	EdgeTypes   []string `json:"edge_types,omitempty" alias:"relations" jsonschema_description:"Follow only these relations: uses, depends_on"`
	EdgeClasses []string `json:"edge_classes,omitempty" unlisted:"true" enum:"causal,temporal,semantic,co_occurrence,hierarchical" jsonschema_description:"Follow only facts of these classes"`
	Direction   string   `json:"direction,omitempty" enum:"both,out,in" jsonschema_description:"out: from head to tail; default both"`
	MaxHops     *int     `json:"max_hops,omitempty" jsonschema_description:"How far to go"`
	readArgs
}

type graphTraverseResult struct {
	Start       entityItem     `json:"start"`
	Entities    []entityItem   `json:"entities"`
	Relations   []relationItem `json:"relations"`
	Truncated   bool           `json:"truncated"`
	NextCursor  string         `json:"next_cursor,omitempty"`
	MemoryState memory.State   `json:"memory_state"`
}

func newGraphTraverse(mem Memory, o Options) (Tool, error) {
	s := spec{
		name: "graph_traverse", title: "Walk the graph", description: graphTraverseText, readOnly: true, idempotent: true,
		bounds: o.bounds(o.TraverseLimit),
	}
	s.ranges["max_hops"] = span{1, o.MaxTraverseHops, min(o.TraverseHops, o.MaxTraverseHops)}
	return define(o, s, func(ctx context.Context, in graphTraverseArgs) (graphTraverseResult, error) {
		req, q, err := in.request(o)
		if err != nil {
			return graphTraverseResult{}, err
		}
		for {
			found, err := mem.Traverse(ctx, req)
			if err != nil {
				return graphTraverseResult{}, err
			}
			res, err := o.shapeTraversal(q, leaf{offset: req.Offset, limit: req.Limit, more: found.More},
				o.shape(in.Detail, req.Relations), found)
			fit := len(res.Entities)
			if err != nil || req.End == "" || fit == len(found.Entities) {
				return res, err
			}
			// A page takes the strongest path first but shows the nearest entity first. Between two entities, request the number
			// of entities that fit, instead of showing an incomplete path.
			req.Limit = fit
		}
	})
}

// request checks the arguments and returns the question.
func (in graphTraverseArgs) request(o Options) (retrieval.TraverseRequest, callKey, error) {
	r, err := in.reading(o, min(o.TraverseLimit, o.MaxResults))
	if err != nil {
		return retrieval.TraverseRequest{}, "", err
	}
	req := retrieval.TraverseRequest{
		Scope: r.scope, Direction: memory.Direction(in.Direction), EdgeClasses: words(
			in.EdgeClasses), At: r.at, Limit: r.limit,
		MaxHops: min(o.TraverseHops, o.MaxTraverseHops), Explain: in.Explain,
	}
	if req.Direction == "" {
		req.Direction = memory.Both
	}
	if in.MaxHops != nil {
		req.MaxHops = *in.MaxHops
	}
	if req.Start, err = o.reference("start_entity", in.StartEntity); err != nil {
		return req, "", err
	}
	if len(words([]string{in.EndEntity})) > 0 {
		if req.End, err = o.reference("end_entity", in.EndEntity); err != nil {
			return req, "", err
		}
	}
	if req.Relations, err = snakes("edge_types", in.EdgeTypes, graph.MaxRelationBytes); err != nil {
		return req, "", err
	}
	q := newCallKey("graph_traverse", req.Scope, req.Start, req.End, req.Relations, req.EdgeClasses, req.Direction,
		req.MaxHops, r.asOf())
	req.Offset, err = q.offset(in.Cursor)
	return req, q, err
}

// shapeTraversal builds the answer and cuts it to its maximum size. It adds entities one at a time, each with the facts
// that join it to the entities before it. So every fact on a page leads to entities on this page or an earlier one.
func (o Options) shapeTraversal(q callKey, p leaf, s shape, found retrieval.Traversal) (graphTraverseResult,
	error) {
	most := o.answerBytes(s.detail)
	res := graphTraverseResult{
		Start: newEntityItem(found.Start, s), Entities: []entityItem{}, Relations: []relationItem{},
		NextCursor: q.cursor(maxOffset), MemoryState: state(found.State),
	}
	if over := sizeOf(res.Start) - most/4; over > 0 {
		res.Start = res.Start.shortened(over)
	}
	envelope, err := json.Marshal(res)
	if err != nil {
		return res, fmt.Errorf("encode answer: %w", err)
	}
	entities, relations := entityItems(found.Entities, s), relationItems(found.Relations, s)
	sizes, err := sizesOf(relations)
	if err != nil {
		return res, err
	}
	row := joins(found)
	room := most - 1 - len(envelope)
	if len(entities) > 0 {
		if over := sizeOf(entities[0]) - room/2; over > 0 {
			entities[0] = entities[0].shortened(over)
		}
	}
	rows := 0
	var shown []int // indexes of the relations to show
	for ; rows < len(entities); rows++ {
		need := sizeOf(entities[rows]) + 1
		for _, i := range row[rows] {
			need += sizes[i]
		}
		if need > room && rows > 0 {
			break
		}
		room -= need
		shown = append(shown, row[rows]...)
		for room < 0 && len(shown) > 0 { // the facts between two entities do not fit even on a page of their own
			room += sizes[shown[len(shown)-1]]
			shown = shown[:len(shown)-1]
			res.Truncated = true
		}
	}
	keep := make(map[int]bool, len(shown))
	for _, i := range shown {
		keep[i] = true
	}
	for i, it := range relations { // in the order of the search
		if keep[i] {
			res.Relations = append(res.Relations, it)
		}
	}
	res.Entities = entities[:rows]
	res.Truncated = res.Truncated || found.Truncated
	p.found, p.shown = len(entities), rows
	res.NextCursor = q.next(p)
	return res, nil
}

// joins returns, for each entity of a traversal, the indexes of the facts that join it to the start, to earlier pages
// or to entities before it on this page.
func joins(found retrieval.Traversal) [][]int {
	place := make(map[int64]int, len(found.Entities))
	for i, e := range found.Entities {
		place[e.Entity.ID] = i
	}
	row := make([][]int, len(found.Entities))
	for i, f := range found.Relations {
		// A missing id has index 0, so the start and entities of earlier pages count as the first entity.
		at := max(place[f.Relationship.Head.ID], place[f.Relationship.Tail.ID])
		if at < len(row) {
			row[at] = append(row[at], i)
		}
	}
	return row
}
