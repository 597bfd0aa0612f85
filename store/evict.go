package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"memory-graph/internal/memory"
)

// Eviction selects what is archived.
type Eviction struct {
	// Retention is how long ended facts and unseen entities stay, above 0.
	Retention time.Duration
	// MaxEntities is the number of entities that stay in each namespace, 0 for no limit.
	MaxEntities int
}

// Evicted counts what an eviction archived.
type Evicted struct {
	At       time.Time `json:"at"`
	Facts    int64     `json:"facts"`
	Entities int64     `json:"entities"`
	// Over is the number of entities above Eviction.MaxEntities, over all namespaces, that stay: they have active facts
	// or are protected in another way.
	Over int64 `json:"over"`
	// Reported is set if this was the first run after an upgrade: it archived nothing, and counted what the next one
	// will.
	Reported bool `json:"reported"`
}

// The keys in mg_metadata of the eviction: that its first run after an upgrade is to come, and what its last run did.
const (
	evictReportFirst = "archive.report_first"
	evictLast        = "archive.last_run"
)

// Sizes of the steps of an eviction, each one transaction. The write lock is free between steps. Tests make them small.
var (
	evictFacts    = 200
	evictEntities = 200 // their vectors go too
)

// Evict moves facts that ended longer ago than the retention to the archive, and archives entities without active facts
// that were not seen for as long. If a namespace still has more than MaxEntities entities, it also archives those
// without active facts, the longest unseen with the fewest facts first. It never archives memories, nodes of the
// hierarchy, entities with observations or with active facts.
//
// No read at another time, no history and no export changes (docs/decisions.md, "Archive"). Evict works in short
// transactions, each of which is complete by itself, so it may be stopped at any point and run twice at once. The first
// run after an upgrade only counts. The error is InvalidArgument for values out of range.
func (s *Store) Evict(ctx context.Context, e Eviction) (Evicted, error) {
	if e.Retention <= 0 || e.MaxEntities < 0 {
		return Evicted{}, memory.Errorf(memory.InvalidArgument,
			"An eviction after %v with at most %d entities is not valid.", e.Retention, e.MaxEntities).
			WithHint("Give a retention above 0, and 0 entities or more.")
	}
	x := evicting{s: s, e: e, out: Evicted{At: s.now().UTC().Truncate(time.Millisecond)}}
	x.facts = memory.Seconds(x.out.At.Add(-e.Retention))
	x.seen = memory.Millis(x.out.At.Add(-e.Retention))
	first := false
	if err := s.readOne(ctx, "look for an upgrade", func(c *conn) (err error) {
		_, first, err = c.int64(ctx, `SELECT 1 FROM mg_metadata WHERE key = ?`, evictReportFirst)
		return err
	}); err != nil {
		return x.out, err
	}
	steps := []func(context.Context) error{x.moveFacts, x.moveEntities, x.moveOver}
	if first {
		steps = []func(context.Context) error{x.count}
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return x.out, err
		}
	}
	return x.out, x.record(ctx)
}

// LastEviction returns what the last eviction of the file did. ok is false if none has run.
func (s *Store) LastEviction(ctx context.Context) (last Evicted, ok bool, err error) {
	var text string
	if err = s.readOne(ctx, "read the last eviction", func(c *conn) error {
		return c.query(ctx, `SELECT value FROM mg_metadata WHERE key = ?`, textInto(&text), evictLast)
	}); err != nil || text == "" {
		return last, false, err
	}
	if err = json.Unmarshal([]byte(text), &last); err != nil {
		return last, false, fmt.Errorf("read the last eviction: %w", err)
	}
	return last, true, nil
}

// evicting is one eviction.
type evicting struct {
	s     *Store
	e     Eviction
	facts string // facts that ended by then go
	seen  string // entities last seen by then go
	out   Evicted
}

// endedBy is the condition on a fact that is archived: it ended at ?1 or before.
const endedBy = `valid_until IS NOT NULL AND valid_until <= ?1`

