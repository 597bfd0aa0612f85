package tools_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/classifier"
	"memory-graph/internal/communities"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/internal/retrieval/contextblock"
	"memory-graph/tools"
)

var (
	ann = memory.Entity{ID: 1, Kind: memory.NodeEntity, Name: "Ann", Type: "person", Description: "builds graphs",
		Aliases:    []string{"annie"},
		Confidence: .9, Observations: 3, Origin: memory.OriginAgent, LastSeenAt: june, CreatedAt: march.Add(
			123 * time.Millisecond), UpdatedAt: june}
	note = memory.Entity{ID: 7, Kind: memory.NodeMemory, Name: "Plan", Type: "decision", Confidence: .5, Layer: p(2),
		ParentID: 4, ParentKind: memory.NodeMemory, ValidFrom: march, ValidUntil: june}
	works = memory.Relationship{ID: 3, Head: memory.Node{ID: 1, Kind: memory.NodeEntity, Name: "Ann"},
		Relation: "works_at",
		Tail: memory.Node{ID: 7, Kind: memory.NodeMemory,
			Name: "Plan"}, EdgeClass: "semantic", Fact: "Ann works there.", Confidence: .9, Strength: 1,
		Origin: memory.OriginUser, Method: memory.MethodSupplied, ValidFrom: march, ValidUntil: june, ExpiresAt: june,
		CreatedAt: march, ExpiredAt: june,
		LastObservedAt: june, SupersededBy: 4, Evidence: []int64{56, 57}}
	acme = memory.Community{ID: 3, Fingerprint: []byte{1}, Name: "Acme", Summary: "Ann works at Acme.", Size: 2,
		Writer: "m", Origin: memory.OriginUser, UpdatedAt: march,
		Central: []memory.Node{{ID: 9, Kind: memory.NodeEntity, Name: "Ann"}}}
)

const (
	annJSON = `{"id":"e1","name":"Ann","type":"person","description":"builds graphs","aliases":["annie"],"confidence":0.9,"last_seen":"2026-06-01T09:30:00Z"}`
	fields  = `"head":"Ann","head_id":"e1","relation":"works_at","tail":"Plan","tail_id":"m7","edge_class":"semantic","fact":"Ann works there.",
		"valid_from":"2026-03-01T00:00:00Z","valid_until":"2026-06-01T09:30:00Z","expires_at":"2026-06-01T09:30:00Z","superseded_by":"r4","origin":"user","evidence":["t56","t57"]`
	stored = `{"id":"r3",` + fields + `,"confidence":0.9}`
	quiet  = `"memory_state":{"pending":0,"failed":0,"degraded":[]}`
)

