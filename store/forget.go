package store

import (
	"context"
	"maps"
	"slices"

	"memory-graph/internal/memory"
)

// forgetAction is what the event log calls forgetting.
const forgetAction = "forget"

// forgottenShown is how many of the forgotten objects are named.
const forgottenShown = 100

// Forget deletes episodes, entities, memories and relationships for good, with everything that was derived only from
// them (decision 15): facts whose only evidence goes, facts about an entity that goes, the turns that calls left for
// such facts, and entities that only those made. A fact that other episodes say too stays, and loses this evidence; a
// fact that was superseded by one that goes stays ended; children of a node that goes stay, without a parent. Without
// confirm nothing happens, and the answer counts what would go. What is left is the bare log that something was
// forgotten: no text, no index entry, no version, no vector of it.
//
// Errors: InvalidArgument for no ids and for ids of what cannot be forgotten, NotFound.
func (s *Store) Forget(ctx context.Context, namespace string, ids []memory.ID, confirm bool,
	by memory.Caller) (memory.Forgotten, error) {
	by.Reason = "" // the words of a reason may be the very ones
	scope := memory.Scope{Namespace: namespace}
	if !confirm {
		var out memory.Forgotten
		err := s.read(ctx, "look what forgetting takes with it", func(c *conn) error {
			f, err := (&writing{s: s, c: c, scope: scope, now: s.now(), by: by}).forgetting(ctx, ids)
			if err != nil {
				return err
			}
			out, err = f.count(ctx)
			out.DryRun = true
			return err
		})
		return out, err
	}
	var out memory.Forgotten
	err := s.writeGraph(ctx, "forget", forgetAction, scope, by, func(ctx context.Context, w *writing) error {
		f, err := w.forgetting(ctx, ids)
		if err != nil {
			return err
		}
		if out, err = f.count(ctx); err != nil {
			return err
		}
		if err := f.run(ctx); err != nil {
			return err
		}
		for _, id := range ids {
			if _, err := w.log(ctx, id, "", ""); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return memory.Forgotten{}, err
	}
	s.emptyLog(ctx)
	return out, nil
}

// emptyLog writes the write-ahead log back and empties it: it holds pages as they were. Where somebody reads, what is
// left is overwritten in time.
func (s *Store) emptyLog(ctx context.Context) {
	err := s.writer.with(context.WithoutCancel(ctx), func(c *conn) error {
		return c.script("PRAGMA wal_checkpoint(TRUNCATE)")
	})
	if err != nil {
		s.log.Warn("the write-ahead log could not be emptied after forgetting; it will be overwritten", "err", err)
	}
}

// idSet is a set of rows' numbers.
type idSet map[int64]bool

func (s idSet) add(ids ...int64) (grew bool) {
	for _, id := range ids {
		grew = grew || !s[id]
		s[id] = true
	}
	return grew
}

// list writes the set as statements take it.
func (s idSet) list() string { return idList(slices.Sorted(maps.Keys(s))) }

// forgetting is what goes: the rows that were named, and what was derived only from them.
type forgetting struct {
	w                      *writing
	episodes, facts, nodes idSet
}

// forgetting works out what goes.
func (w *writing) forgetting(ctx context.Context, ids []memory.ID) (*forgetting, error) {
	f := &forgetting{w: w, episodes: idSet{}, facts: idSet{}, nodes: idSet{}}
	if len(ids) == 0 {
		return nil, memory.Errorf(memory.InvalidArgument,
			"ids: there are none.").WithHint("Give the ids of episodes, entities, memories or relationships.")
	}
	for _, id := range ids {
		if err := f.name(ctx, id); err != nil {
			return nil, err
		}
	}
	if err := f.addMerged(ctx); err != nil {
		return nil, err
	}
	for {
		grew, err := f.addFacts(ctx)
		if err != nil {
			return nil, err
		}
		if !grew {
			break
		}
	}
	if err := f.addNodes(ctx); err != nil {
		return nil, err
	}
	// The links of the nodes that go, which kept none of them, and what only those led to.
	if _, err := f.addFacts(ctx); err != nil {
		return nil, err
	}
	if err := f.addNodes(ctx); err != nil {
		return nil, err
	}
	return f, f.mayForget(ctx)
}

// name takes in one id of the caller's.
func (f *forgetting) name(ctx context.Context, id memory.ID) error {
	w := f.w
	var there bool
	var err error
	switch id.Kind {
	case memory.KindEpisode:
		if _, there, err = w.c.int64(ctx, `SELECT 1 FROM mg_episodes WHERE id = ? AND namespace = ?`, id.Num,
			w.scope.Namespace); there {
			f.episodes.add(id.Num)
		}
	case memory.KindRelationship:
		if _, there, err = w.c.int64(ctx, `SELECT 1 FROM mg_relationships WHERE id = ? AND namespace = ?`, id.Num,
			w.scope.Namespace); there {
			f.facts.add(id.Num)
		}
	case memory.KindEntity, memory.KindMemory:
		var n node
		if n, there, err = w.nodeByID(ctx, id); there {
			f.nodes.add(n.id)
		}
	default:
		return memory.Errorf(memory.InvalidArgument, "%s cannot be forgotten.",
			id).WithHint("Give ids of episodes (t56), entities (e12), memories (m7) or relationships (r34).")
	}
	if err == nil && !there {
		err = memory.Errorf(memory.NotFound, "There is no %s in namespace %q.", id,
			w.scope.Namespace).WithHint("It may be forgotten already.")
	}
	return err
}

// addMerged takes in what was merged into a node that goes: it lives on in that one alone.
func (f *forgetting) addMerged(ctx context.Context) error {
	for {
		merged, err := f.w.ids(ctx, `SELECT e.id FROM json_each(?) j CROSS JOIN mg_entities e ON e.merged_into = j.value`,
			f.nodes.list())
		if err != nil || !f.nodes.add(merged...) {
			return err
		}
	}
}

// addFacts takes in the facts about nodes that go and those that nothing else says, and the turns that calls left for
// facts that go.
func (f *forgetting) addFacts(ctx context.Context) (grew bool, err error) {
	about, err := f.w.ids(ctx, `SELECT r.id FROM mg_relationships r WHERE `+factsOfNodes, f.nodes.list())
	if err != nil {
		return false, err
	}
	unsaid, err := f.w.ids(ctx, `SELECT DISTINCT v.relationship_id FROM json_each(?1) j CROSS JOIN mg_evidence v ON
		v.episode_id = j.value WHERE NOT EXISTS
		(SELECT 1 FROM mg_evidence x WHERE x.relationship_id = v.relationship_id AND x.episode_id NOT IN (SELECT value FROM
		json_each(?1)))`, f.episodes.list())
	if err != nil {
		return false, err
	}
	grew = f.facts.add(append(about, unsaid...)...)
	left, err := f.w.ids(ctx, `SELECT DISTINCT e.id FROM json_each(?1) j CROSS JOIN mg_evidence v ON v.relationship_id =
		j.value CROSS JOIN mg_episodes e ON e.id = v.episode_id
		WHERE e.source = 'call' AND e.role = 'assistant' AND e.status = 'skipped' AND NOT EXISTS
		(SELECT 1 FROM mg_evidence x WHERE x.episode_id = e.id AND x.relationship_id NOT IN (SELECT value FROM
		json_each(?1)))`, f.facts.list())
	if err != nil {
		return false, err
	}
	return f.episodes.add(left...) || grew, nil
}

// addNodes takes in the nodes that only the rows that go made: no other fact, turn, observation, child or call knows
// them.
func (f *forgetting) addNodes(ctx context.Context) error {
	calls, err := f.calls(ctx)
	if err != nil {
		return err
	}
	const outside = ` IS NOT NULL AND r.id NOT IN (SELECT value FROM json_each(?2)) AND (e.kind = 'condition' OR r.method
		NOT IN ` + linkedMethods + `))`
	for {
		found, err := f.w.ids(ctx, `WITH candidates (id) AS (
				SELECT m.entity_id FROM json_each(?1) j CROSS JOIN mg_mentions m ON m.episode_id = j.value
				UNION SELECT r.head_id FROM json_each(?2) j CROSS JOIN mg_relationships r ON r.id = j.value
				UNION SELECT r.tail_id FROM json_each(?2) j CROSS JOIN mg_relationships r ON r.id = j.value
				UNION SELECT p.memory_id FROM json_each(?1) j CROSS JOIN mg_episodes p ON p.id = j.value WHERE p.memory_id IS NOT
				NULL
				UNION SELECT substr(v.object, 2) + 0 FROM json_each(?4) j CROSS JOIN mg_events v ON v.namespace = ?5 AND v.call_id =
				j.value WHERE v.object GLOB '[em]*')
			SELECT e.id FROM candidates n CROSS JOIN mg_entities e ON e.id = n.id WHERE e.namespace = ?5 AND e.id NOT IN (SELECT
			value FROM json_each(?3)) AND e.merged_into IS NULL
			AND NOT EXISTS (SELECT 1 FROM mg_entities m WHERE m.merged_into = e.id)
			AND NOT EXISTS (SELECT 1 FROM mg_entities c WHERE c.parent_id = e.id AND c.id NOT IN (SELECT value FROM
			json_each(?3)))
			AND NOT EXISTS (SELECT 1 FROM mg_relationships r WHERE r.head_id = e.id AND r.valid_until IS NULL AND r.id`+outside+`
			AND NOT EXISTS (SELECT 1 FROM mg_relationships r WHERE r.tail_id = e.id AND r.valid_until IS NULL AND r.id`+outside+`
			AND NOT EXISTS (SELECT 1 FROM mg_relationships r WHERE r.head_id = e.id AND r.valid_until`+outside+`
			AND NOT EXISTS (SELECT 1 FROM mg_relationships r WHERE r.tail_id = e.id AND r.valid_until`+outside+`
			AND NOT EXISTS (SELECT 1 FROM mg_mentions m WHERE m.entity_id = e.id AND m.episode_id NOT IN (SELECT value FROM
			json_each(?1)))
			AND NOT EXISTS (SELECT 1 FROM mg_episodes p WHERE p.memory_id = e.id AND p.id NOT IN (SELECT value FROM
			json_each(?1)))
			AND NOT EXISTS (SELECT 1 FROM mg_observations o WHERE o.entity_id = e.id AND coalesce(o.episode_id, 0) NOT IN (SELECT
			value FROM json_each(?1)))
			AND (e.kind = 'mention' OR NOT EXISTS (SELECT 1 FROM mg_events v WHERE v.namespace = ?5 AND v.object IN ('e' || e.id,
			'm' || e.id)
				AND coalesce(v.episode_id, 0) NOT IN (SELECT value FROM json_each(?1)) AND coalesce(v.call_id, '') NOT IN (SELECT
				value FROM json_each(?4))))`,
			f.episodes.list(), f.facts.list(), f.nodes.list(), calls, f.w.scope.Namespace)
		if err != nil || !f.nodes.add(found...) {
			return err
		}
	}
}

// calls gives the calls that wrote the episodes and made the facts that go, as a list of their ids.
func (f *forgetting) calls(ctx context.Context) (string, error) {
	return f.w.c.text(ctx, `SELECT json_group_array(DISTINCT v.call_id) FROM (SELECT 't' || value AS object FROM
		json_each(?1) UNION ALL SELECT 'r' || value FROM json_each(?2)) o
		CROSS JOIN mg_events v ON v.namespace = ?3 AND v.object = o.object WHERE v.before IS NULL AND v.call_id IS NOT NULL
		AND v.action <> 'forget'`,
		f.episodes.list(), f.facts.list(), f.w.scope.Namespace)
}

// count gives what goes, hidden nodes apart.
func (f *forgetting) count(ctx context.Context) (memory.Forgotten, error) {
	out := memory.Forgotten{Episodes: len(f.episodes), Relationships: len(f.facts), Objects: []memory.ID{}}
	show := func(id memory.ID) {
		if len(out.Objects) < forgottenShown {
			out.Objects = append(out.Objects, id)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(f.episodes)) {
		show(memory.EpisodeID(id))
	}
	for _, id := range slices.Sorted(maps.Keys(f.facts)) {
		show(memory.RelationshipID(id))
	}
	for _, id := range slices.Sorted(maps.Keys(f.nodes)) {
		kind, err := f.w.c.text(ctx, `SELECT kind FROM mg_entities WHERE id = ?`, id)
		if err != nil {
			return out, err
		}
		if k := memory.NodeKind(kind); k.Shown() {
			out.Entities++
			show(memory.NodeID(k, id))
		}
	}
	return out, nil
}
