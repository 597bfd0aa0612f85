package store

import (
	"context"
	"strings"

	"memory-graph/internal/memory"
)

// node holds the columns of mg_entities that writes need.
type node struct {
	id      int64
	kind    memory.NodeKind
	name    string
	typ     string
	assumed bool // nobody stated the type
	exact   bool // found by its canonical name, not by another alias
}

func (n node) ref() memory.ID { return memory.NodeID(n.kind, n.id) }

func (n node) candidate() memory.Candidate {
	return memory.Candidate{ID: n.ref().String(), Name: n.name, Type: n.typ}
}

const nodeColumns = `e.id, e.kind, e.name, e.type, e.type_assumed`

func scanNode(s cursor) node {
	return node{id: s.int64(0), kind: memory.NodeKind(s.text(1)), name: s.text(2), typ: s.text(3),
		assumed: s.bool(4)}
}

// nodesNamed returns the shown nodes that have a canonical name as name or alias.
func (w *writing) nodesNamed(ctx context.Context, canonical string) ([]node, error) {
	var found []node
	err := w.c.query(ctx, `SELECT
		`+nodeColumns+`, e.canonical_name = a.alias FROM mg_entity_aliases a JOIN mg_entities e
		ON e.id = a.entity_id
		WHERE a.namespace = ? AND a.alias = ? AND e.merged_into IS NULL AND e.kind IN ('entity', 'memory') ORDER BY e.id`,
		func(s cursor) error {
			n := scanNode(s)
			n.exact = s.bool(5)
			found = append(found, n)
			return nil
		}, w.scope.Namespace, canonical)
	return found, err
}

// nodeByID returns the node of an id, or the node that it was merged into. It does not find hidden nodes.
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
			return found[0], found[0].ref().Kind == id.Kind || n != id.Num, nil
		}
	}
}

// pick chooses among nodes of one name (docs/decisions.md, "Identity of an entity"). It tries the given type first,
// then the other types of its family; without a type it accepts any. In each step it prefers the canonical name to an
// alias. ok is false if none fits; the error is Ambiguous if several do.
func pick(name, typ string, found []node) (n node, ok bool, err error) {
	types := []string{""}
	if typ != "" {
		types = memory.TypeFamily(typ)
	}
	for _, t := range types {
		for _, exact := range []bool{true, false} {
			var fit []node
			for _, n := range found {
				if n.exact == exact && (t == "" || n.typ == t) {
					fit = append(fit, n)
				}
			}
			if len(fit) == 1 {
				return fit[0], true, nil
			}
			if len(fit) > 1 {
				return node{}, false, ambiguous(name, fit)
			}
		}
	}
	return node{}, false, nil
}

func ambiguous(name string, fit []node) error {
	e := memory.Errorf(memory.Ambiguous, "%q may be any of %d.", clip(name), len(fit)).WithHint("Say which by its id.")
	e.Candidates = candidates(fit)
	return e
}

func candidates(list []node) []memory.Candidate {
	out := make([]memory.Candidate, len(list))
	for i, n := range list {
		out[i] = n.candidate()
	}
	return out
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
// is ever created with an id as its name.
func (w *writing) resolve(ctx context.Context, ref, typ string) (node, bool, error) {
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
	found, err := w.nodesNamed(ctx, canonical)
	if err != nil {
		return node{}, false, err
	}
	n, ok, err := pick(ref, typ, found)
	if err == nil && !ok && isNode {
		err = unknownEntity(ref, w.scope.Namespace)
	}
	if err == nil && !ok && typ != "" { // one whose type is assumed
		for _, f := range found {
			if f.exact && f.assumed {
				return f, true, nil
			}
		}
	}
	return n, ok, err
}

func emptyName(name string) error {
	return memory.Errorf(memory.InvalidArgument, "%q is not a name: it has no visible character.",
		clip(name)).WithHint("Give the name as people write it.")
}

func unknownEntity(ref, namespace string) error {
	return memory.Errorf(memory.NotFound, "There is no entity %q in namespace %q.", clip(ref), namespace).
		WithHint("Search for it with search_graph, or create it with create_entity.")
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
