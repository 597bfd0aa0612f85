package store

import (
	"context"

	"memory-graph/internal/memory"
)

// GraphFault is a rule of the graph that rows of the file break. Another program or a bug changed them.
type GraphFault struct {
	Rule    GraphRule
	N       int64       // number of rows, or pairs of rows, that break the rule
	Objects []memory.ID // the first faultsShown of these rows
}

// GraphRule names an invariant of the graph.
type GraphRule string

// The rules that CheckGraph checks.
const (
	OneActiveFact  GraphRule = "one_active_fact"  // at most one active fact of a head, relation and tail
	EvidenceOfFact GraphRule = "evidence_of_fact" // every fact has evidence
	OneOpenVersion GraphRule = "one_open_version" // every node and fact has exactly one open version
	ParentsClosure GraphRule = "parents_closure"  // the closure matches the parents
	OneNamespace   GraphRule = "one_namespace"    // facts and parents stay within a namespace
)

// faultsShown is how many objects a GraphFault names.
const faultsShown = 5

// parentDepth ends the walk up a chain of parents that is a cycle. No real tree is that deep.
const parentDepth = `1000`

// graphRules select the letter and the number of the ids that break a rule, each row once.
var graphRules = []struct {
	rule GraphRule
	sql  string
}{
	{OneActiveFact, `SELECT 'r', max(id) FROM mg_relationships NOT INDEXED WHERE valid_until IS NULL
		GROUP BY namespace, head_id, relation, tail_id HAVING count(*) > 1`},
	{EvidenceOfFact, `SELECT 'r', id FROM mg_facts r WHERE NOT EXISTS
		(SELECT 1 FROM mg_evidence v JOIN mg_episodes e ON e.id = v.episode_id WHERE v.relationship_id = r.id)`},
	{OneOpenVersion, `SELECT 'r', id FROM mg_facts r WHERE 1 <>
		(SELECT count(*) FROM mg_relationship_versions v WHERE v.relationship_id = r.id AND v.expired_at IS NULL)
		UNION ALL SELECT iif(kind = 'memory', 'm', 'e'), id FROM mg_entities e WHERE kind IN ` + shownKinds + ` AND 1 <>
		(SELECT count(*) FROM mg_entity_versions v WHERE v.entity_id = e.id AND v.expired_at IS NULL)`},
	{ParentsClosure, `WITH RECURSIVE above (ancestor, descendant, depth) AS (
			SELECT parent_id, id, 1 FROM mg_entities WHERE parent_id IS NOT NULL
			UNION SELECT e.parent_id, a.descendant, a.depth + 1 FROM above a JOIN mg_entities e ON e.id = a.ancestor
				WHERE e.parent_id IS NOT NULL AND a.depth < ` + parentDepth + `),
		wrong (id) AS (
			SELECT descendant FROM (SELECT * FROM above EXCEPT SELECT ancestor_id, descendant_id, depth FROM mg_closure)
			UNION SELECT descendant_id FROM (SELECT ancestor_id, descendant_id, depth FROM mg_closure EXCEPT SELECT * FROM
			above))
		SELECT CASE WHEN e.kind = 'memory' THEN 'm' ELSE 'e' END, w.id FROM wrong w LEFT JOIN mg_entities e ON e.id = w.id
		ORDER BY w.id`},
	{OneNamespace, `SELECT 'r', r.id FROM mg_facts r LEFT JOIN mg_entities h ON h.id = r.head_id LEFT JOIN
		mg_entities t ON t.id = r.tail_id
		WHERE h.namespace IS NOT r.namespace OR t.namespace IS NOT r.namespace
		UNION ALL SELECT iif(e.kind = 'memory', 'm', 'e'), e.id FROM mg_entities e LEFT JOIN mg_entities p ON p.id =
		e.parent_id
		WHERE e.parent_id IS NOT NULL AND p.namespace IS NOT e.namespace`},
}

// CheckGraph returns the rules that rows of the file break, in all namespaces, and none for a sound graph. It reads
// every node and every fact, so it is for the operator.
func (s *Store) CheckGraph(ctx context.Context) ([]GraphFault, error) {
	faults := []GraphFault{}
	err := s.read(ctx, "check the graph", func(c *conn) error {
		for _, r := range graphRules {
			f := GraphFault{Rule: r.rule}
			if err := c.query(ctx, r.sql, func(row cursor) error {
				if f.N++; len(f.Objects) < faultsShown {
					f.Objects = append(f.Objects, memory.ID{Kind: memory.Kind(row.text(0)[0]), Num: row.int64(1)})
				}
				return nil
			}); err != nil {
				return err
			}
			if f.N > 0 {
				faults = append(faults, f)
			}
		}
		return nil
	})
	return faults, err
}
