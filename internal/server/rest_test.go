package server_test

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"memory-graph/internal/config"
	"memory-graph/internal/engine"
	"memory-graph/internal/server"
	"memory-graph/tools"
)

// get asks a path of the server; headers override the usual ones.
func get(t *testing.T, method, addr, path string, headers map[string]string) (int, []byte, http.Header) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, "http://"+addr+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	for k, v := range headers {
		if k == "Host" {
			req.Host = v
		} else {
			req.Header.Set(k, v)
		}
	}
	tr := &http.Transport{}
	defer tr.CloseIdleConnections()
	resp, err := (&http.Client{Transport: tr}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, body, resp.Header
}

// TestREST plays the exchanges in testdata/rest, each with a new database. The file "calls" of a script holds a tool
// and its arguments in each line. In the exchange, a line after "> " is a method and a path; the lines after it are the
// status and the answer, which -update writes. Every answer must be as the served description says.
func TestREST(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "rest", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			addr, mem, o := serveEngine(t)
			for i, f := range archive.Files {
				switch f.Name {
				case "calls":
					callAll(t, mem, o, string(f.Data))
				case "exchange":
					got := askAll(t, addr, string(f.Data))
					if *update {
						archive.Files[i].Data = []byte(got)
						if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
							t.Fatal(err)
						}
					} else if diff := cmp.Diff(string(f.Data), got); diff != "" {
						t.Errorf("the answers differ; if that is intended, update them with -update:\n%s", diff)
					}
				default:
					t.Fatalf("unknown file %q", f.Name)
				}
			}
		})
	}
}

