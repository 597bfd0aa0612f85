package store

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"memory-graph/internal/memory"
)

// The author of a file may have written anything into it, even in the form of an export. So an import without --trusted
// takes the content of the file, but none of its claims about trust. Origins are tool at most, and confidences are
// within the cap of tool. The scanner decides on quarantine. Trusted rows of this file stay unchanged. An import of the
// same file with --trusted restores the rest (see vouch).

// unvouchedReason is the reason in a turn's list that says that an import put the turn into quarantine.
const unvouchedReason = "import: nobody vouched for the file"

// heldRecords are left out of an import without --trusted, because they change how trusted rows are read, or undo
// merges.
var heldRecords = []string{"rate", "merged_mention", "merged_evidence", "link_read"}

// lowered returns the values that a line gets in an import without --trusted, if they differ from what it claims.
func lowered(t *transferred) map[string]any {
	out := map[string]any{}
	for _, col := range t.record.columns {
		claimed := t.values[col.name]
		if claimed == nil {
			continue
		}
		least := claimed
		switch {
		case col.name == "origin":
			least = lowerOrigin(claimed.(string))
		case col.name == "confidence", col.name == "unfaded":
			least = min(claimed.(float64), memory.OriginTool.Cap())
		case col.name == "idempotency_key": // it could block a future turn
			least = nil
		case col.kind == columnJSON && col.name != "reasons":
			least = lowerSnapshot(claimed.(string))
		}
		if least != claimed {
			out[col.name] = least
		}
	}
	return out
}

func lowerOrigin(claimed string) string {
	return string(memory.LeastTrusted(memory.Origin(claimed), memory.OriginTool))
}

// lowerSnapshot does the same for a row as JSON.
func lowerSnapshot(snapshot string) string {
	var fields map[string]any
	dec := json.NewDecoder(strings.NewReader(snapshot))
	dec.UseNumber()
	if dec.Decode(&fields) != nil {
		return snapshot // not a row
	}
	changed := false
	if claimed, ok := fields["origin"].(string); ok && lowerOrigin(claimed) != claimed {
		fields["origin"], changed = lowerOrigin(claimed), true
	}
	for _, name := range []string{"confidence", "unfaded"} {
		claimed, ok := fields[name].(json.Number)
		if f, err := claimed.Float64(); ok && (err != nil || f > memory.OriginTool.Cap()) {
			fields[name], changed = memory.OriginTool.Cap(), true
		}
	}
	notedBy, _ := fields["observed_by"].([]any)
	for i := range notedBy {
		if claimed, ok := notedBy[i].(string); ok && lowerOrigin(claimed) != claimed {
			notedBy[i], changed = lowerOrigin(claimed), true
		}
	}
	if !changed {
		return snapshot
	}
	text, err := encodeJSON(fields)
	if err != nil {
		return "{}" // cannot happen: it was parsed from JSON
	}
	return text
}

// distrust lowers a line's values for an import without --trusted, or returns why the line cannot be imported.
func (m *Importer) distrust(t *transferred) error {
	if seq, _ := t.values["seq"].(int64); max(t.id, seq) > mostUnvouched {
		return memory.Errorf(memory.InvalidArgument,
			"its id or seq is %d, more than the %d of a file that nobody vouches for; --trusted accepts it", max(t.id,
				seq), int64(mostUnvouched))
	}
	switch t.record.name {
	case "episode":
		at, err := memory.ParseStored(t.text("occurred_at"))
		if err == nil && at.After(m.w.now.Add(memory.MaxAhead)) {
			return memory.Errorf(memory.InvalidArgument, "occurred_at %s is in the future", memory.RFC3339(at))
		}
		m.suspect(t)
	case "entity":
		// The user's own facts are shown with the name, so it must be the name that is resolved.
		if name, canonical := t.text("name"), t.text("canonical_name"); memory.Canonical(name) != canonical {
			return memory.Errorf(memory.InvalidArgument, "name is %s, but canonical_name is %s, which is a different name",
				clip(name), clip(canonical))
		}
	}
	for _, col := range t.record.columns {
		if text := t.text(col.name); m.o.MaxText > 0 && col.kind == columnSaid && col.name != "description" &&
			len(text) > m.o.MaxText {
			return memory.Errorf(memory.InvalidArgument,
				"%s is %d bytes long, more than the %d of a file that nobody vouches for; --trusted accepts it", col.name, len(
					text), m.o.MaxText)
		}
	}
	maps.Copy(t.values, lowered(t))
	return nil
}

// suspect puts a turn that looks like an attack into quarantine, even if the file gives it another status.
func (m *Importer) suspect(t *transferred) {
	status := t.text("status")
	if m.o.Suspect == nil || status == memory.StatusWithdrawn || status == memory.StatusQuarantined {
		return
	}
	reasons := m.o.Suspect(t.text("content"))
	if reasons == nil && t.text("speaker") != "" {
		reasons = m.o.Suspect(t.text("speaker"))
	}
	if reasons == nil {
		return
	}
	list, _ := encodeJSON(append(slices.Clip(reasons), unvouchedReason)) // texts never fail
	t.values["status"], t.values["reasons"] = memory.StatusQuarantined, list
}

// trusted reports whether a row of this file is trusted more than a tool.
func (m *Importer) trusted(ctx context.Context, record string, id any) (bool, error) {
	r := recordOf(record)
	origin, err := m.w.c.text(ctx, `SELECT origin FROM `+r.table+` WHERE id = ?`, id)
	return memory.Origin(origin).Trust() > memory.OriginTool.Trust(), err
}

