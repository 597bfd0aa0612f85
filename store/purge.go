package store

import (
	"context"
	"slices"
	"time"

	"memory-graph/internal/memory"
)

// Purge selects the turns to purge: those of a namespace that match all other fields. A zero value elsewhere does not
// narrow. A purge without any narrowing deletes the whole namespace.
type Purge struct {
	Namespace string
	Before    time.Time // said before
	Project   string
	SessionID string
	Source    string
}

// whole reports whether the purge deletes the whole namespace.
func (p Purge) whole() bool { return p == Purge{Namespace: p.Namespace} }

// purgeStep is the maximum number of turns, or of nodes, that one transaction deletes with what is derived from them.
// The write lock is free between transactions. Tests make it small.
var purgeStep = 1000

// Purge deletes turns for good, with everything derived only from them, as Forget does. The purge of a whole namespace
// also deletes its entities, facts, event log and rates, and nothing of the namespace stays. Without confirm it changes
// nothing and counts what it would delete.
//
// It works in transactions of at most purgeStep turns. A purge that was stopped has deleted some of the turns
// completely, and the next one continues. The error is Conflict if a turn in quarantine holds back an entity that would
// stay.
func (s *Store) Purge(ctx context.Context, p Purge, confirm bool, by memory.Caller) (memory.Forgotten, error) {
	by.Reason = ""
	var plan *forgetting
	var out memory.Forgotten
	err := s.read(ctx, "find what to purge", func(c *conn) (err error) {
		w := &writing{s: s, c: c, scope: memory.Scope{Namespace: p.Namespace}, now: s.now(), by: by}
		plan = w.newForgetting()
		if err := plan.addPurged(ctx, p); err != nil {
			return err
		}
		out, err = plan.count(ctx)
		return err
	})
	if err != nil || !confirm {
		out.DryRun = true
		return out, err
	}
	deleted := memory.Forgotten{Objects: out.Objects, EndsTakenBack: out.EndsTakenBack,
		Superseded: out.Superseded}
	for _, step := range plan.parts(p.whole()) {
		n, err := s.purge(ctx, p, step, plan.nodes, by)
		deleted.Episodes += n.Episodes
		deleted.Relationships += n.Relationships
		deleted.Entities += n.Entities
		if err != nil {
			return deleted, err
		}
	}
	if s.writer == nil && len(plan.parts(p.whole())) == 0 {
		return deleted, nil // a read-only memory without anything to delete
	}
	if p.whole() {
		err = s.write(ctx, "purge a namespace", func(c *conn) error { return dropNamespace(ctx, c, p.Namespace) })
	}
	s.emptyLog(ctx)
	return deleted, err
}

// addPurged collects the rows of a purge.
func (f *forgetting) addPurged(ctx context.Context, p Purge) error {
	w := new(where)
	w.and("e.namespace = ?", p.Namespace)
	for column, value := range map[string]string{"e.project": p.Project, "e.session_id": p.SessionID,
		"e.source": p.Source} {
		if value != "" {
			w.and(column+" = ?", value)
		}
	}
	if !p.Before.IsZero() {
		w.and("e.occurred_at < ?", memory.Seconds(p.Before))
	}
	turns, err := f.w.ids(ctx, `SELECT e.id FROM mg_episodes e WHERE `+w.sql.String(), w.args...)
	if err != nil {
		return err
	}
	f.episodes.add(turns...)
	if p.whole() {
		nodes, err := f.w.ids(ctx, `SELECT id FROM mg_entities WHERE namespace = ?`, p.Namespace)
		if err != nil {
			return err
		}
		f.nodes.add(nodes...)
	}
	return f.complete(ctx)
}

// part is what one transaction of a purge deletes, with what is derived from it.
type part struct{ episodes, nodes []int64 }

// parts cuts a plan into transactions: first the turns, then, of a whole namespace, the nodes.
func (f *forgetting) parts(whole bool) (list []part) {
	for ids := range slices.Chunk(f.episodes.sorted(), purgeStep) {
		list = append(list, part{episodes: ids})
	}
	if whole {
		for ids := range slices.Chunk(f.nodes.sorted(), purgeStep) {
			list = append(list, part{nodes: ids})
		}
	}
	return list
}

// purge deletes one part. It leaves out turns and nodes that are gone already, or that got another reference since the
// plan was made. going are the nodes that the whole purge deletes.
func (s *Store) purge(ctx context.Context, p Purge, some part, going idSet, by memory.Caller) (n memory.Forgotten,
	err error) {
	err = s.writeGraph(ctx, "purge", forgetAction, memory.Scope{Namespace: p.Namespace}, by,
		func(ctx context.Context, w *writing) error {
			f := w.newForgetting()
			f.going = going
			there, err := w.ids(ctx, `SELECT id FROM mg_episodes WHERE namespace = ?1 AND id IN (SELECT value FROM
				json_each(?2))`, p.Namespace, idList(some.episodes))
			if err != nil {
				return err
			}
			f.episodes.add(there...)
			nodes, err := w.ids(ctx, `SELECT id FROM mg_entities WHERE namespace = ?1 AND id IN (SELECT value FROM
				json_each(?2))`, p.Namespace, idList(some.nodes))
			if err != nil {
				return err
			}
			f.nodes.add(nodes...)
			if len(f.episodes)+len(f.nodes) == 0 {
				return nil
			}
			if err := f.complete(ctx); err != nil {
				return err
			}
			if n, err = f.count(ctx); err != nil {
				return err
			}
			if err := f.run(ctx); err != nil || len(n.Objects) == 0 {
				return err
			}
			_, err = w.log(ctx, n.Objects[0], "", "") // one event for the transaction
			return err
		})
	return n, err
}

// dropNamespace deletes what a namespace has besides turns, nodes and facts. What another process has stored since
// stays, with its events.
func dropNamespace(ctx context.Context, c *conn, namespace string) error {
	_, used, err := c.int64(ctx, `SELECT 1 FROM mg_episodes WHERE namespace = ?1 UNION ALL SELECT 1 FROM mg_entities WHERE
		namespace = ?1 LIMIT 1`, namespace)
	if err != nil || used {
		return err
	}
	for _, table := range []string{"mg_events", "mg_relation_rates", "mg_jobs", "mg_job_counts", "mg_counters",
		"mg_communities", "mg_relations", "mg_traces", "mg_rollout", "mg_expansions"} {
		if _, err := c.exec(ctx, `DELETE FROM `+table+` WHERE namespace = ?`, namespace); err != nil {
			return err
		}
	}
	return nil
}