// TestTools_ShapeTheirAnswers lists what the memory returns and the JSON of the answer.
func TestTools_ShapeTheirAnswers(t *testing.T) {
	t.Parallel()
	why := &retrieval.Why{Strategy: retrieval.BFS, MatchedBy: []string{"graph_expansion"}, Features: []retrieval.Feature{}}
	search := func(retrieval.Request) retrieval.Answer {
		return retrieval.Answer{Strategy: retrieval.BFS, Match: retrieval.Strong, Truncated: true,
			Seeds:    []retrieval.FoundEntity{{Entity: ann, Score: 1, Confidence: .4}},
			Entities: []retrieval.FoundEntity{{Entity: note, Score: .25, Confidence: .5, Depth: 1}},
			Relations: []retrieval.FoundRelation{{Relationship: works, Confidence: .7, Score: .5, Hop: 2, Path: []int64{2, 3},
				Why: why}}}
	}
	for _, tc := range []struct {
		tool, arguments, want string
		mem                   fakeMemory
	}{
		{"search_graph", `{"query":"x","detail":"ids"}`, `{"strategy":"bfs","match":"strong","episodes":[],"context":"","below_threshold":0,"truncated":true,` + quiet + `,
			"seeds":[{"id":"e1","score":1}],"entities":[{"id":"m7","score":0.25,"depth":1}],
			"relations":[{"id":"r3","score":0.5,"hop":2,"evidence":["t56","t57"],
				"why":{"strategy":"bfs","matched_by":["graph_expansion"],"features":[]}}]}`, fakeMemory{answer: search}},
		{"search_graph", `{"query":"x"}`, `{"strategy":"bfs","match":"strong","episodes":[],"context":"","below_threshold":0,"truncated":true,` + quiet + `,
			"seeds":[{"id":"e1","name":"Ann","type":"person","description":"builds graphs","aliases":["annie"],"confidence":0.4,"last_seen":"2026-06-01T09:30:00Z","score":1}],
			"entities":[{"id":"m7","name":"Plan","type":"decision","aliases":[],"confidence":0.5,"valid_from":"2026-03-01T00:00:00Z",
				"valid_until":"2026-06-01T09:30:00Z","parent":"m4","layer":2,"score":0.25,"depth":1}],
			"relations":[{"id":"r3",` + fields + `,"confidence":0.7,"score":0.5,"hop":2,"path":["r2","r3"],
				"why":{"strategy":"bfs","matched_by":["graph_expansion"],"features":[]}}]}`, fakeMemory{answer: search}},
		{"retrieve_linked", `{"entity":"Ann","detail":"full"}`, `{"entity":{"id":"e1","name":"Ann","type":"person","description":"builds graphs","aliases":["annie"],
			"confidence":0.4,"last_seen":"2026-06-01T09:30:00Z","kind":"entity","origin":"agent","observations":3,"created_at":"2026-03-01T00:00:00.123Z",
			"updated_at":"2026-06-01T09:30:00.000Z"},
			"links":[{"id":"r3",` + fields + `,"confidence":0.7,"stored_confidence":0.9,"strength":1,"method":"supplied","created_at":"2026-03-01T00:00:00.000Z",
				"expired_at":"2026-06-01T09:30:00.000Z","last_observed":"2026-06-01T09:30:00Z","hop":1,"path":["r3"]}],
			"memory_state":{"pending":2,"failed":0,"degraded":["x"]}}`, fakeMemory{links: retrieval.Links{
			Entity: retrieval.FoundEntity{Entity: ann, Score: 1, Confidence: .4}, State: memory.State{Pending: 2,
				Degraded: []string{"x"}},
			Links: []retrieval.FoundRelation{{Relationship: works, Confidence: .7, Score: .7, Hop: 1, Path: []int64{3}}}}}},
		{"edges_at", `{"entity":"Ann","timestamp":"2026-04-01"}`, `{"entity":` + annJSON + `,"links":[],` + quiet + `}`,
			fakeMemory{links: retrieval.Links{Entity: retrieval.FoundEntity{Entity: ann, Confidence: .9}}}},
		{"graph_traverse", `{"start_entity":"Ann","detail":"ids"}`, `{"start":{"id":"e1"},"entities":[{"id":"m7","depth":1}],
			"relations":[{"id":"r3","hop":1,"evidence":["t56","t57"]}],"truncated":true,` + quiet + `}`, fakeMemory{traversal: retrieval.Traversal{
			Start: retrieval.FoundEntity{Entity: ann}, Entities: []retrieval.FoundEntity{
				{Entity: note, Depth: 1}}, Truncated: true,
			Relations: []retrieval.FoundRelation{{Relationship: works, Hop: 1, Path: []int64{3}}}}}},
		{"graph_traverse", `{"start_entity":"Ann"}`, `{"start":` + annJSON +
			`,"entities":[],"relations":[],"truncated":false,` + quiet + `}`,
			fakeMemory{traversal: retrieval.Traversal{Start: retrieval.FoundEntity{Entity: ann, Confidence: .9}}}},
		{"create_entity", `{"name":"Ann","type":"person"}`, `{"id":"e1","created":true,"entity":` + annJSON + `}`,
			fakeMemory{entity: ann, created: true}},
		{"update_entity", `{"entity":"Ann","name":"Ann"}`, `{"entity":` + annJSON + `,"version":4}`,
			fakeMemory{entity: ann, version: 4}},
		{"create_relation", `{"head":"a","relation":"r","tail":"b"}`, `{"id":"r3","status":"superseding","relation":` + stored + `,"superseded":["r1"],
			"conflicts":[{"id":"r2","fact":"f","reason":"why"}]}`, fakeMemory{written: memory.RelationWrite{Relationship: works, Status: memory.RelationSuperseded,
			Superseded: []int64{1}, Conflicts: []memory.FactConflict{{ID: 2, Fact: "f", Reason: "why"}}}}},
		{"supersede", `{"relationship_id":"r3"}`, `{"superseded":` + stored + `,"also_superseded":[],"conflicts":[]}`,
			fakeMemory{ended: memory.Superseded{Ended: works}}},
		{"supersede", `{"relationship_id":"r3","new_relationship_id":"r4"}`,
			`{"superseded":` + stored + `,"replacement":` + stored + `,"also_superseded":["r8"],"conflicts":[]}`,
			fakeMemory{ended: memory.Superseded{Ended: works, Replacement: &works, Also: []int64{8}}}},
		{"history", `{"relationship_id":"r3"}`, `{"id":"r3",` + quiet + `,"facts":[],"versions":[{"version":2,"cause":"superseded","created_at":"2026-06-01T09:30:00.000Z","relation":` + stored + `,
			"event":{"at":"2026-06-01T09:30:00.000Z","action":"supersede","reason":"moved","episode":"t5","actor":"tool","client":"c 1","call_id":"x","undone_by":"y"}},
			{"version":1,"cause":"created","created_at":"2026-03-01T00:00:00.000Z","expired_at":"2026-06-01T09:30:00.000Z","relation":` + stored + `}]}`, fakeMemory{versions: []memory.Version{
			{Number: 2, Cause: "superseded", CreatedAt: june, Relationship: &works,
				Event: memory.Event{ID: 1, At: june, Action: "supersede", Reason: "moved", EpisodeID: 5,
					Actor: "tool", Client: "c 1", CallID: "x", UndoneBy: "y", Object: memory.RelationshipID(3)}},
			{Number: 1, Cause: "created", CreatedAt: march, ExpiredAt: june, Relationship: &works}}}},
		{"history", `{"entity":"Ann"}`, `{"id":"e1",` + quiet +
			`,"facts":[],"versions":[{"version":1,"cause":"created","created_at":"2026-03-01T00:00:00.000Z","entity":` +
			annJSON + `}]}`,
			fakeMemory{entity: ann, versions: []memory.Version{{Number: 1, Cause: "created", CreatedAt: march, Entity: &ann}}}},
		{"history", `{"entity":"Ann","relation":"works_at"}`,
			`{"id":"e1",` + quiet + `,"versions":[],"facts":[{"id":"r3",` + fields + `,"confidence":0.9}]}`,
			fakeMemory{entity: ann, facts: []memory.Relationship{works}}},
		{"what_changed", `{}`, `{` + quiet + `,"changes":[{"at":"2026-06-01T09:30:00.000Z","action":"supersede","object":"r3","what":"Ann works_at Plan"},
			{"at":"2026-03-01T00:00:00.000Z","action":"create_entity","object":"e1","what":"Ann"}]}`, fakeMemory{
			events: []memory.Event{{ID: 2, At: june, Action: "supersede", Object: works.Ref()},
				{ID: 1, At: march, Action: "create_entity", Object: ann.Ref()}},
			facts: []memory.Relationship{works}, entities: []memory.Entity{ann}}},
		{"list", `{}`, `{"entities":[` + annJSON + `],"relations":[],` + quiet + `}`,
			fakeMemory{entities: []memory.Entity{ann}}},
		{"list", `{"what":"relations"}`, `{"entities":[],"relations":[{"id":"r3",` + fields + `,"confidence":0.9}],` + quiet +
			`}`, fakeMemory{facts: []memory.Relationship{works}}},
		{"update_relation", `{"relationship_id":"r3","confidence":1}`, `{"relation":` + stored + `,"version":2}`,
			fakeMemory{written: memory.RelationWrite{Relationship: works}, version: 2}},
		{"merge_entities", `{"into":"a","from":"b"}`, `{"entity":` + annJSON +
			`,"merged":"m7","moved":2,"joined":["r5"],"retracted":["r6"],"conflicts":[],"call_id":"x"}`,
			fakeMemory{merge: memory.Merge{Into: ann, From: note, Moved: 2, Joined: []int64{5}, Retracted: []int64{6},
				CallID: "x"}}},
		{"undo", `{}`, `{"call_id":"x","undone_by":"y","action":"supersede","objects":["r3","e1"]}`,
			fakeMemory{undone: memory.Undone{CallID: "x", UndoneBy: "y", Action: "supersede",
				Objects: []memory.ID{works.Ref(), ann.Ref()}}}},
		{"forget", `{"ids":["t1"]}`, `{"dry_run":true,"episodes":1,"relations":2,"entities":3,"objects":["t1"],` +
			`"ends_taken_back":["r3"]}`,
			fakeMemory{forgotten: memory.Forgotten{DryRun: true, Episodes: 1, Relationships: 2, Entities: 3,
				Objects: []memory.ID{memory.EpisodeID(1)}, EndsTakenBack: []memory.ID{works.Ref()}}}},
		{"relation_decay", `{}`,
			`{"rates":[{"relation":"knows","rate":0,"set":true},{"relation":"uses","rate":0.5,"set":true}]}`,
			fakeMemory{rates: map[string]float64{"uses": .5, "knows": 0}}},
		{"rollout", `{"mode":"shadow"}`, `{"namespace":"default","mode":"shadow","gate":{"status":"fail","blocked":true,
			"reasons":[{"code":"FALLBACK_RATE_ABOVE_LIMIT","value":0.2,"threshold":0.15,
			"message":"20.0 % of the expansions fell back; the limit is 15.0 %."},
			{"code":"GRAPH_ERROR_RATE_ABOVE_LIMIT","value":0.05,"threshold":0.05,
			"message":"5.0 % of the expansions failed; the limit is 5.0 %."}],
			"current":{"tried":20,"fallbacks":4,"errors":1,"fallback_rate":0.2,"error_rate":0.05,"coverage":0.5,"lift":1.5},
			"previous":{"tried":0,"fallbacks":0,"errors":0,"fallback_rate":0,"error_rate":0,"coverage":0,"lift":0}}}`,
			fakeMemory{}},
		{"relation_decay", `{"relation":"unheard_of"}`,
			`{"rates":[{"relation":"unheard_of","rate":0.01,"set":false}]}`, fakeMemory{}},
		{"relation_decay", `{"relation":"works_for","recalculate":true}`,
			`{"rates":[{"relation":"works_at","rate":0.5,"set":true,"facts":2,"hidden":1,"mean_confidence":0.25}]}`,
			fakeMemory{rates: map[string]float64{"works_at": .5}}},
		{"inject_context", `{"message":"no, Tuesday","context_window":1000}`, `{"context":"block","tokens":7,"class":"correction","class_confidence":0.8,"match":"weak",
			"corrects":["r3"],` + quiet + `}`, fakeMemory{injection: contextblock.Decision{Block: "block", Tokens: 7, Corrected: []memory.Relationship{works},
			Class: classifier.Result{Class: classifier.Correction,
				Confidence: .8}, Answer: retrieval.Answer{Match: retrieval.Weak}}}},
		{"inject_context", `{"message":"thanks"}`, `{"context":"","tokens":0,"reason":"conversational","corrects":[],` +
			quiet + `}`,
			fakeMemory{injection: contextblock.Decision{Reason: contextblock.ReasonConversational,
				Class: classifier.Result{Confidence: .4, Abstained: true}}}},
		{"communities", `{"community":"c3"}`, `{"communities":[{"id":"c3","name":"Acme","summary":"Ann works at Acme.",
			"size":2,"members":[{"id":"e9","name":"Ann"}]}],"entities":[{"id":"e9","name":"Ann","type":"person","aliases":[],
			"confidence":0}],` + quiet + `}`,
			fakeMemory{communities: []memory.Community{acme}, entities: []memory.Entity{{ID: 9, Kind: memory.NodeEntity,
				Name: "Ann", Type: "person"}}}},
		{"communities", `{"detail":"full"}`, `{"communities":[{"id":"c3","name":"Acme","summary":"Ann works at Acme.",
			"size":2,"members":[{"id":"e9","name":"Ann"}],"origin":"user","writer":"m","updated_at":"2026-03-01T00:00:00.000Z"}],
			"entities":[],` + quiet + `}`, fakeMemory{communities: []memory.Community{acme}}},
		{"refresh_communities", `{}`, `{"communities":7,"changed":2,"unchanged":5,"dropped":1,"model_calls":2,"failed":0,` +
			quiet + `}`,
			fakeMemory{refreshed: communities.Outcome{Communities: 7, Changed: 2, Unchanged: 5, Dropped: 1, Calls: 2}}},
		{"status", `{}`, `{"namespace":"default","episodes":5,"entities":1,"memories":2,"mentions":3,"relations":4,"ended_relations":6,"communities":0,
			"types":[{"name":"person","count":1}],"relation_names":[],"oldest_episode":"2026-03-01T00:00:00Z","jobs":[{"kind":"extract","pending":2,"failed":1,"last_error":"away"}],` + quiet + `}`,
			fakeMemory{stats: memory.GraphStats{Episodes: 5, Entities: 1, Memories: 2, Mentions: 3, ActiveRelationships: 4,
				EndedRelationships: 6,
				EntitiesByType:     []memory.Count{{Name: "person", N: 1}}, OldestEpisode: march}, jobs: []memory.KindState{
				{Kind: "extract", Pending: 2, Failed: 1, LastError: "away"}}}},
	} {
		r := run(t, all(t, &tc.mem, every())[tc.tool], tc.arguments)
		if r.isError {
			t.Errorf("%s %s: %s", tc.tool, tc.arguments, r.text)
			continue
		}
		if diff := jsonDiff(t, tc.want, r.text); diff != "" {
			t.Errorf("%s %s:\n%s", tc.tool, tc.arguments, diff)
		}
	}
}

