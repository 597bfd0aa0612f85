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

// Whoever wrote a file may have written anything into it, also into what looks like an export of ours. So an import
// that nobody vouches for takes what the file says, and nothing that it claims about trust: origins are tool at most,
// confidences what a tool may have, statuses what the scanner makes of the text, and rows that are trusted here stay
// as they are. The same file, vouched for, restores the rest (see vouch).

// unvouchedReason marks, among a turn's reasons, that an import put it into quarantine.
const unvouchedReason = "import: nobody vouched for the file"

// heldRecords are left out until somebody vouches for the file: they change how trusted rows are read, or undo
// merges.
var heldRecords = []string{"rate", "merged_mention", "merged_evidence", "link_read"}

// lowered gives the values that a line has where nobody vouches for it, as far as they are others than it claims.
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
		case col.name == "idempotency_key": // it would stand in the way of a turn that is yet to come
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

// lowerSnapshot is lowered for a row as JSON.
func lowerSnapshot(snapshot string) string {
	var fields map[string]any
	dec := json.NewDecoder(strings.NewReader(snapshot))
	dec.UseNumber()
	if dec.Decode(&fields) != nil {
		return snapshot // no row
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
		return "{}" // cannot happen for what was read as JSON
	}
	return text
}

// distrust makes of a line what it is worth where nobody vouches for it.
func (m *Importer) distrust(t *transferred) error {
	if seq, _ := t.values["seq"].(int64); max(t.id, seq) > mostUnvouched {
		return memory.Errorf(memory.InvalidArgument,
			"its id or seq is %d, more than the %d of a file that nobody vouches for; --trusted takes it", max(t.id,
				seq), int64(mostUnvouched))
	}
	switch t.record.name {
	case "episode":
		m.suspect(t)
	case "entity":
		// A name is how the user's own facts are shown: it cannot be another than the one that is resolved.
		if name, canonical := t.text("name"), t.text("canonical_name"); memory.Canonical(name) != canonical {
			return memory.Errorf(memory.InvalidArgument, "name is %s, and canonical_name is %s, which is another name",
				clip(name), clip(canonical))
		}
	}
	for _, col := range t.record.columns {
		if text := t.text(col.name); m.o.MaxText > 0 && col.kind == columnSaid && col.name != "description" &&
			len(text) > m.o.MaxText {
			return memory.Errorf(memory.InvalidArgument,
				"%s is %d bytes long, more than the %d of a file that nobody vouches for; --trusted takes it", col.name, len(
					text), m.o.MaxText)
		}
	}
	maps.Copy(t.values, lowered(t))
	return nil
}

// suspect puts a turn that looks like an attack into quarantine, whatever the file says of it.
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
	list, _ := encodeJSON(append(slices.Clip(reasons), unvouchedReason)) // of texts: never fails
	t.values["status"], t.values["reasons"] = memory.StatusQuarantined, list
}

// trusted says whether a row of this file is trusted more than a tool.
func (m *Importer) trusted(ctx context.Context, record string, id any) (bool, error) {
	r := recordOf(record)
	origin, err := m.w.c.text(ctx, `SELECT origin FROM `+r.table+` WHERE id = ?`, id)
	return memory.Origin(origin).Trust() > memory.OriginTool.Trust(), err
}

// beyond says whether a line is none that a file may say unless somebody vouches for it: it is about a row that is
// trusted, or gives an entity a name that it was not made with.
func (m *Importer) beyond(ctx context.Context, t *transferred) (bool, error) {
	if m.o.Trusted {
		return false, nil
	}
	switch name := t.record.name; name {
	case "entity_link", "episode_link", "relationship_link":
		base := strings.TrimSuffix(name, "_link")
		id, _, err := m.refer(base, t.id)
		if err != nil {
			return false, nil // link says so
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

// vouch gives a row that came with an import that nobody vouched for what the file claims of it. A row that says
// something else than the line by now, or came with a forged copy of the file, stays as it is.
func (m *Importer) vouch(ctx context.Context, t *transferred, where string, key ...any) error {
	if !m.o.Trusted {
		return nil
	}
	args := key
	bind := func(v any) string {
		args = append(args, v)
		return fmt.Sprint("?", len(args))
	}
	low, was := lowered(t), map[string]string{} // was is the condition under which a column gets what the file claims
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
	if m.o.DryRun {
		return nil
	}
	var set []string
	for _, column := range slices.Sorted(maps.Keys(was)) {
		set = append(set, column+` = CASE WHEN `+was[column]+` THEN `+bind(t.values[column])+` ELSE `+column+` END`)
	}
	_, err = m.w.c.exec(ctx, `UPDATE OR IGNORE `+t.record.table+` SET `+strings.Join(set, ", ")+` WHERE `+where, args...)
	return err
}

// vouchPlain is vouch for a row without an id.
func (m *Importer) vouchPlain(ctx context.Context, t *transferred) error {
	if t.record.name != "evidence" { // others claim nothing
		return nil
	}
	return m.vouch(ctx, t, `relationship_id = ?1 AND episode_id = ?2 AND method = ?3`, t.values["relationship_id"],
		t.values["episode_id"], t.values["method"])
}

// Bounds of what a file may hold, beyond which rows would break the file for those that come after: no memory comes
// near.
const (
	mostID         = 1 << 52 // of ids and places in a session
	mostUnvouched  = 1 << 40 // of the same, where nobody vouches for the file: it leaves room for all that comes after
	mostStrength   = 1e9     // of strengths, counts and rates
	snapshotLevels = 100     // that a snapshot is nested
)

// bounded refuses numbers that nothing of ours writes.
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

// tooDeep says whether a value of JSON is nested deeper than snapshotLevels.
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
