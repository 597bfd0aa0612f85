package store

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"memory-graph/internal/memory"
)

// DefaultPerNode is how many edges of a node are read in each direction if a query sets no limit. See
// docs/decisions.md, "Strategy bfs".
const DefaultPerNode = 200

// factsAmong returns the FROM clause for the rows r, of facts or of their versions, whose head and tail are both among
// nodes. If touching is not empty, the head or the tail must also be among touching. It uses the indexes over pairs of
// head and tail, so the other facts of a hub are not read. It does not check whether the facts are active.
func factsAmong(at memory.AsOf, nodes, touching []int64) (from string, args []any) {
	facts := factsHolding(at, time.Time{})
	arms := []string{`mg_relationships r INDEXED BY mg_relationships_pair ON r.valid_until IS NULL`,
		`mg_relationships r INDEXED BY mg_relationships_head_past ON r.valid_until IS NOT NULL`,
		`mg_archive r INDEXED BY mg_archive_head ON true`}
	switch {
	case !at.KnownAt.IsZero():
		arms = []string{`mg_relationship_versions r INDEXED BY mg_relationship_versions_pair ON true`}
	case at.Now():
		arms = arms[:1]
	}
	// The index alone has the ids and confidences of these facts. The rows of other facts are not read.
	if at.Now() && len(touching) == 0 {
		return `FROM (SELECT DISTINCT value AS id FROM json_each(?)) n CROSS JOIN ` + arms[0] +
			` AND r.head_id = n.id AND r.tail_id IN (SELECT value FROM json_each(?))`, []any{idList(nodes), idList(nodes)}
	}
	// Either the head of a fact is among touching, or only the tail is. So no fact comes twice, and no other pair is
	// tried.
	sides := [][2]string{{idList(nodes), idList(nodes)}}
	if len(touching) > 0 {
		touches := make(map[int64]bool, len(touching))
		for _, n := range touching {
			touches[n] = true
		}
		others := slices.DeleteFunc(slices.Clone(nodes), func(n int64) bool { return touches[n] })
		sides = [][2]string{{idList(touching), idList(nodes)}, {idList(others), idList(touching)}}
	}
	var union []string
	for _, side := range sides {
		for _, arm := range arms {
			union = append(union, `SELECT r.`+facts.row+` AS row FROM
				(SELECT DISTINCT value AS id FROM json_each(?)) n CROSS JOIN `+arm+`
				AND r.head_id = n.id AND r.tail_id IN (SELECT value FROM json_each(?))`)
			args = append(args, side[0], side[1])
		}
	}
	return `FROM (` + strings.Join(union, ` UNION ALL `) + `) p CROSS JOIN ` + facts.table + ` r ON r.` + facts.row +
		` = p.row`, args
}

// nodesOf selects the nodes of ?1 that belong to the namespace ?2. Edges never cross namespaces, so the namespaces of
// the edges need no check.
const nodesOf = `WITH nodes (id) AS MATERIALIZED (SELECT DISTINCT n.id FROM json_each(?1) j CROSS JOIN mg_entities n ON
	n.id = j.value
	WHERE n.namespace = ?2) `

// The columns read of an edge, in the order of packedEdge.
const (
	edgeColumns = `r.id, r.tail_id AS other, r.relation, r.edge_class, r.confidence, r.strength, r.retrieval_count,
		r.last_observed_at AS seen`
	edgeColumnsThen = `r.relationship_id AS id, r.tail_id AS other, r.relation, coalesce(r.edge_class, '') AS edge_class,
		r.confidence, r.strength,
		0.0 AS retrieval_count, r.created_at AS seen`
)

// edgeSide is one direction. It has the column of the node, the column of the other node, and the indexes for active
// facts, for ended facts, for archived facts and for versions.
type edgeSide struct{ node, other, stored, past, archived, then string }

var (
	outEdges = edgeSide{"head_id", "tail_id", "mg_relationships_out", "mg_relationships_head_past", "mg_archive_head",
		"mg_relationship_versions_head"}
	inEdges = edgeSide{"tail_id", "head_id", "mg_relationships_in", "mg_relationships_tail_past", "mg_archive_tail",
		"mg_relationship_versions_tail"}
)

