package tools_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/facts/hierarchy"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/store"
)

func TestHierarchy_ToolsHandOnWhatTheyAreGiven(t *testing.T) {
	t.Parallel()
	var there stand
	list := all(t, &there, every())
	for _, tc := range []struct {
		tool, arguments string
		want            []any
	}{
		{"retain", `{"content":" Alice lives in Lisbon. ","title":"alice-location","layer":"2","parentId":"m1","entity_id":"m7","type":"Place","valid_from":"2026-03-01",
			"episodeId":"t5","relationships":{"targetId":"e3","type":"is about","strength":0.5},"user":"Ann"}`, []any{memory.Scope{Namespace: "default", User: "Ann"}, hierarchy.Memory{
			Content: "Alice lives in Lisbon.", Title: "alice-location", Layer: p(
				2), Parent: "m1", Updates: "m7", Type: "place", ValidFrom: march, Episode: 5,
			Relations: []hierarchy.Relation{{Target: "e3", Type: "is about", Strength: p(.5)}}}}},
		{"retain", `{"content":"x","layer":" Domain"}`, []any{here, hierarchy.Memory{Content: "x", Layer: p(0)}}},
		{"reflect", `{"layer":"episode"}`, []any{hierarchy.Reflection{Scope: here, Layer: p(3), Limit: 10}}},
		{"retain", `{"content":"x"}`, []any{here, hierarchy.Memory{Content: "x"}}},
		{"recall", `{"query":" technical skills ","limit":3,"validAt":"2026-03-01"}`,
			[]any{hierarchy.RecallQuery{Scope: here, Query: "technical skills", Limit: 3, At: memory.AsOf{ValidAt: march}}}},
		{"recall", `{"under":" m1 "}`, []any{hierarchy.RecallQuery{Scope: here, Under: "m1", Limit: 10}}},
		{"reflect", `{}`, []any{hierarchy.Reflection{Scope: here, Limit: 10}}},
		{"reflect", `{"layer":1,"limit":5,"assign":[{"memory":"m7","parent":"m1"}]}`,
			[]any{hierarchy.Reflection{Scope: here, Layer: p(1), Limit: 5,
				Assign: []store.Assignment{{Memory: "m7", Parent: "m1"}}}}},
	} {
		mem := &fakeMemory{}
		there.Memory = mem
		if res := run(t, list[tc.tool], tc.arguments); res.isError {
			t.Errorf("%s %s: %+v", tc.tool, tc.arguments, res.text)
			continue
		}
		if diff := cmp.Diff(tc.want, mem.asked); diff != "" {
			t.Errorf("%s %s: %s", tc.tool, tc.arguments, diff)
		}
	}
}

func TestHierarchy_ToolsRefuseBeforeTheyAsk(t *testing.T) {
	t.Parallel()
	mem := &fakeMemory{}
	list := all(t, mem, every())
	for _, tc := range [][2]string{
		{"retain", `{}`}, {"retain", `{"content":" "}`}, {"retain", `{"content":"x","layer":4}`},
		{"retain", `{"content":"x","layer":"domains"}`}, {"retain",
			`{"content":"x","episode_id":"e5"}`},
		{"retain", `{"content":"x","relationships":[{"target":"e1"}]}`}, {"retain",
			`{"content":"x","relationships":[{"target":"e1","type":"!"}]}`},
		{"retain", `{"content":"x","relationships":[{"target":"e1","type":"is_about","strength":2}]}`}, {"retain",
			`{"content":"x","parents":"m1"}`},
		{"recall", `{"query":""}`}, {"recall", `{"query":"x","limit":0}`}, {"recall", `{"query":"x","valid_at":"soon"}`},
		{"reflect", `{"assign":[{"memory":"m1"}]}`}, {"reflect", `{"cursor":"x"}`},
	} {
		if res := run(t, list[tc[0]], tc[1]); !res.isError {
			t.Errorf("%s %s is accepted", tc[0], tc[1])
		}
	}
	if mem.calls != 0 {
		t.Errorf("%d calls reached the memory", mem.calls)
	}
}

