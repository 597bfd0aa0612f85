package tools

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/store"
)

//go:embed list.md
var listText string

type listArgs struct {
	What        string   `json:"what,omitempty" enum:"entities,relations,communities" jsonschema_description:"Default entities"`
	Types       []string `json:"types,omitempty" jsonschema_description:"Of entities: person, project, …"`
	Community   string   `json:"community,omitempty" unlisted:"true" alias:"community_id,communityId" jsonschema_description:"Of entities: members of this one: c3 or its name"`
	Kind        string   `json:"kind,omitempty" enum:"entity,memory" jsonschema_description:"Of entities; default both"`
	Prefix      string   `json:"prefix,omitempty" jsonschema_description:"What the name of an entity begins with"`
	Relations   []string `json:"relations,omitempty" alias:"edge_types,edgeTypes" jsonschema_description:"Of relations: works_at, uses"`
	EdgeClasses []string `json:"edge_classes,omitempty" unlisted:"true" enum:"causal,temporal,semantic,co_occurrence,hierarchical" jsonschema_description:"Of relations"`
	Entity      string   `json:"entity,omitempty" alias:"entity_id,entityId" jsonschema_description:"Of relations: their head or tail, by id, name or alias"`
	Status      string   `json:"status,omitempty" enum:"active,ended,all" jsonschema_description:"Of relations; default active"`
	Order       string   `json:"order,omitempty" enum:"newest,name" jsonschema_description:"Default newest"`
	ValidAt     string   `json:"valid_at,omitempty" unlisted:"true" jsonschema_description:"Of relations: what was true then"`
	KnownAt     string   `json:"known_at,omitempty" unlisted:"true" jsonschema_description:"Of relations: what was believed then"`
	Limit       *int     `json:"limit,omitempty" jsonschema_description:"Most items"`
	Cursor      string   `json:"cursor,omitempty" jsonschema_description:"next_cursor of the last answer, for what follows"`
	Detail      string   `json:"detail,omitempty" unlisted:"true" enum:"ids,summary,full" jsonschema_description:"How much of each item; default summary"`
	scopeArgs
}

type listResult struct {
	Entities    []entityItem    `json:"entities"`
	Relations   []relationItem  `json:"relations"`
	Communities []communityItem `json:"communities,omitempty"`
	NextCursor  string          `json:"next_cursor,omitempty"`
	MemoryState memory.State    `json:"memory_state"`
}

func newList(mem Memory, o Options) (Tool, error) {
	s := spec{
		name: "list", title: "List what is stored", description: listText, readOnly: true, idempotent: true,
		bounds: bounds{ranges: map[string]span{"limit": {1, o.MaxResults, o.DefaultLimit}}},
	}
	return define(o, s, func(ctx context.Context, in listArgs) (listResult, error) {
		sc, err := in.scope(o)
		if err != nil {
			return listResult{}, err
		}
		p := leaf{limit: o.DefaultLimit}
		if in.Limit != nil {
			p.limit = *in.Limit
		}
		namespace := o.withDefaults(sc).Namespace
		switch in.What {
		case "relations":
			return in.relations(ctx, mem, o, namespace, p)
		case "communities":
			return in.communities(ctx, mem, o, namespace)
		}
		return in.entities(ctx, mem, o, namespace, p)
	})
}

func (in listArgs) entities(ctx context.Context, mem Memory, o Options, namespace string, p leaf) (listResult, error) {
	if err := in.strange("entities", map[string]bool{
		"relations": len(in.Relations) > 0, "edge_classes": len(
			in.EdgeClasses) > 0, "entity": in.Entity != "", "status": in.Status != "",
		"valid_at": in.ValidAt != "", "known_at": in.KnownAt != "",
	}); err != nil {
		return listResult{}, err
	}
	f := store.EntityFilter{Namespace: namespace, Prefix: strings.TrimSpace(in.Prefix), Order: store.ListOrder(in.Order)}
	err := tooLong("prefix", f.Prefix, o.MaxNameBytes)
	if err != nil {
		return listResult{}, err
	}
	if in.Kind != "" {
		f.Kinds = []memory.NodeKind{memory.NodeKind(in.Kind)}
	}
	if f.Types, err = snakes("types", in.Types, graph.MaxRelationBytes); err != nil {
		return listResult{}, err
	}
	q := newCallKey("list", f, in.Community)
	if p.offset, err = q.offset(in.Cursor); err != nil {
		return listResult{}, err
	}
	records, err := mem.Records(ctx)
	if err != nil {
		return listResult{}, err
	}
	if c := strings.TrimSpace(in.Community); c != "" {
		if err := tooLong("community", c, o.MaxNameBytes); err != nil {
			return listResult{}, err
		}
		found, err := records.CommunityNamed(ctx, namespace, c)
		if err != nil {
			return listResult{}, err
		}
		f.Community = found.ID
	}
	list, more, err := records.ListEntities(ctx, f, p.offset, p.limit)
	if err != nil {
		return listResult{}, err
	}
	items := make([]entityItem, len(list))
	for i, e := range list {
		items[i] = newEntityItem(retrieval.FoundEntity{Entity: e, Confidence: e.Confidence},
			shape{detail: in.Detail, runes: o.SummaryRunes})
	}
	p.more = more
	st, err := mem.State(ctx, namespace)
	if err != nil {
		return listResult{}, err
	}
	return shapeList(o, q, p, in.Detail, st, items, []relationItem{})
}

