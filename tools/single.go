package tools

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/invopop/jsonschema"
	"github.com/mark3labs/mcp-go/mcp"

	"memory-graph/internal/memory"
)

//go:embed single.md
var singleText string

// newSingle returns memory_graph: the nine core tools as one tool with an action, for hosts that limit the number of
// tools. Each action has the arguments and answers of the tool with its name. With o.ReadOnly the writing actions
// reject every call.
func newSingle(mem Memory, o Options) (Tool, error) {
	actions := map[string]Tool{}
	var names []string
	s := &jsonschema.Schema{Type: "object", Properties: jsonschema.NewProperties(), Required: []string{"action"}}
	action := &jsonschema.Schema{Type: "string", Description: "What to do; the other arguments are those of the action"}
	s.Properties.Set("action", action)
	for _, mk := range coreMakers {
		t, err := mk(mem, o)
		if err != nil {
			return Tool{}, err
		}
		name := t.Definition.Name
		if o.ReadOnly && !t.ReadOnly {
			actions[name] = refusing(t)
			continue
		}
		actions[name] = t
		names = append(names, name)
		action.Enum = append(action.Enum, name)
		if err := addProperties(s, t); err != nil {
			return Tool{}, fmt.Errorf("define tool memory_graph: %w", err)
		}
	}
	input, err := json.Marshal(s)
	if err != nil {
		return Tool{}, fmt.Errorf("define tool memory_graph: %w", err)
	}
	no := false
	readOnly := o.ReadOnly
	def := mcp.Tool{
		Name: "memory_graph", Title: "Long-term memory", Description: strings.TrimSpace(singleText),
		RawInputSchema: input, RawOutputSchema: json.RawMessage(`{"type":"object"}`),
		Annotations: mcp.ToolAnnotation{ReadOnlyHint: &readOnly, DestructiveHint: &no, IdempotentHint: &readOnly,
			OpenWorldHint: &no},
	}
	return Tool{Definition: def, ReadOnly: readOnly,
		answer: func(ctx context.Context, arguments json.RawMessage) (answer, error) {
			t, rest, err := choose(actions, names, arguments)
			if err != nil {
				return answer{}, err
			}
			return t.answer(ctx, rest)
		}}, nil
}

// addProperties adds the listed arguments of a tool. If two tools use one name for different arguments, the first tool
// keeps it; the others accept an alias (edge_types). The limits are left out because they differ between tools.
func addProperties(s *jsonschema.Schema, t Tool) error {
	var in jsonschema.Schema
	if err := json.Unmarshal(t.Definition.RawInputSchema, &in); err != nil {
		return fmt.Errorf("read the schema of %s: %w", t.Definition.Name, err)
	}
	for p := in.Properties.Oldest(); p != nil; p = p.Next() {
		if _, taken := s.Properties.Get(p.Key); taken {
			continue
		}
		p.Value.Minimum, p.Value.Maximum, p.Value.Default = "", "", nil
		s.Properties.Set(p.Key, p.Value)
	}
	return nil
}

// choose separates the action from the arguments.
func choose(actions map[string]Tool, names []string, arguments json.RawMessage) (Tool, json.RawMessage, error) {
	hint := "Use one of " + strings.Join(names, ", ") + "."
	var given map[string]json.RawMessage
	if len(arguments) > 0 && json.Unmarshal(arguments, &given) != nil {
		return Tool{}, nil, memory.Errorf(memory.InvalidArgument, "the arguments are %s, not an object.",
			show(arguments)).WithHint("Give an action and its arguments.")
	}
	raw, ok := given["action"]
	if !ok || isNull(raw) {
		return Tool{}, nil, memory.Errorf(memory.InvalidArgument, "action is missing.").WithHint("%s", hint)
	}
	name, ok := asString(raw)
	t, known := actions[strings.TrimSpace(name)]
	if !ok || !known {
		return Tool{}, nil, memory.Errorf(memory.InvalidArgument, "action: %s is not known.", show(raw)).WithHint("%s", hint)
	}
	delete(given, "action")
	rest, err := json.Marshal(given)
	return t, rest, err
}
