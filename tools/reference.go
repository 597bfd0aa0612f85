package tools

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime/debug"
	"time"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"

	"memory-graph/memory"
	"memory-graph/store"
)

// The toolset `reference`: the nine tools of the reference memory server, on our graph. Arguments, answers and failures are
// those of that server, so that whoever comes from it changes no prompt: names are the ids, further fields of an argument
// are passed over, and the text of an answer is the list itself, indented.

//go:embed reference/*.md
var referenceTexts embed.FS

// The shapes of the reference memory server. Pointers tell what is missing.
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

// remarked is a body with what is to be said besides, which the reference memory server has nothing of: a text of its own
// behind the answer's, "" for none.
type remarked struct {
	body   any
	remark string
}

// checked is a shape that says what is missing in it; "" where nothing is.
type checked interface{ missing() string }

// referenceTool is a tool of the set: body is what its answer's text says, result its structured content.
func referenceTool[In checked, Out any](o Options, s spec, run func(context.Context, In) (body any, result Out, err error)) (Tool, error) {
	text, err := referenceTexts.ReadFile("reference/" + s.name + ".md")
	if err != nil {
		return Tool{}, fmt.Errorf("define tool %s: %w", s.name, err)
	}
	schema := reflectSchema(reflect.TypeFor[In]())
	schema.AdditionalProperties = nil
	input, err := json.Marshal(schema)
	if err != nil {
		return Tool{}, fmt.Errorf("define tool %s: %w", s.name, err)
	}
	output, err := outputSchema(reflect.TypeFor[Out]())
	if err != nil {
		return Tool{}, fmt.Errorf("define tool %s: %w", s.name, err)
	}
	def := s.definition(string(text), input, output)
	log := o.log().With("tool", s.name)
	call := func(ctx context.Context, arguments json.RawMessage) *mcp.CallToolResult {
		start := time.Now()
		remark := ""
		shown, structured, err := referenceCall(ctx, s.name, arguments, func(ctx context.Context, in In) (any, Out, error) {
			body, result, err := run(ctx, in)
			if r, ok := body.(remarked); ok {
				body, remark = r.body, r.remark
			}
			return body, result, err
		})
		logCall(ctx, log, time.Since(start), len(arguments), len(shown), err)
		if err != nil {
			return failure(err)
		}
		content := []mcp.Content{mcp.NewTextContent(shown)}
		if remark != "" {
			content = append(content, mcp.NewTextContent(remark))
		}
		return &mcp.CallToolResult{Content: content, RawStructuredContent: structured}
	}
	return Tool{Definition: def, ReadOnly: s.readOnly, call: call}, nil
}

// referenceCall decodes, runs and encodes, and turns a panic of any of them into an error.
func referenceCall[In checked, Out any](ctx context.Context, name string, arguments json.RawMessage, run func(context.Context, In) (any, Out, error)) (shown string, structured []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			shown, structured, err = "", nil, memory.AsError(&panicked{r, debug.Stack()})
		}
	}()
	in, err := referenceArguments[In](name, arguments)
	if err != nil {
		return "", nil, err
	}
	body, result, err := run(ctx, in)
	if err != nil {
		return "", nil, interrupted(err)
	}
	if structured, err = json.Marshal(result); err != nil {
		return "", nil, err
	}
	if s, ok := body.(string); ok {
		return s, structured, nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err = enc.Encode(body)
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), structured, err
}

// referenceArguments reads a call's arguments by the reference memory server's rules: types must be right and nothing may be
// missing; what else there is, is passed over.
func referenceArguments[In checked](name string, arguments json.RawMessage) (In, error) {
	var in In
	wrong := func(why string) (In, error) {
		return in, memory.Errorf(memory.InvalidArgument, "the arguments of %s do not fit: %s.", name, why).WithHint("See the tool's input schema.")
	}
	if !utf8.Valid(arguments) {
		return wrong("they are not valid UTF-8")
	}
	if len(bytes.TrimSpace(arguments)) == 0 {
		arguments = json.RawMessage(`{}`)
	}
	dec := json.NewDecoder(bytes.NewReader(arguments))
	if err := dec.Decode(&in); err != nil && !errors.Is(err, io.EOF) {
		var typed *json.UnmarshalTypeError
		if errors.As(err, &typed) {
			return wrong(fmt.Sprintf("%s is a %s", clip(typed.Field), typed.Value))
		}
		return wrong("they are not a JSON object")
	}
	if what := in.missing(); what != "" {
		return wrong(what + " is missing")
	}
	return in, nil
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

// missingIn says what is missing in a list that is called name, nil where it is not there itself.
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

func newRefEntity(e memory.Observed) refEntity {
	notes := noNil(e.Observations)
	return refEntity{Name: &e.Name, EntityType: &e.Type, Observations: &notes}
}

func (e refEntity) observed() memory.Observed {
	return memory.Observed{Name: *e.Name, Type: *e.EntityType, Observations: *e.Observations}
}

func newRefRelation(r memory.ObservedRelation) refRelation {
	return refRelation{From: &r.From, To: &r.To, RelationType: &r.Type}
}

func (r refRelation) observed() memory.ObservedRelation {
	return memory.ObservedRelation{From: *r.From, To: *r.To, Type: *r.RelationType}
}

// referenceSource is the source of the turns that are the evidence of relations.
const referenceSource = "call"

func observing(action string) store.Observing {
	return store.Observing{Action: action, Source: referenceSource}
}

// referenceScope is where the tools work: they take no scope.
func (o Options) referenceScope() memory.Scope {
	return o.withDefaults(memory.Scope{})
}

// checkReference holds names and sentences to the limits of all tools.
func (o Options) checkReference(names, texts []string) error {
	for _, s := range names {
		if memory.Canonical(s) == "" {
			return memory.Errorf(memory.InvalidArgument, "%q is not a name: nothing of it can be seen.", clip(s)).WithHint("Give the name as people write it.")
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
