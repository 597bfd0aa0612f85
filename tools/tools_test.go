package tools_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"memory-graph/tools"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// listBudget is the maximum size of tools/list in bytes: every session of every host pays for it.
const listBudget = 16_000

func all(t testing.TB, mem tools.Memory, o tools.Options) map[string]tools.Tool {
	t.Helper()
	list, err := tools.All(mem, o)
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]tools.Tool{}
	for _, tool := range list {
		byName[tool.Definition.Name] = tool
	}
	return byName
}

// listed returns tools/list as a host sees it.
func listed(t *testing.T, o tools.Options) []byte {
	t.Helper()
	list, err := tools.All(nil, o)
	if err != nil {
		t.Fatal(err)
	}
	defs := make([]any, len(list))
	for i, tool := range list {
		defs[i] = tool.Definition
	}
	b, err := json.Marshal(map[string]any{"tools": defs})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestList_IsAsRecorded(t *testing.T) {
	t.Parallel()
	optIn := tools.Defaults()
	optIn.Toolsets = []string{"temporal", "manage", "hierarchy", "communities", "single"}
	reference := tools.Defaults()
	reference.Toolsets = []string{"reference"}
	for file, o := range map[string]tools.Options{"list.json": tools.Defaults(), "optin.json": optIn,
		"reference.json": reference} {
		recorded(t, file, o)
	}
}

func recorded(t *testing.T, file string, o tools.Options) {
	t.Helper()
	var got bytes.Buffer
	if err := json.Indent(&got, listed(t, o), "", "  "); err != nil {
		t.Fatal(err)
	}
	got.WriteByte('\n')
	golden := filepath.Join("..", "testdata", "tools", file)
	if *update {
		if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("tools/list changed; if that is intended, update it with -update:\n%s", diff)
	}
}

func TestList_StaysWithinItsBudget(t *testing.T) {
	t.Parallel()
	if n := len(listed(t, tools.Defaults())); n > listBudget {
		t.Errorf("tools/list takes %d bytes, more than %d", n, listBudget)
	} else {
		t.Logf("tools/list takes %d of %d bytes", n, listBudget)
	}
}

// schema is the part of a JSON schema that some hosts cannot process.
type schema struct {
	Type        any                `json:"type"`
	Description string             `json:"description"`
	Properties  map[string]*schema `json:"properties"`
	Items       *schema            `json:"items"`
	Required    []string           `json:"required"`
	AnyOf       []any              `json:"anyOf"`
	OneOf       []any              `json:"oneOf"`
	AllOf       []any              `json:"allOf"`
	Ref         string             `json:"$ref"`
}

func TestList_SaysWhatHostsNeed(t *testing.T) {
	t.Parallel()
	var list struct {
		Tools []struct {
			Name, Title, Description  string
			InputSchema, OutputSchema json.RawMessage
			Annotations               map[string]any
		}
	}
	if err := json.Unmarshal(listed(t, every()), &list); err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		if tool.Title == "" || len(tool.Description) < 40 {
			t.Errorf("%s: title %q, description %q", tool.Name, tool.Title, tool.Description)
		}
		for _, hint := range []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
			if _, ok := tool.Annotations[hint].(bool); !ok {
				t.Errorf("%s: %s is not set", tool.Name, hint)
			}
		}
		in := compiled(t, tool.Name, tool.InputSchema)
		compiled(t, tool.Name, tool.OutputSchema)
		if in.Type != "object" || len(in.AnyOf)+len(in.OneOf)+len(in.AllOf) > 0 {
			t.Errorf("%s: the input schema is not a plain object", tool.Name)
		}
		plain(t, tool.Name, in.Properties)
	}
}

// plain checks that every argument, including those inside objects, has a description and one type.
func plain(t *testing.T, where string, properties map[string]*schema) {
	t.Helper()
	for name, p := range properties {
		if p.Description == "" {
			t.Errorf("%s: argument %s has no description", where, name)
		}
		if _, ok := p.Type.(string); !ok || p.Ref != "" || len(p.AnyOf)+len(p.OneOf)+len(p.AllOf) > 0 {
			t.Errorf("%s: argument %s has no single type: %+v", where, name, p)
		}
		if p.Type == "array" && (p.Items == nil || p.Items.Type == nil) {
			t.Errorf("%s: the schema does not describe the items of %s", where, name)
		}
		plain(t, where+"."+name, p.Properties)
		if p.Items != nil {
			plain(t, where+"."+name, p.Items.Properties)
		}
	}
}

// compiled checks that a schema compiles: mcp-go silently ignores one that does not.
func compiled(t *testing.T, name string, raw json.RawMessage) schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("mem:///"+name, doc); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if _, err := c.Compile("mem:///" + name); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var s schema
	if err := json.Unmarshal(raw, &s); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return s
}

// result is the answer of a call.
type result struct {
	isError bool
	text    string
	body    []byte // structured content
}

func run(t testing.TB, tool tools.Tool, arguments string) result {
	t.Helper()
	res := tool.Call(context.Background(), json.RawMessage(arguments))
	b, err := json.Marshal(res)
	if err != nil {
		t.Fatalf("result of %.100s does not encode: %v", arguments, err)
	}
	var wire struct {
		IsError           bool
		StructuredContent json.RawMessage
		Content           []struct{ Type, Text string }
	}
	if err := json.Unmarshal(b, &wire); err != nil || len(wire.Content) != 1 || wire.Content[0].Type != "text" {
		t.Fatalf("result of %.100s: %s (%v)", arguments, b, err)
	}
	return result{wire.IsError, wire.Content[0].Text, wire.StructuredContent}
}

// failed checks that a result is an error with a code and all of the words in its text.
func failed(t *testing.T, r result, code string, words ...string) {
	t.Helper()
	var e struct {
		Error struct{ Code, Message, Hint string }
	}
	if err := json.Unmarshal(r.body, &e); err != nil || !r.isError {
		t.Fatalf("no error: %s", r.body)
	}
	if e.Error.Code != code || e.Error.Message == "" {
		t.Errorf("error %+v, want %s", e.Error, code)
	}
	if want := strings.TrimSpace(e.Error.Message + " " + e.Error.Hint); !strings.HasPrefix(r.text, want) {
		t.Errorf("text %q differs from %q", r.text, want)
	}
	for _, w := range words {
		if !strings.Contains(r.text, w) {
			t.Errorf("error %q does not say %q", r.text, w)
		}
	}
}

// equalJSON checks that two documents are equal as JSON.
func equalJSON(t *testing.T, want, got string) {
	t.Helper()
	var w, g any
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(got), &g); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(w, g); diff != "" {
		t.Error(diff)
	}
}
