package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// EvidenceOf returns the turns that say a fact, newest first, with the words that were quoted. It returns up to limit,
// and the number of all.
func (s *Store) EvidenceOf(ctx context.Context, namespace string, fact int64, limit int) (list []memory.Evidence,
	all int, err error) {
	err = s.read(ctx, "read evidence", func(c *conn) error {
		list, all = []memory.Evidence{}, 0
		return c.query(ctx, `SELECT `+episodeColumns+`, max(v.quote), group_concat(v.method) FROM mg_facts r
			CROSS JOIN mg_evidence v ON v.relationship_id = r.id CROSS JOIN mg_episodes e ON e.id = v.episode_id
			WHERE r.id = ?1 AND r.namespace = ?2 AND `+spoken+` GROUP BY e.id ORDER BY e.occurred_at DESC, e.id DESC`,
			func(row cursor) error {
				if all++; all > limit {
					return nil
				}
				e, err := scanEpisode(row)
				said := memory.Evidence{Episode: e, Quote: row.text(episodeFields)}
				for _, m := range slices.Sorted(strings.SplitSeq(row.text(episodeFields+1), ",")) {
					said.Methods = append(said.Methods, memory.Method(m))
				}
				list = append(list, said)
				return err
			}, fact, namespace)
	})
	return list, all, err
}

// FactsSaidIn returns the facts that a turn is evidence of, oldest first, up to limit.
func (s *Store) FactsSaidIn(ctx context.Context, namespace string, turn int64, limit int) ([]memory.Relationship,
	error) {
	var list []memory.Relationship
	err := s.read(ctx, "read the facts of a turn", func(c *conn) error {
		ids := []int64{}
		err := c.query(ctx, `SELECT DISTINCT v.relationship_id FROM mg_evidence v WHERE v.episode_id = ? AND `+spoken+`
			ORDER BY v.relationship_id LIMIT ?`, func(row cursor) error {
			ids = append(ids, row.int64(0))
			return nil
		}, turn, limit)
		if err != nil {
			return err
		}
		list, err = relationships(ctx, c, memory.Filter{Namespace: namespace}, ids, memory.AsOf{})
		return err
	})
	return list, err
}

// SupersededBy returns the facts that a fact superseded, oldest first, up to limit.
func (s *Store) SupersededBy(ctx context.Context, namespace string, fact int64, limit int) ([]memory.Relationship,
	error) {
	var list []memory.Relationship
	err := s.read(ctx, "read superseded facts", func(c *conn) (err error) {
		list, err = queryRelationships(ctx, c, memory.AsOf{}, `FROM mg_facts r`,
			`r.superseded_by = ? AND r.namespace = ? ORDER BY r.id LIMIT ?`, fact, namespace, limit)
		return err
	})
	return list, err
}

// NamesOf returns the names of entities and memories, also of those that were merged into others.
func (s *Store) NamesOf(ctx context.Context, namespace string, ids []int64) ([]memory.Node, error) {
	list := []memory.Node{}
	err := s.readOne(ctx, "read names", func(c *conn) error {
		return c.query(ctx, `SELECT e.id, e.kind, e.name, e.type FROM json_each(?) j CROSS JOIN mg_entities e ON
			e.id = j.value WHERE e.namespace = ? AND e.kind IN `+shownKinds, func(row cursor) error {
			list = append(list, scanNamed(row))
			return nil
		}, idList(ids), namespace)
	})
	return list, err
}

func scanNamed(row cursor) memory.Node {
	return memory.Node{ID: row.int64(0), Kind: memory.NodeKind(row.text(1)), Name: row.text(2), Type: row.text(3)}
}

// MergedInto returns the entities that were merged into one, the last merged first, up to limit.
func (s *Store) MergedInto(ctx context.Context, namespace string, entity int64, limit int) ([]memory.Node, error) {
	list := []memory.Node{}
	err := s.readOne(ctx, "read merged entities", func(c *conn) error {
		return c.query(ctx, `SELECT e.id, e.kind, e.name, e.type FROM mg_entities e WHERE e.merged_into = ? AND
			e.namespace = ? AND e.kind IN `+shownKinds+` ORDER BY e.updated_at DESC, e.id DESC LIMIT ?`, func(row cursor) error {
			list = append(list, scanNamed(row))
			return nil
		}, entity, namespace, limit)
	})
	return list, err
}

// Conflicts returns the active facts that cannot all be true now: several tails of a relation that has one, a relation
// and the one that it excludes, and memories that contradict each other. entity selects the conflicts of one head; 0
// selects all, which scans the index of all active facts. It returns up to limit conflicts; more reports that there are
// others.
func (s *Store) Conflicts(ctx context.Context, namespace string, entity int64, limit int) (list []memory.Clash,
	more bool, err error) {
	err = s.read(ctx, "read conflicts", func(c *conn) error {
		var one, excluded []string
		for _, name := range graph.Known() {
			switch known := graph.Lookup(name); {
			case known.One:
				one = append(one, name)
			case len(known.Excludes) > 0:
				excluded = append(excluded, name)
			}
		}
		list = []memory.Clash{}
		if err := clashingTails(ctx, c, namespace, entity, one, &list); err != nil {
			return err
		}
		return excludedPairs(ctx, c, namespace, entity, excluded, &list)
	})
	if more = len(list) > limit; more {
		list = list[:limit]
	}
	return list, more, err
}

