package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"memory-graph/internal/memory"
)

// linking is a mention that is being linked to the node that it means.
type linking struct {
	memory.Mention
	canonical string
	node      int64
	shown     bool
	promote   bool
}

// linkMentions links the episode that is being written to the nodes that it names. Names without a node get a hidden
// mention node. It runs a handful of statements for any number of names. A mention node that another session has
// already named becomes an entity.
func (w *writing) linkMentions(ctx context.Context, e memory.Episode, mentions []memory.Mention) error {
	links := distinctMentions(mentions)
	if len(links) == 0 {
		return nil
	}
	if err := w.findMentioned(ctx, e, links); err != nil {
		return err
	}
	if err := w.newMentions(ctx, e, links); err != nil {
		return err
	}
	if err := w.insertMentions(ctx, e.ID, links); err != nil {
		return err
	}
	var seen []int64
	for _, l := range links {
		if l.shown {
			seen = append(seen, l.node)
		}
	}
	if len(seen) > 0 {
		if _, err := w.c.exec(ctx, `UPDATE mg_entities SET last_seen_at = max(last_seen_at, ?1), `+unfade+
			` WHERE id IN (SELECT value FROM json_each(?2))`,
			memory.Millis(w.now), idList(seen)); err != nil {
			return err
		}
	}
	for _, l := range links {
		if l.promote {
			if err := w.promoteMention(ctx, e, l); err != nil {
				return err
			}
		}
	}
	return nil
}

// distinctMentions keeps each name once for each role, in the given order.
func distinctMentions(mentions []memory.Mention) []*linking {
	type key struct{ canonical, role string }
	seen := make(map[key]*linking, len(mentions))
	var links []*linking
	for _, m := range mentions {
		if m.Role == "" {
			m.Role = "mention"
		}
		k := key{memory.Canonical(m.Name), m.Role}
		if k.canonical == "" {
			continue
		}
		if first := seen[k]; first != nil {
			first.Unsure = first.Unsure && m.Unsure
			continue
		}
		l := &linking{Mention: m, canonical: k.canonical}
		seen[k] = l
		links = append(links, l)
	}
	return links
}

// mentioned is a node that a name may mean.
type mentioned struct {
	id           int64
	typ          string
	observations int64
	hidden       bool
	elsewhere    bool // another session named the hidden node
}

// findMentioned looks up which nodes the names mean.
func (w *writing) findMentioned(ctx context.Context, e memory.Episode, links []*linking) error {
	names := make([]string, len(links))
	for i, l := range links {
		names[i] = l.canonical
	}
	list, err := json.Marshal(names)
	if err != nil {
		return fmt.Errorf("write names: %w", err)
	}
	found := make([][]mentioned, len(links))
	// It is enough to read one mention of a hidden node: if two were of different sessions, the node would no longer be
	// hidden. Turns without a session count as one session for each project and user.
	err = w.c.query(ctx, `SELECT j.key, e.id, e.type, e.observation_count, 0, 0
		FROM json_each(?1) j CROSS JOIN mg_entity_aliases a ON a.namespace = ?2 AND a.alias = j.value CROSS JOIN mg_entities e
		ON e.id = a.entity_id
		WHERE e.merged_into IS NULL AND e.kind IN ('entity', 'memory')
		UNION ALL
		SELECT j.key, e.id, e.type, 0, 1, coalesce((SELECT p.session_id IS NOT ?3 OR p.session_id IS NULL AND (p.project IS
		NOT ?4 OR p.user IS NOT ?5)
			FROM mg_mentions m JOIN mg_episodes p ON p.id = m.episode_id WHERE m.entity_id = e.id ORDER BY m.episode_id LIMIT 1),
			0)
		FROM json_each(?1) j CROSS JOIN mg_entities e ON e.namespace = ?2 AND e.canonical_name = j.value
		WHERE e.kind <> 'memory' AND e.merged_into IS NULL AND e.kind = 'mention'`,
		func(s cursor) error {
			i := s.int(0)
			found[i] = append(found[i], mentioned{s.int64(1), s.text(2), s.int64(3), s.bool(4),
				s.bool(5)})
			return nil
		}, string(list), w.scope.Namespace, nullable(e.Scope.SessionID), nullable(e.Scope.Project), nullable(e.Scope.User))
	if err != nil {
		return err
	}
	for i, l := range links {
		if i, said := w.meant[l.canonical], found[i]; i.id != 0 {
			if at := slices.IndexFunc(said, func(m mentioned) bool { return m.id == i.id }); at >= 0 {
				l.node, l.shown = i.id, true
				continue
			}
		}
		if m, ok := likeliest(l.Type, found[i]); ok {
			l.node, l.shown, l.promote = m.id, !m.hidden, m.hidden && m.elsewhere && !l.Unsure
		}
	}
	return nil
}

