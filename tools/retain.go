package tools

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strings"

	"memory-graph/internal/facts/hierarchy"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

//go:embed retain.md
var retainText string

type retainArgs struct {
	Content       string                `json:"content" jsonschema_description:"The knowledge, in plain sentences"`
	Title         string                `json:"title,omitempty" alias:"name" jsonschema_description:"Short name to find it by; default the beginning of content"`
	Layer         *int                  `json:"layer,omitempty" within:"0,3" words:"domain,concept,fact,episode" jsonschema_description:"0 domain, 1 concept, 2 fact, 3 episode; default one below the parent, else 2"`
	Parent        string                `json:"parent,omitempty" alias:"parent_id,parentId" jsonschema_description:"Id or title of the broader memory"`
	Updates       string                `json:"updates,omitempty" alias:"entity_id,entityId" jsonschema_description:"Id or title of the memory that this is a new version of"`
	Type          string                `json:"type,omitempty" unlisted:"true" jsonschema_description:"What kind of thing it is about; default concept"`
	Relationships objects[retainedLink] `json:"relationships,omitempty" alias:"relations" jsonschema_description:"Links from it to memories or entities"`
	ValidFrom     string                `json:"valid_from,omitempty" jsonschema_description:"Since when it is so; default now"`
	Metadata      *metadataArgs         `json:"metadata,omitempty" jsonschema_description:"What it is about; what shares a topic, a category or a repository is found together"`
	EpisodeID     string                `json:"episode_id,omitempty" unlisted:"true" jsonschema_description:"The turn that says it: t5"`
	scopeArgs
}

type retainedLink struct {
	Target   string   `json:"target" alias:"target_id,targetId" jsonschema_description:"Id, name or title; created where it is missing"`
	Type     string   `json:"type" jsonschema_description:"Verb: related_to, is_about, part_of, contradicts, supports, or another"`
	Strength *float64 `json:"strength,omitempty" within:"0,1" jsonschema_description:"How closely they belong together; default 1"`
}

type retainResult struct {
	ID            string          `json:"id"`
	Status        string          `json:"status"` // created, updated, unchanged or proposed
	Version       int             `json:"version"`
	Memory        entityItem      `json:"memory"`
	Relationships []relationWrite `json:"relationships"`
	Superseded    []string        `json:"superseded"`
	Conflicts     []conflictItem  `json:"conflicts"`
	Proposed      []proposedItem  `json:"proposed_updates,omitempty" unlisted:"true"`
	Hint          string          `json:"hint,omitempty" unlisted:"true"`
}

// proposedItem is the current version of a memory that the new one may replace.
type proposedItem struct {
	entityItem
	Similarity float64 `json:"similarity"`
}

func newRetain(mem Memory, o Options) (Tool, error) {
	s := spec{name: "retain", title: "Keep a piece of knowledge", description: retainText,
		bounds: bounds{most: map[string]int{"relationships": o.MaxRelations}}}
	return define(o, s, func(ctx context.Context, in retainArgs) (retainResult, error) {
		sc, err := in.scope(o)
		if err != nil {
			return retainResult{}, err
		}
		m, err := in.memory(o)
		if err != nil {
			return retainResult{}, err
		}
		layers, err := mem.Layers(ctx)
		if err != nil {
			return retainResult{}, err
		}
		done, err := layers.Retain(ctx, o.withDefaults(sc), m, caller(ctx))
		if err != nil {
			return retainResult{}, err
		}
		out := retainResult{ID: done.Memory.Ref().String(), Status: retainStatus(done), Version: done.Version,
			Memory: storedEntity(done.Memory, o.SummaryRunes)}
		for _, p := range done.Proposed {
			out.Proposed = append(out.Proposed,
				proposedItem{storedEntity(p.Memory, o.SummaryRunes), math.Round(p.Similarity*100) / 100})
		}
		if len(done.Proposed) > 0 {
			out.Hint = fmt.Sprintf("%s stands beside them. If it is the new version of one, retain the same content again "+
				"with updates: %q.", out.ID, done.Proposed[0].Memory.Ref())
		}
		out.Relationships, out.Superseded, out.Conflicts = relationWrites(slices.Concat(done.Relations, done.Found.Relations))
		return out, nil
	})
}

func retainStatus(r store.Retained) string {
	switch {
	case len(r.Proposed) > 0:
		return "proposed"
	case r.Created:
		return "created"
	case r.Changed:
		return "updated"
	}
	return "unchanged"
}

// memory checks the arguments and returns the memory to store.
func (in retainArgs) memory(o Options) (hierarchy.Memory, error) {
	f := fields{o: o}
	m := hierarchy.Memory{
		Content: f.text("content", in.Content), Layer: in.Layer, Parent: f.reference("parent",
			in.Parent), Updates: f.reference("updates", in.Updates),
		Type: f.typ("type", in.Type), ValidFrom: f.time("valid_from", in.ValidFrom), Episode: f.id("episode_id", in.EpisodeID,
			memory.KindEpisode, "t5"),
	}
	labels, err := in.Metadata.labels(o)
	f.note(err)
	m.Labels = labels
	if m.Content == "" {
		f.note(memory.Errorf(memory.InvalidArgument, "content is empty.").WithHint("Give the knowledge as a sentence."))
	}
	if strings.TrimSpace(in.Title) != "" {
		m.Title = f.name("title", in.Title)
	}
	for _, it := range in.Relationships {
		f.note(inside("relationships", it.Err))
		if it.Err == nil {
			m.Relations = append(m.Relations, hierarchy.Relation{Target: f.name("target", it.Value.Target),
				Type: f.relation("type", it.Value.Type), Strength: it.Value.Strength})
		}
	}
	return m, f.err
}
