package tools

import (
	"context"
	_ "embed"
	"reflect"
	"strings"
	"time"

	"memory-graph/internal/memory"
)

//go:embed update_entity.md
var updateEntityText string

type updateEntityArgs struct {
	Entity        string   `json:"entity" alias:"entity_id,entityId" jsonschema_description:"Id (e12), name or alias"`
	Name          *string  `json:"name,omitempty" jsonschema_description:"New name; the old one stays an alias"`
	Type          *string  `json:"type,omitempty" jsonschema_description:"New type"`
	Description   *string  `json:"description,omitempty" jsonschema_description:"In place of the old one"`
	Confidence    *float64 `json:"confidence,omitempty" within:"0,1" jsonschema_description:"How sure it is"`
	ValidUntil    *string  `json:"valid_until,omitempty" jsonschema_description:"When it ended or will end; \"\" removes the end"`
	LastSeen      *string  `json:"last_seen,omitempty" unlisted:"true" jsonschema_description:"When it was last heard of"`
	AddAliases    []string `json:"add_aliases,omitempty" jsonschema_description:"Other names for it"`
	RemoveAliases []string `json:"remove_aliases,omitempty" unlisted:"true" jsonschema_description:"Names that are not its own"`
	Parent        *string  `json:"parent,omitempty" unlisted:"true" jsonschema_description:"Id or name of what it belongs under; \"\" for nothing"`
	Layer         *int     `json:"layer,omitempty" within:"0,3" unlisted:"true" jsonschema_description:"0 domain, 1 concept, 2 fact, 3 episode"`
	scopeArgs
}

type updateEntityResult struct {
	Entity  entityItem `json:"entity"`
	Version int        `json:"version"`
}

func newUpdateEntity(mem Memory, o Options) (Tool, error) {
	s := spec{name: "update_entity", title: "Correct a person or thing", description: updateEntityText, idempotent: true}
	return define(o, s, func(ctx context.Context, in updateEntityArgs) (updateEntityResult, error) {
		sc, err := in.scope(o)
		if err != nil {
			return updateEntityResult{}, err
		}
		ch, err := in.change(o)
		if err != nil {
			return updateEntityResult{}, err
		}
		facts, err := mem.Facts(ctx)
		if err != nil {
			return updateEntityResult{}, err
		}
		e, version, err := facts.UpdateEntity(ctx, o.withDefaults(sc), ch, caller(ctx))
		if err != nil {
			return updateEntityResult{}, err
		}
		return updateEntityResult{storedEntity(e, o.SummaryRunes), version}, nil
	})
}

// change checks the arguments and returns the change.
func (in updateEntityArgs) change(o Options) (memory.EntityChange, error) {
	f := fields{o: o}
	ref, err := o.reference("entity", in.Entity)
	f.note(err)
	ch := memory.EntityChange{
		Entity: ref, Confidence: in.Confidence, Layer: in.Layer,
		AddAliases: f.names("add_aliases", in.AddAliases), RemoveAliases: f.names("remove_aliases", in.RemoveAliases),
	}
	if in.Name != nil {
		ch.Name = to(f.name("name", *in.Name))
	}
	if in.Type != nil {
		if strings.TrimSpace(*in.Type) == "" {
			f.note(memory.Errorf(memory.InvalidArgument, "type is empty.").WithHint("Give a type, or leave the argument out."))
		}
		ch.Type = to(f.typ("type", *in.Type))
	}
	if in.Description != nil {
		ch.Description = to(f.text("description", *in.Description))
	}
	if in.Parent != nil {
		ch.Parent = to(f.reference("parent", *in.Parent))
	}
	if in.ValidUntil != nil {
		ch.ValidUntil = to(f.time("valid_until", *in.ValidUntil))
	}
	if in.LastSeen != nil {
		ch.LastSeen = f.instant("last_seen", *in.LastSeen)
	}
	if f.err == nil && reflect.DeepEqual(ch, memory.EntityChange{Entity: ref}) {
		f.note(memory.Errorf(memory.InvalidArgument, "there is nothing to change in %q.", clip(ref)).
			WithHint(
				"Give name, type, description, confidence, valid_until, last_seen, add_aliases, remove_aliases, parent or layer."))
	}
	return ch, f.err
}

// instant parses a time that "" cannot remove.
func (f *fields) instant(argument, s string) *time.Time {
	if strings.TrimSpace(s) == "" {
		f.note(memory.Errorf(memory.InvalidArgument, "%s is empty.",
			argument).WithHint("Give a time, or leave the argument out."))
	}
	return to(f.time(argument, s))
}

func to[T any](v T) *T { return &v }
