package server

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"

	"memory-graph/internal/explorer"
	"memory-graph/internal/memory"
	"memory-graph/tools"
)

// restBase is the path below which the HTTP interface answers.
const restBase = "/api/v1"

// restRoute is one path of the interface. It answers as a tool does, so limits, scopes and errors are the same. The
// variables of the path are arguments of the tool, and so are the parameters of the query, or the body of a POST.
type restRoute struct {
	path  string // below restBase
	tool  string
	fixed map[string]any // arguments that the path stands for
}

// restRoutes are the paths that are read, except the description. A tool must not write. A path whose tool is planned
// for a later version is not served.
var restRoutes = []restRoute{
	{"/session", "session", nil},
	{"/find", "find", nil},
	{"/search", "retrieve", nil},
	{"/entities", "list", map[string]any{"what": "entities"}},
	{"/entities/{entity}", "node", nil},
	{"/entities/{entity}/links", "retrieve_linked", nil},
	{"/entities/{entity}/history", "history", nil},
	{"/neighbourhood", "neighbourhood", nil},
	{"/relations", "list", map[string]any{"what": "relations"}},
	{"/relations/{relationship_id}", "fact", nil},
	{"/relations/{relationship_id}/history", "history", nil},
	{"/turns/{episode}", "turn", nil},
	{"/changes", "what_changed", nil},
	{"/calls", "calls", nil},
	{"/calls/{call_id}", "call", nil},
	{"/orphans", "orphans", nil},
	{"/conflicts", "conflicts", nil},
	{"/quarantine", "quarantine", nil},
	{"/communities", "communities", nil},
	{"/context", "inject_context", nil},
	{"/why", "why", nil},
	{"/stats", "status", nil},
	{"/traces", "traces", nil},
	{"/traces/{id}", "traces", nil},
}

// restActs are the tools that a person calls at the page of explore, each with a POST. Only the page's own server has
// them. Without confirm, forget only counts.
var restActs = []string{"create_entity", "update_entity", "create_relation", "update_relation", "supersede",
	"merge_entities", "unmerge", "retain", "reflect", "undo", "forget", "release"}

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

// handleREST adds the routes and their description to mux, and with acts also the paths that change the memory. It
// calls around before each answer, and done after it.
func handleREST(mux *http.ServeMux, mem tools.Memory, o Options, around func() (done func()), acts bool) error {
	doc := newOpenAPI(o.Version, acts)
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
			ctx := tools.WithClient(r.Context(), clientName(withUserAgent(r.Context(), r)))
			if mayWrite(ctx) {
				ctx = tools.ByPerson(ctx, "")
			}
			return tool.Ask(ctx, arguments)
		}))
	}
	if acts {
		if err := handleActs(mux, mem, o, around, doc); err != nil {
			return err
		}
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
		if _, ok := r.fixed[name]; ok {
			return nil, memory.Errorf(memory.InvalidArgument, "%s is given by the path.", name).
				WithHint("Leave it out of the query.")
		}
		if in[name] = query[name]; len(query[name]) == 1 {
			in[name] = query[name][0]
		}
	}
	maps.Copy(in, r.fixed)
	return json.Marshal(in)
}

// reading returns a handler for a path that is only read. It writes the answer or the error as JSON.
func reading(answer func(*http.Request) (json.RawMessage, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		head := w.Header()
		restHeaders(head)
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			head.Set("Allow", "GET, HEAD")
			writeREST(w, http.StatusMethodNotAllowed, restError(memory.Errorf(memory.InvalidArgument,
				"%s is not possible: %s is only read.", r.Method, r.URL.Path).
				WithHint("Use the tools over /mcp to write, or the page of memory-graph explore.")))
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

// restHeaders sets the headers of every answer. A browser that navigates to an answer shows it as data.
func restHeaders(h http.Header) {
	explorer.Headers(h)
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
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