func sidesOf(d memory.Direction) ([]edgeSide, error) {
	switch d {
	case memory.Both, "":
		return []edgeSide{outEdges, inEdges}, nil
	case memory.Out:
		return []edgeSide{outEdges}, nil
	case memory.In:
		return []edgeSide{inEdges}, nil
	}
	return nil, memory.Errorf(memory.InvalidArgument, "direction: %q is unknown.", d).WithHint("Use both, out or in.")
}

// readEdges is Edges, narrowed to facts whose evidence includes one of the filter's episodes.
func readEdges(ctx context.Context, c *conn, q memory.EdgeQuery, f memory.Filter, now time.Time) ([]memory.Edge, bool,
	error) {
	names, err := c.relationNames(ctx, q.Relations, q.At)
	if err != nil {
		return nil, false, err
	}
	sides, err := names.sides(q.Direction)
	if err != nil {
		return nil, false, err
	}
	if q.PerNode <= 0 {
		q.PerNode = DefaultPerNode
	}
	facts := factsHolding(q.At, now)
	if q.At.Now() && q.Ahead {
		facts = factsActive(now)
	}
	list := edgeList{known: map[string]string{}, seen: make(map[int64]bool, 4*len(q.Nodes))}
	cut := false
	sql, args := nodesOf, []any{idList(q.Nodes), q.Namespace}
	for i, side := range sides {
		if i > 0 {
			sql += ` UNION ALL `
		}
		w := new(where)
		w.and(facts.where, facts.args...)
		w.in("r.relation", side.relations)
		w.in("r.edge_class", q.Classes)
		w.evidence(f, facts.id)
		part, partArgs := side.packed(q, facts, w)
		sql, args = sql+part, append(args, partArgs...)
	}
	err = c.query(ctx, sql, func(s cursor) error {
		more, err := list.unpack(s.int64(0), s.bool(1), s.rawText(2), q.PerNode)
		cut = cut || more
		return err
	}, args...)
	return list.edges, cut, err
}

// packed writes the query for one direction. It returns a row for each node, whose edges are packed into one text. A
// limit for each node needs a subselect for each node, because SQLite has no LATERAL, and a subselect returns one
// value. Packing is also about a third cheaper than a row for each edge, and reads only the index.
func (side edgeSide) packed(q memory.EdgeQuery, facts factsAt, w *where) (string, []any) {
	const ordered = ` ORDER BY confidence DESC, seen DESC, id LIMIT ?`
	columns := edgeColumns
	if !q.At.KnownAt.IsZero() {
		columns = edgeColumnsThen
	}
	if side.node == "tail_id" {
		columns = strings.Replace(columns, "r.tail_id AS other", "r.head_id AS other", 1)
	}
	of := func(table, index, more string) string {
		return `SELECT ` + columns + ` FROM ` + table + ` r INDEXED BY ` + index + ` WHERE r.` + side.node +
			` = n.id AND ` + w.sql.String() + more + ordered
	}
	one := append(slices.Clone(w.args), q.PerNode+1)
	var rows string
	args := one
	switch {
	case q.At.Now():
		rows = of(facts.table, side.stored, "")
	case q.At.KnownAt.IsZero():
		rows = `SELECT * FROM (` + of("mg_relationships", side.stored, ` AND r.valid_until IS NULL`) +
			`) UNION ALL SELECT * FROM (` + of("mg_relationships", side.past, ` AND r.valid_until IS NOT NULL`) +
			`) UNION ALL SELECT * FROM (` + of("mg_archive", side.archived, "") + `)` + ordered
		args = append(slices.Concat(one, one, one), q.PerNode+1)
	default:
		rows = of(facts.table, side.then, "")
	}
	isTail := "0"
	if side.node == "tail_id" {
		isTail = "1"
	}
	return `SELECT n.id, ` + isTail + `, (SELECT group_concat(` + packedEdge + `, char(30)) FROM (` + rows +
		`)) FROM nodes n`, args
}

// sortEdges sorts edges by confidence and then by the last observation, both descending, and then by id.
func sortEdges(edges []memory.Edge) {
	slices.SortFunc(edges, func(a, b memory.Edge) int {
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), b.LastObservedAt.Compare(a.LastObservedAt),
			cmp.Compare(a.ID, b.ID))
	})
}
