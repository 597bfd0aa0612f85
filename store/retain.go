package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"memory-graph/internal/memory"
)

// NewMemory is a memory to retain, a text on a layer of the hierarchy. It is already checked, and its secrets are
// masked.
type NewMemory struct {
	Title     string // its name, which finds it again
	Content   string
	Type      string // "": concept, or the type that it already has
	Layer     *int   // 0 domain, 1 concept, 2 fact, 3 episode; nil: one below the parent's, or 2 without a parent
	Parent    string // an id, a name or an alias; "" leaves the parent unchanged
	Updates   string // the memory to write a new version of; "": the one of the same title, if it exists
	ValidFrom time.Time
	Relations []memory.RelationDraft // Head is the memory
	Labels    []memory.Label         // replace the earlier ones; nil: these stay
	MayUpdate []memory.Hit           // if it is new: the memories of which it may be the next version
	Episode   int64                  // the turn that says it, 0 for none
	Origin    memory.Origin
	Method    memory.Method
	Suspicion *memory.Suspicion // of the title, the type and the content; nil for none
	Text      *NewEpisode       // the content as a turn that was read, if it is stored as evidence; nil for none
}

// Retained is the result of a NewMemory.
type Retained struct {
	Memory    memory.Entity
	Created   bool
	Changed   bool // it is a new version of an existing memory
	Version   int  // the version's number, from 1
	Relations []memory.RelationWrite
	Found     Written    // what its text states
	Proposed  []Proposed // memories of which it may be the next version, the most similar first
}

// Retain stores a memory, or a new version of one under the same id. The old version ends where the new one begins, and
// the new one is current. Its relations are asserted in the same transaction, all or nothing. Errors: InvalidArgument,
// NotFound, Ambiguous, and Conflict for a parent that is below the memory.
func (s *Store) Retain(ctx context.Context, scope memory.Scope, in NewMemory, by memory.Caller) (Retained, error) {
	var out Retained
	err := s.writeGraph(ctx, "retain", "retain", scope, by, func(ctx context.Context, w *writing) error {
		var err error
		out, err = w.retain(ctx, in)
		return err
	})
	return out, err
}

func (w *writing) retain(ctx context.Context, in NewMemory) (Retained, error) {
	if strings.TrimSpace(in.Content) == "" {
		return Retained{}, memory.Errorf(memory.InvalidArgument,
			"content is empty.").WithHint("Give the knowledge as a sentence.")
	}
	if in.Layer != nil && (*in.Layer < 0 || *in.Layer > 3) {
		return Retained{}, memory.Errorf(memory.InvalidArgument, "layer: %d is out of range.",
			*in.Layer).WithHint("Use 0 domain, 1 concept, 2 fact or 3 episode.")
	}
	from, err := w.retainedFrom(ctx, in)
	if err != nil {
		return Retained{}, err
	}
	old, found, err := w.updated(ctx, in)
	if err != nil {
		return Retained{}, err
	}
	w.episode = in.Episode
	out := Retained{Created: !found}
	id := old.id
	err = w.holding(ctx, in.Suspicion, in.Origin, func() (err error) {
		if found {
			if out.Changed, err = w.newVersion(ctx, old, in, from); err == nil {
				err = w.accept(ctx, id, in.Content)
			}
			return err
		}
		if id, err = w.newMemory(ctx, in, from); err == nil {
			out.Proposed, err = w.propose(ctx, id, in)
		}
		return err
	})
	if err != nil {
		return Retained{}, err
	}
	for _, d := range in.Relations {
		d.Head, d.HeadType, d.CreateMissing = memory.NodeID(memory.NodeMemory, id).String(), "", true
		made, err := w.assert(ctx, d, in.Episode)
		if err != nil {
			return Retained{}, err
		}
		out.Relations = append(out.Relations, made)
	}
	if in.Labels != nil {
		if err := w.labelMemory(ctx, id, in.Labels, in.Origin); err != nil {
			return Retained{}, err
		}
	}
	if in.Episode != 0 {
		if err := belongs(ctx, w.c, in.Episode, id, memory.MentionSelf); err != nil {
			return Retained{}, err
		}
	}
	if out.Created || out.Changed {
		if err := w.readMemory(ctx, id, in, moment{at: from}, &out.Found); err != nil {
			return Retained{}, err
		}
	}
	if err := w.settleConflicts(ctx, out.Relations, out.Found.Relations); err != nil {
		return Retained{}, err
	}
	n, _, err := w.c.int64(ctx, `SELECT count(*) FROM mg_entity_versions WHERE entity_id = ?`, id)
	if err != nil {
		return Retained{}, err
	}
	out.Version = int(n)
	out.Memory, err = w.entity(ctx, id)
	return out, err
}

