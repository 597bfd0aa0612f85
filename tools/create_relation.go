package tools

import (
	"context"
	_ "embed"
	"strings"
	"time"

	"memory-graph/internal/memory"
)

//go:embed create_relation.md
var createRelationText string

// factArgs are the arguments that describe a fact, except for its head, relation and tail.
type factArgs struct {
	Fact       string   `json:"fact,omitempty" jsonschema_description:"The fact as a sentence"`
	EdgeClass  string   `json:"edge_class,omitempty" unlisted:"true" enum:"causal,temporal,semantic,co_occurrence,hierarchical" jsonschema_description:"Default by relation"`
	Confidence *float64 `json:"confidence,omitempty" within:"0,1" unlisted:"true" jsonschema_description:"How sure it is"`
	ValidFrom  string   `json:"valid_from,omitempty" jsonschema_description:"Since when"`
	ValidUntil string   `json:"valid_until,omitempty" unlisted:"true" jsonschema_description:"Until when; may lie ahead"`
}

// unreadConfidence is the maximum confidence of a fact whose beginning cannot be read. It is below
// memory.StrongConfidence: "soon" and "next year" must not end what is true now.
const unreadConfidence = .5

// fill checks the arguments and sets them in a draft. A time that cannot be read does not cost the fact: it is left
// out, with a warning. Without its beginning the fact is uncertain.
func (in factArgs) fill(f *fields, d *memory.RelationDraft) {
	d.Fact, d.EdgeClass, d.Confidence = f.text("fact", in.Fact), in.EdgeClass, in.Confidence
	at := func(argument, s string) (time.Time, memory.Unit) {
		if strings.TrimSpace(s) == "" {
			return time.Time{}, ""
		}
		t, unit, err := f.read(argument, clip(s))
		if err != nil {
			e := memory.AsError(err)
			d.Unread = append(d.Unread, e.Message+" The fact is stored without it. "+e.Hint)
			if argument == "valid_from" {
				sure := unreadConfidence
				if in.Confidence != nil {
					sure = min(sure, *in.Confidence)
				}
				d.Confidence = &sure
			}
		}
		return t, unit
	}
	d.ValidFrom, d.FromUnit = at("valid_from", in.ValidFrom)
	d.ValidUntil, d.UntilUnit = at("valid_until", in.ValidUntil)
}

type createRelationArgs struct {
	Head     string `json:"head" jsonschema_description:"Id (e12), name or alias"`
	Relation string `json:"relation" jsonschema_description:"A verb in snake_case: works_at, uses, prefers, depends_on"`
	Tail     string `json:"tail" jsonschema_description:"Id, name or alias"`
	HeadType string `json:"head_type,omitempty" jsonschema_description:"person, organization, …: tells namesakes apart"`
	TailType string `json:"tail_type,omitempty" jsonschema_description:"The same for the tail"`
	factArgs
	Strength      *float64 `json:"strength,omitempty" within:"0,1" unlisted:"true" jsonschema_description:"How closely the two belong together; default 1"`
	Evidence      string   `json:"evidence_episode_id,omitempty" jsonschema_description:"The turn that says so: t56"`
	CreateMissing *bool    `json:"create_missing,omitempty" unlisted:"true" jsonschema_description:"Create a missing head or tail; default true"`
	scopeArgs
}

type createRelationResult struct {
	ID         string         `json:"id"`
	Status     string         `json:"status"`
	Relation   relationItem   `json:"relation"`
	Superseded []string       `json:"superseded"`
	Conflicts  []conflictItem `json:"conflicts"`
	Warnings   []string       `json:"warnings,omitempty" unlisted:"true"`
}

func newCreateRelation(mem Memory, o Options) (Tool, error) {
	s := spec{name: "create_relation", title: "Note a fact", description: createRelationText,
		bounds: bounds{listed: []string{"confidence", "valid_until"}}}
	return define(o, s, func(ctx context.Context, in createRelationArgs) (createRelationResult, error) {
		sc, err := in.scope(o)
		if err != nil {
			return createRelationResult{}, err
		}
		d, evidence, err := in.draft(o, time.Time{})
		if err != nil {
			return createRelationResult{}, err
		}
		facts, err := mem.Facts(ctx)
		if err != nil {
			return createRelationResult{}, err
		}
		w, err := facts.CreateRelation(ctx, o.withDefaults(sc), d, evidence, caller(ctx))
		if err != nil {
			return createRelationResult{}, orByType(err, "head_type or tail_type", d.HeadType, d.TailType)
		}
		return createRelationResult{
			ID: w.Relationship.Ref().String(), Status: string(w.Status), Relation: storedRelation(w.Relationship,
				o.SummaryRunes),
			Superseded: ids(memory.KindRelationship, w.Superseded), Conflicts: conflictItems(w.Conflicts),
			Warnings: d.Unread,
		}, nil
	})
}

// draft checks the arguments. It returns the fact and the episode that is its evidence, 0 for none. Relative times
// count from said, or from now if it is zero.
func (in createRelationArgs) draft(o Options, said time.Time) (memory.RelationDraft, int64, error) {
	f := fields{o: o, said: said}
	d := memory.RelationDraft{
		Head: f.end("head", in.Head), Tail: f.end("tail", in.Tail), HeadType: f.typ("head_type",
			in.HeadType), TailType: f.typ("tail_type", in.TailType),
		Relation: f.relation("relation", in.Relation), Strength: in.Strength, CreateMissing: in.CreateMissing == nil ||
			*in.CreateMissing,
	}
	in.fill(&f, &d)
	evidence := f.id("evidence_episode_id", in.Evidence, memory.KindEpisode, "t56")
	return d, evidence, f.err
}

// end checks the head or tail of a fact.
func (f *fields) end(argument, s string) string {
	ref, err := f.o.reference(argument, s)
	f.note(err)
	return strings.TrimSpace(ref)
}
