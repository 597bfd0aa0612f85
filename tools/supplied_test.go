package tools_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/episodes"
	"memory-graph/internal/memory"
	"memory-graph/tools"
)

func TestStoreEpisode_HandsOnWhatCanBeStoredAndNamesTheRest(t *testing.T) {
	t.Parallel()
	mem := &fakeMemory{result: episodes.Result{EpisodeID: memory.EpisodeID(7), Status: "stored", Extraction: "disabled",
		Entities: []memory.EntityWrite{{Entity: memory.Entity{ID: 1, Kind: memory.NodeEntity, Name: "Ann", Type: "person"},
			Created: true}},
		Relations: []memory.RelationWrite{
			{Relationship: memory.Relationship{ID: 3, Head: memory.Node{ID: 1, Name: "Ann"}, Relation: "works_at",
				Tail: memory.Node{ID: 2, Name: "Acme"}},
				Status: memory.RelationSuperseded, Superseded: []int64{1,
					2}, Conflicts: []memory.FactConflict{{ID: 9, Fact: "f", Reason: "r"}}},
			{Relationship: memory.Relationship{ID: 4, Head: memory.Node{ID: 1, Name: "Ann"}, Relation: "uses",
				Tail: memory.Node{ID: 5, Name: "Go"}, ValidUntil: march},
				Status: memory.RelationEnded, Superseded: []int64{2}, Conflicts: []memory.FactConflict{
					{ID: 9, Fact: "f", Reason: "r"}}},
		},
		// indexes in the lists that the store received
		Errors: []memory.ItemError{{Item: "relations[1]", Message: "cannot be."}, {Item: "entities[1]", Message: "is two."}},
	}}
	r := run(t, all(t, mem, tools.Defaults())["store_episode"], `{"content":"x",
		"entities":[{"name":"Ann","type":"Person","aliases":"Annie","confidence":"0.7"},{"type":"person"},"Bo",null,{"name":"Cy","type":"person"},{"name":"\u0007","type":"t"}],
		"relations":[{"head":"Ann","relation":"uses"},{"head":"Ann","relation":"works_at","tail":"Acme","headType":"person","validFrom":"2026-03-01"},
			{"head":"Ann","relation":"uses","tail":"Go","colour":"red","shape":1},{"head":"Ann","relation":"uses","tail":"Ann","ended":"true"},
			{"head":"Ann","relation":"uses","tail":"Go","confidence":1.5}]}`)
	if r.isError {
		t.Fatal(r.text)
	}
	if diff := cmp.Diff([]memory.EntityDraft{
		{Name: "Ann", Type: "person", Aliases: []string{"Annie"}, Confidence: p(.7)}, {Name: "Cy", Type: "person"},
	}, mem.input.Entities); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]memory.RelationDraft{
		{Head: "Ann", Relation: "works_at", Tail: "Acme", HeadType: "person", ValidFrom: march, CreateMissing: true},
		{Head: "Ann", Relation: "uses", Tail: "Ann", Ended: true, CreateMissing: true},
	}, mem.input.Relations); diff != "" {
		t.Error(diff)
	}
	const item = `An item of entities takes name*, type*, description, aliases, confidence.`
	const fact = `An item of relations takes head*, relation*, tail*, head_type, tail_type, fact, edge_class, confidence, valid_from, valid_until, ended.`
	equalJSON(t, `{"episode_id":"t7","status":"stored","extraction":"disabled","reasons":[],
		"entities":[{"id":"e1","name":"Ann","type":"person","created":true}],
		"relations":[{"id":"r3","head":"Ann","relation":"works_at","tail":"Acme","status":"superseding"},
			{"id":"r4","head":"Ann","relation":"uses","tail":"Go","status":"ended","valid_until":"2026-03-01T00:00:00Z"}],
		"superseded":["r1","r2"],"conflicts":[{"id":"r9","fact":"f","reason":"r"}],
		"errors":[{"item":"entities[1]","message":"name is missing. `+item+`"},
			{"item":"entities[2]","message":"the item is \"Bo\", not an object. `+item+`"},
			{"item":"entities[3]","message":"name is missing. `+item+`"},
			{"item":"entities[4]","message":"is two."},
			{"item":"entities[5]","message":"name is empty. Give a name with visible characters."},
			{"item":"relations[0]","message":"tail is missing. `+fact+`"},
			{"item":"relations[2]","message":"unknown arguments \"colour\", \"shape\". `+fact+`"},
			{"item":"relations[3]","message":"cannot be."},
			{"item":"relations[4]","message":"confidence: 1.5 is out of range. Give a number from 0 to 1."}],
		"memory_state":{"pending":0,"failed":0,"degraded":[]}}`, r.text)
}

