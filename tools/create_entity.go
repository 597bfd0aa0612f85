package tools

import (
	"context"
	_ "embed"
	"strings"

	"memory-graph/internal/memory"
)

//go:embed create_entity.md
var createEntityText string

type createEntityArgs struct {
	Name        string   `json:"name" jsonschema_description:"Its usual name"`
	Type        string   `json:"type" jsonschema_description:"person, organization, project, tool, technology, language, concept, decision, event, location, file, config, or your own word"`
	Kind        string   `json:"kind,omitempty" enum:"entity,memory" jsonschema_description:"memory: a note of its own; default entity"`
	Description string   `json:"description,omitempty" jsonschema_description:"What it is, in a sentence; of a memory, its text"`
	Aliases     []string `json:"aliases,omitempty" jsonschema_description:"Other names for it"`
	Confidence  *float64 `json:"confidence,omitempty" within:"0,1" unlisted:"true" jsonschema_description:"How sure it is"`
	ValidFrom   string   `json:"valid_from,omitempty" unlisted:"true" jsonschema_description:"Since when it exists"`
	ValidUntil  string   `json:"valid_until,omitempty" unlisted:"true" jsonschema_description:"Until when; may lie ahead"`
	Parent      string   `json:"parent,omitempty" unlisted:"true" jsonschema_description:"Id or name of what it belongs under"`
	Layer       *int     `json:"layer,omitempty" within:"0,3" unlisted:"true" jsonschema_description:"0 domain, 1 concept, 2 fact, 3 episode"`
	scopeArgs
}

type createEntityResult struct {
	ID      string     `json:"id"`
	Created bool       `json:"created"`
	Entity  entityItem `json:"entity"`
}

func newCreateEntity(mem Memory, o Options) (Tool, error) {
	s := spec{name: "create_entity", title: "Note a person or thing", description: createEntityText}
	return define(o, s, func(ctx context.Context, in createEntityArgs) (createEntityResult, error) {
		sc, err := in.scope(o)
		if err != nil {
			return createEntityResult{}, err
		}
		d, err := in.draft(o)
		if err != nil {
			return createEntityResult{}, err
		}
		facts, err := mem.Facts(ctx)
		if err != nil {
			return createEntityResult{}, err
		}
		w, err := facts.CreateEntity(ctx, o.withDefaults(sc), d, caller(ctx))
		if err != nil {
			return createEntityResult{}, err
		}
		return createEntityResult{w.Entity.Ref().String(), w.Created, storedEntity(w.Entity, o.SummaryRunes)}, nil
	})
}

// draft checks the arguments and returns the entity.
func (in createEntityArgs) draft(o Options) (memory.EntityDraft, error) {
	f := fields{o: o}
	d := memory.EntityDraft{
		Name: f.name("name", in.Name), Type: f.typ("type",
			in.Type), Kind: memory.NodeKind(in.Kind), Description: f.text("description", in.Description),
		Aliases: f.names("aliases", in.Aliases), Confidence: in.Confidence, ValidFrom: f.time("valid_from", in.ValidFrom),
		ValidUntil: f.time("valid_until", in.ValidUntil), Parent: f.reference("parent", in.Parent), Layer: in.Layer,
	}
	if strings.TrimSpace(in.Type) == "" {
		f.note(memory.Errorf(memory.InvalidArgument, "type is empty.").WithHint("Use one of %s, or a word of your own.",
			strings.Join(memory.EntityTypes, ", ")))
	}
	return d, f.err
}
