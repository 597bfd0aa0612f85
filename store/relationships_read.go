package store

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// Reads on two axes of time (docs/facts.md): mg_relationships has what is active now. mg_facts, the union of this table
// and the archive, has what is now believed to have been true at a ValidAt. Only the versions of an instant have what
// was believed at a KnownAt.

// factsAt names the rows that a read at an instant uses, as r: their table, and the condition under which they are
// active. args holds the condition's parameters, in order.
type factsAt struct {
	table string // mg_relationships, mg_facts or mg_relationship_versions
	id    string // the column with the relationship's id
	row   string // the column with the row's id
	where string
	args  []any
}

// factsActive returns the rows of the facts that are active now, also of those that begin later.
func factsActive(now time.Time) factsAt {
	return factsAt{"mg_relationships", "id", "id", `r.valid_until IS NULL AND (r.expires_at IS NULL OR r.expires_at > ?)`,
		[]any{memory.Seconds(now)}}
}

// begun is the condition on facts r that have begun at an instant, or are a plan for later.
const begun = `(r.valid_from IS NULL OR r.valid_from <= ? OR r.relation = '` + graph.ScheduledFor + `')`

// factsHolding returns the rows of the facts that hold at an instant: they are active and have begun.
func factsHolding(at memory.AsOf, now time.Time) factsAt {
	if at.Now() {
		f := factsActive(now)
		f.where, f.args = f.where+` AND `+begun, append(f.args, f.args[0])
		return f
	}
	valid := memory.Seconds(at.Valid())
	f := factsAt{"mg_facts", "id", "id",
		`r.valid_from <= ? AND (r.valid_until IS NULL OR r.valid_until > ?) AND (r.expires_at IS NULL OR r.expires_at > ?)`,
		[]any{valid, valid, valid}}
	if !at.KnownAt.IsZero() {
		known := memory.Millis(at.KnownAt)
		f.table, f.id, f.row = "mg_relationship_versions", "relationship_id", "version_id"
		f.where = `r.created_at <= ? AND (r.expired_at IS NULL OR r.expired_at > ?) AND ` + f.where
		f.args = append([]any{known, known}, f.args...)
	}
	return f
}

// Relationships returns the whole facts with these ids, in the given order and each once. Unknown ids and ids of
// another namespace are left out. Without times it returns the facts as they are now, ended ones included; with times,
// only those that were true then.
func (s *Store) Relationships(ctx context.Context, namespace string, ids []int64,
	at memory.AsOf) ([]memory.Relationship, error) {
	return s.RelationshipsWithin(ctx, memory.Filter{Namespace: namespace}, ids, at)
}

