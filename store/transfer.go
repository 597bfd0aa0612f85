package store

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"memory-graph/internal/memory"
)

// TransferVersion is the version of the lines that Export writes. Import reads this version and every earlier one.
const TransferVersion = 1

// The lines that are not rows.
const (
	transferHeader    = "memory-graph" // the first line: {"record":"memory-graph","version":1}
	transferNamespace = "namespace"    // the namespace of the rows that follow
)

// columnKind is the kind of a column's values, and decides their form in a line.
type columnKind byte

const (
	columnText   columnKind = 't'
	columnSaid   columnKind = 's' // text by people or models, in which secrets are masked
	columnTime   columnKind = 'w' // text, a stored time
	columnInt    columnKind = 'i'
	columnReal   columnKind = 'r'
	columnJSON   columnKind = 'j' // text, written to the line as JSON
	columnBlob   columnKind = 'b' // in hexadecimal
	columnRef    columnKind = '@' // the id of a row of another record
	columnObject columnKind = 'o' // the id of a row with its letter: "e12"
)

// column is one column of a record. A line leaves it out if it is NULL.
type column struct {
	name string
	kind columnKind
	of   string // for a columnRef: the record that it refers to
	expr string // an SQL expression instead of a column of the table; it is not inserted
}

// record is one kind of line: the rows of a table, or columns that can only be set when all rows are there.
type record struct {
	name    string // the line's field "record"
	table   string
	from    string // the rows of the namespace ?1, as t, in a stable order that needs no sorting
	id      string // the column of the row's own id, "" for none
	columns []column
	link    bool // nothing is inserted: the line sets columns of existing rows
}

// columns parses words of the form "name:kind"; @record is a reference to that record.
func columns(words string, more ...column) []column {
	var list []column
	for _, word := range strings.Fields(words) {
		name, kind, _ := strings.Cut(word, ":")
		list = append(list, column{name: name, kind: columnKind(kind[0]), of: strings.TrimPrefix(kind, "@")})
	}
	return append(list, more...)
}

// ofNamespace selects a table's rows by their namespace, in the order of the ids. It uses no index, because most files
// have only one namespace.
func ofNamespace(table string) string {
	return table + ` t NOT INDEXED WHERE t.namespace = ?1 ORDER BY t.id`
}

