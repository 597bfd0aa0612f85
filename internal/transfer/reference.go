package transfer

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"memory-graph/internal/memory"
)

// readReference reads the reference memory server's memory.jsonl: each line is an entity or a relation.
func readReference(ctx context.Context, r io.Reader, to Sink) error {
	return Lines(ctx, r, to.Problem, func(number int, line []byte) error {
		if !utf8.Valid(line) {
			to.Note(number, "it is not valid UTF-8: invalid characters are replaced")
		}
		fields, err := object(line)
		if err != nil {
			to.Problem(number, WhyBroken(err))
			return nil
		}
		switch typ, _ := stringOf(fields["type"]); typ {
		case "entity":
			return referenceEntity(number, fields, to)
		case "relation":
			return referenceRelation(number, fields, to)
		default:
			to.Problem(number, fmt.Sprintf("the type %s is neither entity nor relation", show(fields["type"])))
			return nil
		}
	})
}

func referenceEntity(number int, fields map[string]json.RawMessage, to Sink) error {
	name, ok := stringOf(fields["name"])
	if !ok || memory.Canonical(name) == "" {
		to.Problem(number, fmt.Sprintf("an entity without a name (name is %s)", show(fields["name"])))
		return nil
	}
	e := memory.ReferenceEntity{Name: name}
	if e.Type, ok = stringOf(fields["entityType"]); !ok {
		to.Note(number, fmt.Sprintf("entityType is %s: %s is used", show(fields["entityType"]), memory.DefaultType))
		e.Type = memory.DefaultType
	}
	e.Observations = observations(number, fields["observations"], to)
	unknown(number, fields, to, "type", "name", "entityType", "observations")
	return to.Entity(number, e)
}

// observations reads the sentences about an entity. It reports values that are not texts and leaves them out.
func observations(number int, raw json.RawMessage, to Sink) []string {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		to.Note(number, fmt.Sprintf("observations is %s, not a list: left out", show(raw)))
		return nil
	}
	out := make([]string, 0, len(list))
	for _, item := range list {
		if s, ok := stringOf(item); ok {
			out = append(out, s)
			continue
		}
		to.Note(number, fmt.Sprintf("the observation %s is not a text: left out", show(item)))
	}
	return out
}

func referenceRelation(number int, fields map[string]json.RawMessage, to Sink) error {
	var parts [3]string
	for i, key := range []string{"from", "to", "relationType"} {
		s, ok := stringOf(fields[key])
		if !ok || strings.TrimSpace(s) == "" {
			to.Problem(number, fmt.Sprintf("a relation whose %s is %s", key, show(fields[key])))
			return nil
		}
		parts[i] = s
	}
	unknown(number, fields, to, "type", "from", "to", "relationType")
	return to.Relation(number, memory.ReferenceRelation{From: parts[0], To: parts[1], Type: parts[2]})
}

// unknown reports fields that are not imported.
func unknown(number int, fields map[string]json.RawMessage, to Sink, known ...string) {
	var list []string
	for name := range fields {
		if !slices.Contains(known, name) {
			list = append(list, name)
		}
	}
	if len(list) > 0 {
		slices.Sort(list)
		to.Note(number, "unknown fields are left out: "+strings.Join(list, ", "))
	}
}

// show shortens a value for a message.
func show(raw json.RawMessage) string {
	if raw == nil {
		return "missing"
	}
	const most = 60
	if r := []rune(string(raw)); len(r) > most {
		return string(r[:most]) + "…"
	}
	return string(raw)
}
