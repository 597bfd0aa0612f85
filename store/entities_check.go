package store

import (
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"memory-graph/internal/memory"
)

// checkEntity refuses a draft that no entity may have: its names, confidence, layer or interval.
func checkEntity(d memory.EntityDraft) error {
	if memory.Canonical(d.Name) == "" {
		return emptyName(d.Name)
	}
	if err := notAnID(d.Name); err != nil {
		return err
	}
	for _, a := range d.Aliases {
		if err := notAnID(a); err != nil {
			return err
		}
		if memory.Canonical(a) == "" {
			return memory.Errorf(memory.InvalidArgument, "aliases: %q is not a name: it has no visible character.",
				clip(a)).WithHint("Leave it out.")
		}
	}
	if err := checkShare("confidence", d.Confidence); err != nil {
		return err
	}
	if d.Layer != nil && (*d.Layer < 0 || *d.Layer > 3) {
		return memory.Errorf(memory.InvalidArgument, "layer: %d is not a layer.",
			*d.Layer).WithHint("Use 0 domain, 1 concept, 2 fact or 3 episode.")
	}
	return checkInterval(d.ValidFrom, d.ValidUntil)
}

// notAnID refuses a name that reads as the id of a node, because a caller could mean either.
func notAnID(name string) error {
	id, err := memory.ParseID(strings.TrimSpace(name)) // ids are lower case: M1 is a name
	if err != nil || id.Kind != memory.KindEntity && id.Kind != memory.KindMemory {
		return nil
	}
	return memory.Errorf(memory.InvalidArgument, "%q reads as an id and cannot be a name.",
		clip(name)).WithHint("Give it a longer name, such as %q.", "model "+name)
}

// checkShare refuses a value that is not a number from 0 to 1.
func checkShare(argument string, v *float64) error {
	if v != nil && (math.IsNaN(*v) || *v < 0 || *v > 1) {
		return memory.Errorf(memory.InvalidArgument, "%s: %v is out of range.", argument,
			*v).WithHint("Use a number from 0 to 1.")
	}
	return nil
}

// checkInterval refuses an end that is not after the beginning.
func checkInterval(from, until time.Time) error {
	if !from.IsZero() && !until.IsZero() && memory.Seconds(until) <= memory.Seconds(from) {
		return memory.Errorf(memory.InvalidArgument, "valid_until %s is not after valid_from %s.", memory.RFC3339(until),
			memory.RFC3339(from)).
			WithHint("Give an end after the beginning.")
	}
	return nil
}

// noOthersName refuses an alias that is the name of another person of whom facts are known: that name would mean two
// people, and nothing would show it. An alias that the node has already stays.
func (w *writing) noOthersName(ctx context.Context, n node, aliases []string) error {
	if !memory.IsPerson(n.typ) && !n.assumed() {
		return nil
	}
	for _, alias := range aliases {
		found, err := nodesNamed(ctx, w.c, w.scope.Namespace, memory.Canonical(alias))
		if err != nil {
			return err
		}
		if slices.ContainsFunc(found, func(o node) bool { return o.id == n.id }) {
			continue
		}
		for _, o := range found {
			if !o.exact || !memory.IsPerson(o.typ) {
				continue
			}
			_, known, err := w.c.int64(ctx, `SELECT 1 FROM mg_relationships WHERE valid_until IS NULL AND
				(head_id = ?1 OR tail_id = ?1) AND relation NOT IN ('same_as', 'similar_to') LIMIT 1`, o.id)
			if err != nil {
				return err
			}
			if known {
				return memory.Errorf(memory.Conflict, "%q is the name of another person, %s.", clip(alias), o.ref()).
					WithHint("If both are one person, join them with merge_entities. If not, leave the alias out, or say in it "+
						"who is meant, such as \"%s (sales)\".", clip(alias))
			}
		}
	}
	return nil
}
