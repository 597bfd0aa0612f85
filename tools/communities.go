package tools

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/store"
)

//go:embed communities.md
var communitiesText string

//go:embed refresh_communities.md
var refreshCommunitiesText string

type communitiesArgs struct {
	Community string `json:"community,omitempty" alias:"id,community_id,communityId,entity" jsonschema_description:"Only this one: id, name, or an entity in it"`
	Prefix    string `json:"prefix,omitempty" jsonschema_description:"What the name of a community or of a member begins with"`
	Order     string `json:"order,omitempty" unlisted:"true" enum:"newest,name" jsonschema_description:"name; default the largest first"`
	Limit     *int   `json:"limit,omitempty" jsonschema_description:"Most communities, or most members of one"`
	Cursor    string `json:"cursor,omitempty" jsonschema_description:"next_cursor of the last answer, for what follows"`
	Detail    string `json:"detail,omitempty" unlisted:"true" enum:"ids,summary,full" jsonschema_description:"How much of each item; default summary"`
	scopeArgs
}

type communitiesResult struct {
	Communities []communityItem `json:"communities"`
	Entities    []entityItem    `json:"entities"` // the members of the one that was asked for
	NextCursor  string          `json:"next_cursor,omitempty"`
	MemoryState memory.State    `json:"memory_state"`
}

func newCommunities(mem Memory, o Options) (Tool, error) {
	s := spec{
		name: "communities", title: "Groups of the graph", description: communitiesText, readOnly: true, idempotent: true,
		bounds: bounds{ranges: map[string]span{"limit": {1, o.MaxResults, o.DefaultLimit}}},
	}
	return define(o, s, func(ctx context.Context, in communitiesArgs) (communitiesResult, error) {
		sc, err := in.scope(o)
		if err != nil {
			return communitiesResult{}, err
		}
		return in.read(ctx, mem, o, o.withDefaults(sc).Namespace)
	})
}

func (in communitiesArgs) read(ctx context.Context, mem Memory, o Options, namespace string) (communitiesResult,
	error) {
	p := leaf{limit: o.DefaultLimit}
	if in.Limit != nil {
		p.limit = *in.Limit
	}
	f := store.CommunityFilter{Namespace: namespace, Prefix: strings.TrimSpace(in.Prefix),
		Order: store.ListOrder(in.Order)}
	if err := tooLong("prefix", f.Prefix, o.MaxNameBytes); err != nil {
		return communitiesResult{}, err
	}
	ref := strings.TrimSpace(in.Community)
	if err := tooLong("community", ref, o.MaxNameBytes); err != nil {
		return communitiesResult{}, err
	}
	q := newCallKey("communities", f, ref)
	var err error
	if p.offset, err = q.offset(in.Cursor); err != nil {
		return communitiesResult{}, err
	}
	records, err := mem.Records(ctx)
	if err != nil {
		return communitiesResult{}, err
	}
	var found []memory.Community
	var members []memory.Entity
	if ref == "" {
		found, p.more, err = records.ListCommunities(ctx, f, p.offset, p.limit)
	} else {
		found, members, p.more, err = oneCommunity(ctx, records, namespace, ref, p)
	}
	if err != nil {
		return communitiesResult{}, err
	}
	st, err := mem.State(ctx, namespace)
	if err != nil {
		return communitiesResult{}, err
	}
	return shapeCommunities(o, q, p, in.Detail, st, found, members)
}

// oneCommunity returns a community and a page of its members.
func oneCommunity(ctx context.Context, records Records, namespace, ref string, p leaf) ([]memory.Community,
	[]memory.Entity, bool, error) {
	c, err := records.CommunityNamed(ctx, namespace, ref)
	if err != nil {
		return nil, nil, false, err
	}
	members, more, err := records.ListEntities(ctx, store.EntityFilter{Namespace: namespace, Community: c.ID}, p.offset,
		p.limit)
	return []memory.Community{c}, members, more, err
}

// shapeCommunities cuts an answer to its maximum size. With members, these are the pages and the community is beside
// them.
func shapeCommunities(o Options, q callKey, p leaf, detail string, st memory.State, found []memory.Community,
	members []memory.Entity) (communitiesResult, error) {
	sh := shape{detail: detail, runes: o.SummaryRunes}
	items, entities := communityItems(found, sh), []entityItem{}
	for _, e := range members {
		entities = append(entities, newEntityItem(retrieval.FoundEntity{Entity: e, Confidence: e.Confidence}, sh))
	}
	res := communitiesResult{Communities: []communityItem{}, Entities: []entityItem{}, NextCursor: q.cursor(maxOffset),
		MemoryState: state(st)}
	paged := items
	if len(members) > 0 {
		res.Communities, paged = items, nil
	}
	envelope, err := json.Marshal(res)
	if err != nil {
		return res, fmt.Errorf("encode answer: %w", err)
	}
	rows, dropped, err := fitLists(o.answerBytes(detail)-1-len(envelope), nil, entities, nil, paged)
	if err != nil {
		return res, err
	}
	res.Entities = head(entities, rows, dropped[1])
	if len(members) == 0 {
		res.Communities = head(paged, rows, dropped[3])
	}
	p.found, p.shown = len(entities)+len(paged), rows
	res.NextCursor = q.next(p)
	return res, nil
}

type refreshCommunitiesArgs struct {
	scopeArgs
}

type refreshCommunitiesResult struct {
	Communities int          `json:"communities"` // all of the namespace
	Changed     int          `json:"changed"`     // new ones included
	Unchanged   int          `json:"unchanged"`
	Dropped     int          `json:"dropped"`
	ModelCalls  int          `json:"model_calls"`
	Failed      int          `json:"failed"` // summaries that the model did not write; they have the program's words
	MemoryState memory.State `json:"memory_state"`
}

func newRefreshCommunities(mem Memory, o Options) (Tool, error) {
	s := spec{name: "refresh_communities", title: "Find the groups anew", description: refreshCommunitiesText,
		idempotent: true}
	return define(o, s, func(ctx context.Context, in refreshCommunitiesArgs) (refreshCommunitiesResult, error) {
		sc, err := in.scope(o)
		if err != nil {
			return refreshCommunitiesResult{}, err
		}
		namespace := o.withDefaults(sc).Namespace
		done, err := mem.RefreshCommunities(ctx, namespace)
		if err != nil {
			return refreshCommunitiesResult{}, err
		}
		st, err := mem.State(ctx, namespace)
		if err != nil {
			return refreshCommunitiesResult{}, err
		}
		return refreshCommunitiesResult{Communities: done.Communities, Changed: done.Changed, Unchanged: done.Unchanged,
			Dropped: done.Dropped, ModelCalls: done.Calls, Failed: done.Failed, MemoryState: state(st)}, nil
	})
}
