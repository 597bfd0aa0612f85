package store

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"memory-graph/internal/memory"
)

// UpdateEntity changes properties of an entity. It writes a new version and returns that version's number, counted from
// 1. Unlike an observation, it sets the given values, even a lower confidence or a shorter description. Errors:
// NotFound, Ambiguous, InvalidArgument, and Conflict if another entity has the new name and type, or another person the
// new alias.
func (s *Store) UpdateEntity(ctx context.Context, namespace string, ch memory.EntityChange,
	by memory.Caller) (e memory.Entity, version int, err error) {
	err = s.writeGraph(ctx, "update entity", "update_entity", memory.Scope{Namespace: namespace}, by,
		func(ctx context.Context, w *writing) error {
			n, err := w.need(ctx, ch.Entity, "")
			if err != nil {
				return err
			}
			if err := w.holding(ctx, ch.Suspicion, memory.SuppliedOrigin(by.Actor),
				func() error {
					return cmp.Or(w.confirmClaims(ctx, n, ch.AddAliases), w.updateEntity(ctx, n, ch))
				}); err != nil {
				return err
			}
			if e, err = w.entity(ctx, n.id); err != nil {
				return err
			}
			count, _, err := w.c.int64(ctx, `SELECT count(*) FROM mg_entity_versions WHERE entity_id = ?`, n.id)
			version = int(count)
			return err
		})
	return e, version, err
}

func (w *writing) updateEntity(ctx context.Context, n node, ch memory.EntityChange) error {
	if err := checkShare("confidence", ch.Confidence); err != nil {
		return err
	}
	before, err := w.entitySnapshot(ctx, n.id)
	if err != nil {
		return err
	}
	was, err := parseEntitySnapshot(before)
	if err != nil {
		return err
	}
	if err := w.checkChange(was, ch); err != nil {
		return err
	}
	if err := w.rename(ctx, n, was, ch); err != nil {
		return err
	}
	now := memory.Millis(w.now)
	if _, err := w.c.exec(ctx, `UPDATE mg_entities SET `+unfade+` WHERE id = ?`, n.id); err != nil {
		return err
	}
	set := func(column string, value any) error {
		_, err := w.c.exec(ctx, `UPDATE mg_entities SET `+column+` = ?2, updated_at = ?3 WHERE id = ?1`, n.id, value, now)
		return err
	}
	if ch.Description != nil {
		if err := set("description", *ch.Description); err != nil {
			return err
		}
	}
	if err := w.changeNotes(ctx, was, ch); err != nil {
		return err
	}
	if ch.Confidence != nil {
		if err := set("confidence", *ch.Confidence); err != nil {
			return err
		}
	}
	if ch.ValidUntil != nil {
		if err := set("valid_until", nullable(memory.Seconds(*ch.ValidUntil))); err != nil {
			return err
		}
	}
	if ch.LastSeen != nil {
		if err := set("last_seen_at", memory.Millis(*ch.LastSeen)); err != nil {
			return err
		}
	}
	if ch.Layer != nil {
		if err := set("layer", *ch.Layer); err != nil {
			return err
		}
	}
	if ch.Parent != nil {
		if err := w.setParent(ctx, n.id, *ch.Parent); err != nil {
			return err
		}
	}
	if err := w.changeAliases(ctx, n, was, ch); err != nil {
		return err
	}
	if err := w.entityChanged(ctx, n.id, causeUpdated, before); err != nil {
		return err
	}
	if ch.Type != nil {
		if err := w.renameRelations(ctx, n.id, memory.SuppliedOrigin(w.by.Actor)); err != nil {
			return err
		}
	}
	return w.reindexEntity(ctx, n.id, before)
}

func (w *writing) checkChange(was entitySnapshot, ch memory.EntityChange) error {
	if ch.Layer != nil && (*ch.Layer < 0 || *ch.Layer > 3) {
		return memory.Errorf(memory.InvalidArgument, "layer: %d is not a layer.",
			*ch.Layer).WithHint("Use 0 domain, 1 concept, 2 fact or 3 episode.")
	}
	if ch.ValidUntil != nil && was.ValidFrom != nil {
		from, err := memory.ParseStored(*was.ValidFrom)
		if err != nil {
			return err
		}
		if err := checkInterval(from, *ch.ValidUntil); err != nil {
			return err
		}
	}
	for _, a := range slices.Concat(ch.AddAliases, ch.RemoveAliases) {
		if memory.Canonical(a) == "" {
			return emptyName(a)
		}
	}
	return nil
}

