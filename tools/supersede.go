package tools

import (
	"context"
	_ "embed"
	"strings"

	"memory-graph/internal/memory"
)

//go:embed supersede.md
var supersedeText string

type supersedeArgs struct {
	RelationshipID    string           `json:"relationship_id" jsonschema_description:"The fact that ended: r34"`
	NewRelationshipID string           `json:"new_relationship_id,omitempty" jsonschema_description:"A stored fact that took its place"`
	Replacement       *replacementArgs `json:"replacement,omitempty" jsonschema_description:"Or a new fact about the same head"`
	ValidUntil        string           `json:"valid_until,omitempty" jsonschema_description:"When it ended; default where the replacement begins, else now"`
	Reason            string           `json:"reason,omitempty" jsonschema_description:"Why, for the history"`
	scopeArgs
}

type replacementArgs struct {
	Relation string `json:"relation,omitempty" jsonschema_description:"Default the same"`
	Tail     string `json:"tail,omitempty" jsonschema_description:"Id, name or alias; default the same"`
	TailType string `json:"tail_type,omitempty" unlisted:"true" jsonschema_description:"Tells namesakes apart; type of a new tail"`
	factArgs
	Strength *float64 `json:"strength,omitempty" within:"0,1" unlisted:"true" jsonschema_description:"How closely the two belong together; default 1"`
}

type supersedeResult struct {
	Superseded  relationItem   `json:"superseded"`
	Replacement *relationItem  `json:"replacement,omitempty"`
	Also        []string       `json:"also_superseded"`
	Conflicts   []conflictItem `json:"conflicts"`
	Warnings    []string       `json:"warnings,omitempty" unlisted:"true"`
}

func newSupersede(mem Memory, o Options) (Tool, error) {
	s := spec{name: "supersede", title: "A fact has ended", description: supersedeText}
	return define(o, s, func(ctx context.Context, in supersedeArgs) (supersedeResult, error) {
		sc, err := in.scope(o)
		if err != nil {
			return supersedeResult{}, err
		}
		su, err := in.supersession(o)
		if err != nil {
			return supersedeResult{}, err
		}
		by := caller(ctx)
		by.Reason = su.Reason
		facts, err := mem.Facts(ctx)
		if err != nil {
			return supersedeResult{}, err
		}
		done, err := facts.Supersede(ctx, o.withDefaults(sc), su, by)
		if err != nil {
			return supersedeResult{}, err
		}
		res := supersedeResult{
			Superseded: storedRelation(done.Ended, o.SummaryRunes), Also: ids(memory.KindRelationship,
				done.Also), Conflicts: conflictItems(done.Conflicts),
		}
		if su.Replacement != nil {
			res.Warnings = su.Replacement.Unread
		}
		if done.Replacement != nil {
			res.Replacement = to(storedRelation(*done.Replacement, o.SummaryRunes))
		}
		return res, nil
	})
}

// supersession checks the arguments and returns the fact to end and its replacement.
func (in supersedeArgs) supersession(o Options) (memory.Supersession, error) {
	f := fields{o: o}
	if strings.TrimSpace(in.RelationshipID) == "" {
		f.note(memory.Errorf(memory.InvalidArgument,
			"relationship_id is empty.").WithHint("Give an id like r34; retrieve_linked lists the facts about an entity."))
	}
	su := memory.Supersession{
		ID:            f.id("relationship_id", in.RelationshipID, memory.KindRelationship, "r34"),
		ReplacementID: f.id("new_relationship_id", in.NewRelationshipID, memory.KindRelationship, "r35"),
		Reason:        f.text("reason", in.Reason),
	}
	su.At, su.AtUnit = f.period("valid_until", in.ValidUntil)
	f.note(tooLong("reason", su.Reason, 4*o.MaxNameBytes))
	if r := in.Replacement; r != nil {
		if su.ReplacementID != 0 {
			f.note(memory.Errorf(memory.InvalidArgument,
				"new_relationship_id and replacement are both given.").WithHint("Give only one of them."))
		}
		d, err := r.draft(o)
		f.note(inside("replacement", err))
		su.Replacement = &d
	}
	return su, f.err
}

// draft checks the arguments. A missing relation or tail defaults to the ended fact's.
func (in replacementArgs) draft(o Options) (memory.RelationDraft, error) {
	f := fields{o: o}
	d := memory.RelationDraft{Tail: f.reference("tail", in.Tail), TailType: f.typ("tail_type", in.TailType),
		Strength: in.Strength, CreateMissing: true}
	if strings.TrimSpace(in.Relation) != "" {
		d.Relation = f.relation("relation", in.Relation)
	}
	in.fill(&f, &d)
	if d.Relation == "" && d.Tail == "" && d.Fact == "" {
		f.note(memory.Errorf(memory.InvalidArgument, "it has no relation, tail or fact.").
			WithHint("Give at least one of them, or leave replacement out to only end the fact."))
	}
	return d, f.err
}
