package store

import (
	"context"
	"slices"

	"memory-graph/internal/memory"
)

// doubtfulClaim is the condition on an active fact r in which the speaker ?1 states a name. The name caused no merge
// and has not become an alias of the speaker since.
const doubtfulClaim = `r.head_id = ?1 AND r.relation = 'same_as' AND r.valid_until IS NULL AND r.confidence <= ?2
	AND NOT EXISTS (SELECT 1 FROM mg_entity_aliases a JOIN mg_entities t ON t.id = r.tail_id
		WHERE a.entity_id = ?1 AND a.alias = t.canonical_name)`

// claimed returns the fact in which the speaker of a turn stated another name in the same session, with id 0 if there
// is none. Turns without a session are one session for a project and a user, for a day. speaker is a node that was
// merged with a name. In such a session, facts about "I" may be about another person.
func (w *writing) claimed(ctx context.Context, speaker node, turn int64) (claim fact, err error) {
	if speaker.exact || turn == 0 || !memory.IsPerson(speaker.typ) { // not "I", or nobody's name yet
		return fact{}, nil
	}
	err = w.c.query(ctx, `SELECT `+factColumns+` FROM mg_relationships r JOIN mg_evidence v ON v.relationship_id = r.id
		JOIN mg_episodes p ON p.id = v.episode_id JOIN mg_episodes t ON t.id = ?3
		WHERE `+doubtfulClaim+` AND p.id <= t.id AND p.session_id IS t.session_id AND p.project IS t.project AND
			p.user IS t.user AND p.speaker IS t.speaker
			AND (p.session_id IS NOT NULL OR p.occurred_at >= datetime(t.occurred_at, ?4))
		ORDER BY p.id DESC LIMIT 1`, func(s cursor) error {
		claim = scanFact(s)
		return nil
	}, speaker.id, doubtfulName, turn, "-1 day")
	return claim, err
}

// doubt notes in an answer that a fact may be another person's.
func (w *writing) doubt(ctx context.Context, claim fact, out *memory.RelationWrite) error {
	return w.conflict(ctx, claim, "the speaker stated another name in this session, so it is uncertain whose fact "+
		memory.RelationshipID(out.Relationship.ID).String()+" is; "+whoSpeaks, out)
}

// settleClaims ends a speaker's claims of other names. It is called when the speaker states the known name again.
func (w *writing) settleClaims(ctx context.Context, speaker int64) error {
	open, err := w.openFacts(ctx, doubtfulClaim, speaker, doubtfulName)
	if err != nil {
		return err
	}
	for _, f := range open {
		if err := w.endAt(ctx, f, w.present().after(f.begin()), 0, causeEnded); err != nil {
			return err
		}
	}
	return nil
}

// confirmClaims merges the names that a speaker claimed into the speaker. It is called when a caller gives the speaker
// these names.
func (w *writing) confirmClaims(ctx context.Context, speaker node, names []string) error {
	if len(names) == 0 {
		return nil
	}
	open, err := w.openFacts(ctx, doubtfulClaim, speaker.id, doubtfulName)
	if err != nil {
		return err
	}
	for _, f := range open {
		name, ok, err := w.nodeByID(ctx, memory.NodeID(memory.NodeEntity, f.tail))
		if err != nil {
			return err
		}
		if !ok || name.id == speaker.id || !slices.ContainsFunc(names, func(s string) bool {
			return memory.Canonical(s) == memory.Canonical(name.name)
		}) {
			continue
		}
		m := merging{w: w, a: speaker, b: name, cause: causeMerged}
		if err := m.run(ctx); err != nil {
			return err
		}
	}
	return nil
}