// likeliest chooses the node that a name means. It prefers a shown node to a hidden one, then the guessed type, then
// the family of that type, then the most observations, then the oldest node.
func likeliest(typ string, found []mentioned) (best mentioned, ok bool) {
	family := memory.TypeFamily(typ)
	rank := func(m mentioned) int {
		i := slices.Index(family, m.typ)
		switch {
		case m.hidden:
			return 3
		case typ == "" || i < 0:
			return 2
		case i > 0:
			return 1
		}
		return 0
	}
	for _, m := range found {
		a, b := rank(m), rank(best)
		if !ok || a < b || a == b && (m.observations > best.observations ||
			m.observations == best.observations && m.id < best.id) {
			best, ok = m, true
		}
	}
	return best, ok
}

// newMentions creates hidden nodes for the names that have no node. They have no name in the feed, no version and no
// event, because nothing is stated about them yet.
func (w *writing) newMentions(ctx context.Context, e memory.Episode, links []*linking) error {
	var rows [][3]string
	made := map[string]int64{}
	for _, l := range links {
		if _, twice := made[l.canonical]; l.node != 0 || twice {
			continue
		}
		made[l.canonical] = 0
		typ := l.Type
		if typ == "" {
			typ = memory.DefaultType
		}
		rows = append(rows, [3]string{l.canonical, memory.Shown(l.Name), typ})
	}
	if len(rows) == 0 {
		return nil
	}
	list, err := json.Marshal(rows)
	if err != nil {
		return fmt.Errorf("write names: %w", err)
	}
	err = w.c.query(ctx, `INSERT INTO mg_entities (id, namespace, kind, canonical_name, name, type, type_assumed,
		confidence, origin, created_at, updated_at, last_seen_at)
		SELECT
		`+freshID("mg_entities")+` + j.key, ?1, 'mention', j.value ->> 0, j.value ->> 1, j.value ->> 2, 1, ?2, ?3, ?4,
			?4, ?4 FROM json_each(?5) j RETURNING id, canonical_name`,
		func(s cursor) error {
			made[s.text(1)] = s.int64(0)
			return nil
		}, w.scope.Namespace, memory.Capped(nil, e.Origin, memory.MethodRuleHedged), string(e.Origin), memory.Millis(
			w.now), string(list))
	if err != nil {
		return err
	}
	for _, l := range links {
		if l.node == 0 {
			l.node = made[l.canonical]
		}
	}
	return nil
}

// insertMentions writes the links. If two names mean one node, the position of the first is stored.
func (w *writing) insertMentions(ctx context.Context, episode int64, links []*linking) error {
	rows := make([][4]any, len(links))
	for i, l := range links {
		rows[i] = [4]any{l.node, l.Role, nil, nil}
		if l.Stop > l.Start {
			rows[i][2], rows[i][3] = l.Start, l.Stop
		}
	}
	list, err := json.Marshal(rows)
	if err != nil {
		return fmt.Errorf("write mentions: %w", err)
	}
	_, err = w.c.exec(ctx, `INSERT INTO mg_mentions (episode_id, entity_id, role, start, stop)
		SELECT ?1, j.value ->> 0, j.value ->> 1, j.value ->> 2, j.value ->> 3 FROM json_each(?2) j WHERE true
		ON CONFLICT DO UPDATE SET start = excluded.start, stop = excluded.stop WHERE start IS NULL`, episode, string(list))
	return err
}

// promoteMention turns a mention node into an entity, which answers show.
func (w *writing) promoteMention(ctx context.Context, e memory.Episode, l *linking) error {
	origin, err := w.c.text(ctx, `SELECT origin FROM mg_entities WHERE id = ?`, l.node)
	if err != nil {
		return err
	}
	trusted := memory.MostTrusted(memory.Origin(origin), e.Origin)
	if _, err := w.c.exec(ctx, `UPDATE mg_entities SET kind = 'entity', name = ?2, confidence = ?3, unfaded = NULL, origin
		= ?4, created_at = ?5, updated_at = ?5, last_seen_at = ?5
		WHERE id =
		?1`, l.node, l.Name, memory.Capped(nil, trusted, memory.MethodRuleHedged), string(trusted),
		memory.Millis(w.now)); err != nil {
		return err
	}
	if err := w.addAliases(ctx, l.node, []string{l.Name}); err != nil {
		return err
	}
	if err := w.entityChanged(ctx, l.node, causeCreated, ""); err != nil {
		return err
	}
	return w.indexEntity(ctx, l.node)
}
