package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"memory-graph/internal/memory"
)

// healAction names the calls of HealIdentities in the event log.
const healAction = "heal_identity"

// healTo is the key in mg_metadata of the last entity that was made before a known name meant the known thing.
const healTo = "identity.heal_to"

// healChunk is the number of entities that one step examines. healFacts is the most facts that a merged node may have.
// A step makes at most one change, so the write lock is held only briefly. Tests change healChunk.
var healChunk int64 = 200

const healFacts = 1000

// HealIdentities merges the duplicate nodes of one thing in a file of an older version (docs/facts.md, "Entities"):
// nodes of one name that are clearly the same thing, the names of one technology, and a speaker with the only name that
// the speaker stated. Each change is a separate call, which undo or unmerge reverses, and which is not repeated. selves
// are the names of a user whose turns name neither speaker nor user. HealIdentities finishes the run and returns the
// number of changes. The error is ErrRunLost if another process has taken over the run; that process continues it.
func (s *Store) HealIdentities(ctx context.Context, r *Run, selves ...string) (healed int, err error) {
	waits := false
	err = s.readOne(ctx, "look for entities to heal", func(c *conn) (err error) {
		_, waits, err = c.int64(ctx, `SELECT 1 FROM mg_metadata WHERE key = ?`, healTo)
		return err
	})
	if err != nil || !waits {
		return 0, errors.Join(err, s.FinishRun(ctx, r))
	}
	return healed, s.stepRun(ctx, r, "heal entities", func(c *conn, after int64) (int64, bool, error) {
		last, done, changed, err := s.healStep(ctx, c, after, selves)
		if changed {
			healed++
		}
		return last, done, err
	})
}

// healStep examines the entities after an id until it has made a change. last is the last entity that is finished.
func (s *Store) healStep(ctx context.Context, c *conn, after int64, selves []string) (last int64, done, changed bool,
	err error) {
	to, _, err := c.int64(ctx, `SELECT CAST(value AS INTEGER) FROM mg_metadata WHERE key = ?`, healTo)
	if err != nil {
		return 0, false, false, err
	}
	type row struct {
		node
		namespace, canonical string
	}
	var rows []row
	if err := c.query(ctx, `SELECT `+nodeColumns+`, e.namespace, e.canonical_name FROM mg_entities e
		WHERE e.id > ? AND e.id <= ? AND e.kind = 'entity' AND e.merged_into IS NULL ORDER BY e.id LIMIT ?`,
		func(cur cursor) error {
			rows = append(rows, row{scanNode(cur), cur.text(5), cur.text(6)})
			return nil
		}, after, to, healChunk); err != nil {
		return 0, false, false, err
	}
	last = after
	for _, r := range rows {
		id, err := uuid.NewV7()
		if err != nil {
			return 0, false, false, fmt.Errorf("make a call id: %w", err)
		}
		r.exact = true
		self := func(name string) bool { return memory.Canonical(name) == r.canonical }
		h := healing{to: to, n: r.node, canonical: r.canonical, self: slices.ContainsFunc(selves, self),
			w: &writing{s: s, c: c, scope: memory.Scope{Namespace: r.namespace}, now: s.now().UTC().Truncate(time.Millisecond),
				by: memory.Caller{Actor: "system", CallID: id.String()}, action: healAction}}
		if changed, err := h.heal(ctx); err != nil || changed {
			return last, false, changed, err // the same entity once more: it may have another fork
		}
		last = r.id
	}
	if int64(len(rows)) == healChunk {
		return last, false, false, nil
	}
	_, err = c.exec(ctx, `DELETE FROM mg_metadata WHERE key = ?`, healTo)
	return last, true, false, err
}

// healing examines one entity.
type healing struct {
	w         *writing
	to        int64 // newer entities come from a version that makes no such duplicates
	n         node
	canonical string
	self      bool // it has a name for the user of turns without speaker and user
	speaks    bool // the entity or its namesake is a speaker; set by fork
}