// activeFacts returns the beginning of a scan of the active facts r of a namespace ?1, in the order of its index: those
// of all heads h, or of the head ?2.
func activeFacts(head int64) string {
	one := ""
	if head != 0 {
		one = ` AND r.head_id = ?2`
	}
	return ` FROM mg_relationships r INDEXED BY mg_relationships_active CROSS JOIN mg_entities h ON h.id = r.head_id
		WHERE r.namespace = ?1 AND r.valid_until IS NULL` + one + ` AND r.relation IN `
}

// headArgs are the arguments of activeFacts.
func headArgs(namespace string, head int64) []any {
	if head == 0 {
		return []any{namespace}
	}
	return []any{namespace, head}
}

// clashingTails finds the heads with several active tails of a relation that has one.
func clashingTails(ctx context.Context, c *conn, namespace string, entity int64, relations []string,
	into *[]memory.Clash) error {
	type group struct {
		relation, headType string
		ids                []int64
	}
	var groups []group
	err := c.query(ctx, `SELECT r.relation, h.type, group_concat(r.id)`+activeFacts(entity)+sqlNames(relations)+`
		GROUP BY r.head_id, r.relation HAVING count(*) > 1`, func(row cursor) error {
		ids, err := parseIDs(row.text(2))
		groups = append(groups, group{row.text(0), row.text(1), ids})
		return err
	}, headArgs(namespace, entity)...)
	if err != nil {
		return err
	}
	for _, g := range groups {
		known := graph.Lookup(g.relation)
		if !known.OneTail(g.headType) {
			continue
		}
		if known.Places {
			if g.ids, err = placesApart(ctx, c, namespace, g.ids); err != nil {
				return err
			}
		}
		if len(g.ids) > 1 {
			*into = append(*into, memory.Clash{Facts: g.ids, Reason: fmt.Sprintf(
				"Only one answer to “%s” can be true at a time.", strings.ReplaceAll(g.relation, "_", " "))})
		}
	}
	return nil
}

// placesApart removes facts whose place equals or contains the place of another fact.
func placesApart(ctx context.Context, c *conn, namespace string, ids []int64) ([]int64, error) {
	facts, err := relationships(ctx, c, memory.Filter{Namespace: namespace}, ids, memory.AsOf{})
	if err != nil {
		return nil, err
	}
	var kept []memory.Relationship
	for _, f := range facts {
		nested := false
		for _, k := range kept {
			inside, err := placesNested(ctx, c, f.Tail.ID, k.Tail.ID)
			if err != nil {
				return nil, err
			}
			nested = nested || inside || graph.Breadth(f.Tail.Name) != graph.Breadth(k.Tail.Name)
		}
		if !nested {
			kept = append(kept, f)
		}
	}
	ids = ids[:0]
	for _, f := range kept {
		ids = append(ids, f.ID)
	}
	return ids, nil
}

// excludedPairs finds active facts of a relation and of the relation that contradicts it, with the same head and tail,
// and the nodes that contradict each other.
func excludedPairs(ctx context.Context, c *conn, namespace string, entity int64, relations []string,
	into *[]memory.Clash) error {
	const contradicts = "contradicts"
	return c.query(ctx, `SELECT r.id, r.relation, r.tail_id, r.head_id`+activeFacts(entity)+
		sqlNames(append(slices.Clone(relations), contradicts))+` AND h.kind IN `+shownKinds, func(row cursor) error {
		id, relation, tail, head := row.int64(0), row.text(1), row.int64(2), row.int64(3)
		if relation == contradicts {
			*into = append(*into, memory.Clash{Facts: []int64{id}, Reason: "These two contradict each other."})
			return nil
		}
		// each pair once
		return c.query(ctx, `SELECT id, relation FROM mg_relationships WHERE namespace = ? AND head_id = ? AND tail_id = ?
			AND valid_until IS NULL AND relation > ? AND relation IN `+sqlNames(graph.Lookup(relation).Excludes)+
			` ORDER BY relation`, func(other cursor) error {
			*into = append(*into, memory.Clash{Facts: []int64{id, other.int64(0)}, Reason: fmt.Sprintf(
				"“%s” and “%s” cannot both be true.", strings.ReplaceAll(relation, "_", " "),
				strings.ReplaceAll(other.text(1), "_", " "))})
			return nil
		}, namespace, head, tail, relation)
	}, headArgs(namespace, entity)...)
}

// sqlNames writes the names of registered relations as a list. They are constants of the program.
func sqlNames(names []string) string { return `('` + strings.Join(names, `', '`) + `')` }
