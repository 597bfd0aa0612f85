package tools

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/invopop/jsonschema"
)

// reflectSchema returns the JSON schema of a Go type, without references, id or version.
func reflectSchema(t reflect.Type) *jsonschema.Schema {
	r := jsonschema.Reflector{DoNotReference: true, Anonymous: true}
	s := r.ReflectFromType(t)
	s.Version = ""
	return s
}

// inputSchema returns the schema of the arguments: types, descriptions, allowed values and ranges. In tools/list (all
// is false) it is without the unlisted arguments. It does not forbid additional properties: hosts that validate against
// it would reject the unlisted arguments. The tool itself rejects unknown names.
func inputSchema(sig *signature, all bool) (*jsonschema.Schema, error) {
	s := reflectSchema(sig.embedded)
	s.AdditionalProperties = nil
	for _, a := range sig.args {
		p, ok := s.Properties.Get(a.name)
		if !ok {
			return nil, fmt.Errorf("argument %s is not in the schema", a.name)
		}
		if a.unlisted && !all {
			s.Properties.Delete(a.name)
			continue
		}
		if a.object != nil {
			inner, err := inputSchema(a.object, all)
			if err != nil {
				return nil, fmt.Errorf("argument %s: %w", a.name, err)
			}
			if p.Type == "array" {
				p.Items = inner
			} else {
				inner.Description = p.Description
				s.Properties.Set(a.name, inner)
			}
			continue
		}
		target := p
		if p.Items != nil {
			target = p.Items
		}
		for _, v := range a.enum {
			target.Enum = append(target.Enum, v)
		}
		if a.within != nil {
			p.Minimum, p.Maximum = number(a.within[0]), number(a.within[1])
		}
		if r, ok := sig.ranges[a.name]; ok {
			p.Minimum, p.Maximum = json.Number(strconv.Itoa(r.min)), json.Number(strconv.Itoa(r.max))
			if r.def >= r.min {
				p.Default = r.def
			}
		}
	}
	return s, nil
}

func number(v float64) json.Number { return json.Number(strconv.FormatFloat(v, 'g', -1, 64)) }

// outputSchema returns the schema of a result, with the top-level fields only to keep the list of tools small. It
// neither requires nor forbids properties, because hosts also validate errors ({"error": …}) against it. It leaves out
// the fields with the tag unlisted.
func outputSchema(t reflect.Type) (json.RawMessage, error) {
	s := reflectSchema(t)
	s.Required, s.AdditionalProperties = nil, nil
	for _, f := range reflect.VisibleFields(t) {
		if f.Tag.Get("unlisted") == "true" {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			s.Properties.Delete(name)
		}
	}
	for pair := s.Properties.Oldest(); pair != nil; pair = pair.Next() {
		flat := &jsonschema.Schema{Type: pair.Value.Type}
		if flat.Type == "array" {
			flat.Items = &jsonschema.Schema{Type: "object"}
			if items := pair.Value.Items; items != nil && items.Type == "string" {
				flat.Items.Type = "string"
			}
		}
		pair.Value = flat
	}
	return json.Marshal(s)
}
