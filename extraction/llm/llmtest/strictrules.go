package llmtest

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
)

// Limits of strict structured outputs, as OpenAI documents them.
const (
	maxNesting    = 10
	maxProperties = 5000
	maxEnum       = 1000
)

// keywords are those that every endpoint with strict schemas accepts. Only some accept bounds and patterns.
var keywords = map[string]bool{
	"type": true, "properties": true, "required": true, "additionalProperties": true, "items": true, "enum": true,
	"anyOf": true, "description": true,
}

var schemaName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// CheckSchema checks response_format.json_schema against the rules of strict mode, and returns the violations.
func CheckSchema(named map[string]any) (problems []string) {
	name, _ := named["name"].(string)
	if !schemaName.MatchString(name) {
		problems = append(problems, fmt.Sprintf("name %q does not match %s", name, schemaName))
	}
	root, ok := named["schema"].(map[string]any)
	if !ok {
		return append(problems, "there is no schema")
	}
	if root["type"] != "object" || root["anyOf"] != nil {
		problems = append(problems, "the root is not a plain object")
	}
	c := &schemaCheck{}
	c.walk(root, "root", 1)
	if c.properties > maxProperties {
		c.problem("root", "has %d properties", c.properties)
	}
	return append(problems, c.problems...)
}

type schemaCheck struct {
	problems   []string
	properties int
}

func (c *schemaCheck) problem(at, format string, args ...any) {
	c.problems = append(c.problems, at+" "+fmt.Sprintf(format, args...))
}

func (c *schemaCheck) walk(s map[string]any, at string, depth int) {
	if depth > maxNesting {
		c.problem(at, "nests deeper than %d", maxNesting)
		return
	}
	for _, k := range slices.Sorted(maps.Keys(s)) {
		if !keywords[k] {
			c.problem(at, "has the keyword %q", k)
		}
	}
	if choices, ok := s["anyOf"].([]any); ok {
		if len(choices) == 0 {
			c.problem(at, "has an empty anyOf")
		}
		for i, choice := range choices {
			c.child(choice, fmt.Sprintf("%s.anyOf[%d]", at, i), depth)
		}
	} else if _, ok := s["type"]; !ok {
		c.problem(at, "has no type")
	}
	if enum, ok := s["enum"].([]any); ok && (len(enum) == 0 || len(enum) > maxEnum) {
		c.problem(at, "has an enum of %d", len(enum))
	}
	switch s["type"] {
	case "object":
		c.object(s, at, depth)
	case "array":
		c.child(s["items"], at+".items", depth+1)
	}
}

// object checks that every property is required and that no other is allowed.
func (c *schemaCheck) object(s map[string]any, at string, depth int) {
	if s["additionalProperties"] != false {
		c.problem(at, "allows additional properties")
	}
	properties, _ := s["properties"].(map[string]any)
	required := map[string]bool{}
	list, _ := s["required"].([]any)
	for _, r := range list {
		name, _ := r.(string)
		required[name] = true
	}
	c.properties += len(properties)
	if len(required) != len(properties) || len(list) != len(properties) {
		c.problem(at, "requires %d of %d properties", len(list), len(properties))
	}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if !required[name] {
			c.problem(at, "does not require %q", name)
		}
		c.child(properties[name], at+"."+name, depth+1)
	}
}

func (c *schemaCheck) child(v any, at string, depth int) {
	s, ok := v.(map[string]any)
	if !ok {
		c.problem(at, "is not a schema")
		return
	}
	c.walk(s, at, depth)
}
