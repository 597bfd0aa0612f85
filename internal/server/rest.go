package server

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"

	"memory-graph/internal/memory"
	"memory-graph/tools"
)

// restBase is the path below which the read-only HTTP interface answers.
const restBase = "/api/v1"

// restRoute is one path of the interface. It answers as a tool does, so limits, scopes and errors are the same. The
// variables of the path are arguments of the tool, and so are the parameters of the query.
type restRoute struct {
	path string // below restBase
	tool string
}

// restRoutes are the paths of the interface, except the description. A tool must not write. A path whose tool is
// planned for a later version is not served.
var restRoutes = []restRoute{
	{"/entities/{entity}/history", "history"},
	{"/relations/{relationship_id}/history", "history"},
	{"/communities", "communities"},
	{"/stats", "status"},
	{"/traces", "traces"},
	{"/traces/{id}", "traces"},
}

// variable finds the variables of a path.
var variable = regexp.MustCompile(`\{([a-z_]+)\}`)

// variables returns the names of the arguments that the path holds.
func (r restRoute) variables() []string {
	var names []string
	for _, m := range variable.FindAllStringSubmatch(r.path, -1) {
		names = append(names, m[1])
	}
	return names
}

// handleREST adds the routes and their description to mux. It calls around before each answer, and done after it.
func handleREST(mux *http.ServeMux, mem tools.Memory, o Options, around func() (done func())) error {
	doc := newOpenAPI(o.Version)
	for _, route := range restRoutes {
		tool, err := tools.Named(mem, o.Tools, route.tool)
		if e := memory.AsError(err); e != nil && e.Code == memory.NotFound {
			continue
		}
		if err != nil {
			return fmt.Errorf("serve %s%s: %w", restBase, route.path, err)
		}
		if !tool.ReadOnly {
			return fmt.Errorf("serve %s%s: the tool %s writes", restBase, route.path, route.tool)
		}
		if err := doc.add(route, tool); err != nil {
			return fmt.Errorf("describe %s%s: %w", restBase, route.path, err)
		}
		mux.Handle(restBase+route.path, reading(func(r *http.Request) (json.RawMessage, error) {
			defer around()()
			arguments, err := route.arguments(r)
			if err != nil {
				return nil, err
			}
			return tool.Ask(tools.WithClient(r.Context(), clientName(withUserAgent(r.Context(), r))), arguments)
		}))
	}
	text, err := json.Marshal(doc)
	if err != nil {
		return fmt.Errorf("describe %s: %w", restBase, err)
	}
	mux.Handle(restBase+"/openapi.json", reading(func(*http.Request) (json.RawMessage, error) { return text, nil }))
	mux.Handle(restBase+"/", reading(func(r *http.Request) (json.RawMessage, error) {
		return nil, memory.Errorf(memory.NotFound, "there is nothing at %s.", r.URL.Path).
			WithHint("GET %s/openapi.json describes all paths.", restBase)
	}))
	return nil
}

// arguments returns the arguments of the tool: the path's variables and the query's parameters. A repeated parameter is
// a list.
func (r restRoute) arguments(req *http.Request) (json.RawMessage, error) {
	in := map[string]any{}
	query := req.URL.Query()
	for _, name := range r.variables() {
		if query.Has(name) {
			return nil, memory.Errorf(memory.InvalidArgument, "%s is given in the path and in the query.", name).
				WithHint("Leave it out of the query.")
		}
		in[name] = req.PathValue(name)
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if in[name] = query[name]; len(query[name]) == 1 {
			in[name] = query[name][0]
		}
	}
	return json.Marshal(in)
}

// reading returns a handler for a path that is only read. It writes the answer or the error as JSON.
func reading(answer func(*http.Request) (json.RawMessage, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		head := w.Header()
		head.Set("Content-Type", "application/json")
		head.Set("Cache-Control", "no-store")
		head.Set("X-Content-Type-Options", "nosniff")
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			head.Set("Allow", "GET, HEAD")
			writeREST(w, http.StatusMethodNotAllowed, restError(memory.Errorf(memory.InvalidArgument,
				"%s is not possible: %s is read-only.", r.Method, restBase).WithHint("Use the tools over /mcp to write.")))
			return
		}
		body, err := answer(r)
		if err != nil {
			e := memory.AsError(err)
			writeREST(w, restStatus[e.Code], restError(e))
			return
		}
		writeREST(w, http.StatusOK, body)
	})
}

// restStatus maps the codes of errors to those of HTTP.
var restStatus = map[memory.Code]int{
	memory.InvalidArgument: http.StatusBadRequest,
	memory.NotFound:        http.StatusNotFound,
	memory.Ambiguous:       http.StatusConflict,
	memory.Conflict:        http.StatusConflict,
	memory.TooLarge:        http.StatusRequestEntityTooLarge,
	memory.ReadOnly:        http.StatusForbidden,
	memory.Unavailable:     http.StatusServiceUnavailable,
	memory.Internal:        http.StatusInternalServerError,
}

// restError returns an error as the tools give it: {"error": {"code", "message", "hint", "candidates"}}.
func restError(e *memory.Error) json.RawMessage {
	type body struct {
		Code       memory.Code        `json:"code"`
		Message    string             `json:"message"`
		Hint       string             `json:"hint"`
		Candidates []memory.Candidate `json:"candidates,omitempty"`
	}
	b, _ := json.Marshal(map[string]body{"error": {e.Code, e.Message, e.Hint, e.Candidates}}) // always encodes
	return b
}

func writeREST(w http.ResponseWriter, status int, body []byte) {
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n')) // a client that has gone needs no answer
}

// withUserAgent stores the User-Agent of a request, under which its call is logged.
func withUserAgent(ctx context.Context, r *http.Request) context.Context {
	return context.WithValue(ctx, userAgentKey{}, r.UserAgent())
}
