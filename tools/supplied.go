package tools

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"memory-graph/internal/memory"
)

// suppliedEntity is an entity in a call of store_episode.
type suppliedEntity struct {
	Name        string   `json:"name" jsonschema_description:"Its usual name"`
	Type        string   `json:"type" jsonschema_description:"person, organization, project, tool, …"`
	Description string   `json:"description,omitempty" jsonschema_description:"What it is"`
	Aliases     []string `json:"aliases,omitempty" jsonschema_description:"Other names"`
	Confidence  *float64 `json:"confidence,omitempty" within:"0,1" unlisted:"true" jsonschema_description:"How sure it is"`
}

func (in suppliedEntity) draft(o Options) (memory.EntityDraft, error) {
	return createEntityArgs{Name: in.Name, Type: in.Type, Description: in.Description, Aliases: in.Aliases,
		Confidence: in.Confidence}.draft(o)
}

// suppliedRelation is a fact in a call of store_episode.
type suppliedRelation struct {
	Head     string `json:"head" jsonschema_description:"Name, alias or id"`
	Relation string `json:"relation" jsonschema_description:"Verb: works_at, uses, prefers"`
	Tail     string `json:"tail" jsonschema_description:"Name, alias or id"`
	HeadType string `json:"head_type,omitempty" jsonschema_description:"Type of head"`
	TailType string `json:"tail_type,omitempty" jsonschema_description:"Type of tail"`
	factArgs
	Ended bool `json:"ended,omitempty" jsonschema_description:"It says that this is no longer so"`
}

func (in suppliedRelation) draft(o Options, said time.Time) (memory.RelationDraft, error) {
	d, _, err := createRelationArgs{
		Head: in.Head, Relation: in.Relation, Tail: in.Tail, HeadType: in.HeadType, TailType: in.TailType,
		factArgs: in.factArgs,
	}.draft(o, said)
	d.Ended = in.Ended
	return d, err
}

// supplied are the entities and relations of a call: the valid ones with their positions in the call, and the errors of
// the others.
type supplied struct {
	entities       []memory.EntityDraft
	relations      []memory.RelationDraft
	entityPlaces   []int
	relationPlaces []int
	wrong          []placed
	unread         []placed // times that could not be read: warnings
}

// placed is an error in one item of a list.
type placed struct {
	list    string
	place   int
	message string
}

// itemError is an error in one item, as an answer shows it.
type itemError struct {
	Item    string `json:"item"` // relations[2]
	Message string `json:"message"`
}

// supplied checks the entities and relations one by one. said is when the turn was said, zero for now.
func (in storeEpisodeArgs) supplied(o Options, said time.Time) supplied {
	var s supplied
	for i, it := range in.Entities {
		d, err := it.Value.draft(o)
		if it.Err != nil {
			err = it.Err
		}
		if err != nil {
			s.wrong = append(s.wrong, placed{"entities", i, memory.AsError(err).Error()})
			continue
		}
		s.entities, s.entityPlaces = append(s.entities, d), append(s.entityPlaces, i)
	}
	for i, it := range in.Relations {
		d, err := it.Value.draft(o, said)
		if it.Err != nil {
			err = it.Err
		}
		if err != nil {
			s.wrong = append(s.wrong, placed{"relations", i, memory.AsError(err).Error()})
			continue
		}
		s.relations, s.relationPlaces = append(s.relations, d), append(s.relationPlaces, i)
		for _, message := range d.Unread {
			s.unread = append(s.unread, placed{"relations", i, message})
		}
	}
	return s
}

// mistakes joins the errors found before the turn was stored with those that the store found. It translates the store's
// positions to those of the call, and sorts all errors in the order of the call.
func (s supplied) mistakes(found []memory.ItemError) []itemError {
	all := slices.Clone(s.wrong)
	for _, e := range found {
		list, place := splitPlace(e.Item)
		switch {
		case list == "entities" && place < len(s.entityPlaces):
			place = s.entityPlaces[place]
		case list == "relations" && place < len(s.relationPlaces):
			place = s.relationPlaces[place]
		}
		all = append(all, placed{list, place, e.Message})
	}
	slices.SortStableFunc(all, func(a, b placed) int {
		if c := strings.Compare(a.list, b.list); c != 0 {
			return c
		}
		return a.place - b.place
	})
	return itemErrors(all)
}

func itemErrors(list []placed) []itemError {
	out := make([]itemError, len(list))
	for i, p := range list {
		out[i] = itemError{fmt.Sprintf("%s[%d]", p.list, p.place), p.message}
	}
	return out
}

// splitPlace parses "relations[2]".
func splitPlace(item string) (list string, place int) {
	list, rest, _ := strings.Cut(item, "[")
	place, err := strconv.Atoi(strings.TrimSuffix(rest, "]"))
	if err != nil || place < 0 {
		return list, 0
	}
	return list, place
}

// entityResult is the result of storing a supplied entity.
type entityResult struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Type    string `json:"type"`
	Created bool   `json:"created"`
}

func entityResults(list []memory.EntityWrite) []entityResult {
	out := make([]entityResult, len(list))
	for i, w := range list {
		out[i] = entityResult{w.Entity.Ref().String(), w.Entity.Name, w.Entity.Type, w.Created}
	}
	return out
}

// relationWrite is the result of storing a fact.
type relationWrite struct {
	ID         string `json:"id"`
	Head       string `json:"head"`
	Relation   string `json:"relation"`
	Tail       string `json:"tail"`
	Status     string `json:"status"`
	ValidUntil string `json:"valid_until,omitempty"`
}

// relationWrites returns the results of storing facts, the ids of the facts that they ended, and their conflicts.
func relationWrites(list []memory.RelationWrite) (out []relationWrite, ended []string, conflicts []conflictItem) {
	out, conflicts = make([]relationWrite, len(list)), []conflictItem{}
	var gone []int64
	for i, w := range list {
		r := w.Relationship
		out[i] = relationWrite{r.Ref().String(), r.Head.Name, r.Relation, r.Tail.Name, string(w.Status),
			r.UntilUnit.Show(r.ValidUntil)}
		for _, id := range w.Superseded {
			if !slices.Contains(gone, id) {
				gone = append(gone, id)
			}
		}
		for _, c := range conflictItems(w.Conflicts) {
			if !slices.Contains(conflicts, c) {
				conflicts = append(conflicts, c)
			}
		}
	}
	return out, ids(memory.KindRelationship, gone), conflicts
}