// records are all kinds of lines, in the order of the file: a line refers only to lines before it. The file leaves out
// what can be derived (indexes, vectors, the closure of the hierarchy, counts of mentions), unfinished work (jobs,
// leases) and what this machine measured (counters, use of models).
var records = []record{
	{name: "episode", table: "mg_episodes", id: "id", from: ofNamespace("mg_episodes"), columns: columns(`project:t user:t
		session_id:t seq:i role:t speaker:s source:t
		idempotency_key:t occurred_at:w created_at:w origin:t status:t reasons:j rules_read:i model_read:i content:s`)},
	{name: "entity", table: "mg_entities", id: "id", from: ofNamespace("mg_entities"), columns: columns(`kind:t
		canonical_name:s name:s type:t type_label:t type_assumed:i description:s
		confidence:r unfaded:r observation_count:i origin:t layer:i valid_from:w valid_until:w created_at:w updated_at:w
		last_seen_at:w`, column{name: "merged", kind: columnInt, expr: "t.merged_into IS NOT NULL"})},
	{name: "entity_link", table: "mg_entities", id: "id", link: true,
		columns: columns(`parent_id:@entity merged_into:@entity`),
		from: `mg_entities t NOT INDEXED WHERE t.namespace = ?1 AND (t.parent_id IS NOT NULL OR t.merged_into IS NOT NULL)
			ORDER BY t.id`},
	{name: "alias", table: "mg_entity_aliases", columns: columns(`entity_id:@entity alias:s created_at:w`),
		from: `mg_entities e NOT INDEXED CROSS JOIN mg_entity_aliases t ON t.entity_id = e.id WHERE e.namespace = ?1 ORDER BY
			e.id, t.alias`},
	{name: "observation", table: "mg_observations", id: "id",
		columns: columns(`entity_id:@entity origin:t episode_id:@episode created_at:w expired_at:w content:s`),
		from: `mg_observations t NOT INDEXED CROSS JOIN mg_entities e ON e.id = t.entity_id WHERE e.namespace = ?1 ORDER BY
			t.id`},
	{name: "episode_link", table: "mg_episodes", id: "id", link: true, columns: columns(`memory_id:@entity`),
		from: `mg_episodes t NOT INDEXED WHERE t.namespace = ?1 AND t.memory_id IS NOT NULL ORDER BY t.id`},
	{name: "relationship", table: "mg_relationships", id: "id", from: ofNamespace("mg_facts"),
		columns: columns(`head_id:@entity relation:t tail_id:@entity label:s edge_class:t
		fact:s confidence:r strength:r retrieval_count:r origin:t method:t valid_from:w valid_until:w expires_at:w
		from_unit:t until_unit:t created_at:w expired_at:w last_observed_at:w`)},
	{name: "relationship_link", table: "mg_relationships", id: "id", link: true,
		columns: columns(`superseded_by:@relationship`),
		from:    `mg_facts t NOT INDEXED WHERE t.namespace = ?1 AND t.superseded_by IS NOT NULL ORDER BY t.id`},
	{name: "evidence", table: "mg_evidence",
		columns: columns(`relationship_id:@relationship episode_id:@episode quote:s method:t confidence:r created_at:w`),
		from: `mg_evidence t CROSS JOIN mg_facts r ON r.id = t.relationship_id WHERE r.namespace = ?1 ORDER BY
			t.relationship_id, t.episode_id, t.method`},
	{name: "mention", table: "mg_mentions",
		columns: columns(`episode_id:@episode entity_id:@entity role:t start:i stop:i`),
		from: `mg_mentions t CROSS JOIN mg_episodes p ON p.id = t.episode_id WHERE p.namespace = ?1 ORDER BY t.episode_id,
			t.entity_id, t.role`},
	{name: "event", table: "mg_events", id: "id", from: ofNamespace("mg_events"),
		columns: columns(`at:w actor:t client:t call_id:t action:t object:o before:j after:j reason:s episode_id:@episode`)},
	{name: "event_link", table: "mg_events", id: "id", link: true, columns: columns(`undone_by:@event`),
		from: `mg_events t NOT INDEXED WHERE t.namespace = ?1 AND t.undone_by IS NOT NULL ORDER BY t.id`},
	{name: "entity_version", table: "mg_entity_versions", id: "version_id",
		columns: columns(
			`entity_id:@entity snapshot:j valid_from:w valid_until:w created_at:w expired_at:w cause:t event_id:@event`),
		from: `mg_entity_versions t NOT INDEXED CROSS JOIN mg_entities e ON e.id = t.entity_id WHERE e.namespace = ?1 ORDER BY
			t.version_id`},
	{name: "relationship_version", table: "mg_relationship_versions", id: "version_id",
		columns: columns(`relationship_id:@relationship head_id:@entity relation:t tail_id:@entity edge_class:t
		fact:s confidence:r strength:r valid_from:w valid_until:w expires_at:w superseded_by:@relationship origin:t method:t
		from_unit:t until_unit:t created_at:w expired_at:w cause:t event_id:@event`),
		from: `mg_relationship_versions t NOT INDEXED WHERE t.namespace = ?1 ORDER BY t.version_id`},
	{name: "rate", table: "mg_relation_rates", columns: columns(`relation:t rate:r`),
		from: `mg_relation_rates t WHERE t.namespace = ?1 ORDER BY t.relation`},
	{name: "merged_mention", table: "mg_merged_mentions",
		columns: columns(`from_id:@entity into_id:@entity episode_id:@episode role:t`),
		from: `mg_merged_mentions t CROSS JOIN mg_entities e ON e.id = t.from_id WHERE e.namespace = ?1 ORDER BY t.from_id,
			t.episode_id, t.role`},
	{name: "merged_evidence", table: "mg_merged_evidence",
		columns: columns(`from_id:@entity source_id:@relationship target_id:@relationship episode_id:@episode method:t`),
		from: `mg_merged_evidence t CROSS JOIN mg_entities e ON e.id = t.from_id WHERE e.namespace = ?1 ORDER BY t.from_id,
			t.target_id, t.episode_id, t.method`},
	{name: "link_read", table: "mg_link_reads", columns: columns(`entity_id:@entity kind:t digest:b`),
		from: `mg_link_reads t CROSS JOIN mg_entities e ON e.id = t.entity_id WHERE e.namespace = ?1 ORDER BY t.entity_id,
			t.kind`},
}

// idTables are the tables that never use an id twice. The header has the last id of each.
var idTables = []string{"mg_entities", "mg_relationships", "mg_episodes"}

// recordOf returns the record with a name, nil for none.
func recordOf(name string) *record {
	for i := range records {
		if records[i].name == name {
			return &records[i]
		}
	}
	return nil
}

