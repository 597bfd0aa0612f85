package tools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"memory-graph/internal/embedding"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/store"
	"memory-graph/tools"
)

// walked is a memory with a real graph.
type walked struct {
	*fakeMemory
	graph *retrieval.Retriever
}

func (m walked) Traverse(ctx context.Context, req retrieval.TraverseRequest) (retrieval.Traversal, error) {
	return m.graph.Traverse(ctx, req)
}

func TestTraverse_PagesBringEveryFactOnceHoweverSmallTheAnswer(t *testing.T) {
	t.Parallel()
	st, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "memory.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	in := store.NewEpisode{Episode: memory.Episode{Scope: memory.Scope{Namespace: "default"}, Role: memory.RoleUser,
		Content: "all of it", Origin: memory.OriginUser, Status: memory.StatusDone}, Caller: memory.Caller{Actor: "test"}}
	fact := func(head, tail string) {
		in.Relations = append(in.Relations, memory.RelationDraft{Head: head, Relation: "uses", Tail: tail,
			Fact:          strings.Repeat("of which much is said ", 6),
			CreateMissing: true, Origin: memory.OriginUser, Method: memory.MethodSupplied})
	}
	for i := range 4 {
		mid := fmt.Sprint("Mid ", i)
		fact("Root", mid)
		fact(mid, "End")
		for j := range 8 {
			leaf := fmt.Sprint("Leaf ", i, " ", j)
			fact(mid, leaf)
			fact(leaf, fmt.Sprint("Mid ", (i+1)%4))
		}
	}
	if rec, err := st.RecordEpisode(t.Context(), in); err != nil || len(rec.Errors) > 0 {
		t.Fatal(err, rec.Errors)
	}
	mem := walked{&fakeMemory{}, &retrieval.Retriever{Episodes: st, Text: st, Embedder: embedding.None{}, Graph: st}}
	for _, tc := range []struct {
		arguments       string
		entities, facts int
	}{{`"start_entity":"Root"`, 37, 72}, {`"start_entity":"Root","end_entity":"End"`, 5, 8}} {
		for _, size := range []int{2600, 8000, 32 << 10} {
			o := tools.Defaults()
			o.AnswerBytes = size
			tool := all(t, mem, o)["graph_traverse"]
			times := map[string]int{}
			entities, facts, pages := 0, 0, 0
			for cursor := ""; ; pages++ {
				r := run(t, tool, `{`+tc.arguments+`,"limit":20,"cursor":"`+cursor+`"}`)
				if r.isError || len(r.body) > size || pages > 99 {
					t.Fatalf("page %d, %d bytes: %.200s", pages, len(r.body), r.text)
				}
				var a struct {
					Entities, Relations []struct{ ID string }
					NextCursor          string `json:"next_cursor"`
				}
				if err := json.Unmarshal(r.body, &a); err != nil {
					t.Fatal(err)
				}
				entities, facts = entities+len(a.Entities), facts+len(a.Relations)
				for _, it := range append(a.Entities, a.Relations...) {
					if times[it.ID]++; times[it.ID] > 1 {
						t.Errorf("%s, %d bytes: %s occurs twice", tc.arguments, size, it.ID)
					}
				}
				if cursor = a.NextCursor; cursor == "" {
					break
				}
			}
			if entities != tc.entities || facts != tc.facts {
				t.Errorf("%s, %d bytes: %d entities and %d facts, want %d and %d", tc.arguments, size, entities, facts, tc.entities,
					tc.facts)
			}
			if size == 2600 && pages < 1 {
				t.Errorf("%s: %d pages are too few to test small ones", tc.arguments, pages+1)
			}
		}
	}
}
