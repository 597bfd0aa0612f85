package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"sync"

	"github.com/invopop/jsonschema"
)

// form is the JSON Schema of an answer, within the rules of strict structured outputs. The properties have the order of
// the struct's fields, because models write them in that order.
type form struct {
	schema *jsonschema.Schema
	text   string // the same as text, for a prompt
}

// forms caches the form of each type.
var forms = struct {
	sync.Mutex
	of map[reflect.Type]*form
}{of: map[reflect.Type]*form{}}

// formOf returns the form of a struct. An error means that the struct is unsuitable.
func formOf(t reflect.Type) (*form, error) {
	forms.Lock()
	defer forms.Unlock()
	if f := forms.of[t]; f != nil {
		return f, nil
	}
	s := (&jsonschema.Reflector{Anonymous: true, DoNotReference: true, ExpandedStruct: true}).ReflectFromType(t)
	if err := strict(s, 0); err != nil {
		return nil, fmt.Errorf("make the form of %s: %w", t, err)
	}
	if s.Type != "object" {
		return nil, fmt.Errorf("make the form of %s: it is not an object", t)
	}
	text, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("make the form of %s: %w", t, err)
	}
	f := &form{schema: s, text: string(text)}
	forms.of[t] = f
	return f, nil
}

// maxDepth is the deepest nesting of objects and arrays in strict structured outputs.
const maxDepth = 10

// strict changes a schema to the rules of strict structured outputs. Every property is required, and no other is
// allowed. A nullable value is a choice between its type and null. It removes formats, patterns and bounds, which some
// endpoints refuse; the caller checks those.
func strict(s *jsonschema.Schema, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("it is nested deeper than %d", maxDepth)
	}
	kept := jsonschema.Schema{
		Type: s.Type, Enum: s.Enum, Description: s.Description, Items: s.Items, Properties: s.Properties,
		AnyOf: append(s.AnyOf, s.OneOf...),
	}
	*s = kept
	for _, choice := range s.AnyOf {
		if err := strict(choice, depth); err != nil {
			return err
		}
	}
	switch s.Type {
	case "object":
		if s.Properties == nil || s.Properties.Len() == 0 {
			return errors.New("an object has no properties: a map has no strict form")
		}
		for p := s.Properties.Oldest(); p != nil; p = p.Next() {
			s.Required = append(s.Required, p.Key)
			if err := strict(p.Value, depth+1); err != nil {
				return err
			}
		}
		s.AdditionalProperties = jsonschema.FalseSchema
	case "array":
		if s.Items == nil {
			return errors.New("an array has no type of items")
		}
		return strict(s.Items, depth+1)
	case "string", "number", "integer", "boolean", "null":
	case "":
		if len(s.AnyOf) == 0 {
			return errors.New("a value has no type")
		}
	default:
		return fmt.Errorf("type %q has no strict form", s.Type)
	}
	return nil
}

// fits checks a value from decode against a strict schema: types, missing and unknown properties (a missing one is
// null). The error names the place and the fault, without quoting the value. Values outside an enum pass.
func fits(s *jsonschema.Schema, value any, at string) error {
	if len(s.AnyOf) > 0 {
		var first error
		for _, choice := range s.AnyOf {
			err := fits(choice, value, at)
			if err == nil {
				return nil
			}
			if first == nil {
				first = err
			}
		}
		return first
	}
	ok := true
	switch s.Type {
	case "object":
		members, isObject := value.(map[string]any)
		if !isObject {
			ok = false
			break
		}
		known := 0
		for p := s.Properties.Oldest(); p != nil; p = p.Next() {
			v, there := members[p.Key]
			if !there {
				if fits(p.Value, nil, at) == nil { // small models leave out what is null
					continue
				}
				return fmt.Errorf("%s has no %q", at, p.Key)
			}
			known++
			if err := fits(p.Value, v, at+"."+p.Key); err != nil {
				return err
			}
		}
		if len(members) > known {
			return fmt.Errorf("%s has unknown properties", at)
		}
	case "array":
		items, isArray := value.([]any)
		if !isArray {
			ok = false
			break
		}
		for i, v := range items {
			if err := fits(s.Items, v, fmt.Sprintf("%s[%d]", at, i)); err != nil {
				return err
			}
		}
	case "string":
		_, ok = value.(string)
	case "boolean":
		_, ok = value.(bool)
	case "null":
		ok = value == nil
	case "number":
		_, ok = value.(json.Number)
	case "integer":
		n, isNumber := value.(json.Number)
		ok = isNumber
		if isNumber {
			_, err := n.Int64()
			ok = err == nil
		}
	}
	if !ok {
		return fmt.Errorf("%s is %s, not %s %s", at, typeName(value), article(s.Type), s.Type)
	}
	return nil
}

// typeName returns the JSON type of a value from decode.
func typeName(v any) string {
	switch v.(type) {
	case map[string]any:
		return "an object"
	case []any:
		return "an array"
	case string:
		return "a string"
	case json.Number:
		return "a number"
	case bool:
		return "a boolean"
	}
	return "null"
}

func article(word string) string {
	switch word[0] {
	case 'a', 'e', 'i', 'o', 'u':
		return "an"
	}
	return "a"
}
