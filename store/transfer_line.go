package store

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"memory-graph/internal/memory"
)

// transferred is a parsed line of an export: values by column, in the form that SQL parameters take. References still
// have the file's ids.
type transferred struct {
	record  *record
	id      int64          // 0 for none
	values  map[string]any // nil for NULL
	unknown []string       // fields that this version does not know
	masked  bool           // a secret in it was masked
	foreign bool           // it refers to a row that is a different one here
}

// allowed lists the words that a column may contain.
var allowed = map[string][]string{
	"episode.role": {string(memory.RoleUser), string(memory.RoleAssistant), string(memory.RoleTool),
		string(memory.RoleSystem)},
	"episode.status": {memory.StatusPending, memory.StatusDone, memory.StatusFailed, memory.StatusSkipped,
		memory.StatusQuarantined, memory.StatusWithdrawn, memory.StatusNote},
	"entity.kind": {string(memory.NodeEntity), string(memory.NodeMemory), string(memory.NodeMention),
		string(memory.NodeCondition), string(memory.NodeSystem), string(memory.NodeMetadata), string(memory.NodeTurn)},
	"origin": {string(memory.OriginUser), string(memory.OriginAgent), string(memory.OriginAssistant),
		string(memory.OriginTool), string(memory.OriginSystem)},
	"edge_class": memory.EdgeClasses,
	"from_unit":  {string(memory.Year), string(memory.Month)},
	"until_unit": {string(memory.Year), string(memory.Month)},
	"relationship.method": {string(memory.MethodSupplied), string(memory.MethodRule), string(memory.MethodRuleHedged),
		string(memory.MethodModelStated), string(memory.MethodModelImplied), string(memory.MethodAgreed), string(
			memory.MethodSimilarity), string(memory.MethodModelLinked), string(memory.MethodMetadata)},
}

// optionalColumns are the columns that may be NULL.
var optionalColumns = map[string]bool{}

func init() {
	for _, name := range strings.Fields(`episode.project episode.user episode.session_id episode.speaker episode.source
		episode.idempotency_key episode.reasons
		entity.type_label entity.unfaded entity.layer entity.valid_from entity.valid_until entity_link.parent_id
		entity_link.merged_into
		observation.episode_id observation.expired_at relationship.valid_from relationship.valid_until relationship.expires_at
		relationship.expired_at relationship.from_unit relationship.until_unit relationship_version.from_unit
		relationship_version.until_unit
		evidence.quote mention.start mention.stop event.client event.call_id event.before event.after event.reason
		event.episode_id
		entity_version.valid_from entity_version.valid_until entity_version.expired_at entity_version.event_id
		relationship_version.edge_class relationship_version.fact relationship_version.confidence
		relationship_version.strength relationship_version.valid_from
		relationship_version.valid_until relationship_version.expires_at relationship_version.superseded_by
		relationship_version.origin
		relationship_version.method relationship_version.expired_at relationship_version.event_id`) {
		optionalColumns[name] = true
	}
}

// parseTransferred parses a line of a record.
func parseTransferred(r *record, fields map[string]json.RawMessage, o ImportOptions) (*transferred, error) {
	t := &transferred{record: r, values: make(map[string]any, len(r.columns))}
	known := map[string]bool{"record": true}
	if r.id != "" {
		known["id"] = true
		if err := json.Unmarshal(fields["id"], &t.id); err != nil || t.id < 1 || t.id > mostID {
			return nil, fmt.Errorf("id is %s, not a number from 1 to 2^52", shownJSON(fields["id"]))
		}
	}
	for _, col := range r.columns {
		known[col.name] = true
		raw, there := fields[col.name]
		if !there || string(raw) == "null" {
			if !optionalColumns[r.name+"."+col.name] {
				return nil, fmt.Errorf("%s is missing", col.name)
			}
			t.values[col.name] = nil
			continue
		}
		v, err := t.value(col, raw, o)
		if err != nil {
			return nil, err
		}
		t.values[col.name] = v
	}
	for name := range fields {
		if !known[name] {
			t.unknown = append(t.unknown, name)
		}
	}
	slices.Sort(t.unknown)
	return t, nil
}

func (t *transferred) value(col column, raw json.RawMessage, o ImportOptions) (any, error) {
	wrong := func(want string) error { return fmt.Errorf("%s is %s, not %s", col.name, shownJSON(raw), want) }
	switch col.kind {
	case columnInt, columnRef:
		var n int64
		if json.Unmarshal(raw, &n) != nil || col.kind == columnRef && n < 1 || n < 0 || n > mostID {
			return nil, wrong("a whole number from 0 to 2^52")
		}
		return n, nil
	case columnReal:
		var f float64
		if json.Unmarshal(raw, &f) != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, wrong("a number")
		}
		return f, bounded(col.name, f)
	case columnJSON:
		if tooDeep(raw) {
			return nil, fmt.Errorf("%s is nested deeper than %d levels", col.name, snapshotLevels)
		}
		return t.masking(raw, o.Mask)
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return nil, wrong("a text")
	}
	switch col.kind {
	case columnBlob:
		b, err := hex.DecodeString(s)
		if err != nil {
			return nil, wrong("bytes in hexadecimal")
		}
		return b, nil
	case columnTime:
		if at, err := memory.ParseStored(s); err != nil || at.IsZero() {
			return nil, wrong("a time as " + memory.StoredMillis)
		}
	case columnObject:
		if _, err := memory.ParseID(s); err != nil {
			return nil, wrong("an id")
		}
	case columnSaid:
		if clean := o.Mask(s); clean != s {
			t.masked, s = true, clean
		}
	case columnText:
		words := allowed[t.record.name+"."+col.name]
		if words == nil {
			words = allowed[col.name]
		}
		if words != nil && !slices.Contains(words, s) {
			return nil, wrong("one of " + strings.Join(words, ", "))
		}
		if clean := o.MaskIdentifier(s); words == nil && clean != s {
			t.masked, s = true, clean
		}
	}
	return s, nil
}

// masking masks the secrets in the texts of a snapshot. A snapshot without any keeps every byte.
func (t *transferred) masking(raw json.RawMessage, mask func(string) string) (string, error) {
	var line bytes.Buffer
	if err := json.Compact(&line, raw); err != nil {
		return "", err
	}
	if text := line.String(); mask(text) == text {
		return text, nil
	}
	var v any
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		return "", err
	}
	changed := false
	v = eachText(v, func(s string) string {
		clean := mask(s)
		changed = changed || clean != s
		return clean
	})
	if !changed {
		return line.String(), nil
	}
	t.masked = true
	return encodeJSON(v)
}

// eachText replaces every text in a JSON value.
func eachText(v any, by func(string) string) any {
	switch v := v.(type) {
	case string:
		return by(v)
	case []any:
		for i := range v {
			v[i] = eachText(v[i], by)
		}
	case map[string]any:
		for k := range v {
			v[k] = eachText(v[k], by)
		}
	}
	return v
}

// encodeJSON writes a value as readable JSON, without escapes for HTML.
func encodeJSON(v any) (string, error) {
	var out strings.Builder
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return strings.TrimSuffix(out.String(), "\n"), err
}

// shownJSON shortens a value for a message.
func shownJSON(raw json.RawMessage) string {
	if raw == nil {
		return "missing"
	}
	return clip(string(raw))
}
