package store

import (
	"context"
	"slices"
	"strings"

	"memory-graph/internal/memory"
)

// node holds the columns of mg_entities that writes need.
type node struct {
	id     int64
	kind   memory.NodeKind
	name   string
	typ    string
	typing typing
	exact  bool // found by its canonical name, not by another alias
	// described is set if the node was found by a name that is not its alias but means the same thing: "the Go
	// language".
	described bool
	namesake  bool // a person found by the name without its qualifier: "Tom" for "Tom (support)"
}

// typing records where the type of a node comes from. The file stores the number in type_assumed.
type typing int

const (
	typeStated  typing = iota // a caller gave it
	typeAssumed               // nobody said it; the first type that is given replaces it
	typeGuessed               // an extractor read it; a caller who creates the entity with a type replaces it
)

// typingOf returns how sure a given type is.
func typingOf(typ string, m memory.Method) typing {
	switch {
	case typ == "":
		return typeAssumed
	case m.Extracted():
		return typeGuessed
	}
	return typeStated
}

func (n node) assumed() bool { return n.typing == typeAssumed }

func (n node) ref() memory.ID { return memory.NodeID(n.kind, n.id) }

const nodeColumns = `e.id, e.kind, e.name, e.type, e.type_assumed`

func scanNode(s cursor) node {
	return node{id: s.int64(0), kind: memory.NodeKind(s.text(1)), name: s.text(2), typ: s.text(3),
		typing: typing(s.int64(4))}
}

// named sets how the node's own canonical name relates to the one under which it was found.
func (n *node) named(own, found string) {
	n.exact = own == found
	base, _, ok := memory.Qualified(own)
	n.namesake = ok && base == found && memory.IsPerson(n.typ)
}

// nodesNamed returns the shown nodes that have a canonical name as name or alias.
func nodesNamed(ctx context.Context, c *conn, namespace, canonical string) ([]node, error) {
	var found []node
	err := c.query(ctx, `SELECT
		`+nodeColumns+`, e.canonical_name FROM mg_entity_aliases a JOIN mg_entities e
		ON e.id = a.entity_id
		WHERE a.namespace = ? AND a.alias = ? AND e.merged_into IS NULL AND e.kind IN ('entity', 'memory') ORDER BY e.id`,
		func(s cursor) error {
			n := scanNode(s)
			n.named(s.text(5), canonical)
			found = append(found, n)
			return nil
		}, namespace, canonical)
	return found, err
}

// nodesCalled returns the nodes that a canonical name may mean: those with the name. If there are none, it returns
// those that the name describes or that have another name of the same technology.
func (w *writing) nodesCalled(ctx context.Context, canonical string) ([]node, error) {
	found, err := nodesNamed(ctx, w.c, w.scope.Namespace, canonical)
	if err != nil || len(found) > 0 {
		return found, err
	}
	for _, v := range w.s.variants(canonical) {
		found, err := nodesNamed(ctx, w.c, w.scope.Namespace, v.name)
		if err != nil {
			return nil, err
		}
		if fit := v.fitting(found); len(fit) > 0 {
			return fit, nil
		}
	}
	return nil, nil
}

// nodeByID returns the node of an id, or the node that it was merged into, which is of the same kind. It does not find
// hidden nodes.
func (w *writing) nodeByID(ctx context.Context, id memory.ID) (node, bool, error) {
	for n := id.Num; ; {
		var found []node
		var into int64
		err := w.c.query(ctx, `SELECT `+nodeColumns+
			`, e.merged_into FROM mg_entities e WHERE e.id = ? AND e.namespace = ? AND e.kind IN ('entity', 'memory')`,
			func(s cursor) error {
				found, into = append(found, scanNode(s)), s.int64(5)
				return nil
			}, n, w.scope.Namespace)
		switch {
		case err != nil || len(found) == 0:
			return node{}, false, err
		case into != 0:
			n = into
		default:
			return found[0], found[0].ref().Kind == id.Kind, nil
		}
	}
}

