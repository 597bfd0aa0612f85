package tools

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// The toolset `reference` offers the nine tools of the reference memory server on this graph. Its arguments, answers
// and failures are the same as that server's, so existing prompts work unchanged. Names identify entities, unknown
// fields are ignored, and the text of an answer is its main list as indented JSON. Unlike that server, the tools take
// the arguments of a scope, as all tools do.

//go:embed reference/*.md
var referenceTexts embed.FS

// The data types of the reference memory server. A nil pointer means that the field is missing.
type (
	refEntity struct {
		Name         *string   `json:"name" jsonschema_description:"What it is called"`
		EntityType   *string   `json:"entityType" jsonschema_description:"What it is: person, project, tool…"`
		Observations *[]string `json:"observations" jsonschema_description:"What is known about it, a sentence each"`
	}
	refRelation struct {
		From         *string `json:"from" jsonschema_description:"Name of the entity that it starts from"`
		To           *string `json:"to" jsonschema_description:"Name of the entity that it leads to"`
		RelationType *string `json:"relationType" jsonschema_description:"What connects them, such as works_at"`
	}
	refGraph struct {
		Entities  []refEntity   `json:"entities"`
		Relations []refRelation `json:"relations"`
	}
	refDone struct {
		Success bool   `json:"success"`
		Message string `json:"message"`
	}
)

// remarked is a body with a remark, which the reference memory server does not have. The remark becomes a separate text
// after the answer's text; "" for none.
type remarked struct {
	body   any
	remark string
}

// refAnswer is an answer of this toolset: body is its text, result its structured content.
type refAnswer[Out any] struct {
	body   any
	result Out
}

// checked is a type whose missing returns the name of a missing field, "" if there is none.
type checked interface{ missing() string }

// referenceTool returns a tool of this toolset. It reads arguments and formats answers like the reference memory
// server. run returns the two parts of a refAnswer.
func referenceTool[In checked, Out any](o Options, s spec,
	run func(context.Context, memory.Scope, In) (body any, result Out, err error)) (Tool, error) {
	text, err := referenceTexts.ReadFile("reference/" + s.name + ".md")
	if err != nil {
		return Tool{}, fmt.Errorf("define tool %s: %w", s.name, err)
	}
	s.description = string(text)
	schema := reflectSchema(reflect.TypeFor[In]())
	schema.AdditionalProperties = nil
	return shell[refCall[In], refAnswer[Out]]{spec: s, input: schema, output: reflect.TypeFor[Out](),
		decode: func(arguments json.RawMessage) (refCall[In], error) {
			return referenceArguments[In](s.name, o, arguments)
		},
		run: func(ctx context.Context, c refCall[In]) (refAnswer[Out], error) {
			body, result, err := run(ctx, c.scope, c.in)
			return refAnswer[Out]{body, result}, err
		},
		encode: refAnswer[Out].encode,
	}.tool(o)
}

func (r refAnswer[Out]) encode() (answer, error) {
	structured, err := json.Marshal(r.result)
	if err != nil {
		return answer{}, err
	}
	body, remark := r.body, ""
	if with, ok := body.(remarked); ok {
		body, remark = with.body, with.remark
	}
	text, ok := body.(string)
	if !ok {
		var b strings.Builder
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		if err := enc.Encode(body); err != nil {
			return answer{}, err
		}
		text = strings.TrimSuffix(b.String(), "\n")
	}
	a := answer{texts: []string{text}, structured: structured}
	if remark != "" {
		a.texts = append(a.texts, remark)
	}
	return a, nil
}

// refCall is a call of a tool of this toolset.
type refCall[In any] struct {
	in    In
	scope memory.Scope
}

// referenceArguments reads a call's arguments by the reference memory server's rules: types must be correct, no field
// may be missing, and unknown fields are ignored.
func referenceArguments[In checked](name string, o Options, arguments json.RawMessage) (c refCall[In], err error) {
	wrong := func(why string) (refCall[In], error) {
		return c, memory.Errorf(memory.InvalidArgument, "the arguments of %s are not valid: %s.", name,
			why).WithHint("See the tool's input schema.")
	}
	if len(bytes.TrimSpace(arguments)) == 0 {
		arguments = json.RawMessage(`{}`)
	}
	var scope scopeArgs
	for _, into := range []any{&c.in, &scope} {
		err := json.NewDecoder(bytes.NewReader(arguments)).Decode(into)
		var typed *json.UnmarshalTypeError
		switch {
		case errors.As(err, &typed):
			return wrong(fmt.Sprintf("%s is a %s", clip(typed.Field), typed.Value))
		case err != nil:
			return wrong("they are not a JSON object")
		}
	}
	if what := c.in.missing(); what != "" {
		return wrong(what + " is missing")
	}
	given, err := scope.scope(o)
	c.scope = o.withDefaults(given)
	return c, err
}

func (e refEntity) missing() string {
	switch {
	case e.Name == nil:
		return "name"
	case e.EntityType == nil:
		return "entityType"
	case e.Observations == nil:
		return "observations"
	}
	return ""
}

func (r refRelation) missing() string {
	switch {
	case r.From == nil:
		return "from"
	case r.To == nil:
		return "to"
	case r.RelationType == nil:
		return "relationType"
	}
	return ""
}

// missingIn returns the path of the first missing field in the list called name. It returns name if the list is nil.
func missingIn[T checked](name string, list *[]T) string {
	if list == nil {
		return name
	}
	for i, item := range *list {
		if what := item.missing(); what != "" {
			return fmt.Sprintf("%s[%d].%s", name, i, what)
		}
	}
	return ""
}

func newRefEntity(e memory.ReferenceEntity) refEntity {
	notes := noNil(e.Observations)
	return refEntity{Name: &e.Name, EntityType: &e.Type, Observations: &notes}
}

func (e refEntity) observed() memory.ReferenceEntity {
	return memory.ReferenceEntity{Name: *e.Name, Type: *e.EntityType, Observations: *e.Observations}
}

func newRefRelation(r memory.ReferenceRelation) refRelation {
	return refRelation{From: &r.From, To: &r.To, RelationType: &r.Type}
}

func (r refRelation) observed() memory.ReferenceRelation {
	return memory.ReferenceRelation{From: *r.From, To: *r.To, Type: *r.RelationType}
}

// referenceSource is the source of the turns that this toolset stores as evidence of relations.
const referenceSource = "call"

func observing(action string) store.ReferenceCall {
	return store.ReferenceCall{Action: action, Source: referenceSource}
}

// checkReference checks names and sentences against the limits of all tools.
func (o Options) checkReference(names, texts []string) error {
	for _, s := range names {
		if memory.Canonical(s) == "" {
			return memory.Errorf(memory.InvalidArgument, "%q is not a name: it has no visible characters.",
				clip(s)).WithHint("Give the name as people write it.")
		}
		if err := tooLong("name", s, o.MaxNameBytes); err != nil {
			return err
		}
	}
	for _, s := range texts {
		if err := tooLong("observations", s, o.MaxContentBytes); err != nil {
			return err
		}
	}
	return nil
}
