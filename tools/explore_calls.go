package tools

import (
	"context"
	"strconv"
	"strings"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/store"
)

const (
	callsText = "What calls changed, the newest first. One call is one item, however much it changed."
	callText  = "Everything that one call changed: what it was about first."
)

type callsArgs struct {
	Since  string `json:"since,omitempty" jsonschema_description:"At or after this time: a date or RFC 3339"`
	Until  string `json:"until,omitempty" jsonschema_description:"Before this time; default now"`
	Entity string `json:"entity,omitempty" jsonschema_description:"Only calls that changed this one or its facts"`
	Limit  *int   `json:"limit,omitempty" jsonschema_description:"Most calls"`
	Cursor string `json:"cursor,omitempty" jsonschema_description:"next_cursor of the last answer, for what follows"`
	scopeArgs
}

type callsResult struct {
	Calls      []shownCall `json:"calls"`
	NextCursor string      `json:"next_cursor,omitempty"`
}

// shownCall is what one call changed, with its first objects.
type shownCall struct {
	At       string         `json:"at"`
	Began    string         `json:"began"` // its first change; At is the last one
	Action   string         `json:"action"`
	Reason   string         `json:"reason,omitempty"`
	Actor    string         `json:"actor,omitempty"`
	Client   string         `json:"client,omitempty"`
	CallID   string         `json:"call_id,omitempty"`
	UndoneBy string         `json:"undone_by,omitempty"`
	Facts    int            `json:"facts"`
	Entities int            `json:"entities"`
	Turns    int            `json:"turns"`
	First    []shownChanged `json:"first"`
}

// shownChanged is an object that a call changed.
type shownChanged struct {
	Object string `json:"object"`
	What   string `json:"what,omitempty"` // its name, its sentence or its first words, now
	Did    string `json:"did" jsonschema:"enum=added,enum=edited,enum=ended,enum=superseded,enum=planned,enum=restored,enum=retracted,enum=merged,enum=split,enum=forgotten"`
	By     string `json:"by,omitempty"` // what took its place, or what it was merged into
	ByWhat string `json:"by_what,omitempty"`
}

// newCalls returns the tool that lists changes by the calls that made them.
func newCalls(mem Memory, o Options) (Tool, error) {
	s := spec{name: "calls", title: "What calls changed", description: callsText, readOnly: true, idempotent: true,
		bounds: bounds{ranges: map[string]span{"limit": {1, o.MaxResults, o.DefaultLimit}}}}
	return define(o, s, func(ctx context.Context, in callsArgs) (callsResult, error) {
		sc, err := in.scope(o)
		if err != nil {
			return callsResult{}, err
		}
		f := fields{o: o}
		filter := store.CallFilter{Namespace: o.withDefaults(sc).Namespace, Since: f.time("since", in.Since),
			Until: f.time("until", in.Until)}
		ref := f.reference("entity", in.Entity)
		if in.Cursor != "" {
			if filter.Before, err = strconv.ParseInt(in.Cursor, 10, 64); err != nil || filter.Before <= 0 {
				f.note(memory.Errorf(memory.InvalidArgument, "cursor: %.80q is none.", in.Cursor).
					WithHint("Give next_cursor of the last answer."))
			}
		}
		if f.err != nil {
			return callsResult{}, f.err
		}
		records, err := mem.Records(ctx)
		if err != nil {
			return callsResult{}, err
		}
		if ref != "" {
			e, err := records.ResolveEntity(ctx, filter.Namespace, ref, "", memory.AsOf{})
			if err != nil {
				return callsResult{}, err
			}
			filter.Entity = e.ID
		}
		limit := o.DefaultLimit
		if in.Limit != nil {
			limit = *in.Limit
		}
		calls, more, err := records.Calls(ctx, filter, limit)
		if err != nil {
			return callsResult{}, err
		}
		res := callsResult{Calls: []shownCall{}}
		if more {
			res.NextCursor = strconv.FormatInt(calls[len(calls)-1].Newest.ID, 10)
		}
		var all []memory.CallItem
		for _, c := range calls {
			all = append(all, c.First...)
		}
		names, err := pageNames(ctx, records, o, filter.Namespace, objectsOf(all))
		for _, c := range calls {
			res.Calls = append(res.Calls, newShownCall(c, names))
		}
		return res, err
	})
}

func newShownCall(c memory.Call, names map[memory.ID]string) shownCall {
	e := c.Newest
	it := shownCall{At: instant(e.At), Began: instant(c.Began), Action: e.Action, Reason: e.Reason, Actor: e.Actor,
		Client: e.Client, CallID: e.CallID, UndoneBy: e.UndoneBy, Facts: c.Facts, Entities: c.Entities, Turns: c.Turns}
	it.First = newShownChanged(c.First, names)
	return it
}

