package tools

import (
	"context"
	"strings"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

type refEntities struct {
	Entities *[]refEntity `json:"entities" jsonschema_description:"The entities"`
}

func (in refEntities) missing() string { return missingIn("entities", in.Entities) }

type refEntityList struct {
	Entities []refEntity `json:"entities"`
}

func newCreateEntities(mem Memory, o Options) (Tool, error) {
	s := spec{name: "create_entities", title: "Create entities"}
	return referenceTool(o, s, func(ctx context.Context, scope memory.Scope, in refEntities) (any, refEntityList, error) {
		var list []memory.ReferenceEntity
		for _, e := range *in.Entities {
			if err := o.checkReference([]string{*e.Name}, append([]string{*e.EntityType}, *e.Observations...)); err != nil {
				return nil, refEntityList{}, err
			}
			list = append(list, e.observed())
		}
		facts, err := mem.Facts(ctx)
		if err != nil {
			return nil, refEntityList{}, err
		}
		done, err := facts.CreateReferenceEntities(ctx, scope, list, observing(s.name), caller(ctx))
		if err != nil {
			return nil, refEntityList{}, err
		}
		made, remarks := []refEntity{}, []string{}
		for i, w := range done {
			if w.Created {
				made = append(made, newRefEntity(list[i]))
				continue
			}
			merged := store.SameName(list[i], w)
			if merged == "" {
				continue
			}
			// The reference server would create this entity. Here it has the same name as an existing entity: show that entity.
			made = append(made, newRefEntity(memory.ReferenceEntity{Name: w.Known, Type: w.Type, Observations: w.Added}))
			if typed := store.OtherType(list[i], w); typed != "" {
				merged += ". " + typed
			}
			remarks = append(remarks, merged+".")
		}
		return remarked{made, strings.Join(remarks, "\n")}, refEntityList{made}, nil
	})
}

type refRelations struct {
	Relations *[]refRelation `json:"relations" jsonschema_description:"The relations"`
}

func (in refRelations) missing() string { return missingIn("relations", in.Relations) }

// list returns the checked relations.
func (in refRelations) list(o Options) ([]memory.ReferenceRelation, error) {
	var list []memory.ReferenceRelation
	for _, r := range *in.Relations {
		if err := o.checkReference([]string{*r.From, *r.To}, []string{*r.RelationType}); err != nil {
			return nil, err
		}
		list = append(list, r.observed())
	}
	return list, nil
}

type refRelationList struct {
	Relations []refRelation `json:"relations"`
}

func newCreateRelations(mem Memory, o Options) (Tool, error) {
	s := spec{name: "create_relations", title: "Create relations"}
	return referenceTool(o, s, func(ctx context.Context, scope memory.Scope, in refRelations) (any,
		refRelationList, error) {
		list, err := in.list(o)
		if err != nil {
			return nil, refRelationList{}, err
		}
		facts, err := mem.Facts(ctx)
		if err != nil {
			return nil, refRelationList{}, err
		}
		done, err := facts.Relate(ctx, scope, list, observing(s.name), caller(ctx))
		if err != nil {
			return nil, refRelationList{}, err
		}
		made := []refRelation{}
		for i, w := range done {
			if w.Created {
				made = append(made, newRefRelation(list[i]))
			}
		}
		return made, refRelationList{made}, nil
	})
}

type refContents struct {
	EntityName *string   `json:"entityName" jsonschema_description:"Name of the entity"`
	Contents   *[]string `json:"contents" jsonschema_description:"What to add, a sentence each"`
}

func (c refContents) missing() string {
	switch {
	case c.EntityName == nil:
		return "entityName"
	case c.Contents == nil:
		return "contents"
	}
	return ""
}

type refAdditions struct {
	Observations *[]refContents `json:"observations" jsonschema_description:"What to add to which entity"`
}

func (in refAdditions) missing() string { return missingIn("observations", in.Observations) }

type refAdded struct {
	EntityName        string   `json:"entityName"`
	AddedObservations []string `json:"addedObservations"`
}

type refAddedList struct {
	Results []refAdded `json:"results"`
}

func newAddObservations(mem Memory, o Options) (Tool, error) {
	s := spec{name: "add_observations", title: "Add observations"}
	return referenceTool(o, s, func(ctx context.Context, scope memory.Scope, in refAdditions) (any, refAddedList, error) {
		var list []memory.ReferenceNotes
		for _, c := range *in.Observations {
			if err := o.checkReference([]string{*c.EntityName}, *c.Contents); err != nil {
				return nil, refAddedList{}, err
			}
			list = append(list, memory.ReferenceNotes{Name: *c.EntityName, Notes: *c.Contents})
		}
		facts, err := mem.Facts(ctx)
		if err != nil {
			return nil, refAddedList{}, err
		}
		done, err := facts.AddNotes(ctx, scope, list, observing(s.name), caller(ctx))
		if err != nil {
			return nil, refAddedList{}, err
		}
		added := []refAdded{}
		for _, n := range done {
			added = append(added, refAdded{n.Name, noNil(n.Notes)})
		}
		return added, refAddedList{added}, nil
	})
}

type refNames struct {
	EntityNames *[]string `json:"entityNames" jsonschema_description:"Names of the entities"`
}

func (in refNames) missing() string {
	if in.EntityNames == nil {
		return "entityNames"
	}
	return ""
}

// done returns the result of a removal, which is the same whether or not something was removed.
func done(message string, err error) (any, refDone, error) {
	return message, refDone{Success: err == nil, Message: message}, err
}

func newDeleteEntities(mem Memory, o Options) (Tool, error) {
	s := spec{name: "delete_entities", title: "Delete entities", destructive: true, idempotent: true}
	return referenceTool(o, s, func(ctx context.Context, scope memory.Scope, in refNames) (any, refDone, error) {
		facts, err := mem.Facts(ctx)
		if err != nil {
			return nil, refDone{}, err
		}
		return done("Entities deleted successfully",
			facts.DeleteReferenceEntities(ctx, scope, visibleNames(*in.EntityNames), observing(s.name),
				caller(ctx)))
	})
}

// visibleNames returns the names that have visible characters.
func visibleNames(names []string) []string {
	var out []string
	for _, n := range names {
		if memory.Canonical(n) != "" {
			out = append(out, n)
		}
	}
	return out
}

type refDeletion struct {
	EntityName   *string   `json:"entityName" jsonschema_description:"Name of the entity"`
	Observations *[]string `json:"observations" jsonschema_description:"What to remove, as it was written"`
}

func (d refDeletion) missing() string {
	switch {
	case d.EntityName == nil:
		return "entityName"
	case d.Observations == nil:
		return "observations"
	}
	return ""
}

type refDeletions struct {
	Deletions *[]refDeletion `json:"deletions" jsonschema_description:"What to remove from which entity"`
}

func (in refDeletions) missing() string { return missingIn("deletions", in.Deletions) }

func newDeleteObservations(mem Memory, o Options) (Tool, error) {
	s := spec{name: "delete_observations", title: "Delete observations", destructive: true, idempotent: true}
	return referenceTool(o, s, func(ctx context.Context, scope memory.Scope, in refDeletions) (any, refDone, error) {
		var list []memory.ReferenceNotes
		for _, d := range *in.Deletions {
			if memory.Canonical(*d.EntityName) != "" {
				list = append(list, memory.ReferenceNotes{Name: *d.EntityName, Notes: *d.Observations})
			}
		}
		facts, err := mem.Facts(ctx)
		if err != nil {
			return nil, refDone{}, err
		}
		return done("Observations deleted successfully",
			facts.DropNotes(ctx, scope, list, observing(s.name), caller(ctx)))
	})
}

func newDeleteRelations(mem Memory, o Options) (Tool, error) {
	s := spec{name: "delete_relations", title: "Delete relations", destructive: true, idempotent: true}
	return referenceTool(o, s, func(ctx context.Context, scope memory.Scope, in refRelations) (any, refDone, error) {
		var list []memory.ReferenceRelation
		for _, r := range *in.Relations {
			if len(visibleNames([]string{*r.From, *r.To})) == 2 {
				list = append(list, r.observed())
			}
		}
		facts, err := mem.Facts(ctx)
		if err != nil {
			return nil, refDone{}, err
		}
		return done("Relations deleted successfully",
			facts.Unrelate(ctx, scope, list, observing(s.name), caller(ctx)))
	})
}
