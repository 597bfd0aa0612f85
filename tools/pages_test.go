package tools_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/tools"
)

// crowd returns n entities around Ann, each joined to her by facts of the given length.
func crowd(n, each int, fact string) (list []retrieval.FoundEntity, facts []retrieval.FoundRelation) {
	for i := range n {
		e := ann
		e.ID, e.Name = int64(100+i), fmt.Sprint("P", i)
		list = append(list, retrieval.FoundEntity{Entity: e, Depth: 1})
		for k := range each {
			r := works
			r.ID, r.Tail, r.Fact = int64(1000+i*each+k), memory.Node{ID: e.ID, Kind: memory.NodeEntity, Name: e.Name}, fact
			facts = append(facts, retrieval.FoundRelation{Relationship: r, Hop: 1})
		}
	}
	return list, facts
}

func TestTraverse_StaysUnderItsCapAndShowsNoFactWithoutItsEnds(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		n, each int
		fact    string
		detail  string
		most    int
	}{
		{20, 1, "short", "summary", 32 << 10}, {50, 4, strings.Repeat("word ", 60), "summary", 32 << 10}, {50, 1,
			strings.Repeat("\u0001", 4000), "full", 256 << 10},
		{2, 300, strings.Repeat("word ", 60), "summary", 32 << 10},
	} {
		everyone, facts := crowd(tc.n, tc.each, tc.fact)
		seen, cursor := 0, ""
		for page := 0; page < 60; page++ {
			mem := &fakeMemory{traversal: retrieval.Traversal{Start: retrieval.FoundEntity{Entity: ann}}}
			end := min(seen+50, tc.n)
			mem.traversal.Entities, mem.traversal.Relations, mem.traversal.More = everyone[seen:end],
				facts[seen*tc.each:end*tc.each], end < tc.n
			r := run(t, all(t, mem, tools.Defaults())["graph_traverse"],
				`{"start_entity":"Ann","limit":50,"detail":"`+tc.detail+`","cursor":"`+cursor+`"}`)
			if r.isError || len(r.body) >= tc.most {
				t.Fatalf("%d bytes: %.200s", len(r.body), r.text)
			}
			var a struct {
				Entities  []struct{ ID string }
				Relations []struct {
					TailID string `json:"tail_id"`
				}
				Truncated  bool
				NextCursor string `json:"next_cursor"`
			}
			if err := json.Unmarshal(r.body, &a); err != nil {
				t.Fatal(err)
			}
			shown := map[string]bool{}
			for i, e := range a.Entities {
				if want := fmt.Sprint("e", 100+seen+i); e.ID != want {
					t.Fatalf("got %s, want %s next", e.ID, want)
				}
				shown[e.ID] = true
			}
			for _, f := range a.Relations {
				if !shown[f.TailID] {
					t.Errorf("a fact leads to %s, which is not shown", f.TailID)
				}
			}
			if len(a.Relations) < tc.each*len(a.Entities) && !a.Truncated {
				t.Errorf("%d facts of %d entities, but truncated is not set", len(a.Relations), len(a.Entities))
			}
			seen += len(a.Entities)
			if cursor = a.NextCursor; cursor == "" {
				break
			}
		}
		if seen != tc.n {
			t.Errorf("%d of %d entities were delivered", seen, tc.n)
		}
	}
}

func TestLinks_ComeInPagesThatLeaveNothingOut(t *testing.T) {
	t.Parallel()
	_, facts := crowd(120, 1, strings.Repeat("日", 390))
	mem := &fakeMemory{}
	tool := all(t, mem, tools.Defaults())["retrieve_linked"]
	seen, cursor := 0, ""
	for range 100 {
		end := min(seen+50, len(facts))
		mem.links = retrieval.Links{Entity: retrieval.FoundEntity{Entity: ann}, Links: facts[seen:end],
			More: end < len(facts)}
		r := run(t, tool, `{"entity":"Ann","limit":50,"cursor":"`+cursor+`"}`)
		if r.isError || len(r.body) >= 32<<10 {
			t.Fatalf("%d bytes: %.200s", len(r.body), r.text)
		}
		if req, ok := mem.asked[0].(retrieval.LinksRequest); !ok || req.Offset != seen {
			t.Fatalf("asked from %d, want %d", req.Offset, seen)
		}
		var a struct {
			Links      []struct{ ID string }
			NextCursor string `json:"next_cursor"`
		}
		if err := json.Unmarshal(r.body, &a); err != nil {
			t.Fatal(err)
		}
		seen += len(a.Links)
		if cursor = a.NextCursor; cursor == "" {
			break
		}
	}
	if seen != len(facts) {
		t.Errorf("%d of %d facts were delivered", seen, len(facts))
	}
	failed(t, run(t, tool, `{"entity":"Bo","cursor":"`+"eyJvIjo1MCwiayI6ImFiYyJ9"+`"}`), "invalid_argument",
		"another question")
}

