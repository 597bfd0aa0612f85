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

//go:embed retrieve_linked.md
var retrieveLinkedText string

type retrieveLinkedArgs struct {
	Entity      string   `json:"entity" alias:"entity_id,entityId" jsonschema_description:"Id (e12), name or alias"`
	EntityType  string   `json:"entity_type,omitempty" jsonschema_description:"Tells namesakes apart"`
	Direction   string   `json:"direction,omitempty" enum:"both,out,in" jsonschema_description:"out: it is the head; default both"`
	Relations   []string `json:"relations,omitempty" alias:"edge_types,edgeTypes" jsonschema_description:"Only these: works_at, uses"`
	EdgeClasses []string `json:"edge_classes,omitempty" unlisted:"true" enum:"causal,temporal,semantic,co_occurrence,hierarchical" jsonschema_description:"Only facts of these classes"`
	readArgs
}

type retrieveLinkedResult struct {
	Entity      entityItem     `json:"entity"`
	Links       []relationItem `json:"links"`
	NextCursor  string         `json:"next_cursor,omitempty"`
	MemoryState memory.State   `json:"memory_state"`
}

func newRetrieveLinked(mem Memory, o Options) (Tool, error) {
	s := spec{
		name: "retrieve_linked", title: "Facts about something", description: retrieveLinkedText, readOnly: true,
		idempotent: true,
		bounds:     o.bounds(o.DefaultLimit),
	}
	return define(o, s, func(ctx context.Context, in retrieveLinkedArgs) (retrieveLinkedResult, error) {
		return links(ctx, mem, o, s.name, in)
	})
}

// links reads an entity's facts and builds the answer. edges_at uses it for one instant.
func links(ctx context.Context, mem Memory, o Options, tool string, in retrieveLinkedArgs) (retrieveLinkedResult,
	error) {
	req, q, err := in.request(o, tool)
	if err != nil {
		return retrieveLinkedResult{}, err
	}
	found, err := mem.Links(ctx, req)
	if err != nil {
		return retrieveLinkedResult{}, orByType(err, "entity_type", req.EntityType)
	}
	return o.shapeLinks(q, leaf{offset: req.Offset, limit: req.Limit, more: found.More}, o.shape(in.Detail, req.Relations),
		found)
}

// request checks the arguments and returns the question.
func (in retrieveLinkedArgs) request(o Options, tool string) (retrieval.LinksRequest, callKey, error) {
	r, err := in.reading(o, o.DefaultLimit)
	if err != nil {
		return retrieval.LinksRequest{}, "", err
	}
	req := retrieval.LinksRequest{
		Scope: r.scope, Direction: memory.Direction(in.Direction), EdgeClasses: words(
			in.EdgeClasses), At: r.at, Limit: r.limit, Explain: in.Explain,
	}
	if req.Direction == "" {
		req.Direction = memory.Both
	}
	if req.Entity, err = o.reference("entity", in.Entity); err != nil {
		return req, "", err
	}
	if req.EntityType, err = o.typeName("entity_type", in.EntityType); err != nil {
		return req, "", err
	}
	if req.Relations, err = snakes("relations", in.Relations, graph.MaxRelationBytes); err != nil {
		return req, "", err
	}
	q := newCallKey(tool, req.Scope, req.Entity, req.EntityType, req.Direction, req.Relations, req.EdgeClasses, r.asOf())
	req.Offset, err = q.offset(in.Cursor)
	return req, q, err
}

// shapeLinks builds the answer and cuts it to its maximum size.
func (o Options) shapeLinks(q callKey, p leaf, s shape, found retrieval.Links) (retrieveLinkedResult, error) {
	most := o.answerBytes(s.detail)
	res := retrieveLinkedResult{
		Entity: newEntityItem(found.Entity,
			s), Links: []relationItem{}, NextCursor: q.cursor(maxOffset), MemoryState: state(found.State),
	}
	if over := sizeOf(res.Entity) - most/2; over > 0 {
		res.Entity = res.Entity.shortened(over)
	}
	envelope, err := json.Marshal(res)
	if err != nil {
		return res, fmt.Errorf("encode answer: %w", err)
	}
	items := relationItems(found.Links, s)
	column, err := newColumn(items, relationItem.shortened)
	if err != nil {
		return res, err
	}
	rows, dropped := fit(most-1-len(envelope), column)
	res.Links = head(items, rows, dropped[0])
	p.found, p.shown = len(items), rows
	res.NextCursor = q.next(p)
	return res, nil
}