// beyond reports whether a line needs somebody to vouch for the file: it is about a trusted row, or gives an entity a
// new name.
func (m *Importer) beyond(ctx context.Context, t *transferred) (bool, error) {
	if m.o.Trusted {
		return false, nil
	}
	switch name := t.record.name; name {
	case "entity_link", "episode_link", "relationship_link":
		base := strings.TrimSuffix(name, "_link")
		id, _, err := m.refer(base, t.id)
		if err != nil {
			return false, nil // link reports the error
		}
		return m.trusted(ctx, base, id)
	case "event_link":
		id, _, err := m.refer("event", t.id)
		if err != nil {
			return false, nil
		}
		object, err := m.w.c.text(ctx, `SELECT object FROM mg_events WHERE id = ?`, id)
		if err != nil {
			return false, err
		}
		return m.trustedObject(ctx, object)
	case "event":
		return m.trustedObject(ctx, t.text("object"))
	case "entity_version":
		return m.trusted(ctx, "entity", t.values["entity_id"])
	case "relationship_version", "evidence":
		return m.trusted(ctx, "relationship", t.values["relationship_id"])
	case "mention":
		status, err := m.w.c.text(ctx, `SELECT status FROM mg_episodes WHERE id = ?`, t.values["episode_id"])
		if err != nil || status == memory.StatusQuarantined {
			return true, err
		}
		return m.trusted(ctx, "episode", t.values["episode_id"])
	case "alias":
		canonical, err := m.w.c.text(ctx, `SELECT canonical_name FROM mg_entities WHERE id = ?`, t.values["entity_id"])
		if err != nil || canonical != t.text("alias") && canonical != "" {
			return true, err
		}
		return m.trusted(ctx, "entity", t.values["entity_id"])
	default:
		return slices.Contains(heldRecords, name), nil
	}
}

func (m *Importer) trustedObject(ctx context.Context, object string) (bool, error) {
	id, err := memory.ParseID(object)
	if err != nil || kindRecords[id.Kind] == "" {
		return false, nil
	}
	return m.trusted(ctx, kindRecords[id.Kind], id.Num)
}

// vouch gives a row of an earlier import without --trusted the values that the file claims. The row stays unchanged if
// its content now differs from the line, or if it came from a forged copy of the file.
func (m *Importer) vouch(ctx context.Context, t *transferred, where string, key ...any) error {
	if !m.o.Trusted {
		return nil
	}
	args := key
	bind := func(v any) string {
		args = append(args, v)
		return fmt.Sprint("?", len(args))
	}
	low, was := lowered(t), map[string]string{} // was: by column, the condition for setting the claim
	for _, col := range t.record.columns {
		_, is := low[col.name]
		says := col.kind == columnSaid || col.kind == columnText || strings.HasPrefix(col.name, "valid_") ||
			col.name == "expires_at"
		switch {
		case is:
			was[col.name] = col.name + ` IS ` + bind(low[col.name])
		case says && col.expr == "" && !slices.Contains([]string{"origin", "status", "idempotency_key"}, col.name):
			where += ` AND ` + col.name + ` IS ` + bind(t.values[col.name])
		}
	}
	if t.record.name == "episode" && t.text("status") != memory.StatusQuarantined {
		was["status"] = `status = '` + memory.StatusQuarantined + `' AND instr(coalesce(reasons, ''), '` + unvouchedReason +
			`') > 0`
		was["reasons"] = was["status"]
	}
	if len(was) == 0 {
		return nil
	}
	where += ` AND (` + strings.Join(slices.Sorted(maps.Values(was)), ` OR `) + `)`
	_, there, err := m.w.c.int64(ctx, `SELECT 1 FROM `+t.record.table+` WHERE `+where, args...)
	if err != nil || !there {
		return err
	}
	m.out.Raised++
	m.out.Known--
	var set []string
	for _, column := range slices.Sorted(maps.Keys(was)) {
		set = append(set, column+` = CASE WHEN `+was[column]+` THEN `+bind(t.values[column])+` ELSE `+column+` END`)
	}
	_, err = m.w.c.exec(ctx, `UPDATE OR IGNORE `+t.record.table+` SET `+strings.Join(set, ", ")+` WHERE `+where, args...)
	return err
}

// vouchPlain is vouch for a row without an id.
func (m *Importer) vouchPlain(ctx context.Context, t *transferred) error {
	if t.record.name != "evidence" { // other rows make no claims
		return nil
	}
	return m.vouch(ctx, t, `relationship_id = ?1 AND episode_id = ?2 AND method = ?3`, t.values["relationship_id"],
		t.values["episode_id"], t.values["method"])
}

// Bounds of an imported file, far above those of any real memory. Values beyond them could break the file for later
// rows.
const (
	mostID         = 1 << 52 // of ids and of places in a session
	mostUnvouched  = 1 << 40 // the same if nobody vouches for the file: it leaves room for all later ids
	mostStrength   = 1e9     // of strengths, counts and rates
	snapshotLevels = 100     // of nesting in a snapshot
)

// bounded refuses numbers that this program never writes.
func bounded(column string, n float64) error {
	most := float64(mostStrength)
	if column == "confidence" || column == "unfaded" {
		most = 1
	}
	if n < 0 || n > most || math.IsNaN(n) {
		return fmt.Errorf("%s is %g, not a number from 0 to %g", column, n, most)
	}
	return nil
}

// tooDeep reports whether a JSON value is nested deeper than snapshotLevels.
func tooDeep(raw []byte) bool {
	depth, inText := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case inText:
		case c == '{', c == '[':
			if depth++; depth > snapshotLevels {
				return true
			}
		case c == '}', c == ']':
			depth--
		}
	}
	return false
}
