package store

import (
	"context"
	"maps"
	"slices"

	"memory-graph/internal/memory"
)

// forgetAction is the action of forgetting, in the event log.
const forgetAction = "forget"

// forgottenShown is the maximum number of forgotten objects that an answer names.
const forgottenShown = 100

// Forget deletes episodes, entities, memories and relationships for good, and everything derived only from them
// (docs/decisions.md, "Deletion is deliberate"). This includes facts whose only evidence is deleted, facts about a
// deleted entity, the call episodes of such facts, entities that only these rows created, and the name of a speaker
// that nothing else gives. A fact with other evidence stays and loses this evidence. If only deleted turns support the
// end of a fact, the fact loses this end. Otherwise a fact that a deleted one superseded stays ended. Children of a
// deleted node stay, without a parent. Without confirm, Forget changes nothing and counts what it would delete.
// Afterwards the event log only says that something was forgotten. No text, index entry, version or vector remains.
//
// Errors: InvalidArgument for no ids and for ids of kinds that cannot be forgotten, and NotFound.
func (s *Store) Forget(ctx context.Context, namespace string, ids []memory.ID, confirm bool,
	by memory.Caller) (memory.Forgotten, error) {
	by.Reason = "" // the reason may repeat the words to forget
	scope := memory.Scope{Namespace: namespace}
	if !confirm {
		var out memory.Forgotten
		err := s.read(ctx, "find what forgetting deletes", func(c *conn) error {
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

// emptyLog checkpoints and truncates the write-ahead log, because it holds the old pages. If readers prevent that,
// later writes overwrite the rest.
func (s *Store) emptyLog(ctx context.Context) {
	err := s.writer.with(context.WithoutCancel(ctx), func(c *conn) error {
		return c.script("PRAGMA wal_checkpoint(TRUNCATE)")
	})
	if err != nil {
		s.log.Warn("the write-ahead log could not be emptied after forgetting; it will be overwritten", "err", err)
	}
}

// idSet is a set of row ids.
type idSet map[int64]bool

func (s idSet) add(ids ...int64) (grew bool) {
	for _, id := range ids {
		grew = grew || !s[id]
		s[id] = true
	}
	return grew
}

// list returns the set as a statement's parameter.
func (s idSet) list() string { return idList(s.sorted()) }

func (s idSet) sorted() []int64 { return slices.Sorted(maps.Keys(s)) }

// forgetting holds the rows to delete: the named ones and those derived only from them.
type forgetting struct {
	w                      *writing
	episodes, facts, nodes idSet
	turns                  idSet             // episodes that the caller named or selected
	ends                   map[int64]factEnd // the new ends of facts that stay, without those turns
	again                  idSet             // of these, the facts that hold again
	over                   idSet             // of these, the facts that end because others hold again
	unnamed                []unnamed         // speakers whose names are among the nodes
	going                  idSet             // nodes that later steps of the same purge delete
}

// forgetting collects the rows to delete.
func (w *writing) forgetting(ctx context.Context, ids []memory.ID) (*forgetting, error) {
	f := w.newForgetting()
	if len(ids) == 0 {
		return nil, memory.Errorf(memory.InvalidArgument,
			"ids: the list is empty.").WithHint("Give the ids of episodes, entities, memories or relationships.")
	}
	for _, id := range ids {
		if err := f.name(ctx, id); err != nil {
			return nil, err
		}
	}
	return f, f.complete(ctx)
}

func (w *writing) newForgetting() *forgetting {
	return &forgetting{w: w, episodes: idSet{}, facts: idSet{}, nodes: idSet{}, going: idSet{},
		again: idSet{}, over: idSet{}, ends: map[int64]factEnd{}}
}

// complete adds everything that is derived only from the collected rows.
func (f *forgetting) complete(ctx context.Context) error {
	f.turns = maps.Clone(f.episodes)
	if err := f.addMerged(ctx); err != nil {
		return err
	}
	for {
		for {
			grew, err := f.addFacts(ctx)
			if err != nil {
				return err
			}
			if !grew {
				break
			}
		}
		if err := f.addNodes(ctx); err != nil {
			return err
		}
		if grew, err := f.addTexts(ctx); err != nil || !grew {
			if err != nil {
				return err
			}
			break
		}
	}
	// Links do not keep their nodes, so add the links of the deleted nodes, and then the nodes that only they led to.
	if _, err := f.addFacts(ctx); err != nil {
		return err
	}
	if err := f.addNodes(ctx); err != nil {
		return err
	}
	if err := f.addNames(ctx); err != nil {
		return err
	}
	if err := f.addEnds(ctx); err != nil {
		return err
	}
	return f.mayForget(ctx)
}

// addTexts adds the turns that hold the texts of deleted memories.
func (f *forgetting) addTexts(ctx context.Context) (grew bool, err error) {
	texts, err := f.w.ids(ctx, `SELECT DISTINCT t.id FROM json_each(?) j CROSS JOIN mg_mentions m ON m.entity_id = j.value
		AND m.role = 'self' CROSS JOIN mg_episodes t ON t.id = m.episode_id WHERE t.source = 'call'`, f.nodes.list())
	return err == nil && f.episodes.add(texts...), err
}

// name adds the row of one id that the caller gave.
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
		if _, there, err = w.c.int64(ctx, `SELECT 1 FROM mg_facts WHERE id = ? AND namespace = ?`, id.Num,
			w.scope.Namespace); there {
			f.facts.add(id.Num)
		}
	case memory.KindEntity, memory.KindMemory:
		var n node
		if n, there, err = w.nodeByID(ctx, id); there {
			f.nodes.add(n.id)
		}
	case memory.KindCommunity:
		return memory.Errorf(memory.InvalidArgument,
			"%s is a community: it follows from facts and is not forgotten itself.", id).
			WithHint("Forget the facts or entities that it names: its summary goes with them. "+
				"`memory-graph communities %s` "+
				"or the tool communities lists its members.", id)
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

// addMerged adds the entities that were merged into a deleted node, because they exist only as part of that node.
func (f *forgetting) addMerged(ctx context.Context) error {
	for {
		merged, err := f.w.ids(ctx, `SELECT e.id FROM json_each(?) j CROSS JOIN mg_entities e ON e.merged_into = j.value`,
			f.nodes.list())
		if err != nil || !f.nodes.add(merged...) {
			return err
		}
	}
}

// addFacts adds the facts about deleted nodes, the facts without other evidence, and the call episodes of deleted
// facts.
func (f *forgetting) addFacts(ctx context.Context) (grew bool, err error) {
	about, err := f.w.ids(ctx, `SELECT r.id FROM mg_facts r WHERE `+factsOfNodes, f.nodes.list())
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

// addNodes adds the nodes that only deleted rows created: no other fact, turn, entity observation, child or call refers
// to them.
func (f *forgetting) addNodes(ctx context.Context) error {
	calls, err := f.calls(ctx)
	if err != nil {
		return err
	}
	withdrawn, err := f.namedByWithdrawn(ctx)
	if err != nil {
		return err
	}
	const outside = ` IS NOT NULL AND r.id NOT IN (SELECT value FROM json_each(?2)) AND (e.kind IN ('condition',
		'metadata') OR r.method NOT IN ` + linkedMethods + `))`
	for {
		found, err := f.w.ids(ctx, `WITH candidates (id) AS (
				SELECT m.entity_id FROM json_each(?1) j CROSS JOIN mg_mentions m ON m.episode_id = j.value
				UNION SELECT value FROM json_each(?6)
				UNION SELECT r.head_id FROM json_each(?2) j CROSS JOIN mg_facts r ON r.id = j.value
				UNION SELECT r.tail_id FROM json_each(?2) j CROSS JOIN mg_facts r ON r.id = j.value
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
			AND NOT EXISTS (SELECT 1 FROM mg_facts r WHERE r.head_id = e.id AND r.valid_until`+outside+`
			AND NOT EXISTS (SELECT 1 FROM mg_facts r WHERE r.tail_id = e.id AND r.valid_until`+outside+`
			AND NOT EXISTS (SELECT 1 FROM mg_mentions m WHERE m.entity_id = e.id AND m.episode_id NOT IN (SELECT value FROM
			json_each(?1)) AND NOT (m.role = 'self' AND EXISTS
				(SELECT 1 FROM mg_episodes t WHERE t.id = m.episode_id AND t.source = 'call')))
			AND NOT EXISTS (SELECT 1 FROM mg_episodes p WHERE p.memory_id = e.id AND p.id NOT IN (SELECT value FROM
			json_each(?1)))
			AND NOT EXISTS (SELECT 1 FROM mg_observations o WHERE o.entity_id = e.id AND coalesce(o.episode_id, 0) NOT IN (SELECT
			value FROM json_each(?1)))
			AND (e.kind = 'mention' OR NOT EXISTS (SELECT 1 FROM mg_events v WHERE v.namespace = ?5 AND v.object IN ('e' || e.id,
			'm' || e.id)
				AND coalesce(v.episode_id, 0) NOT IN (SELECT value FROM json_each(?1)) AND coalesce(v.call_id, '') NOT IN (SELECT
				value FROM json_each(?4)) AND v.reason IS NOT ''))`,
			f.episodes.list(), f.facts.list(), f.nodes.list(), calls, f.w.scope.Namespace, withdrawn)
		if err != nil || !f.nodes.add(found...) {
			return err
		}
	}
}

// namedByWithdrawn returns the hidden nodes that withdrawn turns named, as a JSON list, if all these turns are deleted.
// A withdrawn turn has its mentions in the event only.
func (f *forgetting) namedByWithdrawn(ctx context.Context) (string, error) {
	const named = `SELECT x.value ->> 'entity_id' FROM mg_episodes t CROSS JOIN mg_events v ON v.namespace = t.namespace
		AND v.object = 't' || t.id CROSS JOIN json_each(v.before, '$.mentions') x
		WHERE t.namespace = ?2 AND t.status = '` + memory.StatusWithdrawn + `' AND t.id `
	of, err := f.w.ids(ctx, `SELECT DISTINCT e.id FROM mg_entities e WHERE e.kind IN ('mention', 'metadata') AND e.id IN
		(`+named+`IN (SELECT value FROM json_each(?1)))`, f.episodes.list(), f.w.scope.Namespace)
	if err != nil || len(of) == 0 {
		return "[]", err
	}
	of, err = f.w.ids(ctx, `SELECT value FROM json_each(?3) WHERE value NOT IN (`+named+
		`NOT IN (SELECT value FROM json_each(?1)))`, f.episodes.list(), f.w.scope.Namespace, idList(of))
	return idList(of), err
}

// calls returns the ids of the calls that wrote the deleted episodes and facts, as a JSON list.
func (f *forgetting) calls(ctx context.Context) (string, error) {
	return f.w.c.text(ctx, `SELECT json_group_array(DISTINCT v.call_id) FROM (SELECT 't' || value AS object FROM
		json_each(?1) UNION ALL SELECT 'r' || value FROM json_each(?2)) o
		CROSS JOIN mg_events v ON v.namespace = ?3 AND v.object = o.object WHERE v.before IS NULL AND v.call_id IS NOT NULL
		AND v.action <> 'forget'`,
		f.episodes.list(), f.facts.list(), f.w.scope.Namespace)
}

// count returns the numbers of rows to delete, without the hidden nodes.
func (f *forgetting) count(ctx context.Context) (memory.Forgotten, error) {
	out := memory.Forgotten{Episodes: len(f.episodes), Relationships: len(f.facts), Objects: []memory.ID{}}
	show := func(id memory.ID) {
		if len(out.Objects) < forgottenShown {
			out.Objects = append(out.Objects, id)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(f.ends)) {
		list := &out.EndsTakenBack
		if f.over[id] {
			list = &out.Superseded
		}
		if len(*list) < forgottenShown {
			*list = append(*list, memory.RelationshipID(id))
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
