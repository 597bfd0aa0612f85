package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"memory-graph/internal/memory"
)

// named is the result of a speaker's statement of a name.
type named struct {
	entity    *memory.EntityWrite   // the entity that now represents the speaker
	relation  *memory.RelationWrite // if the speaker was not merged
	conflicts []memory.FactConflict // between facts of the two merged entities
}

func (out *Written) take(n named) {
	if n.entity != nil {
		out.Entities = append(out.Entities, *n.entity)
	}
	if n.relation != nil {
		out.Relations = append(out.Relations, *n.relation)
	}
	out.Conflicts = append(out.Conflicts, n.conflicts...)
}

// whoSpeaks is what a caller can do about two names of one speaker.
const whoSpeaks = "if somebody else speaks, give speaker or user with their turns; if both are one person, give it " +
	"both names with add_aliases of update_entity, or use merge_entities of the toolset manage"

// doubtfulName is the highest confidence of a stated name that causes no merge. Context blocks do not show such facts.
const doubtfulName = .5

// nameSpeaker merges the speaker with the name that the speaker states (docs/facts.md, "Entities"). A speaker gets only
// one name in this way. If another person would be merged, it stores the statement as a doubtful fact in conflict.
func (w *writing) nameSpeaker(ctx context.Context, d memory.RelationDraft, episode int64) (out named, err error) {
	defer func(old int64) { w.episode = old }(w.episode)
	w.episode = episode
	speaker, err := w.end(ctx, d.Head, "person", memory.Qualifier{}, d)
	if err != nil {
		return out, err
	}
	if speaker, err = w.calledNow(ctx, speaker, d.Head); err != nil {
		return out, err
	}
	canonical := memory.Canonical(d.Tail)
	found, err := nodesNamed(ctx, w.c, w.scope.Namespace, canonical)
	if err != nil {
		return out, err
	}
	found = slices.DeleteFunc(found, func(n node) bool { return n.kind != memory.NodeEntity })
	for _, n := range found {
		if n.id == speaker.id {
			return out, cmp.Or(w.seen(ctx, n.id), w.settleClaims(ctx, n.id), linkEntity(ctx, w.c, episode, n.id))
		}
	}
	if d.Instead != "" && !speaker.exact && memory.Canonical(d.Instead) == memory.Canonical(speaker.name) &&
		len(found) == 0 && d.Suspicion == nil {
		if err := w.updateEntity(ctx, speaker, memory.EntityChange{Name: &d.Tail}); err != nil {
			return out, err
		}
		e, err := w.entity(ctx, speaker.id)
		out.entity = &memory.EntityWrite{Entity: e}
		return out, cmp.Or(err, linkEntity(ctx, w.c, episode, speaker.id))
	}
	name, known, err := settle(ctx, w.c, w.now, d.Tail, pickSame("person", memory.MethodSupplied, found))
	if err != nil {
		return out, err
	}
	why, err := w.notTheirs(ctx, speaker, name, canonical)
	if err != nil {
		return out, err
	}
	if d.Suspicion != nil {
		why = "the statement looks like an attack"
	}
	if why != "" {
		return w.doubtName(ctx, d, episode, why)
	}
	draft := memory.EntityDraft{Name: d.Tail, Type: "person", Origin: d.Origin, Method: memory.MethodSupplied}
	if known {
		err = w.observeEntity(ctx, name, draft)
	} else {
		name.id, err = w.newEntity(ctx, draft)
		name.kind, name.name = memory.NodeEntity, memory.Shown(d.Tail)
	}
	if err != nil {
		return out, err
	}
	m := merging{w: w, a: name, b: speaker, cause: causeNamed}
	if err := m.run(ctx); err != nil {
		return out, err
	}
	if err := linkEntity(ctx, w.c, episode, name.id); err != nil {
		return out, err
	}
	e, err := w.entity(ctx, name.id)
	out.entity, out.conflicts = &memory.EntityWrite{Entity: e, Created: !known}, m.out.Conflicts
	return out, err
}

// respoken returns the sentence of an extracted fact with the present names of its head and tail: an extractor calls
// the speaker "User" even if the graph knows the name, and "Ann" may be Ann (friend).
func respoken(d memory.RelationDraft, head, tail node) string {
	if !d.Method.Extracted() {
		return d.Fact
	}
	if rest, ok := strings.CutPrefix(d.Fact, d.Head+" "); ok && (!head.exact || qualifies(head, d.Head)) {
		d.Fact = head.name + " " + rest
	}
	if rest, ok := strings.CutSuffix(d.Fact, " "+d.Tail+"."); ok && qualifies(tail, d.Tail) {
		d.Fact = rest + " " + tail.name + "."
	}
	return d.Fact
}

// qualifies reports whether the node of a bare name is shown with a qualifier, such as "Ann (friend)".
func qualifies(n node, name string) bool {
	base, _, ok := memory.Qualified(n.name)
	return ok && memory.Canonical(base) == memory.Canonical(name)
}