// retainedFrom returns the beginning of the new version: the given time, else the time of its turn, else now.
func (w *writing) retainedFrom(ctx context.Context, in NewMemory) (string, error) {
	if in.Episode == 0 {
		return cmp.Or(memory.Seconds(in.ValidFrom), memory.Seconds(w.now)), nil
	}
	e, err := episodeByID(ctx, w.c, w.scope.Namespace, in.Episode)
	return cmp.Or(memory.Seconds(in.ValidFrom), memory.Seconds(e.OccurredAt)), err
}

// updated finds the memory of which the new one is a version.
func (w *writing) updated(ctx context.Context, in NewMemory) (node, bool, error) {
	if in.Updates != "" {
		n, err := w.need(ctx, in.Updates, "")
		if err == nil && n.kind != memory.NodeMemory {
			err = memory.Errorf(memory.InvalidArgument, "updates: %s is an entity, not a memory.",
				n.ref()).WithHint("Give a memory's id (m7) or title; entities change with update_entity.")
		}
		return n, true, err
	}
	found, err := nodesNamed(ctx, w.c, w.scope.Namespace, memory.Canonical(in.Title))
	if err != nil {
		return node{}, false, err
	}
	found = slices.DeleteFunc(found, func(n node) bool { return n.kind != memory.NodeMemory })
	return settle(ctx, w.c, w.now, in.Title, pick("", found))
}

func (w *writing) newMemory(ctx context.Context, in NewMemory, from string) (int64, error) {
	began, err := memory.ParseStored(from)
	if err != nil {
		return 0, err
	}
	d := memory.EntityDraft{Name: in.Title, Type: cmp.Or(in.Type, memory.DefaultType), Kind: memory.NodeMemory,
		Description: in.Content,
		ValidFrom:   began, Parent: in.Parent, Layer: in.Layer, Origin: in.Origin, Method: in.Method}
	if err := checkEntity(d); err != nil {
		return 0, err
	}
	if d.Layer, err = w.layerBelow(ctx, in.Parent, in.Layer, nil); err != nil {
		return 0, err
	}
	return w.newEntity(ctx, d)
}

// layerBelow returns the layer of a memory: the given layer, else its current layer, else one below the parent's. A
// parent on a deeper layer is refused: the tree follows the layers.
func (w *writing) layerBelow(ctx context.Context, parent string, given, has *int) (*int, error) {
	layer := cmp.Or(given, has)
	if parent != "" {
		p, err := w.need(ctx, parent, "")
		if err != nil {
			return nil, err
		}
		above, ok, err := w.c.int64(ctx, `SELECT layer FROM mg_entities WHERE id = ?`, p.id)
		if err != nil {
			return nil, err
		}
		if ok && layer != nil && int(above) > *layer {
			return nil, memory.Errorf(memory.InvalidArgument, "parent: %s is on layer %d, below the layer %d of the memory.",
				p.ref(), above, *layer).
				WithHint("Choose a parent on a layer above, or give another layer: 0 domain, 1 concept, 2 fact, 3 episode.")
		}
		if ok && layer == nil {
			next := min(int(above)+1, 3)
			layer = &next
		}
	}
	if layer == nil {
		fact := 2
		layer = &fact
	}
	return layer, nil
}

