package store

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"memory-graph/internal/memory"
)

// UpdateRelation changes properties of a fact as a new version and returns that version's number, from 1. A caller does
// this deliberately, so trust is not checked: it may lower the confidence, or raise it up to the cap. A fact that a
// person corrects gets the origin user, and so the user's cap. Of an ended fact everything but the end can be
// corrected. Errors: NotFound; InvalidArgument for values out of range and for an end before the beginning; Conflict
// for another end of a fact that has ended.
func (s *Store) UpdateRelation(ctx context.Context, namespace string, ch memory.RelationChange,
	by memory.Caller) (r memory.Relationship, version int, err error) {
	err = s.writeGraph(ctx, "update relation", "update_relation", memory.Scope{Namespace: namespace}, by,
		func(ctx context.Context, w *writing) error {
			if err := checkRelationChange(ch); err != nil {
				return err
			}
			f, err := w.factByID(ctx, ch.ID)
			if err != nil {
				return err
			}
			if err := w.holding(ctx, ch.Suspicion, f.origin, func() error { return w.updateRelation(ctx, f, ch) }); err != nil {
				return err
			}
			if r, err = w.relationship(ctx, f.id); err != nil {
				return err
			}
			n, _, err := w.c.int64(ctx, `SELECT count(*) FROM mg_relationship_versions WHERE relationship_id = ?`, f.id)
			version = int(n)
			return err
		})
	return r, version, err
}

func checkRelationChange(ch memory.RelationChange) error {
	if ch.EdgeClass != nil && !slices.Contains(memory.EdgeClasses, *ch.EdgeClass) {
		return memory.Errorf(memory.InvalidArgument, "edge_class: %q is unknown.", clip(*ch.EdgeClass)).WithHint("Use %s.",
			strings.Join(memory.EdgeClasses, ", "))
	}
	return cmp.Or(checkShare("confidence", ch.Confidence), checkShare("strength", ch.Strength))
}

func (w *writing) updateRelation(ctx context.Context, f fact, ch memory.RelationChange) error {
	f, err := w.finalise(ctx, f)
	if err != nil {
		return err
	}
	var set []string
	var args []any
	column := func(name string, value any) {
		set, args = append(set, name+" = ?"+strconv.Itoa(len(args)+2)), append(args, value)
	}
	if memory.SuppliedOrigin(w.by.Actor) == memory.OriginUser && f.origin != memory.OriginUser {
		f.origin = memory.OriginUser
		column("origin", string(f.origin))
	}
	if ch.Fact != nil {
		column("fact", strings.TrimSpace(*ch.Fact))
	}
	if ch.EdgeClass != nil {
		column("edge_class", *ch.EdgeClass)
	}
	if ch.Confidence != nil {
		column("confidence", memory.Capped(ch.Confidence, f.origin, f.method))
	}
	if ch.Strength != nil {
		column("strength", *ch.Strength)
	}
	if ch.ValidFrom != nil {
		f.validFrom = memory.Seconds(*ch.ValidFrom)
		column("valid_from", nullable(f.validFrom))
		column("from_unit", nullable(string(ch.FromUnit)))
	}
	if ch.ValidUntil != nil {
		if f.validUntil != "" {
			return memory.Errorf(memory.Conflict, "%s already ended at %s.", memory.RelationshipID(f.id),
				rfc3339(f.validUntil)).
				WithHint("To bring it back, undo the call that ended it, or give the fact again with create_relation.")
		}
		f.untilUnit = ch.UntilUnit
		column("until_unit", nullable(string(ch.UntilUnit)))
		w.changeEnd(&f, *ch.ValidUntil, column)
	}
	end := cmp.Or(f.validUntil, f.expiresAt)
	if (ch.ValidFrom != nil || ch.ValidUntil != nil) && end != "" && end <= f.validFrom {
		return memory.Errorf(memory.InvalidArgument, "the fact ends at %s, not after its valid_from %s.", rfc3339(end),
			rfc3339(f.validFrom)).
			WithHint("Give an end after the beginning, or correct both.")
	}
	if len(set) == 0 {
		return nil
	}
	cause := causeUpdated
	switch {
	case ch.ValidUntil != nil && f.validUntil != "":
		cause = causeEnded
	case ch.ValidUntil != nil && f.expiresAt != "":
		cause = causeScheduled
	}
	return w.change(ctx, f.id, cause, strings.Join(set, ", "), args...)
}

// changeEnd ends an active fact, schedules its end, or removes a scheduled end together with the fact that was to
// supersede it then.
func (w *writing) changeEnd(f *fact, until time.Time, column func(string, any)) {
	at := memory.Seconds(until)
	switch {
	case at == "":
		f.expiresAt = ""
		column("expires_at", nil)
		column("superseded_by", nil)
	case at > memory.Seconds(w.now):
		f.expiresAt = at
		column("expires_at", at)
	default:
		f.validUntil = at
		column("valid_until", at)
		column("expired_at", memory.Millis(w.now))
	}
}

// finalise ends a fact whose scheduled end is due, before any other change (docs/decisions.md, "Active and scheduled
// ends").
func (w *writing) finalise(ctx context.Context, f fact) (fact, error) {
	if f.validUntil != "" || f.expiresAt == "" || f.expiresAt > memory.Seconds(w.now) {
		return f, nil
	}
	if err := w.expire(ctx, f); err != nil {
		return f, err
	}
	f.validUntil = f.expiresAt
	return f, nil
}
