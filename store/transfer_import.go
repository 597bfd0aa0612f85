package store

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ncruces/go-sqlite3"

	"memory-graph/memory"
	"memory-graph/text"
)

// ImportOptions say how an export is brought into a file.
type ImportOptions struct {
	Namespace string              // where to; "" is where it was
	DryRun    bool                // look what is there, and write nothing
	Mask      func(string) string // takes secrets out of a text
	// Problem is told of what could not be taken, or not as it stands, with the number of its line.
	Problem func(line int, reason string)
}

// Imported counts what became of an export's lines.
type Imported struct {
	New   map[string]int // rows that were written, by record
	Known int            // rows that were there as they are
	Kept  int            // rows that are others here, which were left as they are
}

// Importer brings the lines of an export into the file: rows keep their ids where these are free, and a row that is there
// already stays as it is, whatever the file says of it. So a second import changes nothing, and one that was cut off is
// finished by the next.
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
	m := &Importer{s: s, o: o, ids: map[string]*idMap{}, fresh: map[string]*idMap{}, last: map[string]int64{}, header: map[string]int64{}, out: Imported{New: map[string]int{}}}
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
				ON CONFLICT (key) DO UPDATE SET value = max(CAST(value AS INTEGER), CAST(excluded.value AS INTEGER))`, "last_id."+table, fmt.Sprint(last)); err != nil {
				return err
			}
		}
		return nil
	})
}

func (m *Importer) problem(l TransferLine, format string, args ...any) {
	m.o.Problem(l.Number, fmt.Sprintf(format, args...))
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
		m.problem(l, "unknown fields are left out: %s", strings.Join(t.unknown, ", "))
	}
	if t.masked {
		m.problem(l, "a secret in it is masked")
	}
	past, err := m.resolve(t)
	if err != nil {
		m.problem(l, "%v", err)
		return nil
	}
	if past { // of something that is another one here
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
	if sqliteConstraint(err) { // a constraint fails its own statement and leaves the transaction as it was
		return memory.Errorf(memory.InvalidArgument, "the database does not take it: %v", err), nil
	}
	return nil, err
}

// begin reads the header.
func (m *Importer) begin(ctx context.Context, l TransferLine) error {
	var version int
	if json.Unmarshal(l.Fields["version"], &version) != nil || version < 1 || version > TransferVersion {
		return memory.Errorf(memory.InvalidArgument, "line %d: the export is of version %s, and this program reads up to %d.", l.Number, shownJSON(l.Fields["version"]), TransferVersion).
			WithHint("Update memory-graph.")
	}
	for _, table := range idTables {
		var last int64
		if json.Unmarshal(l.Fields["last_"+table], &last) == nil && last > 0 {
			m.header[table] = last
		}
	}
	return nil
}

// resolve puts this file's ids in the place of the export's. past says that the line is about a row that is another one here.
func (m *Importer) resolve(t *transferred) (past bool, err error) {
	for _, col := range t.record.columns {
		v := t.values[col.name]
		switch {
		case v == nil:
		case col.kind == columnRef:
			old := v.(int64)
			now, foreign, err := m.refer(col.of, old)
			if err != nil {
				return false, fmt.Errorf("%s: %w", col.name, err)
			}
			t.values[col.name] = now
			past = past || foreign
		case col.kind == columnObject:
			id, err := memory.ParseID(v.(string))
			if err != nil {
				return false, err
			}
			of := kindRecords[id.Kind]
			if of == "" {
				continue
			}
			now, foreign, err := m.refer(of, id.Num)
			if err != nil {
				continue // it was forgotten, and the log says no more than that
			}
			t.values[col.name] = memory.ID{Kind: id.Kind, Num: now}.String()
			past = past || foreign
		case col.kind == columnJSON && !(m.ids["entity"].same() && m.ids["relationship"].same()):
			if t.values[col.name], err = m.remap(v.(string), t); err != nil {
				return false, err
			}
		}
	}
	switch t.record.name {
	case "event", "entity_version", "relationship_version":
		return past, nil // the past of a row is its own …
	}
	t.foreign = past
	return false, nil // … and everything else can be said of its namesake too
}

// kindRecords names the record that an id's letter is of.
var kindRecords = map[memory.Kind]string{memory.KindEntity: "entity", memory.KindMemory: "entity", memory.KindRelationship: "relationship", memory.KindEpisode: "episode"}

func (m *Importer) refer(record string, old int64) (now int64, foreign bool, err error) {
	now, ok := m.ids[record].get(old)
	if !ok {
		return 0, false, fmt.Errorf("%s %d is not in the file, or could not be taken", record, old)
	}
	if m.fresh[record].has(old) {
		now = -old // a dry run gives no ids
	}
	return now, m.ids[record].foreign[old], nil
}

// snapshotRefs are the keys of snapshots that hold ids.
var snapshotRefs = map[string]string{"head_id": "entity", "tail_id": "entity", "parent_id": "entity", "merged_into": "entity", "superseded_by": "relationship"}

// remap puts this file's ids into a snapshot.
func (m *Importer) remap(snapshot string, t *transferred) (string, error) {
	var fields map[string]any
	dec := json.NewDecoder(strings.NewReader(snapshot))
	dec.UseNumber()
	if dec.Decode(&fields) != nil {
		return snapshot, nil // a list of reasons: it holds no ids
	}
	of := "relationship"
	if _, ok := fields["canonical_name"]; ok {
		of = "entity"
	}
	for key, value := range fields {
		record := snapshotRefs[key]
		if key == "id" {
			record = of
		}
		n, isNumber := value.(json.Number)
		if record == "" || !isNumber {
			continue
		}
		old, err := n.Int64()
		if err != nil {
			continue
		}
		if now, ok := m.ids[record].get(old); ok {
			fields[key] = now
		}
	}
	return encodeJSON(fields)
}

// row writes a row, unless it is there.
func (m *Importer) row(ctx context.Context, l TransferLine, t *transferred) error {
	switch {
	case t.record.link:
		return m.link(ctx, t)
	case t.record.id == "":
		return m.insertPlain(ctx, t)
	}
	id, same, err := m.find(ctx, t)
	if err != nil {
		return err
	}
	if t.record.name == "observation" && id == 0 && t.foreign {
		return m.note(ctx, t)
	}
	if id != 0 {
		m.ids[t.record.name].add(t.id, id)
		if !same {
			m.ids[t.record.name].foreign[t.id] = true
			m.out.Kept++
			return nil
		}
		m.out.Known++
		return nil
	}
	if open, err := m.openVersion(ctx, t); err != nil || open {
		if open {
			m.problem(l, "what it is a version of has changed here since; it stays as it is here")
			m.out.Kept++
		}
		return err
	}
	m.out.New[t.record.name]++
	if m.o.DryRun {
		m.ids[t.record.name].add(t.id, t.id)
		m.fresh[t.record.name].add(t.id, t.id)
		return nil
	}
	if id, err = m.insert(ctx, t); err != nil {
		m.out.New[t.record.name]--
		return err
	}
	m.ids[t.record.name].add(t.id, id)
	return m.derive(ctx, t, id)
}

// openVersion says whether a version that is the current one in the export would be a second current one here.
func (m *Importer) openVersion(ctx context.Context, t *transferred) (bool, error) {
	of := map[string]string{"entity_version": "entity_id", "relationship_version": "relationship_id"}[t.record.name]
	if of == "" || t.values["expired_at"] != nil {
		return false, nil
	}
	_, open, err := m.w.c.int64(ctx, `SELECT 1 FROM `+t.record.table+` WHERE `+of+` = ? AND expired_at IS NULL LIMIT 1`, t.values[of])
	return open, err
}

// insert writes a row, under its own id where that and all behind it are free.
func (m *Importer) insert(ctx context.Context, t *transferred) (int64, error) {
	r := t.record
	last, err := m.before(ctx, r)
	if err != nil {
		return 0, err
	}
	id := t.id
	if last > 0 { // what is there may have the id, and what came in its stead the next ones
		next, err := m.next(ctx, r)
		if err != nil {
			return 0, err
		}
		id = max(id, next)
	}
	names, marks, args := []string{r.id}, []string{"?"}, []any{id}
	add := func(name string, v any) {
		names, marks, args = append(names, name), append(marks, "?"), append(args, v)
	}
	switch r.name {
	case "entity_version", "observation":
	default:
		add("namespace", m.namespace)
	}
	for _, col := range r.columns {
		if col.expr == "" {
			add(col.name, t.values[col.name])
		}
	}
	if merged, _ := t.values["merged"].(int64); merged != 0 { // it stands for itself until the line of what it was merged into comes
		add("merged_into", id)
	}
	if r.name == "episode" {
		hash := sha256.Sum256([]byte(t.text("content")))
		add("content_hash", hash[:])
		if session := t.text("session_id"); session != "" {
			seq, err := m.seq(ctx, session, t.values["seq"].(int64))
			if err != nil {
				return 0, err
			}
			args[slices.Index(names, "seq")] = seq
		}
	}
	_, err = m.w.c.exec(ctx, `INSERT INTO `+r.table+` (`+strings.Join(names, ", ")+`) VALUES (`+strings.Join(marks, ", ")+`)`, args...)
	return id, err
}

// before gives the highest id that a record's table ever gave before this import.
func (m *Importer) before(ctx context.Context, r *record) (int64, error) {
	last, ok := m.last[r.name]
	if ok {
		return last, nil
	}
	next, err := m.next(ctx, r)
	m.last[r.name] = next - 1
	return next - 1, err
}

// next gives the lowest id that is free in a record's table and behind which all are.
func (m *Importer) next(ctx context.Context, r *record) (int64, error) {
	sql := `SELECT coalesce(max(` + r.id + `), 0) + 1 FROM ` + r.table
	if slices.Contains(idTables, r.table) {
		sql = `SELECT ` + freshID(r.table)
	}
	next, _, err := m.w.c.int64(ctx, sql)
	return next, err
}

// seq gives a turn's place in its session: its own, or where that is another turn's the next behind all.
func (m *Importer) seq(ctx context.Context, session string, seq int64) (int64, error) {
	_, taken, err := m.w.c.int64(ctx, `SELECT 1 FROM mg_episodes WHERE namespace = ? AND session_id = ? AND seq = ?`, m.namespace, session, seq)
	if err != nil || !taken {
		return seq, err
	}
	return nextSeq(ctx, m.w.c, memory.Scope{Namespace: m.namespace, SessionID: session})
}

// insertPlain writes a row that has no id of its own.
func (m *Importer) insertPlain(ctx context.Context, t *transferred) error {
	r := t.record
	var names, marks []string
	var args []any
	add := func(name string, v any) {
		names, marks, args = append(names, name), append(marks, "?"), append(args, v)
	}
	if r.name == "alias" || r.name == "rate" {
		add("namespace", m.namespace)
	}
	for _, col := range r.columns {
		add(col.name, t.values[col.name])
	}
	if m.o.DryRun {
		key := plainKeys[r.name]
		var where []string
		var by []any
		for _, k := range key {
			where = append(where, k+" = ?")
			by = append(by, args[slices.Index(names, k)])
		}
		_, there, err := m.w.c.int64(ctx, `SELECT 1 FROM `+r.table+` WHERE `+strings.Join(where, " AND "), by...)
		m.count(r.name, !there)
		return err
	}
	n, err := m.w.c.exec(ctx, `INSERT INTO `+r.table+` (`+strings.Join(names, ", ")+`) VALUES (`+strings.Join(marks, ", ")+`) ON CONFLICT DO NOTHING`, args...)
	if err != nil {
		return err
	}
	m.count(r.name, n > 0)
	if r.name == "alias" && n > 0 {
		m.touch(t.values["entity_id"].(int64))
	}
	return nil
}

// plainKeys are the keys of rows without an id.
var plainKeys = map[string][]string{
	"alias": {"namespace", "alias", "entity_id"}, "rate": {"namespace", "relation"}, "evidence": {"relationship_id", "episode_id", "method"},
	"mention": {"episode_id", "entity_id", "role"}, "merged_mention": {"from_id", "episode_id", "role"},
	"merged_evidence": {"from_id", "target_id", "episode_id", "method"}, "link_read": {"entity_id", "kind"},
}

func (m *Importer) count(record string, isNew bool) {
	if isNew {
		m.out.New[record]++
	} else {
		m.out.Known++
	}
}

func (m *Importer) touch(id int64) {
	if len(m.touched) == 0 || m.touched[len(m.touched)-1] != id {
		m.touched = append(m.touched, id)
	}
}

// derive makes what follows from a row that is new.
func (m *Importer) derive(ctx context.Context, t *transferred, id int64) error {
	if t.record.name != "episode" {
		return nil
	}
	scope := memory.Scope{Namespace: m.namespace, Project: t.text("project"), User: t.text("user"), SessionID: t.text("session_id")}
	if _, err := m.w.c.exec(ctx, `INSERT INTO mg_episodes_fts (rowid, content, speaker, scope) VALUES (?, ?, ?, ?)`,
		id, text.Prepare(t.text("content")), text.Prepare(t.text("speaker")), scopeText(scope, memory.Role(t.text("role")))); err != nil {
		return err
	}
	return m.s.enqueueFor(ctx, m.w.c, memory.Episode{ID: id, Scope: scope}, nil, m.w.now)
}

// index writes the index rows of the entities that got names.
func (m *Importer) index(ctx context.Context) error {
	for _, id := range m.touched {
		if err := m.w.indexEntity(ctx, id); err != nil {
			return err
		}
	}
	m.touched = m.touched[:0]
	return nil
}

func (t *transferred) text(name string) string {
	s, _ := t.values[name].(string)
	return s
}

// link sets what of a row could only be told once all rows were there. What is set already stays.
func (m *Importer) link(ctx context.Context, t *transferred) error {
	base := strings.TrimSuffix(t.record.name, "_link")
	id, foreign, err := m.refer(base, t.id)
	if err != nil {
		return memory.Errorf(memory.InvalidArgument, "%v", err)
	}
	if foreign || m.o.DryRun {
		return nil
	}
	for _, col := range t.record.columns {
		v := t.values[col.name]
		if v == nil {
			continue
		}
		switch col.name {
		case "parent_id":
			err = m.setParent(ctx, id, v.(int64))
		case "merged_into": // stands for itself until then (see find)
			_, err = m.w.c.exec(ctx, `UPDATE mg_entities SET merged_into = ?2 WHERE id = ?1 AND (merged_into = ?1 OR merged_into IS NULL) AND id <> ?2`, id, v)
		default:
			_, err = m.w.c.exec(ctx, `UPDATE `+t.record.table+` SET `+col.name+` = ?2 WHERE id = ?1 AND `+col.name+` IS NULL`, id, v)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// setParent puts a node under another one, unless it stands somewhere already, or the other stands below it.
func (m *Importer) setParent(ctx context.Context, id, parent int64) error {
	_, refused, err := m.w.c.int64(ctx, `SELECT 1 FROM mg_entities WHERE id = ?1 AND parent_id IS NOT NULL
		UNION ALL SELECT 1 FROM mg_closure WHERE ancestor_id = ?1 AND descendant_id = ?2 LIMIT 1`, id, parent)
	if err != nil || refused || id == parent {
		return err
	}
	updated, err := m.w.c.text(ctx, `SELECT updated_at FROM mg_entities WHERE id = ?`, id)
	if err != nil {
		return err
	}
	if err := m.w.moveTo(ctx, id, parent); err != nil {
		return err
	}
	_, err = m.w.c.exec(ctx, `UPDATE mg_entities SET updated_at = ?2 WHERE id = ?1`, id, updated)
	return err
}

// sqliteConstraint says whether a statement failed because of what a row says.
func sqliteConstraint(err error) bool {
	return errors.Is(err, sqlite3.CONSTRAINT) || errors.Is(err, sqlite3.MISMATCH)
}