// RelationshipsWithin is Relationships narrowed to facts with evidence among the filter's episodes.
func (s *Store) RelationshipsWithin(ctx context.Context, f memory.Filter, ids []int64,
	at memory.AsOf) ([]memory.Relationship, error) {
	out := make([]memory.Relationship, 0, len(ids))
	if len(ids) == 0 {
		return out, nil
	}
	err := s.readOne(ctx, "read relationships", func(c *conn) (err error) {
		out, err = relationships(ctx, c, f, ids, at)
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

func relationships(ctx context.Context, c *conn, f memory.Filter, ids []int64, at memory.AsOf) ([]memory.Relationship,
	error) {
	w := new(where)
	w.and("r.namespace = ?", f.Namespace)
	facts := factsAt{table: "mg_facts", id: "id"}
	if !at.Now() {
		facts = factsHolding(at, time.Time{})
		w.and(facts.where, facts.args...)
	}
	w.evidence(f, facts.id)
	list, err := queryRelationships(ctx, c, at, `FROM (SELECT DISTINCT value AS id FROM json_each(?)) j
		CROSS JOIN `+facts.table+` r ON r.`+facts.id+` = j.id`, w.sql.String(), append([]any{idList(ids)}, w.args...)...)
	place := make(map[int64]int, len(ids))
	for i, id := range slices.Backward(ids) {
		place[id] = i
	}
	slices.SortFunc(list, func(a, b memory.Relationship) int { return place[a.ID] - place[b.ID] })
	return list, err
}

// evidence restricts relationships r to those with evidence among the filter's episodes, if the filter asks for more
// than a namespace. id is r's column with the relationship's id.
func (w *where) evidence(f memory.Filter, id string) {
	if !f.Narrow() {
		return
	}
	e := filterWhere(f)
	// Links are derived from their two nodes, which have no project, user or session.
	w.and(`(r.method IN `+linkedMethods+
		` OR EXISTS (SELECT 1 FROM mg_evidence v CROSS JOIN mg_episodes e ON e.id = v.episode_id WHERE v.relationship_id =
			r.`+id+` AND `+e.sql.String()+`))`, e.args...)
}

// spoken is the condition under which answers name the evidence v. The placeholder note of a derived link is not a said
// turn.
const spoken = `v.method NOT IN ` + linkedMethods

// relationshipColumns are the columns that scanRelationship reads from mg_relationships as r with its nodes h and t.
const relationshipColumns = `r.id, r.namespace, r.relation, r.label, r.edge_class, r.fact, r.confidence, r.strength,
	r.retrieval_count, r.origin, r.method,
	r.valid_from, r.valid_until, r.expires_at, r.created_at, r.expired_at, r.last_observed_at, r.superseded_by,
	r.head_id, h.kind, h.name, h.type, r.tail_id, t.kind, t.name, t.type,
	r.from_unit, r.until_unit,
	(SELECT group_concat(v.episode_id) FROM mg_evidence v WHERE v.relationship_id = r.id AND ` + spoken + `)`

// relationshipColumnsThen are the same columns of a version. Counters are 0, because versions do not have them. The
// label is the current row's, if the row still exists. The evidence is what existed then. nameEndsThen sets the names
// that the nodes had then. The two parameters are the instant.
const relationshipColumnsThen = `r.relationship_id, r.namespace, r.relation,
	coalesce((SELECT label FROM mg_facts WHERE id = r.relationship_id), r.relation),
	coalesce(r.edge_class, ''), coalesce(r.fact, ''), r.confidence, r.strength, 0.0, r.origin, r.method,
	r.valid_from, r.valid_until, r.expires_at, r.created_at, r.expired_at, r.created_at, r.superseded_by,
	r.head_id, h.kind, h.name, h.type, r.tail_id, t.kind, t.name, t.type,
	r.from_unit, r.until_unit,
	(SELECT group_concat(v.episode_id) FROM mg_evidence v WHERE v.relationship_id = r.relationship_id AND v.created_at <=
	? AND ` + spoken + `)`

// queryRelationships reads whole relationships r: from names the rows, rest is the condition and what follows it.
func queryRelationships(ctx context.Context, c *conn, at memory.AsOf, from, rest string,
	args ...any) ([]memory.Relationship, error) {
	columns, ends := relationshipColumns,
		` CROSS JOIN mg_entities h ON h.id = r.head_id CROSS JOIN mg_entities t ON t.id = r.tail_id`
	if !at.KnownAt.IsZero() {
		columns = relationshipColumnsThen
		args = append([]any{memory.Millis(at.KnownAt)}, args...)
	}
	out := []memory.Relationship{}
	err := c.query(ctx, `SELECT `+columns+` `+from+ends+` WHERE `+rest, func(s cursor) error {
		r, err := scanRelationship(s, 0)
		out = append(out, r)
		return err
	}, args...)
	if err != nil || at.KnownAt.IsZero() {
		return out, err
	}
	return out, nameEndsThen(ctx, c, at, out)
}

// scanRelationship reads relationshipColumns, which are the last columns of the row and begin at column from.
func scanRelationship(s cursor, from int) (memory.Relationship, error) {
	const columns = 29
	all := make([]any, from+columns)
	if err := s.columns(all); err != nil { // one call into SQLite for all columns
		return memory.Relationship{}, err
	}
	row := all[from:]
	str := func(i int) string { v, _ := row[i].(string); return v } // NULL is ""
	num := func(i int) int64 { v, _ := row[i].(int64); return v }
	share := func(i int) float64 { v, _ := row[i].(float64); return v }
	end := func(i int) memory.Node {
		return memory.Node{ID: num(i), Kind: memory.NodeKind(str(i + 1)), Name: str(i + 2), Type: str(i + 3)}
	}
	r := memory.Relationship{ID: num(0), Namespace: str(1), Relation: str(2), Label: str(3), EdgeClass: str(4),
		Fact:       str(5),
		Confidence: share(6), Strength: share(7), RetrievalCount: share(8), Origin: memory.Origin(
			str(9)), Method: memory.Method(str(10)),
		SupersededBy: num(17), Head: end(18), Tail: end(22), FromUnit: memory.Unit(str(26)),
		UntilUnit: memory.Unit(str(27))}
	for i, into := range []*time.Time{&r.ValidFrom, &r.ValidUntil, &r.ExpiresAt, &r.CreatedAt, &r.ExpiredAt,
		&r.LastObservedAt} {
		var err error
		if *into, err = memory.ParseStored(str(11 + i)); err != nil {
			return r, fmt.Errorf("times of relationship %d: %w", r.ID, err)
		}
	}
	var err error
	if r.Evidence, err = parseIDs(str(28)); err != nil {
		return r, fmt.Errorf("evidence of relationship %d: %w", r.ID, err)
	}
	return r, nil
}

// parseIDs parses a group_concat of ids: sorted, each once; nil for none.
func parseIDs(list string) ([]int64, error) {
	if list == "" {
		return nil, nil
	}
	ids := make([]int64, 0, 1+strings.Count(list, ","))
	for part := range strings.SplitSeq(list, ",") {
		id, err := strconv.ParseInt(part, 10, 64)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// nameEndsThen sets the nodes of relationships as they were believed to be at an instant.
func nameEndsThen(ctx context.Context, c *conn, at memory.AsOf, list []memory.Relationship) error {
	known := memory.Millis(at.KnownAt)
	nodes := map[int64]memory.Node{}
	ids := make([]int64, 0, 2*len(list))
	for _, r := range list {
		ids = append(ids, r.Head.ID, r.Tail.ID)
	}
	err := c.query(ctx, `SELECT v.snapshot FROM json_each(?1) j CROSS JOIN mg_entity_versions v ON v.entity_id = j.value
		WHERE v.created_at <= ?2 AND (v.expired_at IS NULL OR v.expired_at > ?2)`, func(s cursor) error {
		e, err := parseEntitySnapshot(s.text(0))
		nodes[e.ID] = memory.Node{ID: e.ID, Kind: memory.NodeKind(e.Kind), Name: e.Name, Type: e.Type}
		return err
	}, idList(ids), known)
	for i := range list {
		for _, end := range []*memory.Node{&list[i].Head, &list[i].Tail} {
			if then, ok := nodes[end.ID]; ok {
				*end = then
			}
		}
	}
	return err
}

// LinksOf returns the whole facts of the query's nodes with evidence among the filter's episodes, each once: highest
// stored confidence first, then the last observed, then the older id. It skips the first offset facts and returns up to
// limit. more reports that there are others. PerNode is ignored. The cost of a page includes the pages before it.
func (s *Store) LinksOf(ctx context.Context, q memory.EdgeQuery, f memory.Filter, offset,
	limit int) (links []memory.Relationship, more bool, err error) {
	f.Namespace = q.Namespace
	err = s.read(ctx, "read links", func(c *conn) (err error) {
		links, more, err = linksOf(ctx, c, q, f, s.now(), offset, limit)
		return err
	})
	if err != nil {
		return nil, false, err
	}
	return links, more, nil
}

func linksOf(ctx context.Context, c *conn, q memory.EdgeQuery, f memory.Filter, now time.Time, offset,
	limit int) ([]memory.Relationship, bool, error) {
	q.PerNode = offset + limit + 1
	edges, _, err := readEdges(ctx, c, q, f, now)
	if err != nil || len(edges) <= offset {
		return []memory.Relationship{}, false, err
	}
	sortEdges(edges)
	page := edges[offset:min(len(edges), offset+limit)]
	ids := make([]int64, len(page))
	for i, e := range page {
		ids[i] = e.ID
	}
	list, err := relationships(ctx, c, memory.Filter{Namespace: q.Namespace}, ids, q.At)
	return list, len(edges) > offset+limit, err
}

// in adds "column is one of list", or nothing for an empty list.
func (w *where) in(column string, list []string) {
	if len(list) == 0 {
		return
	}
	args := make([]any, len(list))
	for i, v := range list {
		args[i] = v
	}
	w.and(column+` IN (?`+strings.Repeat(", ?", len(list)-1)+`)`, args...)
}