func (h *healing) heal(ctx context.Context) (changed bool, err error) {
	for _, try := range []func(context.Context) (bool, error){h.fork, h.technology, h.speaker} {
		var did bool
		mistake, err := h.w.attempt(func() (err error) {
			did, err = try(ctx)
			return err
		})
		if err != nil {
			return false, err
		}
		if mistake != nil {
			h.w.s.log.Warn("an entity is not healed", "entity", h.n.ref(), "error", mistake)
		} else if did {
			return true, nil
		}
	}
	return false, nil
}

// others returns the other old entities with this canonical name.
func (h healing) others(ctx context.Context, canonical string) ([]node, error) {
	found, err := nodesNamed(ctx, h.w.c, h.w.scope.Namespace, canonical)
	return slices.DeleteFunc(found, func(n node) bool {
		return !n.exact || n.kind != memory.NodeEntity || n.id == h.n.id || n.id > h.to
	}), err
}

// fork merges a namesake with another type, if only facts created one of the two. It does not merge a place with
// anything else, a person with anything else if callers stated both types, or a speaker with somebody about whom the
// speaker talks.
func (h *healing) fork(ctx context.Context) (bool, error) {
	others, err := h.others(ctx, h.canonical)
	if err != nil {
		return false, err
	}
	for _, o := range others {
		var two bool
		if h.speaks, two, err = h.whoSpeaks(ctx, o); err != nil {
			return false, err
		} else if two {
			continue
		}
		if memory.IsPlace(h.n.typ) != memory.IsPlace(o.typ) && !h.n.assumed() && !o.assumed() {
			continue
		}
		if h.n.typing == typeStated && o.typing == typeStated && !memory.MayBeOne(h.n.typ, o.typ) &&
			(memory.IsPerson(h.n.typ) || memory.IsPerson(o.typ)) {
			continue
		}
		if did, err := h.join(ctx, o, func(a, b origin) bool { return !a.deliberate || !b.deliberate }); did || err != nil {
			return did, err
		}
	}
	return false, nil
}

// technology merges the names of one technology, and adds the names that the entity lacks.
func (h healing) technology(ctx context.Context) (bool, error) {
	if !software(h.n) {
		return false, nil
	}
	techs := h.w.s.techs
	names := techs.Others(h.canonical)
	if name, ok := techs.Described(h.canonical); ok {
		names = append([]string{name}, techs.Others(name)...)
	}
	for _, name := range names {
		others, err := h.others(ctx, name)
		if err != nil {
			return false, err
		}
		for _, o := range others {
			if !software(o) {
				continue
			}
			if did, err := h.join(ctx, o, func(origin, origin) bool { return true }); did || err != nil {
				return did, err
			}
		}
	}
	return h.alsoCalled(ctx, h.w.alsoCalled(h.canonical, h.n.typ))
}

func (h healing) alsoCalled(ctx context.Context, names []string) (bool, error) {
	w := h.w
	before, is, err := w.snapshots(ctx, h.n.id)
	if err != nil {
		return false, err
	}
	fresh := without(names, is.Aliases)
	for _, name := range fresh {
		if taken, err := nodesNamed(ctx, w.c, w.scope.Namespace, name); err != nil || len(taken) > 0 {
			return false, err
		}
	}
	if len(fresh) == 0 {
		return false, nil
	}
	return true, cmp.Or(w.addAliases(ctx, h.n.id, fresh), w.entityChanged(ctx, h.n.id, causeUpdated, before),
		w.reindexEntity(ctx, h.n.id, before))
}

