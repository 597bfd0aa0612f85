package tools

import (
	"context"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/store"
)

const nodeText = "One entity or memory with its facts, ended ones included, its conflicts, parent, children, " +
	"community and the turns that mention it."

type nodeArgs struct {
	Entity     string `json:"entity" jsonschema_description:"Id (e12), name or alias"`
	EntityType string `json:"entity_type,omitempty" jsonschema_description:"Tells namesakes apart"`
	ValidAt    string `json:"valid_at,omitempty" jsonschema_description:"Its facts that were true then"`
	KnownAt    string `json:"known_at,omitempty" jsonschema_description:"Its facts that were believed then"`
	Limit      *int   `json:"limit,omitempty" jsonschema_description:"Most items of each list"`
	scopeArgs
}

type nodeResult struct {
	Entity      entityItem    `json:"entity"`
	Trust       int           `json:"trust"`
	Facts       []shownFact   `json:"facts"`       // active ones, the surest first, then those that begin later
	FactCount   int64         `json:"fact_count"`  // of all active ones
	Ended       []shownFact   `json:"ended"`       // the last stored first; empty for another time
	EndedCount  int64         `json:"ended_count"` // of all ended ones
	Conflicts   []shownClash  `json:"conflicts"`
	Parent      *memberItem   `json:"parent,omitempty"`
	Children    []memberItem  `json:"children"`
	ChildCount  int           `json:"child_count"`
	Community   *memberItem   `json:"community,omitempty"`
	Merged      []memberItem  `json:"merged"`   // entities that were merged into it, the last one first
	Mentions    []episodeItem `json:"mentions"` // turns that name it, the newest first
	MemoryState memory.State  `json:"memory_state"`
}

// newNode returns the tool behind the page of an entity.
func newNode(mem Memory, o Options) (Tool, error) {
	s := spec{name: "node", title: "One entity with all that is known", description: nodeText, readOnly: true,
		idempotent: true, bounds: bounds{ranges: map[string]span{"limit": {1, o.MaxResults, o.MaxResults}}}}
	return define(o, s, func(ctx context.Context, in nodeArgs) (nodeResult, error) {
		sc, err := in.scope(o)
		if err != nil {
			return nodeResult{}, err
		}
		f := fields{o: o}
		ref, typ := f.reference("entity", in.Entity), f.typ("entity_type", in.EntityType)
		at := memory.AsOf{ValidAt: f.time("valid_at", in.ValidAt), KnownAt: f.time("known_at", in.KnownAt)}
		if f.err != nil {
			return nodeResult{}, f.err
		}
		records, err := mem.Records(ctx)
		if err != nil {
			return nodeResult{}, err
		}
		n := nodeReader{records: records, o: o, namespace: o.withDefaults(sc).Namespace, at: at, limit: o.MaxResults}
		if in.Limit != nil {
			n.limit = *in.Limit
		}
		e, err := records.ResolveEntity(ctx, n.namespace, ref, typ, at)
		if err != nil {
			return nodeResult{}, unknownThen(ctx, records, n.namespace, ref, typ, at, orByType(err, "entity_type", typ))
		}
		res := nodeResult{Trust: e.Origin.Trust(), Facts: []shownFact{}, Ended: []shownFact{}, Conflicts: []shownClash{},
			Children: []memberItem{}, Mentions: []episodeItem{}, Merged: []memberItem{},
			Entity: newEntityItem(retrieval.FoundEntity{Entity: e, Confidence: e.Confidence}, shape{detail: detailFull})}
		for _, read := range []func(context.Context, memory.Entity, *nodeResult) error{n.facts, n.family, n.mentions} {
			if err := read(ctx, e, &res); err != nil {
				return nodeResult{}, err
			}
		}
		st, err := mem.State(ctx, n.namespace)
		res.MemoryState = state(st)
		return res, err
	})
}

