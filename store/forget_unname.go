package store

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
)

// unname separates speakers from a forgotten name. Afterwards facts, versions and events are as if there had been no
// merge.
func (f *forgetting) unname(ctx context.Context) error {
	for _, u := range f.unnamed {
		before, is, err := f.w.snapshots(ctx, u.speaker)
		if err != nil {
			return err
		}
		was, err := f.w.unmergedSnapshot(ctx, u.speaker)
		if err != nil {
			return err
		}
		_, name, err := f.w.snapshots(ctx, u.name)
		if err != nil {
			return err
		}
		want := is
		want.MergedInto, want.Aliases = nil, was.Aliases
		if err := cmp.Or(f.returnFacts(ctx, u), f.retell(ctx, u, name.Name, is.Name),
			f.w.restoreEntities(ctx, []entityTarget{{before: before, is: is, want: want}}, causeUnmerged, nil),
			f.neverMerged(ctx, u, was.Aliases)); err != nil {
			return err
		}
	}
	return nil
}

// returnFacts points the remaining facts and mentions at the speaker.
func (f *forgetting) returnFacts(ctx context.Context, u unnamed) error {
	set := func(column string) string {
		at := `'$.head_id', iif(` + column + ` ->> '$.head_id' = ?1, ?2, ` + column + ` ->> '$.head_id'), '$.tail_id', iif(` +
			column + ` ->> '$.tail_id' = ?1, ?2, ` + column + ` ->> '$.tail_id')`
		return column + ` = iif(` + column + ` IS NULL, NULL, json_set(` + column + `, ` + at + `))`
	}
	statements := []string{
		`INSERT OR IGNORE INTO mg_mentions (episode_id, entity_id, role, start, stop) SELECT episode_id, ?2, role, start, stop
			FROM mg_mentions WHERE entity_id = ?1 AND episode_id NOT IN (SELECT value FROM json_each(?4))`,
		`DELETE FROM mg_merged_evidence WHERE from_id = ?2`, // facts that were joined stay so
		`UPDATE mg_events SET ` + set("before") + `, ` + set("after") + ` WHERE namespace = ?5 AND object IN
			(SELECT 'r' || relationship_id FROM mg_relationship_versions WHERE head_id = ?1 OR tail_id = ?1)
			AND object NOT IN (SELECT 'r' || value FROM json_each(?3))`,
	}
	for _, table := range [][2]string{{"mg_relationship_versions", "relationship_id"}, {"mg_relationships", "id"},
		{"mg_archive", "id"}} {
		for _, end := range []string{"head_id", "tail_id"} {
			statements = append(statements, `UPDATE `+table[0]+` SET `+end+` = ?2 WHERE `+end+` = ?1 AND `+table[1]+
				` NOT IN (SELECT value FROM json_each(?3))`)
		}
	}
	for _, sql := range statements {
		if _, err := f.w.c.exec(ctx, `WITH p AS (SELECT ?1, ?2, ?3, ?4, ?5) `+sql, u.name, u.speaker, f.facts.list(),
			f.episodes.list(), f.w.scope.Namespace); err != nil {
			return err
		}
	}
	return nil
}

// retell replaces the name in the sentences of the speaker's facts: "Ann uses Go." becomes "User uses Go." again.
func (f *forgetting) retell(ctx context.Context, u unnamed, name, speaker string) error {
	const ofSpeaker = ` IN (SELECT relationship_id FROM mg_relationship_versions WHERE head_id = ?1 OR tail_id = ?1)`
	places := []struct{ table, column, text, where string }{
		{"mg_relationships", "fact", "fact", "id" + ofSpeaker},
		{"mg_archive", "fact", "fact", "id" + ofSpeaker},
		{"mg_relationship_versions", "fact", "fact", "relationship_id" + ofSpeaker},
		{"mg_events", "before", "before ->> '$.fact'", "object GLOB 'r*' AND CAST(substr(object, 2) AS INTEGER)" + ofSpeaker},
		{"mg_events", "after", "after ->> '$.fact'", "object GLOB 'r*' AND CAST(substr(object, 2) AS INTEGER)" + ofSpeaker},
	}
	for _, p := range places {
		var texts []string
		if err := f.w.c.query(ctx, `SELECT DISTINCT `+p.text+` FROM `+p.table+` WHERE namespace = ?2 AND instr(`+p.text+
			`, ?3) AND `+p.where, func(s cursor) error {
			texts = append(texts, s.text(0))
			return nil
		}, u.speaker, f.w.scope.Namespace, name); err != nil {
			return err
		}
		value := "?3"
		if p.text != p.column {
			value = `json_set(` + p.column + `, '$.fact', ?3)`
		}
		for _, text := range texts {
			if _, err := f.w.c.exec(ctx, `UPDATE `+p.table+` SET `+p.column+` = `+value+` WHERE namespace = ?2 AND `+p.text+
				` = ?4 AND `+p.where, u.speaker, f.w.scope.Namespace, replaceName(text, name, speaker), text); err != nil {
				return err
			}
		}
	}
	return nil
}

// neverMerged removes the merge from the history of the speaker.
func (f *forgetting) neverMerged(ctx context.Context, u unnamed, aliases []string) error {
	list, err := json.Marshal(aliases)
	if err != nil {
		return err
	}
	for _, p := range []struct{ table, column, where string }{
		{"mg_entity_versions", "snapshot", "?4 = ?4 AND entity_id = ?1"},
		{"mg_events", "before", "namespace = ?4 AND object = 'e' || ?1"},
		{"mg_events", "after", "namespace = ?4 AND object = 'e' || ?1"},
	} {
		if _, err := f.w.c.exec(ctx, `UPDATE `+p.table+` SET `+p.column+` = json_set(`+p.column+`, '$.merged_into', NULL,
			'$.aliases', json(?3)) WHERE `+p.column+` ->> '$.merged_into' = ?2 AND `+p.where, u.speaker, u.name, string(list),
			f.w.scope.Namespace); err != nil {
			return err
		}
	}
	// An event with an empty reason keeps no node, so the speaker is forgotten with its last turn.
	_, err = f.w.c.exec(ctx, `UPDATE mg_events SET reason = '' WHERE namespace = ? AND object = 'e' || ? AND action = ?`,
		f.w.scope.Namespace, u.speaker, forgetAction)
	return err
}

// replaceName replaces a name where it stands in a text as whole words.
func replaceName(text, old, name string) string {
	for _, at := range slices.Backward(occurrences(text, old)) {
		text = text[:at] + name + text[at+len(old):]
	}
	return text
}
