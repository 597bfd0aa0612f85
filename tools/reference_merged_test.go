package tools_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/mcp"

	"memory-graph/internal/memory"
)

func TestCreateEntities_SaysWhichNamesAreOneBehindTheUsualAnswer(t *testing.T) {
	t.Parallel()
	f := &fakeMemory{observed: []memory.ReferenceWrite{{Created: true},
		{Known: "Ann", Type: "person", Added: []string{"barks", "entityType: dog"}}, {Known: "Bo", Type: "person"}}}
	res := all(t, f, every())["create_entities"].Call(t.Context(), json.RawMessage(`{"entities":[{"name":"Ann","entityType":"person","observations":["tea"]},
		{"name":"ann","entityType":"dog","observations":["barks"]},{"name":" Bo\u200b","entityType":"person","observations":["ignored"]}]}`))
	var texts []string
	for _, c := range res.Content {
		texts = append(texts, c.(mcp.TextContent).Text)
	}
	if len(texts) != 2 || res.IsError {
		t.Fatalf("%q", texts)
	}
	var made []map[string]any
	if err := json.Unmarshal([]byte(texts[0]), &made); err != nil {
		t.Fatal(err)
	}
	want := []map[string]any{{"name": "Ann", "entityType": "person", "observations": []any{"tea"}},
		{"name": "Ann", "entityType": "person", "observations": []any{"barks", "entityType: dog"}}}
	if diff := cmp.Diff(want, made); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(
		`"ann" is the same name as "Ann": they are one entity, with the observations of both. "Ann" stays of type "person"; that it was given as "dog" is an observation.`, texts[1]); diff != "" {
		t.Error(diff)
	}
}
