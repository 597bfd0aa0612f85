package tools

import (
	"context"
	"time"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
)

// shownFact is a fact as the page shows it, with what its tables and bars need.
type shownFact struct {
	relationItem
	Status   string `json:"status" jsonschema:"enum=active,enum=scheduled,enum=ended"`
	Trust    int    `json:"trust"`               // 4 user, 3 agent, 2 assistant, 1 tool, 0 others
	HeadType string `json:"head_type,omitempty"` // of the two entities
	TailType string `json:"tail_type,omitempty"`
}

// factShower makes facts for the page: the confidence of an active fact is what decay has left of it.
type factShower struct {
	now   time.Time
	then  bool // the facts are those of another time: they held then, and have the confidence of then
	rates graph.Rates
	shape shape
}

func (o Options) factShower(ctx context.Context, records Records, namespace string) (factShower, error) {
	set, err := records.RelationRates(ctx, namespace)
	now := time.Now
	if o.Now != nil {
		now = o.Now
	}
	return factShower{now(), false, graph.Rates{Default: o.DecayRate, Set: set},
		shape{detail: detailFull, runes: o.SummaryRunes}}, err
}

func (s factShower) show(r memory.Relationship) shownFact {
	status, left := "active", r.Confidence
	switch {
	case s.then:
	case !r.Active(s.now):
		status = "ended"
	case r.ValidFrom.After(s.now):
		status = "scheduled"
	}
	if r.Active(s.now) && !s.then {
		left = graph.EffectiveConfidence(r.Confidence, s.rates.Of(r.Relation), graph.Days(s.now.Sub(r.LastObservedAt)))
	}
	it := newRelationItem(retrieval.FoundRelation{Relationship: r, Confidence: left}, s.shape)
	if len(it.Evidence) > summaryEvidence {
		it.Evidence, it.EvidenceCount = it.Evidence[len(it.Evidence)-summaryEvidence:], len(it.Evidence)
	}
	return shownFact{it, status, r.Origin.Trust(), r.Head.Type, r.Tail.Type}
}

func (s factShower) showAll(list []memory.Relationship) []shownFact {
	items := make([]shownFact, len(list))
	for i, r := range list {
		items[i] = s.show(r)
	}
	return items
}

// shownClash is a conflict with its facts.
type shownClash struct {
	Reason string      `json:"reason"`
	Facts  []shownFact `json:"facts"`
}

// clashes reads the conflicts of an entity, or of all for 0.
func (s factShower) clashes(ctx context.Context, records Records, namespace string, entity int64,
	limit int) ([]shownClash, bool, error) {
	list, more, err := records.Conflicts(ctx, namespace, entity, limit)
	if err != nil {
		return nil, false, err
	}
	var ids []int64
	for _, c := range list {
		ids = append(ids, c.Facts...)
	}
	facts, err := records.Relationships(ctx, namespace, ids, memory.AsOf{})
	byID := map[int64]memory.Relationship{}
	for _, f := range facts {
		byID[f.ID] = f
	}
	items := make([]shownClash, len(list))
	for i, c := range list {
		items[i] = shownClash{c.Reason, []shownFact{}}
		for _, id := range c.Facts {
			items[i].Facts = append(items[i].Facts, s.show(byID[id]))
		}
	}
	return items, more, err
}

const conflictsText = "Active facts that cannot all be true, and memories that contradict each other."

type conflictsArgs struct {
	Limit *int `json:"limit,omitempty" jsonschema_description:"Most conflicts"`
	scopeArgs
}

type conflictsResult struct {
	Conflicts []shownClash `json:"conflicts"`
	More      bool         `json:"more"`
}

// newConflicts returns the tool that lists facts in conflict.
func newConflicts(mem Memory, o Options) (Tool, error) {
	s := spec{name: "conflicts", title: "Facts in conflict", description: conflictsText, readOnly: true, idempotent: true,
		bounds: bounds{ranges: map[string]span{"limit": {1, o.MaxResults, o.DefaultLimit}}}}
	return define(o, s, func(ctx context.Context, in conflictsArgs) (conflictsResult, error) {
		sc, err := in.scope(o)
		if err != nil {
			return conflictsResult{}, err
		}
		limit := o.DefaultLimit
		if in.Limit != nil {
			limit = *in.Limit
		}
		records, err := mem.Records(ctx)
		if err != nil {
			return conflictsResult{}, err
		}
		namespace := o.withDefaults(sc).Namespace
		show, err := o.factShower(ctx, records, namespace)
		if err != nil {
			return conflictsResult{}, err
		}
		list, more, err := show.clashes(ctx, records, namespace, 0, limit)
		return conflictsResult{list, more}, err
	})
}
