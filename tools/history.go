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
)

//go:embed history.md
var historyText string

type historyArgs struct {
	Entity         string `json:"entity,omitempty" alias:"entity_id,entityId" jsonschema_description:"Id (e12), name or alias: the versions of an entity"`
	EntityType     string `json:"entity_type,omitempty" jsonschema_description:"Tells namesakes apart"`
	RelationshipID string `json:"relationship_id,omitempty" jsonschema_description:"The versions of a fact: r34"`
	Relation       string `json:"relation,omitempty" jsonschema_description:"With entity: all its facts with this relation, ended ones too"`
	Predicate      string `json:"predicate,omitempty" jsonschema_description:"With entity: its facts whose text contains this"`
	Limit          *int   `json:"limit,omitempty" jsonschema_description:"Most items"`
	Cursor         string `json:"cursor,omitempty" jsonschema_description:"next_cursor of the last answer, for what follows"`
	Detail         string `json:"detail,omitempty" unlisted:"true" enum:"ids,summary,full" jsonschema_description:"How much of each item; default summary"`
	scopeArgs
}

type historyResult struct {
	ID          string         `json:"id"`
	Versions    []versionItem  `json:"versions"`
	Facts       []relationItem `json:"facts"`
	Truncated   bool           `json:"truncated,omitempty"`
	NextCursor  string         `json:"next_cursor,omitempty"`
	MemoryState memory.State   `json:"memory_state"`
}

// versionItem is what was believed of an entity or a fact between two instants, and the event that wrote it.
type versionItem struct {
	Version   int           `json:"version"`
	Cause     string        `json:"cause"`
	CreatedAt string        `json:"created_at"`
	ExpiredAt string        `json:"expired_at,omitempty"` // absent for the current version
	Entity    *entityItem   `json:"entity,omitempty"`
	Relation  *relationItem `json:"relation,omitempty"`
	Event     *eventItem    `json:"event,omitempty"`
}

func newHistory(mem Memory, o Options) (Tool, error) {
	s := spec{
		name: "history", title: "What was believed", description: historyText, readOnly: true, idempotent: true,
		bounds: bounds{ranges: map[string]span{"limit": {1, o.MaxResults, o.DefaultLimit}}},
	}
	return define(o, s, func(ctx context.Context, in historyArgs) (historyResult, error) {
		sc, err := in.scope(o)
		if err != nil {
			return historyResult{}, err
		}
		limit := o.DefaultLimit
		if in.Limit != nil {
			limit = *in.Limit
		}
		return in.read(ctx, mem, o, o.withDefaults(sc).Namespace, limit)
	})
}

func (in historyArgs) read(ctx context.Context, mem Memory, o Options, namespace string, limit int) (historyResult,
	error) {
	f := fields{o: o}
	ref, typ := f.reference("entity", in.Entity), f.typ("entity_type", in.EntityType)
	id := memory.RelationshipID(f.id("relationship_id", in.RelationshipID, memory.KindRelationship, "r34"))
	relation, predicate := graph.Snake(in.Relation), strings.TrimSpace(in.Predicate)
	f.note(tooLong("predicate", predicate, o.MaxNameBytes))
	if f.err == nil && (ref == "") == (id.Num == 0) {
		f.note(memory.Errorf(memory.InvalidArgument,
			"history needs either entity or relationship_id.").WithHint(
			"Give an entity by id, name or alias, or a fact by id."))
	}
	if f.err == nil && ref == "" && relation+predicate != "" {
		f.note(memory.Errorf(memory.InvalidArgument,
			"relation and predicate need entity.").WithHint("Leave them out, or give the entity."))
	}
	q := newCallKey("history", namespace, ref, typ, id.Num, relation, predicate)
	offset, err := q.offset(in.Cursor)
	f.note(err)
	if f.err != nil {
		return historyResult{}, f.err
	}
	st, err := mem.State(ctx, namespace)
	if err != nil {
		return historyResult{}, err
	}
	records, err := mem.Records(ctx)
	if err != nil {
		return historyResult{}, err
	}
	limit = min(limit, o.HistoryLimit-offset)
	if limit <= 0 {
		return historyResult{}, memory.Errorf(memory.InvalidArgument, "history lists at most %d versions.", o.HistoryLimit).
			WithHint("Raise edge_history_limit, or ask without the cursor.")
	}
	p := leaf{offset: offset, limit: limit}
	capped := false
	rest := func(more bool) bool { // behind the limit there is no page
		capped = more && offset+limit >= o.HistoryLimit
		return more && !capped
	}
	if ref != "" {
		e, err := records.ResolveEntity(ctx, namespace, ref, typ, memory.AsOf{})
		if err != nil {
			return historyResult{}, orByType(err, "entity_type", typ)
		}
		if relation+predicate != "" {
			list, more, err := records.EdgeHistory(ctx, namespace, e.ID, predicate, relation, offset, limit)
			if err != nil {
				return historyResult{}, err
			}
			p.more = rest(more)
			items := relationItems(factsAsStored(list), o.shape(in.Detail, words([]string{relation})))
			res, err := shapeHistory(o, q, p, in.Detail, historyResult{ID: e.Ref().String(), MemoryState: state(st)},
				[]versionItem{}, items)
			res.Truncated = res.Truncated || capped
			return res, err
		}
		id = e.Ref()
	}
	versions, more, err := records.History(ctx, namespace, id, offset, limit)
	if err != nil {
		return historyResult{}, err
	}
	p.more = rest(more)
	items := make([]versionItem, len(versions))
	for i, v := range versions {
		items[i] = newVersionItem(v, shape{detail: in.Detail, runes: o.SummaryRunes})
	}
	res, err := shapeHistory(o, q, p, in.Detail, historyResult{ID: id.String(), MemoryState: state(st)}, items,
		[]relationItem{})
	res.Truncated = res.Truncated || capped
	return res, err
}

