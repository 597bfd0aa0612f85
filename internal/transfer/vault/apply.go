package vault

import (
	"context"
	"slices"
	"time"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// Memory is the part of the store that applies changes; *store.Store is one.
type Memory interface {
	Source
	MergeEntities(ctx context.Context, namespace, into, from string, by memory.Caller) (memory.Merge, error)
	RetractRelation(ctx context.Context, namespace string, id int64, by memory.Caller) error
	RetractEntity(ctx context.Context, namespace string, id memory.ID, by memory.Caller) error
}

// Facts writes what a caller supplies; *facts.Writer is one.
type Facts interface {
	CreateEntity(ctx context.Context, scope memory.Scope, d memory.EntityDraft, by memory.Caller) (memory.EntityWrite,
		error)
	UpdateEntity(ctx context.Context, scope memory.Scope, ch memory.EntityChange, by memory.Caller) (memory.Entity, int,
		error)
	CreateRelation(ctx context.Context, scope memory.Scope, d memory.RelationDraft, evidence int64,
		by memory.Caller) (memory.RelationWrite, error)
	UpdateRelation(ctx context.Context, namespace string, ch memory.RelationChange,
		by memory.Caller) (memory.Relationship, int, error)
}

// Limit marks the open changes that an origin may not make. Additions are stored with its trust. Every other change
// needs at least the trust of what it changes, and a removed or merged page needs the user's trust.
func (r *Reading) Limit(origin memory.Origin) {
	for _, c := range r.Changes {
		if c.State != Open || origin == memory.OriginUser {
			continue
		}
		here, than := r.now[c.id.Num], memory.OriginUser
		switch c.Kind {
		case EntityAdded, FactAdded:
			continue
		case EntityRemoved, Merged:
		case FactRemoved, FactEnded, FactReopened, FactRedated, FactCorrected:
			if i := slices.IndexFunc(here.Facts, func(f memory.Relationship) bool { return f.ID == c.was.ID }); i >= 0 {
				than = here.Facts[i].Origin
			}
		default:
			than = here.Origin
		}
		if origin.Trust() < than.Trust() {
			c.State, c.Why = Untrust, "it changes what "+string(than)+" said, and nobody accepted it at a terminal"
			if c.Kind == EntityRemoved || c.Kind == Merged {
				c.Why = "only a person removes or merges pages, and nobody accepted it at a terminal"
			}
		}
	}
}

// Removals returns the changes that would remove pages, if these are more than a third of the pages of entities and
// memories: a folder that was lost or moved looks the same.
func (r *Reading) Removals() []*Change {
	out := slices.DeleteFunc(r.Open(), func(c *Change) bool { return c.Kind != EntityRemoved })
	all := 0
	for _, e := range r.m.entries {
		if _, ok := e.id(); ok {
			all++
		}
	}
	if 3*len(out) <= all {
		return nil
	}
	return out
}

// Open returns the changes that can be applied.
func (r *Reading) Open() []*Change {
	return slices.DeleteFunc(slices.Clone(r.Changes), func(c *Change) bool { return c.State != Open })
}

// Apply makes the open changes, in one call of the caller. A change that fails is reported in its state, and the others
// are made. An error ends it.
func (r *Reading) Apply(ctx context.Context, m Memory, w Facts, scope memory.Scope, by memory.Caller) error {
	a := &applying{r, m, w, scope, by}
	r.call = by.CallID
	for _, c := range r.Changes {
		if c.State != Open {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		err := a.apply(ctx, c)
		if err == nil {
			c.State = Applied
			continue
		}
		mistake := memory.AsError(err)
		switch mistake.Code {
		case memory.Internal, memory.Unavailable, memory.ReadOnly:
			return err
		}
		c.State, c.Why = Failed, mistake.Error()
	}
	return nil
}

type applying struct {
	*Reading
	m     Memory
	w     Facts
	scope memory.Scope
	by    memory.Caller
}

func (a *applying) apply(ctx context.Context, c *Change) error {
	switch c.Kind {
	case EntityAdded:
		return a.create(ctx, c)
	case Merged:
		_, err := a.m.MergeEntities(ctx, a.scope.Namespace, c.into.String(), c.id.String(), a.by)
		return err
	case EntityRemoved:
		return a.m.RetractEntity(ctx, a.scope.Namespace, c.id, a.by)
	case FactRemoved:
		return a.m.RetractRelation(ctx, a.scope.Namespace, c.was.ID, a.by)
	case FactAdded:
		return a.relate(ctx, c, memory.Relationship{}, 0)
	case FactEnded, FactReopened, FactRedated, FactCorrected:
		return a.fact(ctx, c)
	}
	return a.update(ctx, c)
}

// create makes the entity of a new page.
func (a *applying) create(ctx context.Context, c *Change) error {
	d := memory.EntityDraft{Name: c.page.Name, Type: c.page.Type, Description: c.page.Description, Aliases: c.page.Aliases,
		Notes: c.page.Observations}
	done, err := a.w.CreateEntity(ctx, a.scope, d, a.by)
	if err != nil {
		return err
	}
	c.within.made, c.id = done.Entity.Ref(), done.Entity.Ref()
	c.Entity = c.id.String()
	if !done.Created {
		c.Result = "it was known as " + c.Entity
	}
	return nil
}

// update changes a field of an entity.
func (a *applying) update(ctx context.Context, c *Change) error {
	ch := memory.EntityChange{Entity: c.id.String()}
	switch c.Kind {
	case Renamed:
		ch.Name = &c.Is
	case TypeChanged:
		ch.Type = &c.Is
	case DescriptionChanged:
		text := c.Is
		ch.Own = &text
	case ConfidenceChanged:
		v := confidenceOf(c.Is)
		ch.Confidence = &v
	case AliasAdded:
		ch.AddAliases = []string{c.Is}
	case AliasRemoved:
		ch.RemoveAliases = []string{c.Was}
	case ObservationAdded, ObservationRemoved:
		var notes []string
		if err := a.m.Vault(ctx, a.scope.Namespace, func(r *store.VaultReader) error {
			return r.Entities(ctx, []int64{c.id.Num}, func(e store.VaultEntity) error {
				notes = e.Notes
				return nil
			})
		}); err != nil {
			return err
		}
		notes = slices.Clone(notes)
		if c.Kind == ObservationAdded {
			notes = append(notes, c.Is)
		} else if i := slices.IndexFunc(notes, func(n string) bool { return oneLine(n) == c.Was }); i >= 0 {
			notes = slices.Delete(notes, i, i+1)
		}
		ch.Notes = &notes
	}
	_, _, err := a.w.UpdateEntity(ctx, a.scope, ch, a.by)
	return err
}

// fact changes a fact that the memory has.
func (a *applying) fact(ctx context.Context, c *Change) error {
	here := a.now[c.id.Num]
	i := slices.IndexFunc(here.Facts, func(f memory.Relationship) bool { return f.ID == c.was.ID })
	if i < 0 {
		return memory.Errorf(memory.NotFound, "The fact is no longer in the memory.")
	}
	old, active := here.Facts[i], here.Facts[i].Active(a.at)
	since, until, from, to := c.is.times()
	change := memory.RelationChange{ID: old.ID}
	if c.is.Since != c.was.Since {
		change.ValidFrom, change.FromUnit = &since, from
	}
	switch {
	case c.Kind == FactEnded:
		if c.is.Until == "" || until.After(a.at) {
			until, to = a.at, ""
		}
		until = within(until, old.ValidFrom, a.at)
		change.ValidUntil, change.UntilUnit = &until, to
	case c.Kind == FactRedated && (active || c.is.Until == c.was.Until):
		if c.is.Until != c.was.Until {
			change.ValidUntil, change.UntilUnit = &until, to
		}
	default: // an ended fact keeps its end, so the line becomes a new fact
		if err := a.m.RetractRelation(ctx, a.scope.Namespace, old.ID, a.by); err != nil {
			return err
		}
		evidence := int64(0)
		if len(old.Evidence) > 0 && c.Kind != FactCorrected {
			evidence = old.Evidence[0]
		}
		return a.relate(ctx, c, old, evidence)
	}
	_, _, err := a.w.UpdateRelation(ctx, a.scope.Namespace, change, a.by)
	return err
}

// relate stores the line of a change as a fact. old is the fact that it replaces. A time that the line did not change
// is taken from old.
func (a *applying) relate(ctx context.Context, c *Change, old memory.Relationship, evidence int64) error {
	since, until, from, to := c.is.times()
	if old.ID != 0 && c.is.Since == c.was.Since {
		since, from = old.ValidFrom, old.FromUnit
	}
	if old.ID != 0 && c.is.Until == c.was.Until && !old.ValidUntil.IsZero() {
		until, to = old.ValidUntil, old.UntilUnit
	} else if !since.IsZero() && !until.IsZero() {
		until = within(until, since, a.at)
	}
	head := c.id
	if head.Num == 0 {
		head = c.within.made
	}
	if head.Num == 0 {
		return memory.Errorf(memory.Conflict, "The page's entity was not made.")
	}
	tail := c.is.Target
	if l := a.leaves[c.is.ToPage]; l != nil && l.made.Num != 0 {
		tail = l.made.String()
	} else if c.is.To != "" {
		tail = c.is.To
	}
	done, err := a.w.CreateRelation(ctx, a.scope, memory.RelationDraft{Head: head.String(), Relation: c.is.Relation,
		Tail: tail, ValidFrom: since, FromUnit: from, ValidUntil: until, UntilUnit: to, Ended: c.is.Ended,
		CreateMissing: true}, evidence, a.by)
	if err != nil {
		return err
	}
	c.is.ID = done.Relationship.ID
	c.Result = memory.RelationshipID(done.Relationship.ID).String()
	for _, x := range done.Conflicts {
		c.Result += "; it contradicts " + memory.RelationshipID(x.ID).String()
	}
	for _, id := range done.Superseded {
		c.Result += "; it ended " + memory.RelationshipID(id).String()
	}
	return nil
}

// within returns an end. If it is on the day of the beginning and not after it, within returns the end of that day, or
// now.
func within(until, from, now time.Time) time.Time {
	if until.After(from) || !until.Truncate(24*time.Hour).Equal(from.UTC().Truncate(24*time.Hour)) {
		return until
	}
	if end := until.Truncate(24 * time.Hour).Add(24*time.Hour - time.Second); end.Before(now) {
		return end
	}
	return now
}
