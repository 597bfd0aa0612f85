package store

import (
	"context"
	"crypto/sha256"
	"slices"
	"strings"

	"memory-graph/internal/memory"
)

// row writes a row, unless it already exists.
func (m *Importer) row(ctx context.Context, l TransferLine, t *transferred) error {
	beyond, err := m.beyond(ctx, t)
	if err != nil {
		return err
	}
	var id int64
	var same bool
	if t.record.id != "" && !t.record.link {
		// find before distrust: the file's claims are also needed to find a row
		if id, same, err = m.find(ctx, t); err != nil {
			return err
		}
	}
	if beyond && id == 0 {
		m.out.Kept++
		if t.record.id != "" && !t.record.link {
			m.ids[t.record.name].add(t.id, t.id)
			m.ids[t.record.name].foreign[t.id] = true
		}
		return nil
	}
	if !m.o.Trusted {
		if err := m.distrust(t); err != nil {
			return err
		}
	}
	switch {
	case t.record.link:
		return m.link(ctx, t)
	case t.record.id == "":
		return m.insertPlain(ctx, t)
	case t.record.name == "observation" && id == 0:
		joins := t.foreign
		if !joins && !m.o.Trusted {
			if joins, err = m.trusted(ctx, "entity", t.values["entity_id"]); err != nil {
				return err
			}
		}
		if joins {
			return m.observe(ctx, t)
		}
	}
	if id != 0 {
		m.ids[t.record.name].add(t.id, id)
		if !same {
			m.ids[t.record.name].foreign[t.id] = true
			m.out.Kept++
			return nil
		}
		m.out.Known++
		return m.vouch(ctx, t, t.record.id+` = ?1`, id)
	}
	if open, err := m.openVersion(ctx, t); err != nil || open {
		if open {
			m.note(l, "its object has changed here since; the version here was kept")
			m.out.Kept++
		}
		return err
	}
	m.out.New[t.record.name]++
	if id, err = m.insert(ctx, t); err != nil {
		m.out.New[t.record.name]--
		return err
	}
	m.ids[t.record.name].add(t.id, id)
	return m.derive(ctx, t, id)
}

// openVersion reports whether a version that is current in the export would be a second current one here.
func (m *Importer) openVersion(ctx context.Context, t *transferred) (bool, error) {
	of := map[string]string{"entity_version": "entity_id", "relationship_version": "relationship_id"}[t.record.name]
	if of == "" || t.values["expired_at"] != nil {
		return false, nil
	}
	_, open, err := m.w.c.int64(ctx, `SELECT 1 FROM `+t.record.table+` WHERE `+of+` = ? AND expired_at IS NULL LIMIT 1`,
		t.values[of])
	return open, err
}

// insert writes a row, under its own id if that id and all higher ones are free.
func (m *Importer) insert(ctx context.Context, t *transferred) (int64, error) {
	r := t.record
	last, err := m.before(ctx, r)
	if err != nil {
		return 0, err
	}
	id := t.id
	if last > 0 { // an existing row may have the id, and imported rows with new ids the next ones
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
	// a merged entity points to itself until the line with its target comes
	if merged, _ := t.values["merged"].(int64); merged != 0 {
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
	_, err = m.w.c.exec(ctx, `INSERT INTO `+r.table+` (`+strings.Join(names, ", ")+`) VALUES (`+strings.Join(marks, ", ")+
		`)`, args...)
	return id, err
}

// before returns the highest id that a record's table used before this import.
func (m *Importer) before(ctx context.Context, r *record) (int64, error) {
	last, ok := m.last[r.name]
	if ok {
		return last, nil
	}
	next, err := m.next(ctx, r)
	m.last[r.name] = next - 1
	return next - 1, err
}

// next returns the lowest id in a record's table from which on all ids are free.
func (m *Importer) next(ctx context.Context, r *record) (int64, error) {
	sql := `SELECT coalesce(max(` + r.id + `), 0) + 1 FROM ` + r.table
	if slices.Contains(idTables, r.table) {
		sql = `SELECT ` + freshID(r.table)
	}
	next, _, err := m.w.c.int64(ctx, sql)
	return next, err
}

// seq returns a turn's place in its session: its own, or the next free one if another turn has that place.
func (m *Importer) seq(ctx context.Context, session string, seq int64) (int64, error) {
	_, taken, err := m.w.c.int64(ctx, `SELECT 1 FROM mg_episodes WHERE namespace = ? AND session_id = ? AND seq = ?`,
		m.namespace, session, seq)
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
	n, err := m.w.c.exec(ctx, `INSERT INTO `+r.table+` (`+strings.Join(names, ", ")+`) VALUES (`+strings.Join(marks, ", ")+
		`) ON CONFLICT DO NOTHING`, args...)
	if err != nil {
		return err
	}
	m.count(r.name, n > 0)
	if n == 0 {
		return m.vouchPlain(ctx, t)
	}
	switch role := t.text("role"); {
	case r.name == "alias":
		m.touched = another(m.touched, t.values["entity_id"].(int64))
	case r.name == "mention" && (role == memory.MentionTag || role == memory.MentionType):
		m.labelled = another(m.labelled, t.values["episode_id"].(int64))
	}
	return nil
}

func (m *Importer) count(record string, isNew bool) {
	if isNew {
		m.out.New[record]++
	} else {
		m.out.Known++
	}
}
