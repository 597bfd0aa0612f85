package store

import (
	"context"
	"slices"
	"strings"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// meaning is what a name means for the rest of a call.
type meaning struct {
	id      int64 // 0: the call gives several entities that have the name
	implied bool  // it was given with a qualifier
}

// means records that a name means an entity for the rest of the call: the call gives the name to it, or the words
// qualify it.
func (w *writing) means(name string, id int64) {
	if w.meant == nil {
		w.meant = map[string]meaning{}
	}
	w.meant[memory.Canonical(name)] = meaning{id: id}
	base, _, ok := memory.Qualified(name)
	if !ok {
		return
	}
	base = memory.Canonical(base)
	switch had, given := w.meant[base]; {
	case !given:
		w.meant[base] = meaning{id, true}
	case had.implied && had.id != id:
		w.meant[base] = meaning{0, true}
	}
}

// qualified finds the person that a name and a qualifier mean: "Tom from support" (docs/facts.md, "Entities"). ok is
// false if there is none yet; name is then the name of the new person. If the qualifier is new for a known person, the
// qualified name becomes an alias, so that another qualifier means another person.
func (w *writing) qualified(ctx context.Context, ref, typ string, is memory.Qualifier,
	d memory.RelationDraft) (n node, ok bool, name string, err error) {
	found, err := nodesNamed(ctx, w.c, w.scope.Namespace, memory.Canonical(is.Name(ref)))
	if err != nil {
		return n, false, ref, err
	}
	given, err := nodesNamed(ctx, w.c, w.scope.Namespace, memory.Canonical(ref))
	if err != nil {
		return n, false, ref, err
	}
	given = pickKnown("person", d.Method, given)
	if is.Besides != "" {
		besides, err := nodesNamed(ctx, w.c, w.scope.Namespace, memory.Canonical(is.Besides))
		if err != nil {
			return n, false, ref, err
		}
		all := len(given)
		given = slices.DeleteFunc(given, func(n node) bool {
			return slices.ContainsFunc(besides, func(o node) bool { return o.id == n.id })
		})
		if len(given) == 0 && all > 0 { // "my friend Ann", said by the only Ann
			fit := ofName(found, func(n node) bool { return n.kind == memory.NodeEntity })
			if n, ok, err = settle(ctx, w.c, w.now, is.Name(ref), fit); err != nil || !ok {
				return n, false, is.Name(ref), err
			}
			w.means(ref, n.id)
			return n, true, ref, nil
		}
	}
	known := slices.DeleteFunc(slices.Clone(given), func(n node) bool { return !memory.IsPerson(n.typ) && !n.assumed() })
	_, _, twice := memory.Qualified(ref)
	if twice || len(known) < len(given) || typ == "" && len(known) == 0 { // no person's bare name
		n, ok, err = w.lookUp(ctx, ref, func(found []node) []node { return pickKnown(typ, d.Method, found) })
		return n, ok, ref, err
	}
	if fit := ofName(found, func(n node) bool { return n.kind == memory.NodeEntity }); len(fit) > 0 {
		known = fit
	} else if len(known) == 0 {
		return n, false, ref, nil
	} else if known, err = w.admitting(ctx, known, ref, is); err != nil {
		return n, false, ref, err
	}
	n, ok, err = settle(ctx, w.c, w.now, ref, known)
	if e := memory.AsError(err); e != nil && e.Code == memory.Ambiguous { // a wrong merge is worse than two nodes
		return n, false, is.Name(ref), nil
	}
	if err != nil || !ok {
		return n, false, is.Name(ref), err
	}
	w.means(ref, n.id)
	if d.Origin == memory.OriginTool || d.Suspicion != nil {
		return n, true, ref, nil
	}
	return n, true, ref, w.addAlias(ctx, n.id, is.Name(ref))
}

// relatives chooses among several people of a name by the relationship that the words state ("my brother"). It returns
// all of them unless exactly one fits.
func (w *writing) relatives(ctx context.Context, people []node, ref string, is memory.Qualifier) []node {
	if is.Text == "" || len(people) < 2 {
		return people
	}
	sure := slices.DeleteFunc(slices.Clone(people), func(n node) bool {
		known, _, err := w.isKnownAs(ctx, n, ref, is)
		return err != nil || !known
	})
	if len(sure) == 1 {
		return sure
	}
	return people
}

// nodesOfPeople returns the people of a bare name, or none if some node has the whole name.
func (w *writing) nodesOfPeople(ctx context.Context, whole, base string) ([]node, error) {
	found, err := w.nodesCalled(ctx, memory.Canonical(whole))
	if err != nil || len(found) > 0 {
		return nil, err
	}
	found, err = nodesNamed(ctx, w.c, w.scope.Namespace, memory.Canonical(base))
	return slices.DeleteFunc(found, func(n node) bool { return !memory.IsPerson(n.typ) }), err
}

// addAlias gives a node another name, as a change of its meaning.
func (w *writing) addAlias(ctx context.Context, id int64, name string) error {
	before, was, err := w.snapshots(ctx, id)
	if err != nil || slices.Contains(was.Aliases, memory.Canonical(name)) {
		return err
	}
	if err := w.addAliases(ctx, id, []string{name}); err != nil {
		return err
	}
	if err := w.entityChanged(ctx, id, causeUpdated, before); err != nil {
		return err
	}
	return w.reindexEntity(ctx, id, before)
}

// admitting returns the people of a name who are known to have the qualifier. If there are none, it returns those about
// whom nothing is known, because the facts of the others may be about another person.
func (w *writing) admitting(ctx context.Context, people []node, ref string, is memory.Qualifier) ([]node, error) {
	var sure, open []node
	for _, n := range people {
		known, blank, err := w.isKnownAs(ctx, n, ref, is)
		switch {
		case err != nil:
			return nil, err
		case known:
			sure = append(sure, n)
		case blank:
			open = append(open, n)
		}
	}
	if len(sure) > 0 {
		return sure, nil
	}
	return open, nil
}

// kinships are the relations that make a person somebody's "my brother" or "my boss".
var kinships = map[string]string{"brother": "sibling_of", "sister": "sibling_of", "wife": "married_to",
	"husband": "married_to", "mother": "child_of", "father": "child_of", "mum": "child_of", "mom": "child_of",
	"dad": "child_of", "son": "child_of", "daughter": "child_of", "boss": "reports_to", "manager": "reports_to",
	"friend": "friend_of", "colleague": "works_with", "coworker": "works_with"}

// isKinship reports whether a word says who somebody is to the speaker: "my cousin", and not "my dear".
func isKinship(word string) bool {
	return kinships[word] != "" || graph.IsKnown(word+"_of")
}

// isKnownAs reports whether a person is known to have a qualifier (known), and whether nothing is known about the
// person, neither a fact nor another qualifier (blank). Facts from tools do not count.
func (w *writing) isKnownAs(ctx context.Context, n node, ref string, is memory.Qualifier) (known, blank bool,
	err error) {
	want, base := memory.BareGroup(memory.Canonical(is.Text)), memory.Canonical(ref)
	kin := []string{kinships[is.Text], is.Text + "_of", "has_" + is.Text}
	blank = true
	err = w.c.query(ctx, `SELECT '', alias FROM mg_entity_aliases WHERE entity_id = ?1
		UNION ALL SELECT r.relation, a.alias FROM mg_relationships r JOIN mg_entity_aliases a ON a.entity_id = r.tail_id
			WHERE r.head_id = ?1 AND `+countedFact+`
		UNION ALL SELECT r.relation, '' FROM mg_relationships r WHERE r.tail_id = ?1 AND `+countedFact,
		func(s cursor) error {
			relation, name := s.text(0), s.text(1)
			if relation == "" {
				of, qualifier, ok := memory.Qualified(name)
				if !ok || of != base {
					return nil
				}
				name = qualifier
			}
			blank = false
			if relation != "" && slices.Contains(kin, relation) || memory.BareGroup(name) == want && (relation == "" ||
				slices.Contains([]string{"member_of", "works_at", "works_as"}, relation)) {
				known = true
			}
			return nil
		}, n.id, memory.Seconds(w.now))
	return known, blank, err
}

// itemError is a mistake in one item of a list. Its text lists the candidates of an ambiguous name, because only an
// answer with a single error has a field for them.
func itemError(item string, mistake *memory.Error) memory.ItemError {
	const most = 5
	message := mistake.Error()
	var list []string
	for _, c := range mistake.Candidates[:min(len(mistake.Candidates), most)] {
		list = append(list, c.ID+" "+c.Name)
	}
	if len(list) > 0 {
		message += " It may be " + strings.Join(list, ", ") + "."
	}
	return memory.ItemError{Item: item, Message: message, Code: mistake.Code}
}
