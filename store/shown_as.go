package store

import (
	"context"
	"regexp"
	"strings"

	"memory-graph/internal/memory"
)

// shownAs makes the name that a fact uses for a known head or tail the displayed name (docs/facts.md, "Entities"). It
// writes a version only if the name differs.
func (w *writing) shownAs(ctx context.Context, n node, ref string, d memory.RelationDraft) (node, error) {
	name := memory.Shown(ref)
	_, notAnID := memory.ParseID(strings.TrimSpace(ref))
	switch {
	case name == n.name || notAnID == nil || n.kind != memory.NodeEntity || n.described || n.namesake:
		return n, nil
	case d.Suspicion != nil || memory.Poorer(name, n.name) || n.keeps(name) || w.s.onlyDescribes(name, n.name):
		return n, nil
	}
	if base, _, ok := memory.Qualified(n.name); ok && memory.Canonical(base) == memory.Canonical(ref) {
		return n, nil // the qualifier says which one it is
	}
	keeps, err := w.keepsName(ctx, n, memory.Canonical(ref), d.Origin)
	if err != nil || keeps {
		return n, err
	}
	before, err := w.entitySnapshot(ctx, n.id)
	if err != nil {
		return n, err
	}
	if _, err := w.c.exec(ctx, `UPDATE mg_entities SET name = ?2, updated_at = ?3 WHERE id = ?1`, n.id, name,
		memory.Millis(w.now)); err != nil {
		return n, err
	}
	n.name = name
	if err := w.entityChanged(ctx, n.id, causeObserved, before); err != nil {
		return n, err
	}
	return n, w.reindexEntity(ctx, n.id, before)
}

// keepsName reports whether a node keeps its displayed name. It does if the other name belongs to a node that was
// merged into it, such as a speaker, if the other name is a usual name of a technology, or if a tool gives it and the
// node is trusted more.
func (w *writing) keepsName(ctx context.Context, n node, canonical string, o memory.Origin) (bool, error) {
	if o == memory.OriginTool {
		origin, err := w.c.text(ctx, `SELECT origin FROM mg_entities WHERE id = ?`, n.id)
		if err != nil || memory.Origin(origin).Trust() > o.Trust() {
			return true, err
		}
	}
	if n.exact {
		return false, nil
	}
	if _, technology := w.s.techs.Usual(canonical); technology && !w.s.onlyDescribes(n.name, canonical) {
		return true, nil // "pgsql" is no better name of PostgreSQL
	}
	_, merged, err := w.c.int64(ctx, `SELECT 1 FROM mg_entities WHERE merged_into = ? AND canonical_name = ?`, n.id,
		canonical)
	return merged, err
}

// keeps reports whether a node that was found by another name keeps its displayed name. A person does, who may have
// corrected it ("Anna, not Ann"), and so does any node if the other name describes it ("the editor of Ann").
func (n node) keeps(name string) bool {
	return !n.exact && n.kind == memory.NodeEntity && (memory.IsPerson(n.typ) || describes.MatchString(name))
}

// describes matches names that are not proper names.
var describes = regexp.MustCompile(`(?i)^(?:the|my|our|a|an|his|her|their) |['’]s | (?:of|for|from|that|who|which) `)

// alsoNamed gives a node the name by which its vector was found, unless the name may be an attack or comes from a tool.
func (w *writing) alsoNamed(ctx context.Context, n node, ref string, d memory.RelationDraft) error {
	if d.Suspicion == nil && d.Origin != memory.OriginTool {
		if err := w.addAlias(ctx, n.id, ref); err != nil {
			return err
		}
	}
	return w.seen(ctx, n.id)
}