func TestHierarchy_ToolsShapeTheirAnswers(t *testing.T) {
	t.Parallel()
	node := func(id int64, name string, layer int) memory.Entity {
		return memory.Entity{ID: id, Kind: memory.NodeMemory, Name: name, Type: "concept", Description: name, Confidence: .9,
			Layer: &layer, ValidFrom: march}
	}
	parent, child := node(1, "Functional Programming", 1), node(9, "gave a talk on monads", 3)
	m := node(7, "experienced with Haskell", 2)
	m.ParentID = 1
	fact := memory.Relationship{ID: 3, Head: memory.Node{ID: 7, Kind: memory.NodeMemory, Name: m.Name},
		Tail: memory.Node{ID: 4, Kind: memory.NodeEntity,
			Name: "Alice"}, Relation: "is_about", EdgeClass: "semantic", Confidence: .9, Origin: "agent"}
	mem := &fakeMemory{
		retained: store.Retained{Memory: m, Created: true, Version: 1,
			Relations: []memory.RelationWrite{{Relationship: fact, Status: memory.RelationCreated}}},
		recollection: hierarchy.Recollection{Memories: []hierarchy.Recalled{{Memory: m, Score: .75,
			MatchedBy: []string{"vector"}, Parent: &parent,
			Siblings: store.Family{Nodes: []memory.Entity{node(8, "has used Erlang", 2)},
				Total: 12}, Children: store.Family{Nodes: []memory.Entity{child}, Total: 1},
			Links: []retrieval.FoundRelation{{Relationship: fact, Confidence: .9}}}, {Memory: child}}},
		reflected: hierarchy.Reflected{Assigned: []store.Assigned{{Memory: m, Parent: parent}},
			Errors:  []memory.ItemError{{Item: "assign[1]", Message: "no"}},
			Orphans: []hierarchy.Orphan{{Memory: child, Candidates: []hierarchy.Candidate{{Entity: m, Score: .5}}}}, More: true},
	}
	list := all(t, mem, every())
	answer := func(tool, arguments string) string {
		res := run(t, list[tool], arguments)
		if res.isError {
			t.Fatalf("%s: %s", tool, res.text)
		}
		return string(res.body)
	}
	for tool, wants := range map[string][]string{
		`retain {"content":"x"}`: {`"id":"m7"`, `"status":"created"`, `"version":1`, `"layer":2`,
			`"relationships":[{"id":"r3","head":"experienced with Haskell","relation":"is_about","tail":"Alice","status":"created"}]`, `"conflicts":[]`, `"superseded":[]`},
		`recall {"query":"x"}`: {`"id":"m7"`, `"parent":"m1"`,
			`"parent_memory":{"id":"m1","name":"Functional Programming","layer":1}`,
			`"siblings":[{"id":"m8","name":"has used Erlang","layer":2}]`, `"sibling_count":12`,
			`"children":[{"id":"m9","name":"gave a talk on monads","layer":3}]`, `"score":0.75`,
			`"valid_from":"2026-03-01T00:00:00Z"`, `"siblings":[]`, `"relationships":[]`,
			`"memory_state":{"pending":0,"failed":0,"degraded":[]}`},
		`reflect {}`: {`"assigned":[{"id":"m7","name":"experienced with Haskell","layer":2,"parent":{"id":"m1","name":"Functional Programming","layer":1}}]`, `"errors":[{"item":"assign[1]","message":"no"}]`,
			`"candidates":[{"id":"m7","name":"experienced with Haskell","layer":2,"score":0.5}]`, `"next_cursor":`},
	} {
		name, arguments, _ := strings.Cut(tool, " ")
		got := answer(name, arguments)
		for _, want := range wants {
			if !strings.Contains(got, want) {
				t.Errorf("%s lacks %s:\n%s", tool, want, got)
			}
		}
	}
	mem.recollection = hierarchy.Recollection{}
	mem.reflected = hierarchy.Reflected{}
	mem.retained = store.Retained{Memory: m, Changed: true, Version: 2}
	for tool, want := range map[string]string{`recall {"query":"x"}`: `"memories":[]`,
		`reflect {}`: `"assigned":[],"errors":[],"orphans":[]`, `retain {"content":"x"}`: `"status":"updated"`} {
		name, arguments, _ := strings.Cut(tool, " ")
		if got := answer(name, arguments); !strings.Contains(got, want) {
			t.Errorf("%s lacks %s:\n%s", tool, want, got)
		}
	}
}

func TestRecall_StaysUnderItsCap(t *testing.T) {
	t.Parallel()
	big := memory.Entity{ID: 7, Kind: memory.NodeMemory, Name: strings.Repeat("n", 500),
		Description: strings.Repeat("d", 200_000), Aliases: []string{strings.Repeat("a", 400)}}
	var family store.Family
	for range 10 {
		family.Nodes = append(family.Nodes, big)
	}
	mem := &fakeMemory{}
	for range 50 {
		mem.recollection.Memories = append(mem.recollection.Memories,
			hierarchy.Recalled{Memory: big, Siblings: family, Children: family, Parent: &big})
	}
	o := every()
	list := all(t, mem, o)
	for detail, most := range map[string]int{"summary": o.AnswerBytes, "full": o.FullAnswerBytes} {
		res := run(t, list["recall"], `{"query":"x","limit":50,"detail":"`+detail+`"}`)
		if res.isError || len(res.body) > most {
			t.Errorf("%s: %d bytes, more than %d; %.200s", detail, len(res.body), most, res.text)
		}
		if got := string(res.body); !strings.Contains(got, `"truncated":true`) || !strings.Contains(got, `"id":"m7"`) {
			t.Errorf("%s: %.300s", detail, got)
		}
	}
}
