package server_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/waitfor"
)

// sample is a line of the text format: a name, labels and a number.
var sample = regexp.MustCompile(`^([a-z_]+)(\{[a-z_]+="(?:[^"\\\n]|\\.)*"(?:,[a-z_]+="(?:[^"\\\n]|\\.)*")*\})? (\S+)$`)

// scrape reads the metrics as a map from name and labels to the number. Every line must be of the text format, and
// every name must be announced once, before its lines.
func scrape(t *testing.T, addr string) map[string]string {
	t.Helper()
	status, body, header := get(t, http.MethodGet, addr, "/metrics", nil)
	if status != 200 || !strings.HasPrefix(header.Get("Content-Type"), "text/plain; version=0.0.4") {
		t.Fatalf("%d %s: %s", status, header.Get("Content-Type"), body)
	}
	kinds, found := map[string]string{}, map[string]string{}
	for line := range strings.Lines(string(body)) {
		line = strings.TrimSuffix(line, "\n")
		if rest, ok := strings.CutPrefix(line, "# TYPE "); ok {
			name, kind, _ := strings.Cut(rest, " ")
			if _, twice := kinds[name]; twice {
				t.Errorf("%s is announced twice", name)
			}
			kinds[name] = kind
			continue
		}
		if strings.HasPrefix(line, "# HELP ") {
			continue
		}
		m := sample.FindStringSubmatch(line)
		if m == nil {
			t.Fatalf("not a sample: %s", line)
		}
		family := m[1]
		if base := regexp.MustCompile(`_(bucket|sum|count)$`).ReplaceAllString(family, ""); kinds[base] == "histogram" {
			family = base
		}
		if kinds[family] == "" {
			t.Errorf("%s is not announced", line)
		}
		found[m[1]+m[2]] = m[3]
	}
	return found
}

func TestMetrics_CountTheFileAndTheCalls(t *testing.T) {
	t.Parallel()
	addr, mem, o := serveEngine(t)
	callAll(t, mem, o, `create_relation {"head":"Ann","relation":"works_at","tail":"Acme","create_missing":true}`)
	for range 3 {
		get(t, http.MethodGet, addr, "/api/v1/stats", nil)
	}
	get(t, http.MethodGet, addr, "/api/v1/entities/Nobody/history", nil)
	found := scrape(t, addr)
	const calls = "memory_graph_call_duration_seconds"
	got := map[string]string{}
	for _, name := range []string{`memory_graph_entities`, `memory_graph_relationships_active`,
		calls + `_count{tool="status",error="none"}`, calls + `_bucket{tool="status",error="none",le="+Inf"}`,
		calls + `_count{tool="history",error="not_found"}`, `memory_graph_calls_running`} {
		got[name] = found[name]
	}
	want := map[string]string{`memory_graph_entities`: "2", `memory_graph_relationships_active`: "1",
		calls + `_count{tool="status",error="none"}`: "3", calls + `_bucket{tool="status",error="none",le="+Inf"}`: "3",
		calls + `_count{tool="history",error="not_found"}`: "1", `memory_graph_calls_running`: "0"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s\nof %v", diff, found)
	}
	if status, _, _ := get(t, http.MethodGet, addr, "/metrics", map[string]string{"Authorization": ""}); status != 401 {
		t.Errorf("without the token: %d", status)
	}
	if status, _, _ := get(t, http.MethodPost, addr, "/metrics", nil); status != 405 {
		t.Errorf("POST: %d", status)
	}
}

func TestREST_ReadsTraces(t *testing.T) {
	t.Parallel()
	addr, mem, o := serveEngine(t)
	const secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
	callAll(t, mem, o, fmt.Sprintf(`store_episode {"content":"I use Neovim.","role":"user"}
retrieve {"query":"Which editor? %s"}
retrieve {"query":"And which shell?"}`, secret))
	type answer struct {
		Traces []struct {
			ID      int64
			Request struct{ Query string }
			Answer  struct{ Strategy string }
		}
		NextCursor string `json:"next_cursor"`
	}
	described := describe(t, addr)
	read := func(path string) (a answer) {
		t.Helper()
		status, body, _ := get(t, http.MethodGet, addr, path, nil)
		described.check(t, path, status, body)
		if strings.Contains(string(body), secret) {
			t.Errorf("%s shows a secret: %s", path, body)
		}
		if err := json.Unmarshal(body, &a); status != 200 || err != nil {
			t.Fatalf("%s: %d %s", path, status, body)
		}
		return a
	}
	waitfor.Until(t, "traces are written", func() bool { return len(read("/api/v1/traces").Traces) == 2 })
	first := read("/api/v1/traces?limit=1")
	second := read("/api/v1/traces?limit=1&cursor=" + first.NextCursor)
	if len(first.Traces) != 1 || len(second.Traces) != 1 || first.Traces[0].Request.Query != "And which shell?" {
		t.Fatalf("%+v, then %+v", first, second)
	}
	one := read(fmt.Sprintf("/api/v1/traces/%d", second.Traces[0].ID))
	if diff := cmp.Diff(second.Traces, one.Traces); diff != "" {
		t.Errorf("alone and in the list: %s", diff)
	}
	for path, want := range map[string]int{"/api/v1/traces/999": 404, "/api/v1/traces/x": 400} {
		if status, body, _ := get(t, http.MethodGet, addr, path, nil); status != want {
			t.Errorf("%s: %d, want %d: %s", path, status, want, body)
		}
	}
}
