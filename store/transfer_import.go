package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"memory-graph/internal/memory"
)

// ImportOptions say how Import writes an export to a file.
type ImportOptions struct {
	Namespace string              // the target namespace; "" keeps the file's own
	Trusted   bool                // accept the file's claims about trust; otherwise nobody vouches for the file
	MaxText   int                 // the limit of a text, in bytes, if nobody vouches for the file; 0 for none
	Mask      func(string) string // masks the secrets in a text
	// MaskIdentifier replaces an identifier that holds a secret, such as a session's; two that differ stay different.
	MaskIdentifier func(string) string
	// Suspect returns why a text looks like an attack, nil if it does not. It is called if nobody vouches for the file. A
	// nil Suspect finds nothing.
	Suspect func(text string) []string
	// Problem receives each line that could not be imported, Note each line that was imported with a change or left out.
	Problem, Note func(line int, reason string)
}

// Imported counts what happened to the lines of an export.
type Imported struct {
	New   map[string]int // rows that were written, by record
	Known int            // rows that already existed
	Kept  int            // rows that are different or more trusted here, and were left unchanged
	// Raised counts rows of an earlier import without --trusted that now have what the file claims.
	Raised int
}

// Importer writes the lines of an export to the file. Rows keep their ids if these are free. An existing row stays
// unchanged, even if the file differs. So a second import changes nothing, and it completes an interrupted one.
type Importer struct {
	s         *Store
	o         ImportOptions
	namespace string
	ids       map[string]*idMap // by record
	last      map[string]int64  // the highest id that each table used before this import
	header    map[string]int64  // the same for the exported file
	out       Imported
	w         *writing
	touched   []int64 // entities whose index row must be written
	labelled  []int64 // turns, for the same reason
}

// TransferLine is one line of an export, parsed as JSON.
type TransferLine struct {
	Number int
	Fields map[string]json.RawMessage
}

// NewImporter starts an import.
func (s *Store) NewImporter(o ImportOptions) *Importer {
	m := &Importer{s: s, o: o, ids: map[string]*idMap{}, last: map[string]int64{},
		header: map[string]int64{}, out: Imported{New: map[string]int{}}}
	for _, r := range records {
		m.ids[r.name] = newIDMap()
	}
	return m
}

// Imported returns the counts so far.
func (m *Importer) Imported() Imported { return m.out }

// Lines imports some lines in one transaction. Lines must come in the order of the file. A line that cannot be imported
// is reported and skipped.
func (m *Importer) Lines(ctx context.Context, lines []TransferLine) error {
	do := func(c *conn) error {
		m.w = &writing{s: m.s, c: c, scope: memory.Scope{Namespace: m.namespace}, now: m.s.now()}
		m.touched, m.labelled = m.touched[:0], m.labelled[:0]
		for _, l := range lines {
			if err := m.line(ctx, l); err != nil {
				return err
			}
		}
		return m.index(ctx)
	}
	return m.s.write(ctx, "import", do)
}

// Finish records the last ids of the exported file, so that this file does not use them for anything else.
func (m *Importer) Finish(ctx context.Context) error {
	return m.s.write(ctx, "import", func(c *conn) error {
		for table, last := range m.header {
			if _, err := c.exec(ctx, `INSERT INTO mg_metadata (key, value) SELECT ?1, ?2 WHERE ?2 >= `+freshID(table)+`
				ON CONFLICT (key) DO UPDATE SET value = max(CAST(value AS INTEGER), CAST(excluded.value AS
				INTEGER))`, "last_id."+table, fmt.Sprint(last)); err != nil {
				return err
			}
		}
		return nil
	})
}

func (m *Importer) problem(l TransferLine, format string, args ...any) {
	m.o.Problem(l.Number, fmt.Sprintf(format, args...))
}

func (m *Importer) note(l TransferLine, format string, args ...any) {
	m.o.Note(l.Number, fmt.Sprintf(format, args...))
}

// line imports one line. It reports errors of the line itself as problems; the returned error is one of the database.
func (m *Importer) line(ctx context.Context, l TransferLine) error {
	var typ string
	_ = json.Unmarshal(l.Fields["record"], &typ) // anything but a text is an unknown type
	switch typ {
	case transferHeader:
		return m.begin(ctx, l)
	case transferNamespace:
		var name string
		if json.Unmarshal(l.Fields["name"], &name) != nil || name == "" {
			m.problem(l, "a namespace without a name; its rows go to %q", m.namespace)
			return nil
		}
		if err := m.index(ctx); err != nil { // of the previous namespace
			return err
		}
		m.namespace = name
		if m.o.Namespace != "" {
			m.namespace = m.o.Namespace
		}
		m.w.scope.Namespace = m.namespace
		return nil
	}
	r := recordOf(typ)
	if r == nil {
		m.problem(l, "the record %s is not known", shownJSON(l.Fields["record"]))
		return nil
	}
	if m.namespace == "" {
		m.problem(l, "it comes before any namespace line")
		return nil
	}
	t, err := parseTransferred(r, l.Fields, m.o)
	if err != nil {
		m.problem(l, "%v", err)
		return nil
	}
	if len(t.unknown) > 0 {
		m.note(l, "unknown fields are left out: %s", strings.Join(t.unknown, ", "))
	}
	if t.masked {
		m.note(l, "a secret in it is masked")
	}
	past, err := m.resolve(t)
	if err != nil {
		m.problem(l, "%v", err)
		return nil
	}
	if past { // the line's object is a different one here, so rows that refer to the line are foreign too
		m.ids[r.name].add(t.id, t.id)
		m.ids[r.name].foreign[t.id] = true
		m.out.Kept++
		return nil
	}
	mistake, err := m.attempt(func() error { return m.row(ctx, l, t) })
	if mistake != nil {
		m.problem(l, "%s", mistake.Message)
	}
	return err
}

// attempt runs do for one row. A row that the database refuses becomes a mistake and does not end the import.
func (m *Importer) attempt(do func() error) (*memory.Error, error) {
	err := do()
	var own *memory.Error
	if errors.As(err, &own) && own.Code == memory.InvalidArgument {
		return own, nil
	}
	if violatesSchema(err) { // a constraint fails its own statement and leaves the transaction as it was
		return memory.Errorf(memory.InvalidArgument, "the database refuses it: %v", err), nil
	}
	return nil, err
}

// begin reads the header.
func (m *Importer) begin(ctx context.Context, l TransferLine) error {
	var version int
	if json.Unmarshal(l.Fields["version"], &version) != nil || version < 1 || version > TransferVersion {
		return memory.Errorf(memory.InvalidArgument,
			"line %d: the export has version %s, but this program reads only up to %d.",
			l.Number, shownJSON(l.Fields["version"]), TransferVersion).
			WithHint("Update memory-graph.")
	}
	most := int64(mostID)
	if !m.o.Trusted {
		most = mostUnvouched
	}
	for _, table := range idTables {
		var last int64
		if json.Unmarshal(l.Fields["last_"+table], &last) == nil && last > 0 && last <= most {
			m.header[table] = last
		}
	}
	return nil
}

// kindRecords maps the letter of an id to its record.
var kindRecords = map[memory.Kind]string{memory.KindEntity: "entity", memory.KindMemory: "entity",
	memory.KindRelationship: "relationship", memory.KindEpisode: "episode"}

// snapshotRefs are the keys of snapshots that contain ids, with the record of each.
var snapshotRefs = map[string]string{"head_id": "entity", "tail_id": "entity", "parent_id": "entity",
	"merged_into": "entity", "superseded_by": "relationship"}