// unknownThen returns the error for an entity that the memory did not know at a time, if err says only that there is no
// such entity then and there is one now. Otherwise it returns err.
func unknownThen(ctx context.Context, records Records, namespace, ref, typ string, at memory.AsOf, err error) error {
	if at.KnownAt.IsZero() || memory.AsError(err).Code != memory.NotFound {
		return err
	}
	e, now := records.ResolveEntity(ctx, namespace, ref, typ, memory.AsOf{})
	if now != nil || !e.CreatedAt.After(at.KnownAt) {
		return err
	}
	then := memory.Errorf(memory.NotFound, "%.80q was not known before %s.", e.Name, memory.RFC3339(e.CreatedAt)).
		WithHint("Choose a later known_at, or leave it out.")
	then.Candidates = []memory.Candidate{{ID: e.Ref().String(), Name: e.Name, Type: e.Type}}
	return then
}

// nodeReader reads the parts of the page of an entity.
type nodeReader struct {
	records   Records
	o         Options
	namespace string
	at        memory.AsOf
	limit     int
}

func (n nodeReader) facts(ctx context.Context, e memory.Entity, res *nodeResult) error {
	show, err := n.o.factShower(ctx, n.records, n.namespace)
	if err != nil {
		return err
	}
	show.then = !n.at.Now()
	held, _, err := n.records.LinksOf(ctx, memory.EdgeQuery{Namespace: n.namespace, Nodes: []int64{e.ID}, At: n.at},
		memory.Filter{Namespace: n.namespace}, 0, n.limit)
	if err != nil {
		return err
	}
	f := store.RelationshipFilter{Namespace: n.namespace, Entity: e.ID, At: n.at}
	if res.FactCount, err = n.records.CountRelationships(ctx, f); err != nil {
		return err
	}
	res.Facts = show.showAll(held)
	if !n.at.Now() {
		return nil
	}
	f.Scheduled = true
	later, _, err := n.records.ListRelationships(ctx, f, 0, n.limit)
	if err != nil {
		return err
	}
	res.Facts = append(res.Facts, show.showAll(later)...)
	f.Scheduled, f.Ended = false, true
	ended, _, err := n.records.ListRelationships(ctx, f, 0, n.limit)
	if err != nil {
		return err
	}
	res.Ended = show.showAll(ended)
	if res.EndedCount, err = n.records.CountRelationships(ctx, f); err != nil {
		return err
	}
	res.Conflicts, _, err = show.clashes(ctx, n.records, n.namespace, e.ID, n.limit)
	return err
}

// family reads the parent, the children and the community.
func (n nodeReader) family(ctx context.Context, e memory.Entity, res *nodeResult) error {
	if parent, ok := e.Parent(); ok {
		list, err := n.records.EntitiesByID(ctx, n.namespace, []int64{parent.Num}, n.at)
		if err != nil {
			return err
		}
		if len(list) > 0 {
			res.Parent = &memberItem{list[0].Ref().String(), list[0].Name}
		}
	}
	families, err := n.records.Children(ctx, n.namespace, []int64{e.ID}, n.at, n.limit)
	if err != nil {
		return err
	}
	for _, c := range families[e.ID].Nodes {
		res.Children = append(res.Children, memberItem{c.Ref().String(), c.Name})
	}
	res.ChildCount = families[e.ID].Total
	merged, err := n.records.MergedInto(ctx, n.namespace, e.ID, n.limit)
	if err != nil {
		return err
	}
	for _, m := range merged {
		res.Merged = append(res.Merged, memberItem{m.Ref().String(), m.Name})
	}
	found, err := n.records.CommunitiesOf(ctx, n.namespace, nil, []int64{e.ID})
	if err == nil && len(found) > 0 {
		res.Community = &memberItem{found[0].Ref().String(), found[0].Name}
	}
	return err
}

// mentions reads the newest turns that name the entity.
func (n nodeReader) mentions(ctx context.Context, e memory.Entity, res *nodeResult) error {
	const most = 10
	hits, err := n.records.EpisodesMentioning(ctx, memory.Filter{Namespace: n.namespace}, []int64{e.ID}, most)
	if err != nil {
		return err
	}
	ids := make([]int64, len(hits))
	for i, h := range hits {
		ids[i] = h.ID
	}
	list, err := n.records.Episodes(ctx, n.namespace, ids)
	for _, turn := range list {
		res.Mentions = append(res.Mentions, newEpisodeItem(retrieval.FoundEpisode{Episode: turn},
			shape{runes: n.o.SummaryRunes}))
	}
	return err
}