// idleEntity is the condition on an entity e that may be archived, by its age or by the limit of a namespace.
const idleEntity = `e.kind = 'entity' AND e.merged_into IS NULL AND e.archived_at IS NULL
	AND e.parent_id IS NULL AND e.layer IS NULL
	AND NOT EXISTS (SELECT 1 FROM mg_entities k WHERE k.parent_id = e.id)
	AND NOT EXISTS (SELECT 1 FROM mg_observations o WHERE o.entity_id = e.id AND o.expired_at IS NULL)
	AND NOT EXISTS (SELECT 1 FROM mg_relationships r WHERE r.head_id = e.id AND r.valid_until IS NULL)
	AND NOT EXISTS (SELECT 1 FROM mg_relationships r WHERE r.tail_id = e.id AND r.valid_until IS NULL)`

// unseenEntity is the condition on an entity e that is archived by its age: it was last seen at ?2 or before, and each
// of its facts ended at ?1 or before.
const unseenEntity = `e.last_seen_at <= ?2 AND ` + idleEntity + `
	AND NOT EXISTS (SELECT 1 FROM mg_relationships r WHERE r.head_id = e.id AND r.valid_until > ?1)
	AND NOT EXISTS (SELECT 1 FROM mg_relationships r WHERE r.tail_id = e.id AND r.valid_until > ?1)`

// steps passes the ids that a statement finds to do, at most limit in a step. The statement's last two parameters are
// the id after which it searches, and the limit.
func (x *evicting) steps(ctx context.Context, sql string, limit int, args []any,
	do func(ctx context.Context, c *conn, ids string) (int64, error), total *int64) error {
	for after := int64(0); ; {
		ids, err := x.ids(ctx, sql, append(args[:len(args):len(args)], after, limit)...)
		if err != nil || len(ids) == 0 {
			return err
		}
		if err := x.step(ctx, ids, do, total); err != nil {
			return err
		}
		after = ids[len(ids)-1]
	}
}

// step archives in one transaction, and adds the number of archived rows to total.
func (x *evicting) step(ctx context.Context, ids []int64, do func(context.Context, *conn, string) (int64, error),
	total *int64) error {
	var n int64
	err := x.s.write(ctx, "archive", func(c *conn) (err error) {
		n, err = do(ctx, c, idList(ids))
		return err
	})
	if err == nil {
		*total += n
	}
	return err
}

// ids reads ids without the write lock.
func (x *evicting) ids(ctx context.Context, sql string, args ...any) (ids []int64, err error) {
	err = x.s.readOne(ctx, "find what to archive", func(c *conn) error {
		ids = ids[:0]
		return c.query(ctx, sql, func(row cursor) error { ids = append(ids, row.int64(0)); return nil }, args...)
	})
	return ids, err
}

func (x *evicting) moveFacts(ctx context.Context) error {
	const find = `SELECT id FROM mg_relationships WHERE ` + endedBy + ` AND id > ?2 ORDER BY id LIMIT ?3`
	const these = `id IN (SELECT value FROM json_each(?2)) AND ` + endedBy
	return x.steps(ctx, find, evictFacts, []any{x.facts}, func(ctx context.Context, c *conn, ids string) (int64, error) {
		n, err := c.exec(ctx, `INSERT INTO mg_archive (`+factRow+`, archived_at) SELECT `+factRow+`, ?3
			FROM mg_relationships WHERE `+these, x.facts, ids, memory.Millis(x.out.At))
		if err != nil {
			return 0, err
		}
		_, err = c.exec(ctx, `DELETE FROM mg_relationships WHERE `+these, x.facts, ids)
		return n, err
	}, &x.out.Facts)
}

func (x *evicting) moveEntities(ctx context.Context) error {
	const find = `SELECT e.id FROM mg_entities e WHERE ` + unseenEntity + ` AND e.id > ?3 ORDER BY e.id LIMIT ?4`
	return x.steps(ctx, find, evictEntities, []any{x.facts, x.seen}, x.archiveEntities(unseenEntity), &x.out.Entities)
}

