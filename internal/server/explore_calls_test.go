package server_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// get reads a path below /api/v1 into a value.
func (b *browser) get(path string, want int) map[string]any {
	b.t.Helper()
	status, body, _ := b.ask(http.MethodGet, "/api/v1/"+path, "", nil)
	out := map[string]any{}
	if err := json.Unmarshal([]byte(body), &out); err != nil || status != want {
		b.t.Fatalf("%s: %d, want %d, %v: %s", path, status, want, err, body)
	}
	return out
}

// act corrects, and returns the answer and the call.
func (b *browser) act(tool, arguments string) (map[string]any, string) {
	b.t.Helper()
	status, body, header := b.ask(http.MethodPost, "/api/v1/act/"+tool, arguments, nil)
	out := map[string]any{}
	if err := json.Unmarshal([]byte(body), &out); err != nil || status != 200 {
		b.t.Fatalf("%s %s: %d, %v: %s", tool, arguments, status, err, body)
	}
	return out, header.Get("Memory-Graph-Call")
}

// rows returns the items of a list as objects.
func rows(v any) []map[string]any {
	var out []map[string]any
	list, _ := v.([]any)
	for _, it := range list {
		out = append(out, it.(map[string]any))
	}
	return out
}

// A call with many changes is one row with its true counts, and its objects come page by page.
func TestExplore_OneCallIsOneRow(t *testing.T) {
	t.Parallel()
	link, mem, o := explore(t, io.Discard, nil)
	b := inside(t, link)
	var relations []string
	for i := range 45 {
		relations = append(relations, fmt.Sprintf(`{"head":"Hub","relation":"knows","tail":"Person %d"}`, i))
	}
	callAll(t, mem, o, `create_relation {"head":"Ann","relation":"works_at","tail":"Acme"}
		store_episode {"content":"Many people.","role":"user","relations":[`+strings.Join(relations, ",")+`]}
		create_relation {"head":"Bea","relation":"works_at","tail":"Acme"}`)
	calls := rows(b.get("calls?limit=2", 200)["calls"])
	if len(calls) != 2 || calls[0]["facts"] != 1. || calls[1]["facts"] != 45. || calls[1]["entities"] != 46. ||
		calls[1]["turns"] != 1. {
		t.Fatalf("the newest calls: %v", calls)
	}
	first := rows(calls[1]["first"])
	if len(first) != 3 || first[0]["did"] != "added" || first[0]["what"] != "Hub knows Person 0" {
		t.Errorf("it names %v", first)
	}
	next := b.get("calls?limit=2&cursor="+fmt.Sprint(b.get("calls?limit=2", 200)["next_cursor"]), 200)
	if older := rows(next["calls"]); len(older) != 1 || older[0]["facts"] != 1. || next["next_cursor"] != nil {
		t.Errorf("the next page: %v", next)
	}
	seen, cursor := map[any]bool{}, ""
	for {
		page := b.get("calls/"+fmt.Sprint(calls[1]["call_id"])+"?limit=20&cursor="+url.QueryEscape(cursor), 200)
		for _, it := range rows(page["changed"]) {
			if seen[it["object"]] {
				t.Errorf("%v comes twice", it)
			}
			seen[it["object"]] = true
		}
		if cursor, _ = page["next_cursor"].(string); cursor == "" {
			break
		}
	}
	if len(seen) != 45+46+1 {
		t.Errorf("its pages have %d objects", len(seen))
	}
	if of := rows(b.get("calls?entity=Bea", 200)["calls"]); len(of) != 1 || of[0]["call_id"] != calls[0]["call_id"] {
		t.Errorf("the calls of Bea: %v", of)
	}
	b.get("calls/nothing", 404)
	b.get("calls?cursor=x", 400)
}

// A correction is described in plain words, with the fact that replaced another.
func TestExplore_TellsWhatACallDid(t *testing.T) {
	t.Parallel()
	link, mem, o := explore(t, io.Discard, nil)
	b := inside(t, link)
	callAll(t, mem, o, `create_relation {"head":"Ann","relation":"works_at","tail":"Acme"}
		create_relation {"head":"Anne","relation":"likes","tail":"tea"}`)
	newest := func() (did, by []string) {
		for _, it := range rows(rows(b.get("calls?limit=1", 200)["calls"])[0]["first"]) {
			did = append(did, fmt.Sprint(it["object"], " ", it["did"]))
			if it["by"] != nil {
				by = append(by, fmt.Sprint(it["by_what"]))
			}
		}
		return did, by
	}
	_, call := b.act("supersede", `{"relationship_id":"r1","replacement":{"tail":"Initech"}}`)
	if did, by := newest(); !slices.Contains(did, "r1 superseded") || !slices.Contains(did, "r3 added") ||
		!slices.Equal(by, []string{"Ann works_at Initech"}) {
		t.Errorf("supersede: %v by %v", did, by)
	}
	b.act("undo", `{"call_id":"`+call+`"}`)
	if did, _ := newest(); !slices.Contains(did, "r1 restored") || !slices.Contains(did, "r3 retracted") {
		t.Errorf("undo: %v", did)
	}
	b.act("supersede", `{"relationship_id":"r1"}`)
	if did, _ := newest(); !slices.Equal(did, []string{"r1 ended"}) {
		t.Errorf("end: %v", did)
	}
	b.act("merge_entities", `{"into":"Ann","from":"Anne"}`)
	merged := rows(b.get("entities/Ann", 200)["merged"])
	if did, by := newest(); !slices.Contains(did, "e3 merged") || !slices.Contains(by, "Ann") || len(merged) != 1 ||
		merged[0]["id"] != "e3" {
		t.Errorf("merge: %v by %v; merged %v", did, by, merged)
	}
	b.act("unmerge", `{"entity":"e3"}`)
	if did, _ := newest(); !slices.Contains(did, "e3 split") {
		t.Errorf("unmerge: %v", did)
	}
}

