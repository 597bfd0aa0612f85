package store

import (
	"context"
	"slices"
	"strings"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// Facts that something is used may be stored under relations that say it more exactly, such as runs_on
// (docs/facts.md, "What is used").

// relationIn is the condition that the fact r has one of several relations, with its arguments.
func relationIn(names []string) (where string, args []any) {
	for _, name := range names {
		args = append(args, name)
	}
	return `r.relation IN (?` + strings.Repeat(`, ?`, len(names)-1) + `)`, args
}

// usedAs returns the active facts that say the same as the fact that something is used, and say it more exactly.
func (w *writing) usedAs(ctx context.Context, a assertion) ([]fact, error) {
	names := graph.UsedAs(a.relation)
	if len(names) == 0 {
		return nil, nil
	}
	in, args := relationIn(names)
	return w.activeOn(ctx, in+` AND r.namespace = ? AND r.head_id = ? AND r.tail_id = ?`,
		append(args, w.scope.Namespace, a.head, a.tail)...)
}

// stateAs makes an extractor's fact the more exact one that is supplied with the same turn: the turn is one statement.
func (w *writing) stateAs(ctx context.Context, a *assertion, exact []fact, evidence int64) error {
	if !a.method.Extracted() {
		return nil
	}
	for _, f := range exact {
		_, here, err := w.c.int64(ctx,
			`SELECT 1 FROM mg_evidence WHERE relationship_id = ? AND episode_id = ? AND method = ?`, f.id, evidence,
			string(memory.MethodSupplied))
		if err != nil {
			return err
		}
		if here {
			a.relation, a.label, a.text = f.relation, f.relation, ""
			return nil
		}
	}
	return nil
}

// endUsed ends a fact of which it is given that it is over, and the more exact ones that say the same. If only those
// are known, the end is theirs.
func (w *writing) endUsed(ctx context.Context, a assertion, live, exact []fact, out *memory.RelationWrite) error {
	if len(live) == 0 {
		i := slices.IndexFunc(exact, func(f fact) bool { return mayEnd(a.fact, f) })
		if i >= 0 {
			live, exact = exact[i:i+1], slices.Delete(slices.Clone(exact), i, i+1)
			a.relation, a.label, a.text = live[0].relation, live[0].relation, ""
		} else if id, err := w.endedUse(ctx, a); err != nil || id != 0 {
			out.Status, out.Relationship.ID = memory.RelationEnded, id
			return err
		}
	}
	for _, f := range exact {
		over, err := w.over(ctx, a, f)
		switch {
		case err != nil || !over:
		case mayEnd(a.fact, f):
			out.Superseded = append(out.Superseded, f.id)
			err = w.endClaimed(ctx, a, f)
		default:
			err = w.conflict(ctx, f, claimTooWeak, out)
		}
		if err != nil {
			return err
		}
	}
	return w.assertEnded(ctx, a, live, out)
}

// endedUse returns the fact with which an extractor's claim that something is no longer used has ended already, under a
// relation that says the use more exactly; 0 for none.
func (w *writing) endedUse(ctx context.Context, a assertion) (int64, error) {
	names := graph.UsedAs(a.relation)
	if len(names) == 0 || !a.method.Extracted() || a.validUntil == "" {
		return 0, nil
	}
	in, args := relationIn(names)
	found, err := w.facts(ctx, in+` AND r.namespace = ? AND r.head_id = ? AND r.tail_id = ? AND r.valid_until = ?
		ORDER BY r.id LIMIT 1`, append(args, w.scope.Namespace, a.head, a.tail, a.validUntil)...)
	if err != nil || len(found) == 0 {
		return 0, err
	}
	return found[0].id, w.unarchive(ctx, found[0].id)
}

// sameStatement reports whether the words that state a fact also state another one: it was supplied with the turn, or
// found in the same words. "Now uses Kafka and RabbitMQ" is no change from one to the other.
func (w *writing) sameStatement(ctx context.Context, a assertion, f fact) (bool, error) {
	_, same, err := w.c.int64(ctx, `SELECT 1 FROM mg_evidence WHERE relationship_id = ? AND episode_id = ? AND
		(method = ? OR quote = ?) LIMIT 1`, f.id, w.episode, string(memory.MethodSupplied), a.quote)
	return same, err
}