// pick returns the nodes of one name that a type allows (docs/decisions.md, "Identity of an entity"). It tries the
// given type first, then the other types of its family, then a type that nobody stated; without a type it allows any.
// In each step it prefers the canonical name to an alias. It returns the nodes of the first step that has any.
func pick(typ string, found []node) []node {
	if typ == "" {
		return ofName(found, func(node) bool { return true })
	}
	for _, t := range memory.TypeFamily(typ) {
		if fit := ofName(found, func(n node) bool { return n.typ == t }); len(fit) > 0 {
			return fit
		}
	}
	return slices.DeleteFunc(slices.Clone(found), func(n node) bool { return !n.exact || !n.assumed() })
}

// pickKnown is pick for the head or the tail of a fact. A known name means the known thing, whatever type the fact
// gives, because the type is weak evidence. There is one exception: a place is not a person of the same name, and a
// caller's person is not the place.
func pickKnown(typ string, m memory.Method, found []node) []node {
	if fit := pick(typ, found); len(fit) > 0 {
		return fit
	}
	return ofName(found, func(n node) bool {
		switch {
		case n.kind != memory.NodeEntity:
			return false
		case n.assumed():
			return true
		case memory.IsPlace(typ):
			return !memory.IsPerson(n.typ)
		}
		return !memory.IsPlace(n.typ) || !memory.IsPerson(typ) || m.Extracted()
	})
}

// pickSame is pick for an entity that is given with a type. A type that an extractor guessed does not make it a
// different thing, unless the type is a place. Two stated types do so only if they exclude each other
// (memory.MayBeOne).
func pickSame(typ string, m memory.Method, found []node) []node {
	if m.Extracted() {
		return pickKnown(typ, m, found)
	}
	if fit := pick(typ, found); len(fit) > 0 {
		return fit
	}
	return ofName(found, func(n node) bool {
		return memory.MayBeOne(typ, n.typ) || n.typing != typeStated && memory.IsPlace(typ) == memory.IsPlace(n.typ)
	})
}

// ofName returns the nodes that fit and have the name as canonical name, with or without a qualifier, or if there are
// none, those with the alias.
func ofName(found []node, fits func(node) bool) []node {
	for _, exact := range []bool{true, false} {
		var fit []node
		for _, n := range found {
			if (n.exact || n.namesake) == exact && fits(n) {
				fit = append(fit, n)
			}
		}
		if len(fit) > 0 {
			return fit
		}
	}
	return nil
}

// clip shortens a caller's text for an error that repeats it.
func clip(s string) string {
	const longest = 80
	if r := []rune(s); len(r) > longest {
		return string(r[:longest]) + "…"
	}
	return s
}

// resolve finds a node by id, name or alias. ok is false if there is none. An unknown id is NotFound, so that no node
// is ever created with an id as its name. The error is Ambiguous if no namesake dominates.
func (w *writing) resolve(ctx context.Context, ref, typ string) (node, bool, error) {
	return w.lookUp(ctx, ref, func(found []node) []node { return pick(typ, found) })
}

func (w *writing) lookUp(ctx context.Context, ref string, choose func([]node) []node) (node, bool, error) {
	id, notAnID := memory.ParseID(strings.TrimSpace(ref))
	isNode := notAnID == nil && (id.Kind == memory.KindEntity || id.Kind == memory.KindMemory)
	if isNode {
		if n, ok, err := w.nodeByID(ctx, id); err != nil || ok {
			return n, ok, err
		}
	}
	canonical := memory.Canonical(ref)
	if canonical == "" {
		return node{}, false, emptyName(ref)
	}
	found, err := w.nodesCalled(ctx, canonical)
	if err != nil {
		return node{}, false, err
	}
	fit := choose(found)
	if i := slices.IndexFunc(fit, func(n node) bool { return n.id == w.meant[canonical].id }); i >= 0 {
		return fit[i], true, nil
	}
	n, ok, err := settle(ctx, w.c, w.now, ref, fit)
	if err == nil && !ok && isNode {
		err = unknownEntity(ref, w.scope.Namespace)
	}
	return n, ok, err
}

