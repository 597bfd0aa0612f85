package server

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/invopop/jsonschema"

	"memory-graph/tools"
)

// openAPI is a description of the read-only HTTP interface, as OpenAPI 3.1. Its schemas are those of the tools.
// https://spec.openapis.org/oas/v3.1.1.html
type openAPI struct {
	OpenAPI    string                        `json:"openapi"`
	Info       openAPIInfo                   `json:"info"`
	Servers    []map[string]string           `json:"servers"`
	Security   []map[string][]string         `json:"security"`
	Paths      map[string]map[string]openGet `json:"paths"`
	Components map[string]map[string]any     `json:"components"`
}

type openAPIInfo struct {
	Title       string `json:"title"`
	Version     string `json:"version"`
	Description string `json:"description"`
}

// openGet is the GET operation of a path.
type openGet struct {
	OperationID string                  `json:"operationId"`
	Summary     string                  `json:"summary"`
	Description string                  `json:"description"`
	Parameters  []openParameter         `json:"parameters"`
	Responses   map[string]openResponse `json:"responses"`
}

type openParameter struct {
	Name        string             `json:"name"`
	In          string             `json:"in"` // path or query
	Required    bool               `json:"required,omitempty"`
	Description string             `json:"description,omitempty"`
	Schema      *jsonschema.Schema `json:"schema"`
}

type openResponse struct {
	Description string                    `json:"description"`
	Content     map[string]map[string]any `json:"content"`
}

func newOpenAPI(version string) *openAPI {
	return &openAPI{
		OpenAPI: "3.1.1",
		Info: openAPIInfo{"memory-graph", version, "Reads the memory. Each path answers as the tool of the same " +
			"description does over MCP, with the same limits and errors. Nothing here writes."},
		Servers:  []map[string]string{{"url": restBase}},
		Security: []map[string][]string{{"bearer": {}}},
		Paths:    map[string]map[string]openGet{},
		Components: map[string]map[string]any{
			"securitySchemes": {"bearer": map[string]string{"type": "http", "scheme": "bearer"}},
			"schemas":         {"Error": errorSchema()},
		},
	}
}

// errorSchema is the schema of every error.
func errorSchema() map[string]any {
	codes := slices.Sorted(maps.Keys(restStatus))
	text := map[string]any{"type": "string"}
	return map[string]any{"type": "object", "required": []string{"error"}, "properties": map[string]any{
		"error": map[string]any{"type": "object", "required": []string{"code", "message"}, "properties": map[string]any{
			"code": map[string]any{"type": "string", "enum": codes}, "message": text, "hint": text,
			"candidates": map[string]any{"type": "array", "items": map[string]any{"type": "object"},
				"description": "What an ambiguous name may mean"}}}}}
}

// add describes a route.
func (d *openAPI) add(route restRoute, tool tools.Tool) error {
	in, out, err := tool.Schemas()
	if err != nil {
		return err
	}
	path := route.variables()
	other := route.others() // arguments that this path leaves to another path of the tool
	op := openGet{OperationID: route.operation(), Summary: tool.Definition.Title,
		Description: tool.Definition.Description, Parameters: []openParameter{}}
	for p := in.Properties.Oldest(); p != nil; p = p.Next() {
		if slices.Contains(other, p.Key) {
			continue
		}
		in, required := "query", false
		if slices.Contains(path, p.Key) {
			in, required = "path", true
		}
		about := p.Value.Description
		p.Value.Description = ""
		op.Parameters = append(op.Parameters, openParameter{p.Key, in, required, about, p.Value})
	}
	op.Responses = map[string]openResponse{
		strconv.Itoa(http.StatusOK): {"The answer", jsonContent(out)},
		"default": {"An error",
			jsonContent(map[string]string{"$ref": "#/components/schemas/Error"})},
	}
	d.Paths[route.path] = map[string]openGet{"get": op}
	return nil
}

// others returns the variables of the other paths of the tool.
func (r restRoute) others() []string {
	var names []string
	for _, other := range restRoutes {
		if other.tool == r.tool {
			names = append(names, other.variables()...)
		}
	}
	own := r.variables()
	return slices.DeleteFunc(names, func(n string) bool { return slices.Contains(own, n) })
}

// operation returns a name for the operation: entities_history, traces_one.
func (r restRoute) operation() string {
	words := strings.FieldsFunc(variable.ReplaceAllString(r.path, ""), func(c rune) bool { return c == '/' })
	if strings.HasSuffix(r.path, "}") {
		words = append(words, "one")
	}
	return strings.Join(words, "_")
}

func jsonContent(schema any) map[string]map[string]any {
	return map[string]map[string]any{"application/json": {"schema": schema}}
}