func jsonDiff(t *testing.T, want, got string) string {
	t.Helper()
	var w, g any
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		t.Fatalf("%v in %s", err, want)
	}
	if err := json.Unmarshal([]byte(got), &g); err != nil {
		t.Fatal(err)
	}
	return cmp.Diff(w, g)
}

func TestTools_PassErrorsOnWithTheirCandidates(t *testing.T) {
	t.Parallel()
	arguments := map[string]string{
		"store_episode": `{"content":"x"}`, "search_graph": `{"query":"x"}`, "retrieve_linked": `{"entity":"x"}`,
		"graph_traverse": `{"start_entity":"x"}`,
		"create_entity":  `{"name":"x","type":"t"}`, "create_relation": `{"head":"a","relation":"r","tail":"b"}`,
		"update_entity": `{"entity":"x","name":"y"}`,
		"supersede":     `{"relationship_id":"r1"}`, "edges_at": `{"entity":"x","timestamp":"2026-01-01"}`,
		"history": `{"entity":"x"}`, "what_changed": `{"entity":"x"}`,
		"list": `{}`, "update_relation": `{"relationship_id":"r1","strength":1}`, "merge_entities": `{"into":"a","from":"b"}`,
		"unmerge": `{"entity":"x"}`,
		"forget":  `{"ids":["t1"]}`, "relation_decay": `{"relation":"uses","rate":1}`, "rollout": `{"mode":"off"}`,
		"memory_graph": `{"action":"retrieve"}`,
		"retain":       `{"content":"x"}`, "recall": `{"query":"x"}`, "inject_context": `{"message":"x"}`,
		"create_entities": `{"entities":[]}`, "create_relations": `{"relations":[]}`,
		"add_observations": `{"observations":[]}`, "delete_entities": `{"entityNames":[]}`,
		"delete_observations": `{"deletions":[]}`, "delete_relations": `{"relations":[]}`, "search_nodes": `{"query":"x"}`,
		"open_nodes": `{"names":[]}`,
	}
	err := &memory.Error{Code: memory.Ambiguous, Message: "two.", Hint: "Choose.",
		Candidates: []memory.Candidate{{ID: "e1", Name: "n", Type: "t"}}}
	for name, tool := range all(t, &fakeMemory{err: err}, every()) {
		r := run(t, tool, arguments[name])
		failed(t, r, "ambiguous", "two. Choose. Candidates: e1 n (t).")
		if !strings.Contains(string(r.body), `"candidates":[{"id":"e1","name":"n","type":"t"}]`) {
			t.Errorf("%s: %s", name, r.body)
		}
	}
}