func emptyName(name string) error {
	return memory.Errorf(memory.InvalidArgument, "%q is not a name: it has no visible character.",
		clip(name)).WithHint("Give the name as people write it.")
}

func unknownEntity(ref, namespace string) error {
	if id, err := memory.ParseID(ref); err == nil && otherIDs[id.Kind].what != "" {
		other := otherIDs[id.Kind]
		return memory.Errorf(memory.NotFound, "%s is the id of %s, and there is no entity of that name in namespace %q.",
			id, other.what, namespace).WithHint("%s", other.hint)
	}
	return memory.Errorf(memory.NotFound, "There is no entity %q in namespace %q.", clip(ref), namespace).
		WithHint("Search for it with search_graph, or create it with create_entity.")
}

// otherIDs describe the ids that name no entity: what they name, in which table, and which tools accept them.
var otherIDs = map[memory.Kind]struct{ what, table, hint string }{
	memory.KindCommunity: {"a community", "mg_communities",
		"communities shows its summary and members, and so does list with community. Ask for one of the members."},
	memory.KindEpisode: {"a turn", "mg_episodes", "retrieve takes it in ids. Ask for an entity in it."},
	memory.KindRelationship: {"a fact", "mg_relationships",
		"history takes it as relationship_id. Ask for its head or tail."},
}

// noOtherID returns an error if a new name is the id of something other than an entity. An unused id may be a name.
func (w *writing) noOtherID(ctx context.Context, name string) error {
	id, err := memory.ParseID(strings.TrimSpace(name))
	other := otherIDs[id.Kind]
	if err != nil || other.table == "" {
		return nil
	}
	n, _, err := w.c.int64(ctx, `SELECT count(*) FROM `+other.table+` WHERE id = ? AND namespace = ?`, id.Num,
		w.scope.Namespace)
	if err != nil || n == 0 {
		return err
	}
	return memory.Errorf(memory.InvalidArgument, "%s is the id of %s, which cannot be the head or tail of a fact.", id,
		other.what).WithHint("Give the name or the id of an entity.")
}

// otherType returns the error for a name that exists, but not in the given type. A hint to create the entity would lead
// to a duplicate.
func otherType(ref, typ, namespace string, there []node) error {
	if typ == "" || len(there) == 0 {
		return unknownEntity(ref, namespace)
	}
	e := memory.Errorf(memory.NotFound,
		"There is no entity %q of type %s in namespace %q, but there is one of another type.",
		clip(ref), clip(typ), namespace).
		WithHint("Ask for it by its id, or leave the type out.")
	e.Candidates = candidates(there)
	return e
}

func candidates(list []node) []memory.Candidate {
	out := make([]memory.Candidate, len(list))
	for i, n := range list {
		out[i] = memory.Candidate{ID: n.ref().String(), Name: n.name, Type: n.typ}
	}
	return out
}

// rfc3339 formats a stored valid time for an error, in the form that answers use.
func rfc3339(stored string) string {
	t, err := memory.ParseStored(stored)
	if err != nil {
		return stored
	}
	return memory.RFC3339(t)
}

// need is resolve for a node that must exist.
func (w *writing) need(ctx context.Context, ref, typ string) (node, error) {
	n, ok, err := w.resolve(ctx, ref, typ)
	if err == nil && !ok {
		err = unknownEntity(ref, w.scope.Namespace)
	}
	return n, err
}

// mentionNode returns the hidden node of a name, 0 for none.
func (w *writing) mentionNode(ctx context.Context, canonical string) (int64, error) {
	id, _, err := w.c.int64(ctx, `SELECT id FROM mg_entities
		WHERE namespace = ? AND canonical_name = ? AND kind <> 'memory' AND merged_into IS NULL AND kind =
		'mention'`, w.scope.Namespace, canonical)
	return id, err
}