// join merges the entity with another one, if their origins (mayBe) allow it.
func (h healing) join(ctx context.Context, o node, mayBe func(a, b origin) bool) (bool, error) {
	if apart, err := h.w.tookApart(ctx, h.n.id, o.id); err != nil || apart {
		return false, err
	}
	a, err := h.w.originOf(ctx, h.n)
	if err != nil {
		return false, err
	}
	b, err := h.w.originOf(ctx, o)
	if err != nil || !mayBe(a, b) || a.withheld || b.withheld {
		return false, err
	}
	a.speaks, b.speaks = h.speaks && memory.IsPerson(a.typ), h.speaks && memory.IsPerson(b.typ)
	into, from := a, b
	if b.before(a) {
		into, from = b, a
	}
	if from.tool && from.described {
		return false, nil // its description is not vouched for, so the merged entity would lose trust
	}
	return h.merge(ctx, into.node, from.node, causeMerged)
}

func (h healing) merge(ctx context.Context, into, from node, cause string) (bool, error) {
	count, _, err := h.w.c.int64(ctx, `SELECT count(*) FROM (SELECT 1 FROM mg_facts WHERE head_id = ?1 UNION ALL
		SELECT 1 FROM mg_facts WHERE tail_id = ?1 LIMIT ?2)`, from.id, healFacts+1)
	if err != nil || count > healFacts {
		return false, err
	}
	m := merging{w: h.w, a: into, b: from, cause: cause}
	return true, m.run(ctx)
}

// origin describes how an entity came into the graph.
type origin struct {
	node
	deliberate bool // a caller created or changed the entity itself; otherwise facts named it
	described  bool
	tool       bool // of a tool's trust
	withheld   bool // a turn in quarantine holds it back
	speaks     bool // a person whose name is that of a speaker
	personal   bool // it has a fact that only people have
	facts      int64
}

// before reports whether o stays when the two are merged. In this order it prefers an entity that is trusted,
// deliberate, a speaker, not doubtfully a person, with more facts, or older.
func (o origin) before(p origin) bool {
	doubtful := func(o origin) bool { return memory.IsPerson(o.typ) && !o.personal }
	return cmp.Or(rankBool(!o.tool, !p.tool), rankBool(o.deliberate, p.deliberate), rankBool(o.speaks, p.speaks),
		rankBool(!doubtful(o), !doubtful(p)),
		cmp.Compare(o.facts, p.facts), cmp.Compare(p.id, o.id)) > 0
}

func rankBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// originOf reads how an entity came into the graph. An entity that a call created only for a fact is not deliberate.
func (w *writing) originOf(ctx context.Context, n node) (origin, error) {
	o := origin{node: n}
	err := w.c.query(ctx, `SELECT e.description <> '', e.origin = 'tool',
		EXISTS (SELECT 1 FROM mg_entity_versions x JOIN mg_events v ON v.id = x.event_id WHERE x.entity_id = e.id
			AND x.cause IN ('created', 'observed', 'updated') AND v.action NOT IN ('store_episode', 'extract',
			'create_relation', 'create_relations', 'supersede', 'backfill', '`+healAction+`')),
		EXISTS (SELECT 1 FROM mg_mentions m JOIN mg_episodes p ON p.id = m.episode_id WHERE m.entity_id = e.id
			AND m.role IN ('held', 'held_name') AND p.status = '`+memory.StatusQuarantined+`'),
		EXISTS (SELECT 1 FROM mg_facts r WHERE r.head_id = e.id AND r.relation IN ('works_at', 'lives_in', 'born_in',
			'knows', 'married_to', 'parent_of', 'child_of', 'sibling_of', 'reports_to')),
		(SELECT count(*) FROM (SELECT 1 FROM mg_facts WHERE head_id = e.id UNION ALL
			SELECT 1 FROM mg_facts WHERE tail_id = e.id LIMIT ?2))
		FROM mg_entities e WHERE e.id = ?1`, func(s cursor) error {
		o.described, o.tool, o.deliberate = s.bool(0), s.bool(1), s.bool(2) || s.bool(0)
		o.withheld, o.personal, o.facts = s.bool(3), s.bool(4), s.int64(5)
		return nil
	}, n.id, healFacts+1)
	return o, err
}
