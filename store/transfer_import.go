package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"memory-graph/internal/memory"
)

// ImportOptions say how an export is brought into a file.
type ImportOptions struct {
	Namespace string              // where to; "" is where it was
	DryRun    bool                // look what is there, and write nothing
	Trusted   bool                // take what the file claims about trust; else nobody vouches for it
	MaxText   int                 // bytes of a text where nobody vouches for the file; 0: any
	Mask      func(string) string // takes secrets out of a text
	// Suspect says why a text of a file that nobody vouches for looks like an attack, nil where it does not; nil: none
	// does.
	Suspect func(text string) []string
	// Problem is told of each line that could not be taken, Note of what was taken or left otherwise than it stands.
	Problem, Note func(line int, reason string)
}

// Imported counts what became of an export's lines.
type Imported struct {
	New   map[string]int // rows that were written, by record
	Known int            // rows that were there as they are
	Kept  int            // rows that are others here, or trusted more than the file, which were left as they are
	// Raised counts the rows that came before with nobody to vouch for them, and are what the file says now.
	Raised int
}

// Importer brings the lines of an export into the file: rows keep their ids where these are free, and a row that is
// there already stays as it is, whatever the file says of it. So a second import changes nothing, and one that was cut
// off is finished by the next.
type Importer struct {
	s         *Store
	o         ImportOptions
	namespace string
	ids       map[string]*idMap // by record
	fresh     map[string]*idMap // with DryRun: what would be new
	last      map[string]int64  // the highest id that each table ever gave before this import
	header    map[string]int64  // the same of the file that was exported
	out       Imported
	w         *writing
	touched   []int64 // entities whose index row is to be written
}

// TransferLine is one line of an export, read as JSON.
type TransferLine struct {
	Number int
	Fields map[string]json.RawMessage
}

// NewImporter begins an import.
func (s *Store) NewImporter(o ImportOptions) *Importer {
	m := &Importer{s: s, o: o, ids: map[string]*idMap{}, fresh: map[string]*idMap{}, last: map[string]int64{},
		header: map[string]int64{}, out: Imported{New: map[string]int{}}}
	for _, r := range records {
		m.ids[r.name], m.fresh[r.name] = newIDMap(), newIDMap()
	}
	return m
}

// Imported gives the counts so far.
func (m *Importer) Imported() Imported { return m.out }

// Lines takes some lines in one transaction. Lines must come in the order of the file. A line that cannot be taken is
// reported and passed over.
func (m *Importer) Lines(ctx context.Context, lines []TransferLine) error {
	do := func(c *conn) error {
		m.w = &writing{s: m.s, c: c, scope: memory.Scope{Namespace: m.namespace}, now: m.s.now()}
		m.touched = m.touched[:0]
		for _, l := range lines {
			if err := m.line(ctx, l); err != nil {
				return err
			}
		}
		return m.index(ctx)
	}
	if m.o.DryRun {
		return m.s.read(ctx, "look at an export", do)
	}
	return m.s.write(ctx, "import", do)
}

// Finish notes how far the ids of the exported file had come, so that none of them is given to something else here.
func (m *Importer) Finish(ctx context.Context) error {
	if m.o.DryRun {
		return nil
	}
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

// line takes one line. The error is not the line's but one of the file.
func (m *Importer) line(ctx context.Context, l TransferLine) error {
	var typ string
	_ = json.Unmarshal(l.Fields["record"], &typ) // what is no text is an unknown type
	switch typ {
	case transferHeader:
		return m.begin(ctx, l)
	case transferNamespace:
		var name string
		if json.Unmarshal(l.Fields["name"], &name) != nil || name == "" {
			m.problem(l, "a namespace without a name; its rows go to %q", m.namespace)
			return nil
		}
		if err := m.index(ctx); err != nil { // of the namespace before
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
		m.problem(l, "it stands before any namespace")
		return nil
	}
	t, err := parseTransferred(r, l.Fields, m.o.Mask)
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
	if past { // of something that is another one here, and so is what refers to it
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

// attempt lets a row that the database refuses fail by itself.
func (m *Importer) attempt(do func() error) (*memory.Error, error) {
	err := do()
	var own *memory.Error
	if errors.As(err, &own) && own.Code == memory.InvalidArgument {
		return own, nil
	}
	if violatesSchema(err) { // a constraint fails its own statement and leaves the transaction as it was
		return memory.Errorf(memory.InvalidArgument, "the database does not take it: %v", err), nil
	}
	return nil, err
}

// begin reads the header.
func (m *Importer) begin(ctx context.Context, l TransferLine) error {
	var version int
	if json.Unmarshal(l.Fields["version"], &version) != nil || version < 1 || version > TransferVersion {
		return memory.Errorf(memory.InvalidArgument, "line %d: the export is of version %s, and this program reads up to %d.",
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

// kindRecords names the record that an id's letter is of.
var kindRecords = map[memory.Kind]string{memory.KindEntity: "entity", memory.KindMemory: "entity",
	memory.KindRelationship: "relationship", memory.KindEpisode: "episode"}

// snapshotRefs are the keys of snapshots that hold ids.
var snapshotRefs = map[string]string{"head_id": "entity", "tail_id": "entity", "parent_id": "entity",
	"merged_into": "entity", "superseded_by": "relationship"}

// plainKeys are the keys of rows without an id.
var plainKeys = map[string][]string{
	"alias": {"namespace", "alias", "entity_id"}, "rate": {"namespace", "relation"}, "evidence": {"relationship_id",
		"episode_id", "method"},
	"mention": {"episode_id", "entity_id", "role"}, "merged_mention": {"from_id", "episode_id", "role"},
	"merged_evidence": {"from_id", "target_id", "episode_id", "method"}, "link_read": {"entity_id", "kind"},
}
