package store

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"memory-graph/internal/memory"
)

// unnamed is a speaker who was merged with a forgotten name, and who keeps other facts or turns.
type unnamed struct {
	speaker, name int64
	names         []string // canonical
}

// addNames adds the names of speakers that only deleted turns give (docs/facts.md, "Taking back"). If nothing of the
// speaker stays, the speaker goes too.
func (f *forgetting) addNames(ctx context.Context) error {
	var found []unnamed
	err := f.w.c.query(ctx, `SELECT DISTINCT b.id, e.id FROM json_each(?1) j
		CROSS JOIN mg_mentions m ON m.episode_id = j.value CROSS JOIN mg_entities e ON e.id = m.entity_id
		CROSS JOIN mg_entities b ON b.merged_into = e.id WHERE e.namespace = ?3 AND e.merged_into IS NULL
		AND e.id NOT IN (SELECT value FROM json_each(?2)) AND EXISTS (SELECT 1 FROM mg_entity_versions v
			WHERE v.entity_id = b.id AND v.cause = '`+causeNamed+`')
		AND NOT EXISTS (SELECT 1 FROM mg_entities o WHERE o.merged_into = e.id AND o.id <> b.id)
		ORDER BY b.id`, func(s cursor) error {
		found = append(found, unnamed{speaker: s.int64(0), name: s.int64(1)})
		return nil
	}, f.episodes.list(), f.nodes.list(), f.w.scope.Namespace)
	if err != nil {
		return err
	}
	for _, u := range found {
		if given, err := f.given(ctx, &u); err != nil || given {
			if err != nil {
				return err
			}
			continue
		}
		stays, err := f.stays(ctx, u)
		switch {
		case err != nil:
			return err
		case stays:
			f.unnamed = append(f.unnamed, u)
		default:
			f.nodes.add(u.speaker, u.name)
		}
	}
	// What is about the rest of the speaker stays, so these names come last.
	if _, err := f.addFacts(ctx); err != nil {
		return err
	}
	if err := f.addNodes(ctx); err != nil {
		return err
	}
	for _, u := range f.unnamed {
		f.nodes.add(u.name)
	}
	return nil
}

// given reports whether something that stays gives the name: a caller's own call about the entity, a turn or a supplied
// fact that contains the name, or a turn whose speaker or user has it.
func (f *forgetting) given(ctx context.Context, u *unnamed) (given bool, err error) {
	w := f.w
	calls, err := f.calls(ctx)
	if err != nil {
		return false, err
	}
	_, given, err = w.c.int64(ctx, `SELECT 1 FROM mg_events v WHERE v.namespace = ?1 AND v.object = 'e' || ?2
		AND v.action NOT IN ('undo', '`+extractAction+`', '`+healAction+`') AND v.reason IS NOT '' AND `+inForce+`
		AND coalesce(v.episode_id, 0) NOT IN (SELECT value FROM json_each(?3))
		AND coalesce(v.call_id, '') NOT IN (SELECT value FROM json_each(?4))
		UNION ALL SELECT 1 FROM mg_entities e WHERE e.id = ?2 AND e.parent_id IS NOT NULL OR e.parent_id = ?2
		UNION ALL SELECT 1 FROM mg_observations o WHERE o.entity_id = ?2 AND coalesce(o.episode_id, 0) NOT IN
			(SELECT value FROM json_each(?3)) LIMIT 1`, w.scope.Namespace, u.name, f.episodes.list(), calls)
	if err != nil || given {
		return given, err
	}
	theirs, err := w.unmergedSnapshot(ctx, u.speaker)
	if err != nil {
		return false, err
	}
	_, is, err := w.snapshots(ctx, u.name)
	if err != nil {
		return false, err
	}
	u.names = without(is.Aliases, theirs.Aliases)
	err = w.c.query(ctx, `SELECT p.content FROM mg_mentions m CROSS JOIN mg_episodes p ON p.id = m.episode_id
			WHERE m.entity_id = ?2 AND p.id NOT IN (SELECT value FROM json_each(?3))
		UNION ALL SELECT r.fact FROM mg_facts r CROSS JOIN mg_evidence v ON v.relationship_id = r.id
			WHERE (r.head_id = ?2 OR r.tail_id = ?2) AND v.method = '`+string(memory.MethodSupplied)+`'
			AND v.episode_id NOT IN (SELECT value FROM json_each(?3))
		UNION ALL SELECT p.speaker FROM mg_episodes p WHERE p.namespace = ?1 AND p.speaker IS NOT NULL
			AND p.id NOT IN (SELECT value FROM json_each(?3))
		UNION ALL SELECT p.user FROM mg_episodes p WHERE p.namespace = ?1 AND p.user IS NOT NULL
			AND p.id NOT IN (SELECT value FROM json_each(?3))`, func(s cursor) error {
		given = given || slices.ContainsFunc(u.names, func(name string) bool {
			return len(occurrences(memory.Canonical(s.text(0)), name)) > 0
		})
		return nil
	}, w.scope.Namespace, u.name, f.episodes.list())
	return given, err
}

// stays reports whether a turn, a fact or a caller's own call about the speaker stays.
func (f *forgetting) stays(ctx context.Context, u unnamed) (stays bool, err error) {
	calls, err := f.calls(ctx)
	if err != nil {
		return false, err
	}
	_, stays, err = f.w.c.int64(ctx, `SELECT 1 FROM mg_mentions m WHERE m.entity_id IN (?1, ?2) AND m.episode_id NOT IN
			(SELECT value FROM json_each(?3))
		UNION ALL SELECT 1 FROM mg_facts r WHERE (r.head_id IN (?1, ?2) OR r.tail_id IN (?1, ?2)) AND r.id NOT IN
			(SELECT value FROM json_each(?4)) AND r.method NOT IN `+linkedMethods+`
		UNION ALL SELECT 1 FROM mg_events v WHERE v.namespace = ?5 AND v.object = 'e' || ?1 AND v.reason IS NOT ''
			AND v.action NOT IN ('undo', '`+extractAction+`', '`+healAction+`')
			AND coalesce(v.episode_id, 0) NOT IN (SELECT value FROM json_each(?3))
			AND coalesce(v.call_id, '') NOT IN (SELECT value FROM json_each(?6)) LIMIT 1`,
		u.speaker, u.name, f.episodes.list(), f.facts.list(), f.w.scope.Namespace, calls)
	return stays, err
}

// unmergedSnapshot returns a merged node as it was before.
func (w *writing) unmergedSnapshot(ctx context.Context, id int64) (entitySnapshot, error) {
	text, err := w.c.text(ctx, `SELECT snapshot FROM mg_entity_versions WHERE entity_id = ? AND
		json_extract(snapshot, '$.merged_into') IS NULL ORDER BY version_id DESC LIMIT 1`, id)
	if err != nil || text == "" {
		return entitySnapshot{}, err
	}
	return parseEntitySnapshot(text)
}

// occurrences returns where a name stands in a text as whole words, in bytes.
func occurrences(text, name string) (at []int) {
	for i := 0; name != ""; {
		next := strings.Index(text[i:], name)
		if next < 0 {
			break
		}
		i += next
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(name):])
		if !wordRune(before) && !wordRune(after) {
			at = append(at, i)
		}
		i += len(name)
	}
	return at
}