// communities lists communities as the tool communities does.
func (in listArgs) communities(ctx context.Context, mem Memory, o Options, namespace string) (listResult, error) {
	if err := in.strange("communities", map[string]bool{"types": len(in.Types) > 0, "kind": in.Kind != "",
		"relations": len(in.Relations) > 0, "edge_classes": len(in.EdgeClasses) > 0, "entity": in.Entity != "",
		"status": in.Status != "", "valid_at": in.ValidAt != "", "known_at": in.KnownAt != "",
		"community": in.Community != ""}); err != nil {
		return listResult{}, err
	}
	found, err := communitiesArgs{Prefix: in.Prefix, Order: in.Order, Limit: in.Limit, Cursor: in.Cursor,
		Detail: in.Detail}.read(ctx, mem, o, namespace)
	return listResult{Entities: []entityItem{}, Relations: []relationItem{}, Communities: found.Communities,
		NextCursor: found.NextCursor, MemoryState: found.MemoryState}, err
}

func (in listArgs) relations(ctx context.Context, mem Memory, o Options, namespace string, p leaf) (listResult, error) {
	if err := in.strange("relations", map[string]bool{"types": len(in.Types) > 0, "kind": in.Kind != "",
		"prefix": in.Prefix != "", "community": in.Community != ""}); err != nil {
		return listResult{}, err
	}
	r, err := readArgs{ValidAt: in.ValidAt, KnownAt: in.KnownAt}.reading(o, p.limit)
	if err != nil {
		return listResult{}, err
	}
	f := store.RelationshipFilter{
		Namespace: namespace, Classes: words(
			in.EdgeClasses), Ended: in.Status == "ended", All: in.Status == "all", Order: store.ListOrder(in.Order), At: r.at,
	}
	records, err := mem.Records(ctx)
	if err != nil {
		return listResult{}, err
	}
	if f.Relations, err = snakes("relations", in.Relations, graph.MaxRelationBytes); err != nil {
		return listResult{}, err
	}
	if strings.TrimSpace(in.Entity) != "" {
		ref, err := o.reference("entity", in.Entity)
		if err != nil {
			return listResult{}, err
		}
		e, err := records.ResolveEntity(ctx, namespace, ref, "", r.at)
		if err != nil {
			return listResult{}, err
		}
		f.Entity = e.ID
	}
	q := newCallKey("list", f)
	if p.offset, err = q.offset(in.Cursor); err != nil {
		return listResult{}, err
	}
	list, more, err := records.ListRelationships(ctx, f, p.offset, p.limit)
	if err != nil {
		return listResult{}, err
	}
	items := relationItems(factsAsStored(list), o.shape(in.Detail, f.Relations))
	p.more = more
	st, err := mem.State(ctx, namespace)
	if err != nil {
		return listResult{}, err
	}
	return shapeList(o, q, p, in.Detail, st, []entityItem{}, items)
}

// strange rejects filters that do not apply to the listed kind.
func (in listArgs) strange(what string, given map[string]bool) error {
	for _, name := range sortedKeys(given) {
		if given[name] {
			return memory.Errorf(memory.InvalidArgument, "%s does not apply to a list of %s.", name,
				what).WithHint("Leave it out, or change the argument what.")
		}
	}
	return nil
}

// shapeList cuts a list to the maximum size of an answer.
func shapeList(o Options, q callKey, p leaf, detail string, st memory.State, entities []entityItem,
	relations []relationItem) (listResult, error) {
	res := listResult{Entities: []entityItem{}, Relations: []relationItem{}, NextCursor: q.cursor(maxOffset),
		MemoryState: state(st)}
	envelope, err := json.Marshal(res)
	if err != nil {
		return res, fmt.Errorf("encode answer: %w", err)
	}
	rows, dropped, err := fitLists(o.answerBytes(detail)-1-len(envelope), relations, entities, nil, nil)
	if err != nil {
		return res, err
	}
	res.Relations, res.Entities = head(relations, rows, dropped[0]), head(entities, rows, dropped[1])
	p.found, p.shown = len(entities)+len(relations), rows
	res.NextCursor = q.next(p)
	return res, nil
}