// Namespaces returns the namespaces that contain anything, sorted.
func (s *Store) Namespaces(ctx context.Context) ([]string, error) {
	var list []string
	err := s.readOne(ctx, "list namespaces", func(c *conn) error {
		return c.query(ctx, `SELECT namespace FROM mg_episodes UNION SELECT namespace FROM mg_entities UNION SELECT namespace
			FROM mg_events
			UNION SELECT namespace FROM mg_relation_rates ORDER BY 1`, func(row cursor) error {
			list = append(list, row.text(0))
			return nil
		})
	})
	return list, err
}

// Export writes everything in namespaces as lines of JSON that Import reads: a header, then for each namespace a line
// with its name, followed by its rows. It reads one state of the file. The output does not depend on the time: the same
// memory gives the same bytes. progress, if not nil, is called after each line with the number of lines so far.
func (s *Store) Export(ctx context.Context, namespaces []string, to io.Writer, progress func(lines int)) (lines int,
	err error) {
	err = s.read(ctx, "export", func(c *conn) error {
		x := &exporting{to: to, progress: progress}
		x.b = append(x.b, `{"record":"`+transferHeader+`","version":`+strconv.Itoa(TransferVersion)...)
		for _, table := range idTables {
			last, _, err := c.int64(ctx, `SELECT `+freshID(table)+` - 1`)
			if err != nil {
				return err
			}
			x.key("last_" + table)
			x.b = strconv.AppendInt(x.b, last, 10)
		}
		x.b = append(x.b, "}\n"...)
		if err := x.flush(); err != nil {
			return err
		}
		for _, namespace := range namespaces {
			x.b = append(x.b, `{"record":"`+transferNamespace+`"`...)
			x.text("name", namespace)
			x.b = append(x.b, "}\n"...)
			if err := x.flush(); err != nil {
				return err
			}
			for _, r := range records {
				if err := x.rows(ctx, c, r, namespace); err != nil {
					return err
				}
			}
		}
		lines = x.lines
		return nil
	})
	return lines, err
}

// exporting writes lines.
type exporting struct {
	to       io.Writer
	b        []byte // the line that is being written
	lines    int
	progress func(int)
}

func (x *exporting) flush() error {
	_, err := x.to.Write(x.b)
	x.b = x.b[:0]
	x.lines++
	if x.progress != nil {
		x.progress(x.lines)
	}
	return err
}

func (x *exporting) rows(ctx context.Context, c *conn, r record, namespace string) error {
	names := make([]string, 0, len(r.columns)+1)
	if r.id != "" {
		names = append(names, "t."+r.id)
	}
	for _, col := range r.columns {
		names = append(names, cmp.Or(col.expr, "t."+col.name))
	}
	return c.query(ctx, `SELECT `+strings.Join(names, ", ")+` FROM `+r.from, func(row cursor) error {
		x.b = append(x.b, `{"record":"`+r.name+`"`...)
		at := 0
		if r.id != "" {
			x.key("id")
			x.b = strconv.AppendInt(x.b, row.int64(0), 10)
			at = 1
		}
		for i, col := range r.columns {
			if row.null(at + i) {
				continue
			}
			if err := x.value(col, row, at+i); err != nil {
				return fmt.Errorf("%s: %w", r.name, err)
			}
		}
		x.b = append(x.b, "}\n"...)
		return x.flush()
	}, namespace)
}

func (x *exporting) value(col column, row cursor, i int) error {
	switch col.kind {
	case columnInt, columnRef:
		x.key(col.name)
		x.b = strconv.AppendInt(x.b, row.int64(i), 10)
	case columnReal:
		x.key(col.name)
		x.b = strconv.AppendFloat(x.b, row.float(i), 'g', -1, 64)
	case columnBlob:
		x.text(col.name, hex.EncodeToString(row.rawBlob(i)))
	case columnJSON:
		x.key(col.name)
		raw := []byte(row.text(i))
		if !json.Valid(raw) || bytes.ContainsAny(raw, "\n\r") {
			return memory.Errorf(memory.Internal, "column %s is not one line of JSON", col.name)
		}
		x.b = append(x.b, raw...)
	default:
		x.text(col.name, row.text(i))
	}
	return nil
}

func (x *exporting) key(name string) { x.b = append(append(append(x.b, `,"`...), name...), `":`...) }

func (x *exporting) text(name, value string) {
	x.key(name)
	raw, _ := encodeJSON(value) // a string never fails
	x.b = append(x.b, raw...)
}
