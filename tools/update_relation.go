package tools

import (
	"context"
	_ "embed"
	"reflect"
	"strings"

	"memory-graph/internal/memory"
)

//go:embed update_relation.md
var updateRelationText string

type updateRelationArgs struct {
	RelationshipID string   `json:"relationship_id" jsonschema_description:"The fact: r34"`
	Fact           *string  `json:"fact,omitempty" jsonschema_description:"The fact as a sentence"`
	EdgeClass      *string  `json:"edge_class,omitempty" enum:"causal,temporal,semantic,co_occurrence,hierarchical" jsonschema_description:"Its class"`
	Confidence     *float64 `json:"confidence,omitempty" within:"0,1" jsonschema_description:"How sure it is; may be lower than before"`
	Strength       *float64 `json:"strength,omitempty" within:"0,1" jsonschema_description:"How closely the two belong together"`
	ValidFrom      *string  `json:"valid_from,omitempty" jsonschema_description:"Since when"`
	ValidUntil     *string  `json:"valid_until,omitempty" jsonschema_description:"When it ended or will end, of an active fact; \"\" removes a scheduled end"`
	scopeArgs
}

type updateRelationResult struct {
	Relation relationItem `json:"relation"`
	Version  int          `json:"version"`
}

func newUpdateRelation(mem Memory, o Options) (Tool, error) {
	s := spec{name: "update_relation", title: "Correct a fact", description: updateRelationText, idempotent: true}
	return define(o, s, func(ctx context.Context, in updateRelationArgs) (updateRelationResult, error) {
		sc, err := in.scope(o)
		if err != nil {
			return updateRelationResult{}, err
		}
		ch, err := in.change(o)
		if err != nil {
			return updateRelationResult{}, err
		}
		facts, err := mem.Facts(ctx)
		if err != nil {
			return updateRelationResult{}, err
		}
		r, version, err := facts.UpdateRelation(ctx, o.withDefaults(sc).Namespace, ch, caller(ctx))
		if err != nil {
			return updateRelationResult{}, err
		}
		return updateRelationResult{storedRelation(r, o.SummaryRunes), version}, nil
	})
}

// change checks the arguments and returns the change.
func (in updateRelationArgs) change(o Options) (memory.RelationChange, error) {
	f := fields{o: o}
	ch := memory.RelationChange{ID: f.id("relationship_id", in.RelationshipID, memory.KindRelationship, "r34"),
		Confidence: in.Confidence, Strength: in.Strength}
	if f.err == nil && ch.ID == 0 {
		f.note(memory.Errorf(memory.InvalidArgument, "relationship_id is empty.").WithHint("Give an id like r34."))
	}
	if in.Fact != nil {
		ch.Fact = to(f.text("fact", *in.Fact))
	}
	if in.EdgeClass != nil && strings.TrimSpace(*in.EdgeClass) != "" {
		ch.EdgeClass = in.EdgeClass
	}
	if in.ValidFrom != nil {
		at, unit := f.period("valid_from", *in.ValidFrom)
		ch.ValidFrom, ch.FromUnit = &at, unit
	}
	if in.ValidUntil != nil {
		at, unit := f.period("valid_until", *in.ValidUntil)
		ch.ValidUntil, ch.UntilUnit = &at, unit
	}
	if f.err == nil && reflect.DeepEqual(ch, memory.RelationChange{ID: ch.ID}) {
		f.note(memory.Errorf(memory.InvalidArgument, "there is nothing to change in %s.", memory.RelationshipID(ch.ID)).
			WithHint("Give fact, edge_class, confidence, strength, valid_from or valid_until."))
	}
	return ch, f.err
}
