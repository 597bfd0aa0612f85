package store

import (
	"context"
	"strings"

	"memory-graph/internal/memory"
)

// node is what writing needs of a row of mg_entities.
type node struct {
	id      int64
	kind    memory.NodeKind
	name    string
	typ     string
	assumed bool // nobody said the type
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

// nodesNamed gives the shown nodes that go by a canonical name.
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

// nodeByID gives the node of an id, or the one that it was merged into. Hidden nodes are not found.
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

// pick chooses among nodes of one name (decisions 2, 5): in the given type the canonical name before an alias, then the
// same in its family; without a type the canonical name before an alias. ok is false where none is fit, the error
// Ambiguous where several are.
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

// resolve finds a node by id, name or alias. ok is false where there is none; an id that is not there is NotFound, so
// that nothing is ever made of that name.
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
	if err == nil && !ok && typ != "" { // of an assumed type
		for _, f := range found {
			if f.exact && f.assumed {
				return f, true, nil
			}
		}
	}
	return n, ok, err
}

func emptyName(name string) error {
	return memory.Errorf(memory.InvalidArgument, "%q is not a name: nothing of it can be seen.",
		clip(name)).WithHint("Give the name as people write it.")
}

func unknownEntity(ref, namespace string) error {
	return memory.Errorf(memory.NotFound, "There is no entity %q in namespace %q.", clip(ref), namespace).
		WithHint("Search for it with search_graph, or create it with create_entity.")
}

// otherType is for a name that is there, but not in the type asked for: who is told to create it would make a
// duplicate.
func otherType(ref, typ, namespace string, there []node) error {
	if typ == "" || len(there) == 0 {
		return unknownEntity(ref, namespace)
	}
	e := memory.Errorf(memory.NotFound, "There is no entity %q of type %s in namespace %q, but there is of another.",
		clip(ref), clip(typ), namespace).
		WithHint("Ask for it by its id, or leave the type out.")
	e.Candidates = candidates(there)
	return e
}

// rfc3339 words a time of the validity axis, as it is stored, for an error: as answers write it.
func rfc3339(stored string) string {
	t, err := memory.ParseStored(stored)
	if err != nil {
		return stored
	}
	return memory.RFC3339(t)
}

// need is resolve where the node has to be there.
func (w *writing) need(ctx context.Context, ref, typ string) (node, error) {
	n, ok, err := w.resolve(ctx, ref, typ)
	if err == nil && !ok {
		err = unknownEntity(ref, w.scope.Namespace)
	}
	return n, err
}

// mentionNode gives the hidden node of a name, 0 where there is none.
func (w *writing) mentionNode(ctx context.Context, canonical string) (int64, error) {
	id, _, err := w.c.int64(ctx, `SELECT id FROM mg_entities
		WHERE namespace = ? AND canonical_name = ? AND kind <> 'memory' AND merged_into IS NULL AND kind =
		'mention'`, w.scope.Namespace, canonical)
	return id, err
}
