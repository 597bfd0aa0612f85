package tools_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/store"
	"memory-graph/tools"
)

// stand is a memory that forwards to another one, so that tools are created once for all cases.
type stand struct{ tools.Memory }

// every returns options with all tools.
func every() tools.Options {
	o := tools.Defaults()
	o.Toolsets = []string{"all", "single"}
	return o
}

func p[T any](v T) *T { return &v }

var (
	march = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	june  = time.Date(2026, 6, 1, 9, 30, 0, 0, time.UTC)
	here  = memory.Scope{Namespace: "default"}
)

// TestTools_HandOnWhatTheyAreGiven lists the arguments of calls and what reaches the memory.
func TestTools_HandOnWhatTheyAreGiven(t *testing.T) {
	t.Parallel()
	now := memory.AsOf{}
	var there stand
	list := all(t, &there, every())
	for _, tc := range []struct {
		tool, arguments string
		want            []any
	}{
		{"search_graph", `{"query":" Ann? ","maxHops":"3","edge_types":"worksAt","edge_classes":["causal",""],"strategy":"synapse","types":"Person",
			"limit":7,"valid_at":"2026-03-01","knownAt":"2026-06-01 09:30:00","explain":true,"budget_tokens":0,"user":"Ann"}`, []any{retrieval.Request{
			Scope: memory.Scope{Namespace: "default", User: "Ann"}, Query: "Ann?", Strategy: retrieval.Synapse, Types: []string{
				"person"},
			At: memory.AsOf{ValidAt: march, KnownAt: june}, Limit: 7, Explain: true,
			Graph: &retrieval.GraphScope{MaxHops: 3, EdgeClasses: []string{"causal"}, Relations: []string{"works_at"}}}}},
		{"search_graph", `{"query":"x"}`,
			[]any{retrieval.Request{Scope: here, Query: "x", Limit: 10, BudgetTokens: 500, Graph: &retrieval.GraphScope{}}}},
		{"retrieve", `{"types":["Person","person"],"valid_at":"2026-03-01","strategy":"walk"}`, []any{retrieval.Request{
			Scope: here, Types: []string{"person"}, At: memory.AsOf{
				ValidAt: march}, Strategy: retrieval.Walk, Limit: 10, BudgetTokens: 500}}},
		{"retrieve_linked",
			`{"entity":" Ann ","entityType":"Person","direction":"out","relations":["works at","worksAt"],"edgeClasses":"temporal","limit":50}`,
			[]any{retrieval.LinksRequest{Scope: here, Entity: "Ann", EntityType: "person", Direction: memory.Out,
				Relations:   []string{"works_at"},
				EdgeClasses: []string{"temporal"}, Limit: 50}}},
		{"retrieve_linked", `{"entityId":"e12"}`,
			[]any{retrieval.LinksRequest{Scope: here, Entity: "e12", Direction: memory.Both, Limit: 10}}},
		{"edges_at", `{"entity":"e12","timestamp":"2026-03-01","known_at":"2026-06-01 09:30:00"}`,
			[]any{retrieval.LinksRequest{
				Scope: here, Entity: "e12", Direction: memory.Both, Limit: 10, At: memory.AsOf{ValidAt: march, KnownAt: june}}}},
		{"graph_traverse", `{"startEntity":"Ann","edgeTypes":["uses"],"maxHops":6,"limit":3}`,
			[]any{retrieval.TraverseRequest{
				Scope: here, Start: "Ann", Relations: []string{"uses"}, Direction: memory.Both, MaxHops: 6, Limit: 3}}},
		{"graph_traverse", `{"start_entity":"Ann","end_entity":"Bo","relations":"knows","direction":"in"}`,
			[]any{retrieval.TraverseRequest{
				Scope: here, Start: "Ann", End: "Bo", Relations: []string{"knows"}, Direction: memory.In, MaxHops: 2, Limit: 20}}},
		{"create_entity", `{"name":" Ann ","type":"Team Lead","kind":"memory","description":" x ","aliases":["Annie",""],"confidence":"0.5","valid_from":"2026-03-01",
			"valid_until":"2026-06-01T09:30:00Z","parent":"e1","layer":"2","project":"p"}`, []any{memory.Scope{Namespace: "default", Project: "p"}, memory.EntityDraft{
			Name: "Ann", Type: "team_lead", Kind: memory.NodeMemory, Description: "x", Aliases: []string{
				"Annie"}, Confidence: p(.5), ValidFrom: march,
			ValidUntil: june, Parent: "e1", Layer: p(2)}}},
		{"create_entity", `{"name":42,"type":"tool","confidence":0,"layer":null}`,
			[]any{here, memory.EntityDraft{Name: "42", Type: "tool", Confidence: p(0.)}}},
		{"create_relation", `{"head":"Ann","relation":"works at","tail":"e2","headType":"person","tail_type":"organization","fact":"f","edge_class":"semantic",
			"confidence":1,"strength":0.25,"valid_from":"2026-03-01","evidenceEpisodeId":"t7","createMissing":false}`, []any{here, memory.RelationDraft{
			Head: "Ann", Relation: "works at", Tail: "e2", HeadType: "person", TailType: "organization", Fact: "f",
			EdgeClass:  "semantic",
			Confidence: p(1.), Strength: p(.25), ValidFrom: march}, int64(7)}},
		{"create_relation", `{"head":"a","relation":"r","tail":"b","valid_until":"2026-03-01"}`,
			[]any{here, memory.RelationDraft{
				Head: "a", Relation: "r", Tail: "b", ValidUntil: march, CreateMissing: true}, int64(0)}},
		{"update_entity", `{"entity_id":"e1","name":"Ann","type":"Person","description":"","confidence":0.5,"valid_until":"","last_seen":"2026-03-01","add_aliases":"A",
			"removeAliases":["B"],"parent":"","layer":0}`, []any{here, memory.EntityChange{Entity: "e1", Name: p("Ann"), Type: p("person"), Description: p(""),
			Confidence: p(.5), ValidUntil: &time.Time{}, LastSeen: &march, AddAliases: []string{"A"}, RemoveAliases: []string{
				"B"}, Parent: p(""), Layer: p(0)}}},
		{"update_entity", `{"entity":"e1","description":"d","name":null,"parent":null}`,
			[]any{here, memory.EntityChange{Entity: "e1", Description: p("d")}}},
		{"supersede", `{"relationshipId":"r3","newRelationshipId":"r4","validUntil":"2026-03-01","reason":" moved "}`,
			[]any{here, memory.Supersession{
				ID: 3, ReplacementID: 4, At: march, Reason: "moved"}}},
		{"supersede",
			`{"relationship_id":"r3","replacement":"{\"tail\":\"Bo\",\"tailType\":\"person\",\"confidence\":\"0.7\",\"validFrom\":\"2026-03-01\"}"}`,
			[]any{here, memory.Supersession{ID: 3,
				Replacement: &memory.RelationDraft{Tail: "Bo", TailType: "person", Confidence: p(.7), ValidFrom: march,
					CreateMissing: true}}}},
		{"supersede", `{"relationship_id":"r3","replacement":null}`, []any{here, memory.Supersession{ID: 3}}},
		{"history", `{"relationship_id":"r3","limit":2}`, []any{"default", memory.RelationshipID(3), 0, 2}},
		{"history", `{"entity":"Ann","relation":"Works At","predicate":"50%"}`,
			[]any{"default", int64(9), "50%", "works_at", 0, 10}},
		{"history", `{"entity":"Ann","namespace":"n"}`, []any{"n", memory.ID{Kind: memory.KindEntity, Num: 9}, 0, 10}},
		{"what_changed", `{"since":"2026-03-01","until":"2026-06-01T09:30:00Z","entity":"Ann","limit":50}`,
			[]any{"default", march, june, int64(9), 0, 50}},
		{"what_changed", `{}`, []any{"default", time.Time{}, time.Time{}, int64(0), 0, 10}},
		{"list", `{"types":"Person","kind":"entity","prefix":" An","order":"name"}`,
			[]any{store.EntityFilter{Namespace: "default",
				Kinds: []memory.NodeKind{memory.NodeEntity}, Types: []string{"person"}, Prefix: "An", Order: store.ByName}, 0, 10}},
		{"list", `{"what":"communities","order":"name","limit":3}`,
			[]any{store.CommunityFilter{Namespace: "default", Order: store.ByName}, 0, 3}},
		{"communities", `{"prefix":" Ac"}`, []any{store.CommunityFilter{Namespace: "default", Prefix: "Ac"}, 0, 10}},
		{"communities", `{"communityId":" c3 ","limit":2}`,
			[]any{store.EntityFilter{Namespace: "default", Community: 5}, 0, 2}},
		{"list", `{"community":"Acme"}`, []any{store.EntityFilter{Namespace: "default", Community: 5}, 0, 10}},
		{"refresh_communities", `{"namespace":"n"}`, []any{"n"}},
		{"list", `{"what":"relations","entity":"Ann","relations":["uses"],"status":"ended","edge_classes":"causal"}`,
			[]any{store.RelationshipFilter{
				Namespace: "default", Relations: []string{"uses"}, Classes: []string{
					"causal"}, Entity: 9, Ended: true, At: now}, 0, 10}},
		{"update_relation",
			`{"relationship_id":"r3","fact":"","edge_class":"causal","confidence":0.4,"strength":0,"valid_from":"2026-03-01","valid_until":""}`,
			[]any{"default", memory.RelationChange{ID: 3, Fact: p(""), EdgeClass: p("causal"), Confidence: p(.4),
				Strength: p(0.), ValidFrom: &march, ValidUntil: &time.Time{}}}},
		{"merge_entities", `{"into":"e1","from":" Ann S. "}`, []any{"default", "e1", "Ann S."}},
		{"unmerge", `{"entity":"e2"}`, []any{"default", "e2"}},
		{"undo", `{"callId":" c1 "}`, []any{"default", "c1"}},
		{"undo", ``, []any{"default", ""}},
		{"forget", `{"ids":"t1","confirm":"true"}`, []any{"default", []memory.ID{memory.EpisodeID(1)}, true}},
		{"relation_decay", `{"relation":"worksAt","rate":"0.5"}`, []any{"default", "works_at", .5}},
		{"rollout", `{"mode":"shadow","namespace":"n"}`, []any{"n"}},
		{"status", `{"namespace":"n"}`, []any{"n"}},
		{"memory_graph", `{"action":"supersede","relationship_id":"r3"}`, []any{here, memory.Supersession{ID: 3}}},
		{"memory_graph", `{"action":"retrieve_linked","entity":"e1","relations":["uses"]}`, []any{retrieval.LinksRequest{
			Scope: here, Entity: "e1", Direction: memory.Both, Relations: []string{"uses"}, Limit: 10}}},
	} {
		mem := &fakeMemory{entity: memory.Entity{ID: 9}}
		there.Memory = mem
		if r := run(t, list[tc.tool], tc.arguments); r.isError {
			t.Errorf("%s %s: %s", tc.tool, tc.arguments, r.text)
			continue
		}
		if diff := cmp.Diff(tc.want, mem.asked); diff != "" {
			t.Errorf("%s %s:\n%s", tc.tool, tc.arguments, diff)
		}
		if strings.HasPrefix(tc.tool, "create") && (mem.by.Actor != "tool" || mem.by.CallID == "") {
			t.Errorf("%s: called by %+v", tc.tool, mem.by)
		}
	}
}

