package server_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"memory-graph/internal/config"
	"memory-graph/internal/engine"
	"memory-graph/internal/graph/planted"
	"memory-graph/tools"
)

// The tools alone store graphs with planted communities, refresh, and read the communities back. The graphs have 1,000
// nodes, or 10,000 with MEMORY_GRAPH_E2E=full, which takes minutes.
func TestCommunities_ThroughTheTools(t *testing.T) {
	t.Parallel()
	cfg := config.Default()
	cfg.DB, cfg.Paths.Cache = filepath.Join(t.TempDir(), "memory.db"), filepath.Join(cacheHome(), "memory-graph")
	cfg.Embedder, cfg.Synchronous, cfg.Heartbeat.Enabled, cfg.Rules = "none", "off", false, false
	eng, err := engine.Start(cfg, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer eng.Close()
	o := tools.Defaults()
	o.Toolsets = []string{"all"}
	list, err := tools.All(tools.Of(eng), o)
	if err != nil {
		t.Fatal(err)
	}
	call := func(name string, arguments any, into any) {
		t.Helper()
		b, err := json.Marshal(arguments)
		if err != nil {
			t.Fatal(err)
		}
		for _, tool := range list {
			if tool.Definition.Name != name {
				continue
			}
			r := tool.Call(t.Context(), b)
			text := r.Content[0].(mcp.TextContent).Text
			if r.IsError {
				t.Fatalf("%s: %s", name, text)
			}
			if err := json.Unmarshal([]byte(text), into); err != nil {
				t.Fatal(err)
			}
			return
		}
		t.Fatalf("there is no tool %s", name)
	}
	type object = map[string]any
	nodes := 1000
	if os.Getenv("MEMORY_GRAPH_E2E") == "full" {
		nodes = 10_000
	}
	for mixing, least := range map[float64]float64{.1: .9, .2: .75, .3: .75} {
		namespace := fmt.Sprint("mixing ", mixing)
		g := planted.New(planted.Standard(nodes, mixing, 1))
		for at := 0; at < len(g.Edges); at += 200 {
			var relations []object
			for _, e := range g.Edges[at:min(at+200, len(g.Edges))] {
				relations = append(relations, object{"head": fmt.Sprintf("n%d", e[0]), "relation": "knows",
					"tail": fmt.Sprintf("n%d", e[1])})
			}
			var stored struct{ Errors []object }
			call("store_episode", object{"namespace": namespace, "content": fmt.Sprint("Part ", at), "role": "system",
				"relations": relations}, &stored)
			if len(stored.Errors) > 0 {
				t.Fatalf("%+v", stored.Errors[0])
			}
		}
		var done struct{ Communities, Changed, Unchanged int }
		call("refresh_communities", object{"namespace": namespace}, &done)
		found := make([]int, len(g.Community))
		for n := range found {
			found[n] = -1 - n
		}
		largest := 0
		for c := range done.Communities {
			for cursor := ""; ; {
				arguments := object{"namespace": namespace, "community": fmt.Sprint("c", first(t, call, namespace)+c),
					"limit": 50, "cursor": cursor}
				var page struct {
					Communities []struct {
						Name, Summary string
						Size          int
					}
					Entities   []struct{ Name string }
					NextCursor string `json:"next_cursor"`
				}
				call("communities", arguments, &page)
				largest = max(largest, page.Communities[0].Size)
				if page.Communities[0].Name == "" || page.Communities[0].Summary == "" {
					t.Errorf("%v has no name or summary", arguments)
				}
				for _, e := range page.Entities {
					var n int
					if _, err := fmt.Sscanf(e.Name, "n%d", &n); err != nil {
						t.Fatal(err)
					}
					found[n] = c
				}
				if cursor = page.NextCursor; cursor == "" {
					break
				}
			}
		}
		nmi := planted.NMI(g.Community, found)
		t.Logf("mixing %v: NMI %.3f, %d communities, the largest has %d nodes", mixing, nmi, done.Communities, largest)
		if nmi < least || largest > len(found)/5 {
			t.Errorf("mixing %v: NMI %.3f, want at least %v; the largest community has %d nodes", mixing, nmi, least, largest)
		}
		call("refresh_communities", object{"namespace": namespace}, &done)
		if done.Changed != 0 || done.Unchanged != done.Communities {
			t.Errorf("mixing %v: refreshed again: %+v", mixing, done)
		}
	}
}

// first returns the lowest number of a namespace's communities.
func first(t *testing.T, call func(string, any, any), namespace string) int {
	t.Helper()
	lowest := 0
	for cursor := ""; ; {
		var page struct {
			Communities []struct{ ID string }
			NextCursor  string `json:"next_cursor"`
		}
		call("communities", map[string]any{"namespace": namespace, "limit": 50, "detail": "ids", "cursor": cursor}, &page)
		for _, c := range page.Communities {
			var n int
			if _, err := fmt.Sscanf(c.ID, "c%d", &n); err != nil {
				t.Fatal(err)
			}
			if lowest == 0 || n < lowest {
				lowest = n
			}
		}
		if cursor = page.NextCursor; cursor == "" {
			return lowest
		}
	}
}
