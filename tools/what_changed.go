package tools

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"

	"memory-graph/internal/memory"
)

//go:embed what_changed.md
var whatChangedText string

type whatChangedArgs struct {
	Since      string `json:"since,omitempty" jsonschema_description:"At or after this time: a date or RFC 3339"`
	Until      string `json:"until,omitempty" jsonschema_description:"Before this time; default now"`
	Entity     string `json:"entity,omitempty" alias:"entity_id,entityId" jsonschema_description:"Only this one and its facts: id, name or alias"`
	EntityType string `json:"entity_type,omitempty" jsonschema_description:"Tells namesakes apart"`
	Limit      *int   `json:"limit,omitempty" jsonschema_description:"Most changes"`
	Cursor     string `json:"cursor,omitempty" jsonschema_description:"next_cursor of the last answer, for what follows"`
	scopeArgs
}

type whatChangedResult struct {
	Changes     []eventItem  `json:"changes"`
	NextCursor  string       `json:"next_cursor,omitempty"`
	MemoryState memory.State `json:"memory_state"`
}

// eventItem is one change of meaning.
type eventItem struct {
	At       string `json:"at"`
	Action   string `json:"action"`
	Object   string `json:"object,omitempty"`
	What     string `json:"what,omitempty"` // the fact or the entity's name, now
	Reason   string `json:"reason,omitempty"`
	Episode  string `json:"episode,omitempty"`
	Actor    string `json:"actor,omitempty"`
	Client   string `json:"client,omitempty"`
	CallID   string `json:"call_id,omitempty"`   // the argument of undo
	UndoneBy string `json:"undone_by,omitempty"` // the call that undid it
}

func newEventItem(e memory.Event) eventItem {
	it := eventItem{
		At: instant(
			e.At), Action: e.Action, Object: e.Object.String(), Reason: e.Reason, Actor: e.Actor, Client: e.Client,
		CallID:   e.CallID,
		UndoneBy: e.UndoneBy,
	}
	if e.EpisodeID != 0 {
		it.Episode = memory.EpisodeID(e.EpisodeID).String()
	}
	return it
}

// shortened cuts excess bytes of JSON from the texts.
func (it eventItem) shortened(excess int) eventItem {
	it.Reason, it.What = cutJSON(it.Reason, excess), cutJSON(it.What, excess)
	return it
}

func newWhatChanged(mem Memory, o Options) (Tool, error) {
	s := spec{
		name: "what_changed", title: "What changed", description: whatChangedText, readOnly: true, idempotent: true,
		bounds: bounds{ranges: map[string]span{"limit": {1, o.MaxResults, o.DefaultLimit}}},
	}
	return define(o, s, func(ctx context.Context, in whatChangedArgs) (whatChangedResult, error) {
		sc, err := in.scope(o)
		if err != nil {
			return whatChangedResult{}, err
		}
		p := leaf{limit: o.DefaultLimit}
		if in.Limit != nil {
			p.limit = *in.Limit
		}
		return in.read(ctx, mem, o, o.withDefaults(sc).Namespace, p)
	})
}

func (in whatChangedArgs) read(ctx context.Context, mem Memory, o Options, namespace string, p leaf) (whatChangedResult,
	error) {
	f := fields{o: o}
	since, until := f.time("since", in.Since), f.time("until", in.Until)
	ref, typ := f.reference("entity", in.Entity), f.typ("entity_type", in.EntityType)
	if !until.IsZero() && !since.Before(until) {
		f.note(memory.Errorf(memory.InvalidArgument, "since %s is not before until %s.", memory.RFC3339(since),
			memory.RFC3339(until)).
			WithHint("until is exclusive: give a later time."))
	}
	q := newCallKey("what_changed", namespace, memory.Millis(since), memory.Millis(until), ref, typ)
	offset, err := q.offset(in.Cursor)
	f.note(err)
	if f.err != nil {
		return whatChangedResult{}, f.err
	}
	records, err := mem.Records(ctx)
	if err != nil {
		return whatChangedResult{}, err
	}
	var entity int64
	if ref != "" {
		e, err := records.ResolveEntity(ctx, namespace, ref, typ, memory.AsOf{})
		if err != nil {
			return whatChangedResult{}, orByType(err, "entity_type", typ)
		}
		entity = e.ID
	}
	events, more, err := records.Changes(ctx, namespace, since, until, entity, offset, p.limit)
	if err != nil {
		return whatChangedResult{}, err
	}
	items, err := eventItems(ctx, records, o, namespace, events)
	if err != nil {
		return whatChangedResult{}, err
	}
	st, err := mem.State(ctx, namespace)
	if err != nil {
		return whatChangedResult{}, err
	}
	res := whatChangedResult{Changes: []eventItem{}, NextCursor: q.cursor(maxOffset), MemoryState: state(st)}
	envelope, err := json.Marshal(res)
	if err != nil {
		return res, fmt.Errorf("encode answer: %w", err)
	}
	c, err := newColumn(items, eventItem.shortened)
	if err != nil {
		return res, err
	}
	rows, dropped := fit(o.AnswerBytes-1-len(envelope), c)
	res.Changes = head(items, rows, dropped[0])
	p.offset, p.found, p.shown, p.more = offset, len(items), rows, more
	res.NextCursor = q.next(p)
	return res, nil
}

// eventItems returns events with the names or facts that they changed.
func eventItems(ctx context.Context, records Records, o Options, namespace string, events []memory.Event) ([]eventItem,
	error) {
	var ids []memory.ID
	for _, e := range events {
		if e.Object.Kind != memory.KindEpisode { // its words may be in quarantine
			ids = append(ids, e.Object)
		}
	}
	what, err := namesOf(ctx, records, o, namespace, ids)
	if err != nil {
		return nil, err
	}
	items := make([]eventItem, len(events))
	for i, e := range events {
		items[i] = newEventItem(e)
		items[i].What = what[e.Object]
	}
	return items, nil
}
