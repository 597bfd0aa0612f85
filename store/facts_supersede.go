package store

import (
	"cmp"
	"context"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// Supersede ends an active fact and optionally names the fact that supersedes it (docs/facts.md). It is a deliberate
// act, so the rules of trust do not apply. Errors: NotFound; Conflict for a fact that has ended, and for a cycle of
// superseding facts; InvalidArgument for an end before the beginning.
func (s *Store) Supersede(ctx context.Context, scope memory.Scope, in memory.Supersession,
	by memory.Caller) (memory.Superseded, error) {
	var out memory.Superseded
	by.Reason = cmp.Or(in.Reason, by.Reason)
	err := s.writeGraph(ctx, "supersede", "supersede", scope, by, func(ctx context.Context, w *writing) error {
		var err error
		out, err = w.supersede(ctx, in)
		return err
	})
	return out, err
}

func (w *writing) supersede(ctx context.Context, in memory.Supersession) (memory.Superseded, error) {
	if in.ReplacementID != 0 && in.Replacement != nil {
		return memory.Superseded{}, memory.Errorf(memory.InvalidArgument,
			"new_relationship_id and replacement are both given.").WithHint("Give one of them, or neither to end the fact.")
	}
	old, err := w.activeFact(ctx, in.ID)
	if err != nil {
		return memory.Superseded{}, err
	}
	var existing fact
	if in.ReplacementID != 0 {
		if existing, err = w.replacement(ctx, old, in.ReplacementID); err != nil {
			return memory.Superseded{}, err
		}
	}
	at, err := w.supersededAt(old, existing, in)
	if err != nil {
		return memory.Superseded{}, err
	}
	// The old fact ends first. That frees its key, and no rule ends it a second time.
	version, err := w.openVersion(ctx, old.id)
	if err != nil {
		return memory.Superseded{}, err
	}
	if err := w.endAt(ctx, old, at, existing.id, causeSuperseded); err != nil {
		return memory.Superseded{}, err
	}
	if in.Replacement == nil && existing.id == 0 {
		if err := w.callOff(ctx, old, at.at); err != nil {
			return memory.Superseded{}, err
		}
	}
	out := memory.Superseded{}
	by := existing.id
	if in.Replacement != nil {
		made, err := w.replace(ctx, old, *in.Replacement, at)
		if err != nil {
			return out, err
		}
		by = made.Relationship.ID
		if by == old.id || w.leadsTo(ctx, by, old.id) {
			return out, memory.Errorf(memory.Conflict, "%s would be superseded by itself.", memory.RelationshipID(old.id)).
				WithHint("To change what a fact says and keep it, use update_relation.")
		}
		for _, id := range made.Superseded {
			if id != old.id {
				out.Also = append(out.Also, id)
			}
		}
		out.Conflicts = made.Conflicts
		if err := w.nameSuperseder(ctx, old.id, by, version); err != nil {
			return out, err
		}
	}
	if out.Ended, err = w.relationship(ctx, old.id); err != nil || by == 0 {
		return out, err
	}
	made, err := w.relationship(ctx, by)
	out.Replacement = &made
	return out, err
}

// openVersion returns the id of the current version of a fact.
func (w *writing) openVersion(ctx context.Context, fact int64) (int64, error) {
	id, _, err := w.c.int64(ctx, `SELECT version_id FROM mg_relationship_versions WHERE relationship_id = ? AND expired_at
		IS NULL`, fact)
	return id, err
}

// nameSuperseder sets the superseding fact of a fact. If this call has already ended the fact (since the version
// before), it updates that end, so the change is one version and one event.
func (w *writing) nameSuperseder(ctx context.Context, id, by, before int64) error {
	version, err := w.openVersion(ctx, id)
	if err != nil {
		return err
	}
	if version == before { // its scheduled end was at that time already
		return w.change(ctx, id, causeSuperseded, `superseded_by = ?2`, by)
	}
	for _, sql := range []string{`UPDATE mg_relationships SET superseded_by = ?2 WHERE id = ?1 AND ?3 <> 0`,
		`UPDATE mg_relationship_versions SET superseded_by = ?2 WHERE relationship_id = ?1 AND version_id = ?3`} {
		if _, err := w.c.exec(ctx, sql, id, by, version); err != nil {
			return err
		}
	}
	after, err := w.relationshipSnapshot(ctx, id)
	if err != nil {
		return err
	}
	_, err = w.c.exec(ctx, `UPDATE mg_events SET after = ?2 WHERE id = (SELECT event_id FROM mg_relationship_versions
		WHERE version_id = ?1)`, version, after)
	return err
}

// activeFact returns a fact that may be superseded.
func (w *writing) activeFact(ctx context.Context, id int64) (fact, error) {
	f, err := w.factByID(ctx, id)
	if err != nil {
		return f, err
	}
	if f.validUntil == "" && f.expiresAt != "" && f.expiresAt <= memory.Seconds(w.now) {
		if err := w.expire(ctx, f); err != nil {
			return f, err
		}
		f.validUntil = f.expiresAt
	}
	if f.validUntil == "" {
		return f, nil
	}
	e := memory.Errorf(memory.Conflict, "%s has ended already, at %s.", memory.RelationshipID(id), rfc3339(f.validUntil))
	if f.supersededBy != 0 {
		return f, e.WithHint("It was superseded by %s: supersede that one.", memory.RelationshipID(f.supersededBy))
	}
	return f, e.WithHint("retrieve_linked lists what is active.")
}

// replacement checks an existing fact that will supersede another.
func (w *writing) replacement(ctx context.Context, old fact, id int64) (fact, error) {
	if id == old.id {
		return fact{}, memory.Errorf(memory.InvalidArgument, "%s cannot supersede itself.",
			memory.RelationshipID(id)).WithHint("Give another relationship, or omit it to end the fact.")
	}
	f, err := w.activeFact(ctx, id)
	if err != nil {
		return f, err
	}
	if w.leadsTo(ctx, id, old.id) {
		return f, memory.Errorf(memory.Conflict, "%s is itself superseded by %s.", memory.RelationshipID(id),
			memory.RelationshipID(old.id)).
			WithHint("Supersede %s with a new fact.", memory.RelationshipID(old.id))
	}
	return f, nil
}

// leadsTo reports whether the chain of superseded_by from one fact reaches another.
func (w *writing) leadsTo(ctx context.Context, from, to int64) bool {
	_, reaches, err := w.c.int64(ctx, `WITH RECURSIVE chain(id) AS (SELECT superseded_by FROM mg_facts WHERE id = ?1
		UNION SELECT r.superseded_by FROM chain CROSS JOIN mg_relationships r ON r.id = chain.id
		UNION SELECT r.superseded_by FROM chain CROSS JOIN mg_archive r ON r.id = chain.id) SELECT 1 FROM chain WHERE id =
		?2`, from, to)
	return err == nil && reaches
}

// supersededAt returns when the old fact ends.
func (w *writing) supersededAt(old, existing fact, in memory.Supersession) (moment, error) {
	at := moment{memory.Seconds(in.At), in.AtUnit}
	if old.begin().at > at.at && old.validFrom < at.end() { // it began and ended in one period
		at = moment{at: min(at.end(), max(memory.Seconds(w.now), old.validFrom))}
	}
	if at.at != "" && at.at < old.validFrom {
		return moment{}, memory.Errorf(memory.InvalidArgument, "valid_until %s is before the fact's valid_from %s.",
			rfc3339(at.at), rfc3339(old.validFrom)).
			WithHint("Give a later end, or omit it to end the fact now.")
	}
	if at.at == "" {
		at = existing.begin()
		if in.Replacement != nil {
			at = moment{memory.Seconds(in.Replacement.ValidFrom), in.Replacement.FromUnit}
		}
	}
	if at.at == "" {
		at = w.present()
	}
	return at.after(old.begin()), nil
}

// replace asserts the fact that supersedes old. By default it begins where old ends.
func (w *writing) replace(ctx context.Context, old fact, d memory.RelationDraft, at moment) (memory.RelationWrite,
	error) {
	d.HeadType, d.CreateMissing = "", true
	if graph.Snake(d.Relation) == "" {
		d.Relation = old.relation
	}
	from, to := old.head, old.tail
	if turned, _ := graph.Reads(graph.Snake(d.Relation), old.relation); turned { // "Acme employs" replaces "works_at Acme"
		from, to = to, from
	}
	var err error
	if d.Head, err = w.nodeRef(ctx, from); err != nil {
		return memory.RelationWrite{}, err
	}
	if d.Tail == "" {
		if d.Tail, err = w.nodeRef(ctx, to); err != nil {
			return memory.RelationWrite{}, err
		}
	}
	if d.ValidFrom.IsZero() {
		if d.ValidFrom, err = memory.ParseStored(at.at); err != nil {
			return memory.RelationWrite{}, err
		}
		d.FromUnit = at.unit
	}
	defer func() { w.passing = 0 }()
	w.passing = old.id
	return w.assert(ctx, d, w.episode)
}

// nodeRef returns the id of a node as clients see it.
func (w *writing) nodeRef(ctx context.Context, id int64) (string, error) {
	kind, err := w.c.text(ctx, `SELECT kind FROM mg_entities WHERE id = ?`, id)
	return memory.NodeID(memory.NodeKind(kind), id).String(), err
}
