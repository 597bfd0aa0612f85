package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// maxNesting is the maximum number of facts between a place and a place that contains it.
const maxNesting = 4

// apart removes the rivals whose tail does not contradict the newcomer's, because the graph or the names say that one
// place lies within the other. If the newcomer is news ("moved to Germany"), a fact about a narrower place stays a
// rival, unless the graph says that this place lies within the new one.
func (w *writing) apart(ctx context.Context, f fact, news bool, rivals []fact) ([]fact, error) {
	if len(rivals) == 0 {
		return rivals, nil
	}
	name := func(id int64) (string, error) {
		return w.c.text(ctx, `SELECT name FROM mg_entities WHERE id = ?`, id)
	}
	here, err := name(f.tail)
	if err != nil {
		return nil, err
	}
	kept := rivals[:0]
	for _, r := range rivals {
		there, err := name(r.tail)
		if err != nil {
			return nil, err
		}
		wider := graph.Breadth(here) - graph.Breadth(there)
		if wider < 0 || wider > 0 && !news {
			continue
		}
		within, err := w.within(ctx, f.tail, r.tail)
		if err != nil {
			return nil, err
		}
		if !within {
			kept = append(kept, r)
		}
	}
	return kept, nil
}

// widerFirst returns the places of facts in the order in which they are written: a fact that says where a place lies
// comes before the facts that place something there, in whatever order a call has them.
func widerFirst(list []memory.RelationDraft) []int {
	type placing struct {
		head, tail string
		nests      bool
	}
	all, order := make([]placing, len(list)), make([]int, len(list))
	for i, d := range list {
		order[i] = i
		to := graph.Store(graph.Snake(d.Relation), d.HeadType, d.TailType)
		if to.Relation != "part_of" && !graph.Lookup(to.Relation).Places || d.Ended {
			continue
		}
		p := placing{memory.Canonical(d.Head), memory.Canonical(d.Tail), to.Relation != "lives_in"}
		if to.Swap {
			p.head, p.tail = p.tail, p.head
		}
		all[i] = p
	}
	depths := make([]int, len(list))
	for range maxNesting {
		for i, p := range all {
			for j, o := range all {
				if !p.nests {
					break
				}
				if i != j && o.tail == p.head {
					depths[i] = max(depths[i], min(depths[j]+1, maxNesting))
				}
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(depths[b], depths[a]) })
	return order
}

// within reports whether active facts say that one of two places lies within the other.
func (w *writing) within(ctx context.Context, a, b int64) (bool, error) {
	return placesNested(ctx, w.c, a, b)
}

func placesNested(ctx context.Context, c *conn, a, b int64) (bool, error) {
	_, found, err := c.int64(ctx, `WITH RECURSIVE up (start, node, depth) AS (VALUES (?1, ?1, 0), (?2, ?2, 0)
		UNION SELECT up.start, r.tail_id, up.depth + 1 FROM up CROSS JOIN mg_relationships r INDEXED BY mg_relationships_out
			ON r.head_id = up.node AND r.valid_until IS NULL AND r.relation IN ('located_in', 'part_of')
			WHERE up.depth < ?3)
		SELECT 1 FROM up WHERE start = ?1 AND node = ?2 OR start = ?2 AND node = ?1 LIMIT 1`, a, b, maxNesting)
	return found, err
}

// endKin ends the facts that a newcomer replaces as news. "Runs on Postgres now" ends the head's use of another
// database. A return to something used before ends the fact that had superseded it. If the head uses several others of
// the kind, endKin ends none, since the words do not say which one is meant. Facts with the same tail say the same, so
// all of them end. id is the newcomer's row.
func (w *writing) endKin(ctx context.Context, a assertion, id int64, out *memory.RelationWrite) error {
	if !a.news || !graph.Lookup(a.relation).Kinds {
		return nil
	}
	in, args := relationIn(graph.KindRelations())
	list, err := w.activeOn(ctx, in+` AND r.namespace = ? AND r.head_id = ? AND r.tail_id <> ?`,
		append(args, w.scope.Namespace, a.head, a.tail)...)
	if err != nil {
		return err
	}
	var kin []fact
	kind := ""
	for _, f := range list {
		name, err := w.c.text(ctx, `SELECT name FROM mg_entities WHERE id = ?`, f.tail)
		if err != nil {
			return err
		}
		k := graph.SameKind(a.tailName, name)
		if k == "" || f.id == w.passing || slices.Contains(out.Superseded, f.id) {
			continue
		}
		if same, err := w.sameStatement(ctx, a, f); err != nil {
			return err
		} else if !same {
			kin, kind = append(kin, f), k
		}
	}
	if len(kin) == 0 {
		if kin, err = w.returned(ctx, a); err != nil {
			return err
		}
		kind = "used before"
	}
	several := slices.ContainsFunc(kin, func(f fact) bool { return f.tail != kin[0].tail })
	for _, f := range kin {
		switch {
		case f.id == id || slices.Contains(out.Superseded, f.id):
		case several:
			err = w.conflict(ctx, f, "the words of the change do not say which "+kind+" it ends; use supersede", out)
		case !mayEnd(a.fact, f):
			err = w.conflict(ctx, f, "it has more trust or confidence, so it stays", out)
		default:
			err = w.endKind(ctx, a, f, id, kind, out)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// endKind ends one fact in favour of another of its kind. The event says why, since the words did not name it.
func (w *writing) endKind(ctx context.Context, a assertion, f fact, by int64, kind string,
	out *memory.RelationWrite) error {
	at := a.beginsFor(f)
	if at.at < f.validFrom {
		yields, err := w.yields(ctx, f, a)
		if err != nil || !yields {
			return err
		}
	}
	defer func(old string) { w.by.Reason = old }(w.by.Reason)
	w.by.Reason = fmt.Sprintf("told as a change to %s, which is of the same kind: %s", a.tailName, kind)
	if w.leadsTo(ctx, by, f.id) {
		by = 0
	}
	if err := w.endAt(ctx, f, at.after(f.begin()), by, causeSuperseded); err != nil {
		return err
	}
	out.Superseded = append(out.Superseded, f.id)
	if out.Status == memory.RelationCreated {
		out.Status = memory.RelationSuperseded
	}
	return nil
}

// returned returns the active facts that superseded an earlier fact of the newcomer's key. A return to the earlier fact
// ends them.
func (w *writing) returned(ctx context.Context, a assertion) ([]fact, error) {
	in, args := relationIn(graph.KindRelations())
	return w.activeOn(ctx, `r.id IN (SELECT r.superseded_by FROM mg_relationships r WHERE `+in+` AND r.head_id = ? AND
		r.tail_id = ?) AND r.namespace = ? AND r.head_id = ? AND r.tail_id <> ?`,
		append(args, a.head, a.tail, w.scope.Namespace, a.head, a.tail)...)
}