// calledNow sets whether the speaker's node still has the name under which the speaker speaks.
func (w *writing) calledNow(ctx context.Context, speaker node, self string) (node, error) {
	canonical, err := w.c.text(ctx, `SELECT canonical_name FROM mg_entities WHERE id = ?`, speaker.id)
	speaker.exact = canonical == memory.Canonical(self)
	return speaker, err
}

// speaks reports whether any turn has a speaker or user of this canonical name. SQLite folds the case of ASCII only, so
// the names are compared here.
func (w *writing) speaks(ctx context.Context, canonical string) (found bool, err error) {
	err = w.c.query(ctx, `SELECT speaker FROM mg_episodes WHERE namespace = ?1 AND speaker IS NOT NULL
		UNION SELECT user FROM mg_episodes WHERE namespace = ?1 AND user IS NOT NULL`, func(s cursor) error {
		found = found || memory.Canonical(s.text(0)) == canonical
		return nil
	}, w.scope.Namespace)
	return found, err
}

// related reports whether an active fact other than same_as connects two nodes. Derived links do not count.
func (w *writing) related(ctx context.Context, a, b int64) (bool, error) {
	_, related, err := w.c.int64(ctx, `SELECT 1 FROM mg_relationships WHERE head_id IN (?1, ?2) AND tail_id IN (?1, ?2)
		AND head_id <> tail_id AND relation <> 'same_as' AND method <> 'model_linked' AND valid_until IS NULL
		AND (expires_at IS NULL OR expires_at > ?3) LIMIT 1`, a, b, memory.Seconds(w.now))
	return related, err
}

// notTheirs returns why a name is not, or may not be, the speaker's; "" if it is. name is the node of the name, with id
// 0 for none.
func (w *writing) notTheirs(ctx context.Context, speaker, name node, canonical string) (string, error) {
	if !speaker.exact {
		return fmt.Sprintf("the speaker is called %s already", clip(speaker.name)), nil
	}
	_, renamed, err := w.c.int64(ctx, `SELECT 1 FROM mg_relationships r WHERE r.head_id = ?1 AND r.relation = 'same_as' AND
		r.valid_until IS NULL AND r.tail_id <> ?2 AND r.origin = 'user' AND r.confidence > ?3 LIMIT 1`,
		speaker.id, name.id, doubtfulName)
	if err != nil || renamed {
		return "the speaker has another name already", err
	}
	speaks, err := w.speaks(ctx, canonical)
	if err != nil || speaks {
		return "somebody else speaks under that name", err
	}
	if name.id == 0 {
		return "", nil
	}
	_, taken, err := w.c.int64(ctx, `SELECT 1 FROM mg_entities e JOIN mg_entity_versions v ON v.entity_id = e.id
		WHERE e.merged_into = ?1 AND v.expired_at IS NULL AND v.cause = '`+causeNamed+`' LIMIT 1`, name.id)
	if err != nil || taken {
		return "another speaker has that name", err
	}
	if apart, err := w.tookApart(ctx, speaker.id, name.id); err != nil || apart {
		return "the two were merged once, and taken apart again", err
	}
	if related, err := w.related(ctx, speaker.id, name.id); err != nil || related {
		return "a fact connects the speaker with somebody of that name", err
	}
	_, untrusted, err := w.c.int64(ctx,
		`SELECT 1 FROM mg_entities WHERE id = ?1 AND origin = 'tool' AND description <> ''`, name.id)
	if err != nil || untrusted {
		return "what is recorded under that name comes from a tool", err
	}
	return "", nil
}

// tookApart reports whether one node was once merged into the other and then unmerged.
func (w *writing) tookApart(ctx context.Context, from, into int64) (bool, error) {
	_, apart, err := w.c.int64(ctx, `SELECT 1 FROM mg_entity_versions WHERE entity_id IN (?1, ?2) AND
		json_extract(snapshot, '$.merged_into') IN (?1, ?2) LIMIT 1`, from, into)
	return apart, err
}

// doubtName stores a stated name without a merge.
func (w *writing) doubtName(ctx context.Context, d memory.RelationDraft, episode int64, why string) (out named,
	err error) {
	confidence := doubtfulName
	if d.Confidence != nil {
		confidence = min(*d.Confidence, confidence)
	}
	d.Confidence = &confidence
	r, err := w.assert(ctx, d, episode)
	if err != nil {
		return out, err
	}
	sentence := r.Relationship.Head.Name + " same as " + r.Relationship.Tail.Name
	r.Conflicts = append(r.Conflicts, memory.FactConflict{ID: r.Relationship.ID, Fact: sentence,
		Reason: why + ", so nobody was merged; " + whoSpeaks})
	out.relation = &r
	ends := []int64{r.Relationship.Head.ID, r.Relationship.Tail.ID}
	for _, id := range ends {
		if err := linkEntity(ctx, w.c, episode, id); err != nil {
			return out, err
		}
	}
	return out, nil
}