func TestHistory_OfFactsGoesOnBehindItsLimit(t *testing.T) {
	t.Parallel()
	mem := &fakeMemory{entity: ann, facts: []memory.Relationship{works}, more: true}
	tool := all(t, mem, every())["history"]
	var a struct {
		NextCursor string `json:"next_cursor"`
	}
	const arguments = `{"entity":"Ann","relation":"works_at","limit":1`
	if err := json.Unmarshal(run(t, tool, arguments+"}").body, &a); err != nil || a.NextCursor == "" {
		t.Fatalf("%+v, %v", a, err)
	}
	run(t, tool, arguments+`,"cursor":"`+a.NextCursor+`"}`)
	if diff := cmp.Diff([]any{"default", ann.ID, "", "works_at", 1, 1}, mem.asked); diff != "" {
		t.Errorf("the second page:\n%s", diff)
	}
	failed(t, run(t, tool, `{"entity":"Ann","cursor":"`+a.NextCursor+`"}`), "invalid_argument", "another question")
}

func TestHistory_EndsAtItsLimit(t *testing.T) {
	t.Parallel()
	mem := &fakeMemory{entity: ann, facts: []memory.Relationship{works}, more: true}
	o := every()
	o.HistoryLimit = 1
	var a struct {
		NextCursor string `json:"next_cursor"`
		Truncated  bool   `json:"truncated"`
	}
	body := run(t, all(t, mem, o)["history"], `{"entity":"Ann","relation":"works_at"}`).body
	if err := json.Unmarshal(body, &a); err != nil || a.NextCursor != "" || !a.Truncated {
		t.Errorf("%s, %v", body, err)
	}
	if diff := cmp.Diff([]any{"default", ann.ID, "", "works_at", 0, 1}, mem.asked); diff != "" {
		t.Error(diff)
	}
}

func TestSearch_ListsArePagedRowByRow(t *testing.T) {
	t.Parallel()
	entities, facts := crowd(50, 1, strings.Repeat("word ", 70))
	mem := &fakeMemory{answer: func(req retrieval.Request) retrieval.Answer {
		cut := func(n int) (int, int) { return min(req.Offset, n), min(req.Offset+req.Limit, n) }
		a := retrieval.Answer{Strategy: retrieval.BFS, Match: retrieval.Strong}
		from, to := cut(len(entities))
		a.Entities, a.More = entities[from:to], to < len(entities)
		from, to = cut(30)
		a.Relations = facts[from:to]
		return a
	}}
	tool := all(t, mem, tools.Defaults())["search_graph"]
	var ids []string
	cursor, pages := "", 0
	for ; pages < 60; pages++ {
		r := run(t, tool, `{"query":"x","limit":40,"cursor":"`+cursor+`"}`)
		if r.isError || len(r.body) >= 32<<10 {
			t.Fatalf("%d bytes: %.200s", len(r.body), r.text)
		}
		var a struct {
			Entities, Relations []struct{ ID string }
			NextCursor          string `json:"next_cursor"`
		}
		if err := json.Unmarshal(r.body, &a); err != nil {
			t.Fatal(err)
		}
		for _, it := range append(a.Entities, a.Relations...) {
			ids = append(ids, it.ID)
		}
		if cursor = a.NextCursor; cursor == "" {
			break
		}
	}
	seen := map[string]bool{}
	for _, id := range ids {
		seen[id] = true
	}
	if len(ids) != 80 || len(seen) != 80 || pages == 0 {
		t.Errorf("%d items, %d of them different, in %d pages", len(ids), len(seen), pages+1)
	}
}