func TestAnswers_ShowTheNewestEvidenceOfWhatIsOftenSaid(t *testing.T) {
	t.Parallel()
	often := works
	for i := range int64(2000) {
		often.Evidence = append(often.Evidence, 100+i)
	}
	mem := &fakeMemory{links: retrieval.Links{Links: []retrieval.FoundRelation{{Relationship: often}}}}
	tool := all(t, mem, tools.Defaults())["retrieve_linked"]
	var a struct {
		Links []struct {
			Evidence      []string
			EvidenceCount int `json:"evidence_count"`
		}
	}
	read := func(arguments string) {
		t.Helper()
		a.Links = nil
		if err := json.Unmarshal(run(t, tool, arguments).body, &a); err != nil || len(a.Links) != 1 {
			t.Fatalf("%d links, %v", len(a.Links), err)
		}
	}
	read(`{"entity":"Ann"}`)
	if n := len(a.Links[0].Evidence); n != 10 || a.Links[0].Evidence[9] != "t2099" || a.Links[0].EvidenceCount != 2002 {
		t.Errorf("%d of %d: %v", n, a.Links[0].EvidenceCount, a.Links[0].Evidence)
	}
	read(`{"entity":"Ann","detail":"full"}`)
	if n := len(a.Links[0].Evidence); n != 2002 {
		t.Errorf("full shows %d", n)
	}
}