func newShownChanged(list []memory.CallItem, names map[memory.ID]string) []shownChanged {
	items := make([]shownChanged, len(list))
	for i, it := range list {
		items[i] = shownChanged{Object: it.Object.String(), What: names[it.Object], Did: string(it.Did)}
		if it.By.Num != 0 {
			items[i].By, items[i].ByWhat = it.By.String(), names[it.By]
		}
	}
	return items
}

// objectsOf returns the ids that items name.
func objectsOf(list []memory.CallItem) []memory.ID {
	var ids []memory.ID
	for _, it := range list {
		ids = append(ids, it.Object)
		if it.By.Num != 0 {
			ids = append(ids, it.By)
		}
	}
	return ids
}

type callArgs struct {
	CallID string `json:"call_id" jsonschema_description:"Of calls, what_changed or history"`
	Limit  *int   `json:"limit,omitempty" jsonschema_description:"Most objects"`
	Cursor string `json:"cursor,omitempty" jsonschema_description:"next_cursor of the last answer, for what follows"`
	scopeArgs
}

type callResult struct {
	Changed    []shownChanged `json:"changed"`
	NextCursor string         `json:"next_cursor,omitempty"`
}

// newCall returns the tool that lists what one call changed.
func newCall(mem Memory, o Options) (Tool, error) {
	s := spec{name: "call", title: "What one call changed", description: callText, readOnly: true, idempotent: true,
		bounds: bounds{ranges: map[string]span{"limit": {1, o.MaxResults, o.DefaultLimit}}}}
	return define(o, s, func(ctx context.Context, in callArgs) (callResult, error) {
		sc, err := in.scope(o)
		if err != nil {
			return callResult{}, err
		}
		namespace, call := o.withDefaults(sc).Namespace, strings.TrimSpace(in.CallID)
		p := leaf{limit: o.DefaultLimit}
		if in.Limit != nil {
			p.limit = *in.Limit
		}
		q := newCallKey("call", namespace, call)
		if p.offset, err = q.offset(in.Cursor); err != nil {
			return callResult{}, err
		}
		records, err := mem.Records(ctx)
		if err != nil {
			return callResult{}, err
		}
		items, more, err := records.CallItems(ctx, namespace, call, p.offset, p.limit)
		if err != nil {
			return callResult{}, err
		}
		names, err := pageNames(ctx, records, o, namespace, objectsOf(items))
		p.found, p.shown, p.more = len(items), len(items), more
		return callResult{newShownChanged(items, names), q.next(p)}, err
	})
}

// pageNames is namesOf for the page of explore, which also names entities that were merged into others.
func pageNames(ctx context.Context, records Records, o Options, namespace string,
	ids []memory.ID) (map[memory.ID]string, error) {
	what, err := namesOf(ctx, records, o, namespace, ids)
	if err != nil {
		return nil, err
	}
	var missing []int64
	for _, id := range ids {
		if _, named := what[id]; !named && (id.Kind == memory.KindEntity || id.Kind == memory.KindMemory) {
			missing = append(missing, id.Num)
		}
	}
	if len(missing) == 0 {
		return what, nil
	}
	list, err := records.NamesOf(ctx, namespace, missing)
	for _, n := range list {
		what[n.Ref()], _ = shape{runes: o.SummaryRunes}.cut(n.Name)
	}
	return what, err
}

// namesOf returns what ids are now: the names of entities, facts as head, relation and tail, and the first words of
// turns. What was forgotten has no entry.
func namesOf(ctx context.Context, records Records, o Options, namespace string, ids []memory.ID) (map[memory.ID]string,
	error) {
	by := map[memory.Kind][]int64{}
	for _, id := range ids {
		kind := id.Kind
		if kind == memory.KindMemory {
			kind = memory.KindEntity
		}
		by[kind] = append(by[kind], id.Num)
	}
	what := map[memory.ID]string{}
	short := func(id memory.ID, text string) { what[id], _ = shape{runes: o.SummaryRunes}.cut(text) }
	if list := by[memory.KindEntity]; len(list) > 0 {
		found, err := records.EntitiesByID(ctx, namespace, list, memory.AsOf{})
		if err != nil {
			return nil, err
		}
		for _, e := range found {
			short(e.Ref(), e.Name)
		}
	}
	if list := by[memory.KindRelationship]; len(list) > 0 {
		found, err := records.Relationships(ctx, namespace, list, memory.AsOf{})
		if err != nil {
			return nil, err
		}
		for _, r := range found {
			short(r.Ref(), r.Head.Name+" "+r.Relation+" "+r.Tail.Name)
		}
	}
	if list := by[memory.KindEpisode]; len(list) > 0 {
		found, err := records.Episodes(ctx, namespace, list)
		if err != nil {
			return nil, err
		}
		for _, e := range found {
			it := newEpisodeItem(retrieval.FoundEpisode{Episode: e}, shape{runes: o.SummaryRunes})
			short(memory.EpisodeID(e.ID), strings.Join(strings.Fields(it.Content), " "))
		}
	}
	return what, nil
}