// serveEngine serves a new database.
func serveEngine(t *testing.T) (addr string, mem tools.Memory, o tools.Options) {
	t.Helper()
	home := t.TempDir()
	cfg, _, err := config.Load(config.LoadOptions{Env: []string{"HOME=" + home, "XDG_CACHE_HOME=" + cacheHome(),
		"LOCALAPPDATA=" + home, "MEMORY_GRAPH_DB=" + filepath.Join(home, "memory.db"), "MEMORY_GRAPH_EMBEDDER=none",
		"MEMORY_GRAPH_TRACES_ENABLED=true"}})
	if err != nil {
		t.Fatal(err)
	}
	cfg.RetentionDays = 36_500 // the background archiving would interfere with the calls
	eng, err := engine.Start(cfg, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(eng.Close)
	mem = tools.Of(eng)
	addr, _ = serveHTTP(t, mem, func(so *server.Options) { o = so.Tools })
	return addr, mem, o
}

// callAll calls tools: "create_entity {…}" in each line.
func callAll(t *testing.T, mem tools.Memory, o tools.Options, lines string) {
	t.Helper()
	for line := range strings.Lines(lines) {
		name, arguments, _ := strings.Cut(strings.TrimSpace(line), " ")
		tool, err := tools.Named(mem, o, name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tool.Ask(t.Context(), json.RawMessage(arguments)); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
}

// askAll asks for the paths of an exchange and returns it with the answers.
func askAll(t *testing.T, addr, text string) string {
	t.Helper()
	described := describe(t, addr)
	var out strings.Builder
	for line := range strings.Lines(text) {
		send, ok := strings.CutPrefix(line, "> ")
		if !ok {
			continue
		}
		out.WriteString(line)
		method, path, _ := strings.Cut(strings.TrimSpace(send), " ")
		status, body, header := get(t, method, addr, path, nil)
		out.WriteString(http.StatusText(status) + "\n")
		if got := header.Get("Content-Type"); got != "application/json" {
			t.Errorf("%s: Content-Type %q", line, got)
		}
		if method == http.MethodHead {
			if len(body) > 0 {
				t.Errorf("%s: a body: %s", line, body)
			}
			continue
		}
		described.check(t, path, status, body)
		out.WriteString(tidy(t, body))
	}
	return out.String()
}

// description is the served OpenAPI document with its schemas, ready to check answers.
type description struct {
	paths    map[string]*jsonschema.Schema // by path with its variables
	failures *jsonschema.Schema
}

func describe(t *testing.T, addr string) description {
	t.Helper()
	status, body, _ := get(t, http.MethodGet, addr, "/api/v1/openapi.json", nil)
	if status != 200 {
		t.Fatalf("openapi.json: %d %s", status, body)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource("openapi.json", doc); err != nil {
		t.Fatal(err)
	}
	schema := func(at string) *jsonschema.Schema {
		s, err := c.Compile("openapi.json#" + at)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	d := description{map[string]*jsonschema.Schema{}, schema("/components/schemas/Error")}
	paths, _ := doc.(map[string]any)["paths"].(map[string]any)
	for path := range paths {
		pointer := strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D").Replace(path)
		d.paths[path] = schema("/paths/" + pointer + "/get/responses/200/content/application~1json/schema")
	}
	return d
}

// check compares an answer with its schema.
func (d description) check(t *testing.T, path string, status int, body []byte) {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		t.Fatalf("%s: %v in %s", path, err, body)
	}
	schema := d.failures
	if status == http.StatusOK {
		path, _, _ = strings.Cut(strings.TrimPrefix(path, "/api/v1"), "?")
		schema = nil
		for pattern, s := range d.paths {
			if matches(pattern, path) {
				schema = s
			}
		}
	}
	if schema == nil {
		if path != "/openapi.json" {
			t.Errorf("%s is not described", path)
		}
		return
	}
	if err := schema.Validate(value); err != nil {
		t.Errorf("%s: %v", path, err)
	}
}

// matches reports whether a path is one of a pattern, in which {name} stands for one part.
func matches(pattern, path string) bool {
	want, got := strings.Split(pattern, "/"), strings.Split(path, "/")
	if len(want) != len(got) {
		return false
	}
	for i := range want {
		if want[i] != got[i] && !strings.HasPrefix(want[i], "{") {
			return false
		}
	}
	return true
}

func TestREST_LetsInOnlyWhoMayRead(t *testing.T) {
	t.Parallel()
	addr, _ := serveHTTP(t, &fakeMemory{}, nil)
	for name, tc := range map[string]struct {
		headers map[string]string
		want    int
	}{
		"as it should be": {nil, 200},
		"no token":        {map[string]string{"Authorization": ""}, 401},
		"wrong token":     {map[string]string{"Authorization": "Bearer " + token + "x"}, 401},
		"rebound name":    {map[string]string{"Host": "evil.example"}, 403},
		"foreign page":    {map[string]string{"Origin": "https://evil.example"}, 403},
		"sandboxed page":  {map[string]string{"Origin": "null"}, 403},
		"cross-site":      {map[string]string{"Sec-Fetch-Site": "cross-site"}, 403},
		"local page":      {map[string]string{"Origin": "http://localhost:6274"}, 200},
	} {
		status, body, header := get(t, http.MethodGet, addr, "/api/v1/openapi.json", tc.headers)
		if status != tc.want {
			t.Errorf("%s: status %d, want %d: %s", name, status, tc.want, body)
		}
		if h := header.Get("Access-Control-Allow-Origin"); h != "" {
			t.Errorf("%s: pages of %s may read the answer", name, h)
		}
	}
}

func TestREST_DescribesWhatItTakes(t *testing.T) {
	t.Parallel()
	addr, _ := serveHTTP(t, &fakeMemory{}, nil)
	_, body, _ := get(t, http.MethodGet, addr, "/api/v1/openapi.json", nil)
	var doc struct {
		OpenAPI string
		Paths   map[string]map[string]struct {
			OperationID string
			Summary     string
			Parameters  []struct {
				Name, In, Description string
				Required              bool
				Schema                map[string]any
			}
			Responses map[string]any
		}
	}
	if err := json.Unmarshal(body, &doc); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(doc.OpenAPI, "3.1.") {
		t.Errorf("openapi %q", doc.OpenAPI)
	}
	for _, path := range []string{"/stats", "/traces", "/traces/{id}", "/entities/{entity}/history",
		"/relations/{relationship_id}/history"} {
		if _, ok := doc.Paths[path]["get"]; !ok {
			t.Errorf("%s is not described", path)
		}
	}
	operations := map[string]string{}
	for path, methods := range doc.Paths {
		op := methods["get"]
		if len(methods) != 1 || op.Summary == "" || op.Responses["200"] == nil || op.Responses["default"] == nil {
			t.Errorf("%s: %+v", path, methods)
		}
		if other, twice := operations[op.OperationID]; twice {
			t.Errorf("%s and %s have the same operation %s", path, other, op.OperationID)
		}
		operations[op.OperationID] = path
		names := map[string]bool{}
		for _, p := range op.Parameters {
			inPath := strings.Contains(path, "{"+p.Name+"}")
			if inPath != (p.In == "path") || inPath != p.Required || p.Schema == nil || p.Description == "" {
				t.Errorf("%s: %+v", path, p)
			}
			names[p.Name] = true
			if max := p.Schema["maximum"]; p.Name == "limit" && max != 50.0 {
				t.Errorf("%s: limit %v", path, max)
			}
		}
		if !names["namespace"] || strings.Count(path, "{") > 0 && len(names) < 2 {
			t.Errorf("%s: parameters %v", path, names)
		}
	}
}
