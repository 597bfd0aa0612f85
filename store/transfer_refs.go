package store

import (
	"encoding/json"
	"fmt"
	"strings"

	"memory-graph/internal/memory"
)

// resolve replaces the export's ids with this file's. past reports that the line is history of a row that is a
// different one here.
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
				continue // it was forgotten, so the log has nothing more
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
		return past, nil // the history of a row belongs to that row only …
	}
	t.foreign = past
	return false, nil // … and everything else can also be said of its namesake
}

func (m *Importer) refer(record string, old int64) (now int64, foreign bool, err error) {
	now, ok := m.ids[record].get(old)
	if !ok {
		return 0, false, fmt.Errorf("%s %d is not in the file, or could not be imported", record, old)
	}
	return now, m.ids[record].foreign[old], nil
}

// remap replaces the ids in a snapshot with this file's.
func (m *Importer) remap(snapshot string, t *transferred) (string, error) {
	var fields map[string]any
	dec := json.NewDecoder(strings.NewReader(snapshot))
	dec.UseNumber()
	if dec.Decode(&fields) != nil {
		return snapshot, nil // a list of reasons, which contains no ids
	}
	of := "relationship"
	if _, ok := fields["canonical_name"]; ok {
		of = "entity"
	}
	m.renumber(fields, snapshotRefs)
	m.renumber(fields, map[string]string{"id": of})
	mentions, _ := fields["mentions"].([]any) // of a withdrawn turn
	for _, each := range mentions {
		if mention, ok := each.(map[string]any); ok {
			m.renumber(mention, map[string]string{"entity_id": "entity"})
		}
	}
	return encodeJSON(fields)
}

// renumber replaces the ids in fields with this file's. refs maps the fields with ids to their records.
func (m *Importer) renumber(fields map[string]any, refs map[string]string) {
	for key, record := range refs {
		n, isNumber := fields[key].(json.Number)
		if !isNumber {
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
}