func TestStoreEpisode_TakesListsAsModelsWriteThem(t *testing.T) {
	t.Parallel()
	const fact = `{"head":"a","relation":"r","tail":"b"}`
	for _, list := range []string{`[` + fact + `]`, fact, `"[{\"head\":\"a\",\"relation\":\"r\",\"tail\":\"b\"}]"`,
		`"{\"head\":\"a\",\"relation\":\"r\",\"tail\":\"b\"}"`, `["{\"head\":\"a\",\"relation\":\"r\",\"tail\":\"b\"}"]`} {
		mem := &fakeMemory{}
		r := run(t, all(t, mem, tools.Defaults())["store_episode"], `{"content":"x","relations":`+list+`}`)
		if r.isError || len(mem.input.Relations) != 1 || mem.input.Relations[0].Tail != "b" {
			t.Errorf("%s: %s", list, r.text)
		}
	}
	for _, none := range []string{`null`, `[]`} {
		mem := &fakeMemory{}
		if r := run(t, all(t, mem, tools.Defaults())["store_episode"],
			`{"content":"x","relations":`+none+`,"entities":`+none+`}`); r.isError || mem.input.Relations != nil {
			t.Errorf("%s: %s", none, r.text)
		}
	}
}

func TestStoreEpisode_RefusesMoreItemsThanOneCallMayBring(t *testing.T) {
	t.Parallel()
	mem := &fakeMemory{}
	tool := all(t, mem, tools.Defaults())["store_episode"]
	list := func(n int, item string) string {
		return `[` + strings.TrimSuffix(strings.Repeat(item+",", n), ",") + `]`
	}
	for _, tc := range []struct {
		argument, item string
		most           int
	}{{"entities", `{"name":"n","type":"t"}`, 100}, {"relations", `{"head":"a","relation":"r","tail":"b"}`, 200}} {
		if r := run(t, tool, `{"content":"x","`+tc.argument+`":`+list(tc.most, tc.item)+`}`); r.isError {
			t.Errorf("%d %s: %s", tc.most, tc.argument, r.text)
		}
		mem.calls = 0
		r := run(t, tool, `{"content":"x","`+tc.argument+`":`+list(tc.most+1, tc.item)+`}`)
		failed(t, r, "too_large", tc.argument, "several calls")
		if mem.calls > 0 {
			t.Error("it was stored")
		}
	}
}

// TestStoreEpisode_ReadsTimesInWords checks that relative times count from when the turn was said.
func TestStoreEpisode_ReadsTimesInWords(t *testing.T) {
	t.Parallel()
	for words, want := range map[string]string{"yesterday": "2024-02-28T00:00:00Z", "last week": "2024-02-19T00:00:00Z",
		"two years ago": "2022", "last summer": "2023-06", "mid-March 2020": "2020-03", "05/2019": "2019-05",
		"now": "2024-02-29T12:00:00Z", "next year": "", "a while back": ""} {
		mem := &fakeMemory{}
		r := run(t, all(t, mem, tools.Defaults())["store_episode"], `{"content":"x","occurred_at":"2024-02-29T12:00:00Z",
			"relations":[{"head":"Ann","relation":"uses","tail":"Go","valid_from":"`+words+`"}]}`)
		if r.isError || len(mem.input.Relations) != 1 {
			t.Fatal(r.text)
		}
		d := mem.input.Relations[0]
		warned := strings.Contains(r.text, "March 2020")
		if got := d.FromUnit.Show(d.ValidFrom); got != want || warned != (want == "") || (d.Confidence != nil) != warned {
			t.Errorf("%q: %s, want %s; %s", words, got, want, r.text)
		}
	}
}