// archiveEntities archives those of the entities in a list that a condition on ?1 and ?2 still allows.
func (x *evicting) archiveEntities(where string) func(context.Context, *conn, string) (int64, error) {
	return func(ctx context.Context, c *conn, ids string) (int64, error) {
		var gone []int64
		if err := c.query(ctx, `UPDATE mg_entities AS e SET archived_at = ?3 WHERE e.id IN (SELECT value FROM json_each(?4))
			AND ?1 = ?1 AND ?2 = ?2 AND `+where+` RETURNING id`, func(row cursor) error {
			gone = append(gone, row.int64(0))
			return nil
		}, x.facts, x.seen, memory.Millis(x.out.At), ids); err != nil {
			return 0, err
		}
		for _, id := range gone {
			if err := forgetVectors(ctx, c, OfEntities, id); err != nil {
				return 0, err
			}
		}
		return int64(len(gone)), nil
	}
}

// counted is the condition on an entity e that counts for Eviction.MaxEntities.
const counted = `e.kind = 'entity' AND e.merged_into IS NULL AND e.archived_at IS NULL`

// crowded returns the namespaces with more entities than allowed, and how many more.
func (x *evicting) crowded(ctx context.Context) (map[string]int64, error) {
	over := map[string]int64{}
	if x.e.MaxEntities == 0 {
		return over, nil
	}
	err := x.s.readOne(ctx, "count entities", func(c *conn) error {
		clear(over)
		return c.query(ctx, `SELECT e.namespace, count(*) FROM mg_entities e WHERE `+counted+`
			GROUP BY e.namespace HAVING count(*) > ?`, func(row cursor) error {
			over[row.text(0)] = row.int64(1) - int64(x.e.MaxEntities)
			return nil
		}, x.e.MaxEntities)
	})
	return over, err
}

// moveOver archives entities above the limit of each namespace.
func (x *evicting) moveOver(ctx context.Context) error {
	crowded, err := x.crowded(ctx)
	if err != nil {
		return err
	}
	for namespace, over := range crowded {
		ids, err := x.ids(ctx, `SELECT e.id FROM mg_entities e WHERE e.namespace = ?1 AND `+idleEntity+`
			ORDER BY e.last_seen_at, (SELECT count(*) FROM mg_facts r WHERE r.head_id = e.id AND r.valid_until IS NOT NULL)
				+ (SELECT count(*) FROM mg_facts r WHERE r.tail_id = e.id AND r.valid_until IS NOT NULL), e.id LIMIT ?2`,
			namespace, over)
		if err != nil {
			return err
		}
		var gone int64
		for some := range slices.Chunk(ids, evictEntities) {
			if err := x.step(ctx, some, x.archiveEntities(idleEntity), &gone); err != nil {
				return err
			}
		}
		x.out.Entities += gone
		x.out.Over += over - gone
	}
	return nil
}

// count counts what would be archived.
func (x *evicting) count(ctx context.Context) error {
	x.out.Reported = true
	over, err := x.crowded(ctx)
	if err != nil {
		return err
	}
	var old, most map[string]int64 // by namespace: the unseen entities, and those that may go at all
	err = x.s.read(ctx, "count what to archive", func(c *conn) error {
		old, most = map[string]int64{}, map[string]int64{}
		if x.out.Facts, _, err = c.int64(ctx, `SELECT count(*) FROM mg_relationships WHERE `+endedBy,
			x.facts); err != nil {
			return err
		}
		return c.query(ctx, `SELECT e.namespace, count(*), sum(`+unseenEntity+`) FROM mg_entities e WHERE `+idleEntity+`
			GROUP BY e.namespace`, func(row cursor) error {
			most[row.text(0)], old[row.text(0)] = row.int64(1), row.int64(2)
			return nil
		}, x.facts, x.seen)
	})
	for namespace, n := range most {
		x.out.Entities += max(old[namespace], min(over[namespace], n))
	}
	for namespace, n := range over {
		x.out.Over += max(0, n-most[namespace])
	}
	return err
}

// record stores what the eviction did.
func (x *evicting) record(ctx context.Context) error {
	text, err := json.Marshal(x.out)
	if err != nil {
		return fmt.Errorf("write what was archived: %w", err)
	}
	return x.s.write(ctx, "record the eviction", func(c *conn) error {
		if _, err := c.exec(ctx, `DELETE FROM mg_metadata WHERE key = ?`, evictReportFirst); err != nil {
			return err
		}
		_, err := c.exec(ctx, `INSERT INTO mg_metadata (key, value) VALUES (?1, ?2)
			ON CONFLICT (key) DO UPDATE SET value = ?2`, evictLast, string(text))
		return err
	})
}