// A dry run of forget says what will go, by name, and only to the page.
func TestExplore_SaysWhatForgettingDeletes(t *testing.T) {
	t.Parallel()
	link, mem, o := explore(t, io.Discard, nil)
	b := inside(t, link)
	callAll(t, mem, o, `store_episode {"content":"I moved from Acme to Initech.","role":"user",`+
		`"relations":[{"head":"Ann","relation":"works_at","tail":"Initech"}]}`)
	forgotten, _ := b.act("forget", `{"ids":["t1"]}`)
	var shown []string
	for _, it := range rows(forgotten["shown"]) {
		shown = append(shown, fmt.Sprint(it["id"], " ", it["text"]))
	}
	for _, want := range []string{"t1 I moved from Acme to Initech.", "r1 Ann works_at Initech", "e1 Ann", "e2 Initech"} {
		if !slices.Contains(shown, want) {
			t.Errorf("%q is not among %q", want, shown)
		}
	}
	done, _ := b.act("forget", `{"ids":["t1"],"confirm":true}`)
	if done["shown"] != nil {
		t.Errorf("after it was deleted: %v", done["shown"])
	}
	if first := rows(rows(b.get("calls", 200)["calls"])[0]["first"]); len(first) == 0 || first[0]["did"] != "forgotten" {
		t.Errorf("the newest call: %v", first)
	}
}

// If the memory did not know an entity at a time, its page and the graph say so.
func TestExplore_SaysSinceWhenAnEntityIsKnown(t *testing.T) {
	t.Parallel()
	link, mem, o := explore(t, io.Discard, nil)
	b := inside(t, link)
	callAll(t, mem, o, `create_relation {"head":"Ann","relation":"works_at","tail":"Acme"}`)
	for _, path := range []string{"entities/Ann?known_at=2020-01-01", "entities/e1?known_at=2020-01-01",
		"neighbourhood?entities=e1&known_at=2020-01-01"} {
		failed, _ := b.get(path, 404)["error"].(map[string]any)
		message := fmt.Sprint(failed["message"])
		if !strings.HasPrefix(message, `"Ann" was not known before 20`) ||
			strings.Contains(fmt.Sprint(failed["hint"]), "_entity") || len(rows(failed["candidates"])) != 1 {
			t.Errorf("%s: %v", path, failed)
		}
	}
	b.get("entities/Nobody?known_at=2020-01-01", 404)
}

// A corrected item has the origin user, and its arguments are checked and masked like any other.
func TestExplore_AnEditIsTheUsers(t *testing.T) {
	t.Parallel()
	link, mem, o := explore(t, io.Discard, nil)
	b := inside(t, link)
	callAll(t, mem, o, `create_relation {"head":"Ann","relation":"works_at","tail":"Acme"}`)
	secret := "ghp_" + strings.Repeat("a1B2", 9)
	b.act("update_relation", `{"relationship_id":"r1","fact":"Ann works at Acme with `+secret+`"}`)
	fact := b.get("relations/r1", 200)["fact"].(map[string]any)
	if fact["origin"] != "user" || fact["trust"] != 4. || strings.Contains(fmt.Sprint(fact["fact"]), secret) {
		t.Errorf("the fact is %v", fact)
	}
	versions := rows(b.get("relations/r1/history?detail=full", 200)["versions"])
	if len(versions) != 2 || at(versions[0], "relation", "origin") != "user" ||
		at(versions[1], "relation", "origin") != "agent" {
		t.Errorf("the versions are %v", versions)
	}
}

// Possible parents are proposed for memories without one, and reading proposals changes nothing.
func TestExplore_ProposesParents(t *testing.T) {
	t.Parallel()
	link, mem, o := explore(t, io.Discard, nil)
	b := inside(t, link)
	callAll(t, mem, o, `retain {"content":"All about deploying routing.","title":"Deploying routing","layer":1}
		retain {"content":"Deploying routing needs approvals.","title":"Approvals of deploying routing","layer":2}`)
	orphans := rows(b.get("orphans?memory=m2", 200)["orphans"])
	if len(orphans) != 1 || orphans[0]["id"] != "m2" || len(rows(orphans[0]["candidates"])) == 0 ||
		rows(orphans[0]["candidates"])[0]["id"] != "m1" {
		t.Fatalf("the proposals are %v", orphans)
	}
	if all := rows(b.get("orphans", 200)["orphans"]); len(all) != 2 {
		t.Errorf("all of them: %v", all)
	}
	_, call := b.act("reflect", `{"assign":[{"memory":"m2","parent":"m1"}],"limit":1}`)
	if parent := at(b.get("entities/m2", 200), "parent", "id"); parent != "m1" {
		t.Errorf("the parent is %v", parent)
	}
	if list := rows(b.get("orphans?memory=m2", 200)["orphans"]); len(list) != 0 {
		t.Errorf("with a parent: %v", list)
	}
	b.act("undo", `{"call_id":"`+call+`"}`)
	if parent := b.get("entities/m2", 200)["parent"]; parent != nil {
		t.Errorf("after the undo: %v", parent)
	}
}