func TestSupersede_GivesItsReasonToTheHistory(t *testing.T) {
	t.Parallel()
	mem := &fakeMemory{}
	run(t, all(t, mem, every())["supersede"], `{"relationship_id":"r3","reason":"moved"}`)
	if mem.by.Reason != "moved" {
		t.Errorf("called by %+v", mem.by)
	}
}

func TestArguments_OfTheGraphAreRefusedWithWhatIsAllowed(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("n", 513)
	var there stand
	list := all(t, &there, every())
	for _, tc := range []struct {
		tool, arguments string
		words           []string
	}{
		{"search_graph", `{}`, []string{"query is missing"}},
		{"search_graph", `{"query":" \t"}`, []string{"query is empty", "retrieve"}},
		{"search_graph", `{"query":"x","max_hops":5}`, []string{"max_hops", "5", "1 to 4"}},
		{"search_graph", `{"query":"x","max_hops":0}`, []string{"max_hops", "0", "1 to 4"}},
		{"search_graph", `{"query":"x","edge_classes":["causal","odd"]}`, []string{"edge_classes", `"odd"`, "co_occurrence"}},
		{"search_graph", `{"query":"x","relations":["--"]}`, []string{"relations", `"--"`, "works_at"}},
		{"search_graph", `{"query":"x","relations":["a"],"edge_types":["b"]}`,
			[]string{"relations is given twice", "edge_types"}},
		{"search_graph", `{"query":"x","valid_at":"soon"}`, []string{"valid_at", "soon", "RFC 3339"}},
		{"search_graph", `{"query":"x","cursor":"abc"}`, []string{"cursor"}},
		{"retrieve", `{"known_at":"9999-99-99"}`, []string{"known_at"}},
		{"retrieve_linked", `{"entity":"\u0007\u200b"}`, []string{"entity is empty", "e12"}},
		{"retrieve_linked", `{"entity":"x","direction":"up"}`, []string{"direction", `"up"`, "both, out, in"}},
		{"retrieve_linked", `{"entity":"x","limit":51}`, []string{"51", "1 to 50"}},
		{"edges_at", `{"entity":"x"}`, []string{"timestamp is missing"}},
		{"edges_at", `{"entity":"x","timestamp":" "}`, []string{"timestamp is empty"}},
		{"edges_at", `{"entity":"x","timestamp":"then"}`, []string{"timestamp", "then"}},
		{"edges_at", `{"entity":"x","timestamp":"2026-01-01","valid_at":"2026-01-01"}`, []string{"timestamp and valid_at"}},
		{"graph_traverse", `{"start_entity":"x","max_hops":7}`, []string{"max_hops", "7", "1 to 6"}},
		{"graph_traverse", `{"start_entity":"x","max_hops":1.5}`, []string{"max_hops", "1.5", "whole number"}},
		{"graph_traverse", `{"end_entity":"x"}`, []string{"start_entity is missing"}},
		{"graph_traverse", `{"start_entity":"x","colour":1}`, []string{`"colour"`, "start_entity*", "edge_types"}},
		{"create_entity", `{"name":"x"}`, []string{"type is missing"}},
		{"create_entity", `{"name":"x","type":" "}`, []string{"type is empty", "person"}},
		{"create_entity", `{"name":"x","type":"!!"}`, []string{"type", `"!!"`}},
		{"create_entity", `{"name":"\u0000\u0007","type":"person"}`, []string{"name is empty"}},
		{"create_entity", `{"name":"x","type":"t","kind":"mention"}`, []string{"kind", `"mention"`, "entity, memory"}},
		{"create_entity", `{"name":"x","type":"t","confidence":1.01}`, []string{"confidence", "1.01", "0 to 1"}},
		{"create_entity", `{"name":"x","type":"t","confidence":-0.1}`, []string{"confidence", "-0.1"}},
		{"create_entity", `{"name":"x","type":"t","confidence":"NaN"}`, []string{"confidence", "NaN", "a number"}},
		{"create_entity", `{"name":"x","type":"t","confidence":"Inf"}`, []string{"confidence", "Inf"}},
		{"create_entity", `{"name":"x","type":"t","confidence":"abc"}`, []string{"confidence", "abc", "from 0 to 1"}},
		{"create_entity", `{"name":"x","type":"t","confidence":1e999}`, []string{"confidence", "1e999"}},
		{"create_entity", `{"name":"x","type":"t","confidence":true}`, []string{"confidence", "true"}},
		{"create_entity", `{"name":"x","type":"t","layer":4}`, []string{"layer", "4", "0 to 3"}},
		{"create_entity", `{"name":"x","type":"t","valid_from":"March"}`, []string{"valid_from", "March"}},
		{"create_relation", `{"head":"a","relation":"??","tail":"b"}`, []string{"relation", `"??"`, "works_at"}},
		{"create_relation", `{"head":"","relation":"r","tail":"b"}`, []string{"head is empty"}},
		{"create_relation", `{"head":"a","relation":"r","tail":"b","evidence_episode_id":"r5"}`,
			[]string{"evidence_episode_id", `"r5"`, "t56"}},
		{"create_relation", `{"head":"a","relation":"r","tail":"b","create_missing":"maybe"}`,
			[]string{"create_missing", "true or false"}},
		{"update_entity", `{"entity":"a"}`, []string{"nothing to change", "description"}},
		{"update_entity", `{"entity":"a","name":""}`, []string{"name is empty"}},
		{"update_entity", `{"entity":"a","type":""}`, []string{"type is empty"}},
		{"update_entity", `{"entity":"a","last_seen":""}`, []string{"last_seen is empty"}},
		{"supersede", `{"relationship_id":" "}`, []string{"relationship_id is empty", "r34"}},
		{"supersede", `{"relationship_id":"e3"}`, []string{"relationship_id", `"e3"`, "r34"}},
		{"supersede", `{"relationship_id":"r1","new_relationship_id":"r2","replacement":{"tail":"b"}}`,
			[]string{"both given"}},
		{"supersede", `{"relationship_id":"r1","replacement":{}}`, []string{"replacement", "no relation, tail or fact"}},
		{"supersede", `{"relationship_id":"r1","replacement":{"head":"x"}}`, []string{"replacement", `"head"`, "tail"}},
		{"supersede", `{"relationship_id":"r1","replacement":{"tail":"b","confidence":2}}`,
			[]string{"replacement", "confidence", "2"}},
		{"supersede", `{"relationship_id":"r1","replacement":[1]}`, []string{"replacement is a list"}},
		{"store_episode", `{"content":"x","entities":"Ann"}`, []string{"entities", "Ann", "list of objects"}},
		{"store_episode", `{"content":"x","relations":42}`, []string{"relations", "42", "head*"}},
		{"history", `{}`, []string{"entity or relationship_id"}},
		{"history", `{"entity":"a","relationship_id":"r1"}`, []string{"entity or relationship_id"}},
		{"history", `{"relationship_id":"r1","relation":"uses"}`, []string{"need entity"}},
		{"what_changed", `{"since":"2026-02-02","until":"2026-02-02"}`, []string{"since", "until"}},
		{"list", `{"what":"turns"}`, []string{"what", "entities, relations"}},
		{"list", `{"what":"communities","status":"ended"}`, []string{"status does not apply", "communities"}},
		{"list", `{"what":"relations","community":"c1"}`, []string{"community does not apply", "relations"}},
		{"communities", `{"limit":51}`, []string{"limit", "51", "1 to 50"}},
		{"communities", `{"cursor":"x"}`, []string{"cursor"}},
		{"list", `{"relations":["uses"]}`, []string{"relations does not apply", "entities"}},
		{"list", `{"what":"relations","types":["person"]}`, []string{"types does not apply", "relations"}},
		{"update_relation", `{"relationship_id":"r1"}`, []string{"nothing to change"}},
		{"update_relation", `{"relationship_id":"r1","edge_class":"odd"}`, []string{`"odd"`}},
		{"merge_entities", `{"into":"a","from":""}`, []string{"from is empty"}},
		{"undo", `{"call_id":"a\u0007"}`, []string{"call_id", "control"}},
		{"forget", `{"ids":[]}`, []string{"ids is empty"}},
		{"forget", `{"ids":["56"]}`, []string{`"56"`}},
		{"relation_decay", `{"rate":1}`, []string{"rate", "relation"}},
		{"rollout", `{"mode":"full"}`, []string{"mode", "full", "off, shadow, canary"}},
		{"relation_decay", `{"relation":"uses","rate":11}`, []string{"rate", "11", "0 to 10"}},
		{"memory_graph", `{}`, []string{"action is missing", "retrieve", "supersede"}},
		{"memory_graph", `{"action":"forget"}`, []string{"action", "forget", "store_episode"}},
		{"memory_graph", `{"action":["x"]}`, []string{"action", "a list"}},
		{"memory_graph", `[]`, []string{"a list"}},
		{"memory_graph", `{"action":"supersede"}`, []string{"relationship_id is missing"}},
	} {
		mem := &fakeMemory{}
		there.Memory = mem
		r := run(t, list[tc.tool], tc.arguments)
		failed(t, r, "invalid_argument", tc.words...)
		if mem.calls > 0 {
			t.Errorf("%s %.80s reached the memory", tc.tool, tc.arguments)
		}
		if len(r.text) > 700 {
			t.Errorf("%s %.80s: an error of %d bytes", tc.tool, tc.arguments, len(r.text))
		}
	}
	for _, tc := range []struct{ tool, arguments string }{
		{"retrieve_linked", `{"entity":"` + long + `"}`},
		{"create_entity", `{"name":"` + long + `","type":"person"}`},
		{"create_entity", `{"name":"x","type":"person","aliases":["` + long + `"]}`},
		{"create_entity", `{"name":"x","type":"person","description":"` + strings.Repeat("d", 256<<10+1) + `"}`},
		{"create_relation", `{"head":"` + long + `","relation":"r","tail":"b"}`},
		{"merge_entities", `{"into":"a","from":"` + long + `"}`},
	} {
		mem := &fakeMemory{}
		there.Memory = mem
		failed(t, run(t, list[tc.tool], tc.arguments), "too_large", "allowed")
		if mem.calls > 0 {
			t.Errorf("%s %.80s reached the memory", tc.tool, tc.arguments)
		}
	}
}