// newVersion writes a new version of a memory and ends the one before.
func (w *writing) newVersion(ctx context.Context, n node, in NewMemory, from string) (changed bool, err error) {
	before, was, err := w.snapshots(ctx, n.id)
	if err != nil {
		return false, err
	}
	layer, err := w.layerBelow(ctx, in.Parent, in.Layer, was.Layer)
	if err != nil {
		return false, err
	}
	fresh := was.Desc != in.Content
	if !fresh && was.ValidFrom != nil {
		from = *was.ValidFrom // the same text is not a new version, even under another parent
	}
	if fresh && was.ValidFrom != nil && from < *was.ValidFrom {
		return false, memory.Errorf(memory.InvalidArgument,
			"valid_from %s is before %s, when the current version of %s began.",
			rfc3339(from), rfc3339(*was.ValidFrom), n.ref()).
			WithHint("Give a later time, or retain it as a separate memory.")
	}
	if _, err := w.c.exec(ctx, `UPDATE mg_entities SET name = ?2, description = ?3, type = ?4, layer = ?5, valid_from = ?6,
		valid_until = CASE WHEN ?7 THEN NULL ELSE valid_until END, observation_count = observation_count + 1, `+unfade+`,
		updated_at = ?8, last_seen_at = ?8 WHERE id = ?1`,
		n.id, cmp.Or(in.Title, was.Name), in.Content, cmp.Or(in.Type,
			was.Type), optional(layer), from, fresh, memory.Millis(w.now)); err != nil {
		return false, err
	}
	if in.Title != "" {
		if err := w.addAliases(ctx, n.id, []string{in.Title}); err != nil {
			return false, err
		}
	}
	if in.Parent != "" {
		if err := w.setParent(ctx, n.id, in.Parent); err != nil {
			return false, err
		}
	}
	if fresh { // the old version was valid until from; its snapshot does not change
		if _, err := w.c.exec(ctx,
			`UPDATE mg_entity_versions SET valid_until = ?2 WHERE entity_id = ?1 AND expired_at IS NULL`, n.id,
			from); err != nil {
			return false, err
		}
	}
	if err := w.entityChanged(ctx, n.id, causeUpdated, before); err != nil {
		return false, err
	}
	return fresh, w.indexEntity(ctx, n.id)
}

// Assignment gives a memory a parent.
type Assignment struct {
	Memory, Parent string // an id, a name or an alias
}

// Assigned is an Assignment that was carried out.
type Assigned struct {
	Memory, Parent memory.Entity
}

// AssignParents gives memories parents, one by one. It reports an assignment that failed with its place in the list
// ("assign[2]") and carries out the rest.
func (s *Store) AssignParents(ctx context.Context, scope memory.Scope, list []Assignment, by memory.Caller) ([]Assigned,
	[]memory.ItemError, error) {
	var done []Assigned
	var errs []memory.ItemError
	err := s.writeGraph(ctx, "organise memories", "reflect", scope, by, func(ctx context.Context, w *writing) error {
		for i, a := range list {
			var made Assigned
			mistake, err := w.attempt(func() (err error) {
				made, err = w.assign(ctx, a)
				return err
			})
			if err != nil {
				return err
			}
			if mistake != nil {
				errs = append(errs, memory.ItemError{Item: fmt.Sprintf("assign[%d]", i), Message: mistake.Error()})
				continue
			}
			done = append(done, made)
		}
		return nil
	})
	return done, errs, err
}

func (w *writing) assign(ctx context.Context, a Assignment) (Assigned, error) {
	n, err := w.need(ctx, a.Memory, "")
	if err != nil {
		return Assigned{}, err
	}
	p, err := w.need(ctx, a.Parent, "")
	if err != nil {
		return Assigned{}, err
	}
	_, is, err := w.snapshots(ctx, n.id)
	if err != nil {
		return Assigned{}, err
	}
	parent := p.ref().String()
	layer, err := w.layerBelow(ctx, parent, nil, is.Layer)
	if err != nil {
		return Assigned{}, err
	}
	if err := w.updateEntity(ctx, n, memory.EntityChange{Parent: &parent, Layer: layer}); err != nil {
		return Assigned{}, err
	}
	child, above, err := w.pair(ctx, n.id, p.id)
	return Assigned{Memory: child, Parent: above}, err
}