// rename changes name and type. The old name stays as an alias, so the entity is still found by it.
func (w *writing) rename(ctx context.Context, n node, was entitySnapshot, ch memory.EntityChange) error {
	if ch.Name == nil && ch.Type == nil {
		return nil
	}
	name, canonical, typ := was.Name, was.Canonical, was.Type
	if ch.Name != nil {
		name, canonical = memory.Shown(*ch.Name), memory.Canonical(*ch.Name)
		if canonical == "" {
			return emptyName(*ch.Name)
		}
		if err := notAnID(*ch.Name); err != nil {
			return err
		}
	}
	if ch.Type != nil {
		typ = *ch.Type
	}
	if n.kind == memory.NodeEntity {
		other, taken, err := w.c.int64(ctx, `SELECT id FROM mg_entities WHERE namespace = ? AND canonical_name = ? AND type =
			? AND kind = 'entity'
			AND kind <> 'memory' AND merged_into IS NULL AND id <> ?`, w.scope.Namespace, canonical, typ, n.id)
		if err != nil {
			return err
		}
		if taken {
			return memory.Errorf(memory.Conflict, "%q of type %s is another entity, %s.", clip(name), typ,
				memory.NodeID(memory.NodeEntity, other)).
				WithHint("If both are the same, join them with merge_entities.")
		}
	}
	if _, err := w.c.exec(ctx,
		`UPDATE mg_entities SET name = ?2, canonical_name = ?3, type = ?4, type_assumed = iif(?5, type_assumed, 0),
			updated_at = ?6 WHERE id = ?1`,
		n.id, name, canonical, typ, ch.Type == nil, memory.Millis(w.now)); err != nil {
		return err
	}
	return w.addAliases(ctx, n.id, []string{name})
}

func (w *writing) changeAliases(ctx context.Context, n node, was entitySnapshot, ch memory.EntityChange) error {
	if err := w.noOthersName(ctx, n, ch.AddAliases); err != nil {
		return err
	}
	if err := w.addAliases(ctx, n.id, ch.AddAliases); err != nil {
		return err
	}
	for _, alias := range ch.RemoveAliases {
		removed, err := w.c.exec(ctx, `DELETE FROM mg_entity_aliases WHERE namespace = ?1 AND alias = ?2 AND entity_id = ?3
			AND alias <> (SELECT canonical_name FROM mg_entities WHERE id =
			?3)`, w.scope.Namespace, memory.Canonical(alias), n.id)
		if err != nil {
			return err
		}
		if removed == 0 {
			return memory.Errorf(memory.InvalidArgument, "remove_aliases: %q is not an alias of %s.", clip(alias), n.ref()).
				WithHint("Its aliases: %s.", strings.Join(aliasesBeside(was.Aliases, was.Canonical), ", "))
		}
	}
	return nil
}

// changeNotes sets the own words of a description and the entity observations. Observations that stay keep their
// origin.
func (w *writing) changeNotes(ctx context.Context, was entitySnapshot, ch memory.EntityChange) error {
	if ch.Own == nil && ch.Notes == nil {
		return nil
	}
	to, origin := was.said(), memory.SuppliedOrigin(w.by.Actor)
	var by vouched
	if ch.Own != nil {
		to.own, by.own = *ch.Own, origin
	}
	if ch.Notes != nil {
		old := to.notes
		to.notes = notesBy(origin, *ch.Notes)
		for i, n := range to.notes {
			if at := slices.IndexFunc(old, func(o note) bool { return o.text == n.text }); at >= 0 {
				to.notes[i] = old[at]
			}
		}
		if err := w.setNotes(ctx, was.ID, to.notes); err != nil {
			return err
		}
	}
	if _, err := w.c.exec(ctx, `UPDATE mg_entities SET description = ?2, updated_at = ?3 WHERE id = ?1`, was.ID,
		describe(to.own, textsOf(to.notes)), memory.Millis(w.now)); err != nil {
		return err
	}
	_, err := w.settleTrust(ctx, was, to, by)
	return err
}
