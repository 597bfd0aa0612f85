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

// openAPI is a description of the HTTP interface, as OpenAPI 3.1. Its schemas are those of the tools.
// https://spec.openapis.org/oas/v3.1.1.html
type openAPI struct {
	OpenAPI    string                         `json:"openapi"`
	Info       openAPIInfo                    `json:"info"`
	Servers    []map[string]string            `json:"servers"`
	Security   []map[string][]string          `json:"security"`
	Paths      map[string]map[string]openCall `json:"paths"`
	Components map[string]map[string]any      `json:"components"`
}

type openAPIInfo struct {
	Title       string `json:"title"`
	Version     string `json:"version"`
	Description string `json:"description"`
}

// openCall is the GET or the POST of a path.
type openCall struct {
	OperationID string                  `json:"operationId"`
	Summary     string                  `json:"summary"`
	Description string                  `json:"description"`
	Parameters  []openParameter         `json:"parameters"`
	Body        *openBody               `json:"requestBody,omitempty"`
	Responses   map[string]openResponse `json:"responses"`
}

type openParameter struct {
	Name        string             `json:"name"`
	In          string             `json:"in"` // path, query or header
	Required    bool               `json:"required,omitempty"`
	Description string             `json:"description,omitempty"`
	Schema      *jsonschema.Schema `json:"schema"`
}

// openBody is the body of a POST: the arguments of a tool.
type openBody struct {
	Required bool                      `json:"required"`
	Content  map[string]map[string]any `json:"content"`
}

type openResponse struct {
	Description string                    `json:"description"`
	Headers     map[string]openHeader     `json:"headers,omitempty"`
	Content     map[string]map[string]any `json:"content"`
}

type openHeader struct {
	Description string             `json:"description"`
	Schema      *jsonschema.Schema `json:"schema"`
}

// newOpenAPI returns the description of a server, without paths. acts says that the server can change the memory. Only
// the server of explore can, and it uses a cookie instead of the token.
func newOpenAPI(version string, acts bool) *openAPI {
	doc := &openAPI{
		OpenAPI: "3.1.1",
		Info: openAPIInfo{"memory-graph", version, "Reads the memory. Each path answers as the tool of the same " +
			"description does over MCP, with the same limits and errors. Nothing here writes."},
		Servers:  []map[string]string{{"url": restBase}},
		Security: []map[string][]string{{"bearer": {}}, {"cookie": {}}},
		Paths:    map[string]map[string]openCall{},
		Components: map[string]map[string]any{
			"securitySchemes": {
				"bearer": map[string]string{"type": "http", "scheme": "bearer"},
				"cookie": map[string]string{"type": "apiKey", "in": "cookie", "name": "memory-graph-explore-PORT",
					"description": "A browser gets it when it signs in at /explore/."}},
			"schemas": {"Error": errorSchema()},
		},
	}
	if acts {
		doc.Info.Description = "Reads the memory, and corrects it for the person who opened the page of explore. Each path " +
			"answers as the tool of the same description does over MCP, with the same limits and errors."
		doc.Security = []map[string][]string{{"cookie": {}}}
		delete(doc.Components["securitySchemes"], "bearer")
	}
	return doc
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
	op := openCall{OperationID: route.operation(), Summary: tool.Definition.Title,
		Description: tool.Definition.Description, Parameters: []openParameter{}}
	for p := in.Properties.Oldest(); p != nil; p = p.Next() {
		if _, fixed := route.fixed[p.Key]; fixed || slices.Contains(other, p.Key) {
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
		strconv.Itoa(http.StatusOK): {"The answer", nil, jsonContent(out)},
		"default":                   anError(),
	}
	d.Paths[route.path] = map[string]openCall{"get": op}
	return nil
}

// addAct describes a path that changes the memory.
func (d *openAPI) addAct(path string, tool tools.Tool) error {
	in, out, err := tool.Schemas()
	if err != nil {
		return err
	}
	text := &jsonschema.Schema{Type: "string"}
	d.Paths[path] = map[string]openCall{"post": {
		OperationID: tool.Definition.Name, Summary: tool.Definition.Title, Description: tool.Definition.Description,
		Parameters: []openParameter{{pageHeader, "header", true, "Any value; only the page can send the header", text}},
		Body:       &openBody{true, jsonContent(in)},
		Responses: map[string]openResponse{
			strconv.Itoa(http.StatusOK): {"The answer", map[string]openHeader{callHeader: {"The call, for undo", text}},
				jsonContent(out)},
			"default": anError(),
		}}}
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

// anError describes every error.
func anError() openResponse {
	return openResponse{"An error", nil, jsonContent(map[string]string{"$ref": "#/components/schemas/Error"})}
}

func jsonContent(schema any) map[string]map[string]any {
	return map[string]map[string]any{"application/json": {"schema": schema}}
}