// shapeHistory cuts the versions of an object, or the facts that had an entity as head, to the maximum size of an
// answer. res is the answer without them.
func shapeHistory(o Options, q callKey, p leaf, detail string, res historyResult, versions []versionItem,
	facts []relationItem) (historyResult, error) {
	res.Versions, res.Facts, res.NextCursor, res.Truncated = []versionItem{}, []relationItem{}, q.cursor(maxOffset), true
	envelope, err := json.Marshal(res)
	if err != nil {
		return res, fmt.Errorf("encode answer: %w", err)
	}
	v, err := newColumn(versions, versionItem.shortened)
	if err != nil {
		return res, err
	}
	f, err := newColumn(facts, relationItem.shortened)
	if err != nil {
		return res, err
	}
	rows, dropped := fit(o.answerBytes(detail)-1-len(envelope), v, f)
	res.Versions, res.Facts = head(versions, rows, dropped[0]), head(facts, rows, dropped[1])
	res.Truncated = dropped[0] || dropped[1]
	p.found, p.shown = len(versions)+len(facts), rows // one of the two is empty
	res.NextCursor = q.next(p)
	return res, nil
}

// factsAsStored returns facts with their stored confidence: past facts do not decay.
func factsAsStored(list []memory.Relationship) []retrieval.FoundRelation {
	found := make([]retrieval.FoundRelation, len(list))
	for i, r := range list {
		found[i] = retrieval.FoundRelation{Relationship: r, Confidence: r.Confidence}
	}
	return found
}

func newVersionItem(v memory.Version, s shape) versionItem {
	it := versionItem{Version: v.Number, Cause: v.Cause, CreatedAt: instant(v.CreatedAt), ExpiredAt: instant(v.ExpiredAt)}
	if v.Entity != nil {
		e := newEntityItem(retrieval.FoundEntity{Entity: *v.Entity, Confidence: v.Entity.Confidence}, s)
		it.Entity = &e
	}
	if v.Relationship != nil {
		r := newRelationItem(retrieval.FoundRelation{Relationship: *v.Relationship, Confidence: v.Relationship.Confidence}, s)
		it.Relation = &r
	}
	if v.Event.ID != 0 {
		ev := newEventItem(v.Event)
		ev.Object = ""
		it.Event = &ev
	}
	return it
}

// shortened cuts excess bytes of JSON from the entity or the relation.
func (it versionItem) shortened(excess int) versionItem {
	switch {
	case it.Entity != nil:
		it.Entity = to(it.Entity.shortened(excess))
	case it.Relation != nil:
		it.Relation = to(it.Relation.shortened(excess))
	}
	return it
}
