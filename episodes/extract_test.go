package episodes_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/episodes"
	"memory-graph/extraction"
	"memory-graph/internal/facts"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// fakeRules returns preset findings, and records its input.
type fakeRules struct {
	found memory.Findings
	got   []extraction.Input
}

func (r *fakeRules) Extract(t extraction.Input) memory.Findings {
	r.got = append(r.got, t)
	return r.found
}

// fakeNames finds one name in every text.
type fakeNames struct{ texts []string }

func (n *fakeNames) Find(_ context.Context, _, text string) []memory.Mention {
	n.texts = append(n.texts, text)
	return []memory.Mention{{Name: "Finder"}}
}

func (*fakeNames) Others(context.Context, string, string) []string { return nil }

func (n *fakeNames) Inform(context.Context, memory.Episode, *extraction.Input) {}

func share(f float64) *float64 { return &f }

func found(confidence float64, head, tail string) memory.RelationDraft {
	return memory.RelationDraft{Head: head, Relation: "uses", Tail: tail, Confidence: share(confidence),
		Method: memory.MethodRule}
}

var redis = memory.Findings{
	Mentions:  []memory.Mention{{Name: "Redis", Type: "technology", Role: "mention", Start: 7, Stop: 12}},
	Relations: []memory.RelationDraft{found(.9, "User", "Redis")},
}

func always(extraction.Input, int) bool { return true }
func never(extraction.Input, int) bool  { return false }

func TestRecord_SaysWhatBecomesOfATurn(t *testing.T) {
	t.Parallel()
	attack := func(string) (float64, []string) { return 2.5, []string{"override"} }
	for name, tc := range map[string]struct {
		role    memory.Role
		o       episodes.ReaderOptions
		scan    func(string) (float64, []string)
		noRules bool

		status, extraction, answer string
		jobs, names, facts         int
		rulesRead                  bool
	}{
		"rules alone": {status: "done", extraction: "done", names: 1, facts: 1, rulesRead: true},
		"assistant": {role: "assistant", status: "done", extraction: "done", names: 1, facts: 1,
			rulesRead: true},
		"tool": {role: "tool", status: "skipped", extraction: "skipped", names: 1, rulesRead: true},
		"tool, with facts": {role: "tool", o: episodes.ReaderOptions{ToolTurns: true}, status: "done",
			extraction: "done", names: 1, facts: 1, rulesRead: true},
		"tool, with a model": {role: "tool", o: episodes.ReaderOptions{Worth: always}, status: "skipped",
			extraction: "skipped", names: 1, rulesRead: true},
		"tool, facts, model": {role: "tool", o: episodes.ReaderOptions{ToolTurns: true, Worth: always},
			status: "pending", extraction: "queued", jobs: 1, names: 1, facts: 1, rulesRead: true},
		"system": {role: "system", o: episodes.ReaderOptions{Worth: always}, status: "skipped",
			extraction: "skipped"},
		"a model": {o: episodes.ReaderOptions{Worth: always}, status: "pending", extraction: "queued",
			jobs: 1, names: 1, facts: 1, rulesRead: true},
		"a model, not worth it": {o: episodes.ReaderOptions{Worth: never}, status: "done", extraction: "done", names: 1,
			facts: 1, rulesRead: true},
		"no rules, no model": {noRules: true, status: "pending", extraction: "disabled", names: 1},
		"no rules, a model": {noRules: true, o: episodes.ReaderOptions{Worth: always}, status: "pending",
			extraction: "queued", jobs: 1, names: 1},
		"off": {o: episodes.ReaderOptions{Off: true, Worth: always}, status: "pending",
			extraction: "disabled"},
		"off, system": {role: "system", o: episodes.ReaderOptions{Off: true}, status: "skipped",
			extraction: "skipped"},
		"suspicious for a user": {scan: attack, status: "done", extraction: "done", names: 1, facts: 1, rulesRead: true},
		"suspicious for a tool": {role: "tool", scan: attack, status: "quarantined", extraction: "skipped",
			answer: "quarantined"},
		"suspicious, a model": {role: "assistant", scan: attack, o: episodes.ReaderOptions{Worth: always},
			status: "quarantined", extraction: "skipped", answer: "quarantined"},
		"suspicious, and off": {role: "assistant", scan: attack, o: episodes.ReaderOptions{Off: true},
			status: "quarantined", extraction: "skipped", answer: "quarantined"},
		"suspicious for a system": {role: "system", scan: attack, status: "skipped", extraction: "skipped"},
	} {
		s := &fakeStore{}
		s.answer.Episode.ID = 7
		tc.o.Names = &fakeNames{}
		if !tc.noRules {
			tc.o.Rules = &fakeRules{found: redis}
		}
		r := episodes.New(s, episodes.Options{MaxContentBytes: 1000, TrustRoles: true, Reader: episodes.NewReader(tc.o),
			Quarantine: episodes.Quarantine{Scan: tc.scan, User: 3, Other: 2}})
		res, err := r.Record(t.Context(), store.NewEpisode{Episode: memory.Episode{Content: "We use Redis.", Role: tc.role},
			Relations: []memory.RelationDraft{{Head: "a", Relation: "knows", Tail: "b"}}})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := s.got[0]
		if got.Status != tc.status || res.Extraction != tc.extraction || len(got.Jobs) != tc.jobs ||
			len(got.Found.Mentions) != tc.names || len(got.Found.Relations) != tc.facts || got.RulesRead != tc.rulesRead {
			t.Errorf("%s: status %s, extraction %s, jobs %v, %d names, %d facts, rules %v", name, got.Status, res.Extraction,
				got.Jobs, len(got.Found.Mentions), len(got.Found.Relations), got.RulesRead)
		}
		if len(got.Relations) != 1 {
			t.Errorf("%s: what was supplied is not stored", name)
		}
		if want := tc.answer; want != "" && res.Status != want || want == "" && res.Status != "stored" {
			t.Errorf("%s: the answer says %s", name, res.Status)
		}
		if tc.answer == "quarantined" {
			if diff := cmp.Diff([]string{"scan: score 2.5 of 2.0", "scan: override"}, res.Reasons); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
			if diff := cmp.Diff(got.Reasons, res.Reasons); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		}
	}
}

func TestRecord_WhatIsFoundHasTheTurnsOrigin(t *testing.T) {
	t.Parallel()
	for role, want := range map[memory.Role]memory.Origin{"user": "user", "assistant": "assistant", "tool": "tool"} {
		s := &fakeStore{}
		lying := redis
		lying.Relations = []memory.RelationDraft{found(.9, "User", "Redis")}
		lying.Relations[0].Origin = memory.OriginUser
		r := episodes.New(s, episodes.Options{MaxContentBytes: 1000, TrustRoles: true,
			Reader: episodes.NewReader(episodes.ReaderOptions{Rules: &fakeRules{found: lying}, ToolTurns: true})})
		if _, err := r.Record(t.Context(), store.NewEpisode{Episode: memory.Episode{Content: "We use Redis.",
			Role: role}}); err != nil {
			t.Fatal(err)
		}
		d := s.got[0].Found.Relations[0]
		if d.Origin != want || !d.CreateMissing || d.Method != memory.MethodRule {
			t.Errorf("%s: %+v", role, d)
		}
	}
}

func TestReader_SaysWhoIIs(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		role                            memory.Role
		speaker, user, configured, want string
	}{
		{"user", "Caroline", "ann", "omar", "Caroline"}, {"user", "", "ann", "omar", "ann"}, {"user", "", "", "omar",
			"omar"}, {"user", "", "", "", "User"},
		{"assistant", "Claude", "ann", "omar", "ann"}, {"assistant", "Claude", "", "", "User"}, {"tool", "grep", "", "omar",
			"omar"},
		{"user", "Ann [masked: private]", "ann", "", "ann"},
	} {
		r := episodes.NewReader(episodes.ReaderOptions{User: tc.configured})
		got := r.Input(t.Context(), memory.Episode{Role: tc.role, Speaker: tc.speaker,
			Scope: memory.Scope{User: tc.user}}).Self
		if got != tc.want {
			t.Errorf("%+v: %q", tc, got)
		}
	}
}

func TestReader_TakesTheSurestUpToTheCaps(t *testing.T) {
	t.Parallel()
	all := memory.Findings{
		Relations: []memory.RelationDraft{found(.5, "a", "b"), found(.9, "a", "c"), found(.7, "d", "e"), found(.8, "A", "d"),
			found(.3, "a", "d"), {Head: "a", Tail: "c"}},
		Entities: []memory.EntityDraft{{Name: "c", Description: "a thing", Method: memory.MethodRule},
			{Name: "z", Method: memory.MethodRule}},
		Dropped: map[string]int{"question": 2},
	}
	for _, tc := range []struct {
		relations, entities int
		want                string
		dropped             map[string]int
	}{
		{0, 0, "a-b a-c d-e A-d | c z", map[string]int{"question": 2, "invalid": 2}},
		{2, 0, "a-c A-d | c z", map[string]int{"question": 2, "invalid": 2, "over_max_edges_per_message": 2}},
		{0, 3, "a-c A-d | c", map[string]int{"question": 2, "invalid": 2, "over_max_entities_per_message": 3}},
		{1, 1, " | c", map[string]int{"question": 2, "invalid": 2, "over_max_entities_per_message": 5}},
	} {
		r := episodes.NewReader(episodes.ReaderOptions{MaxRelations: tc.relations, MaxEntities: tc.entities,
			Facts: facts.New(nil, facts.Options{MinConfidence: .4})})
		got := r.Ready(t.Context(), memory.Episode{Origin: memory.OriginUser}, all)
		var words, names []string
		for _, d := range got.Relations {
			words = append(words, d.Head+"-"+d.Tail)
		}
		for _, d := range got.Entities {
			names = append(names, d.Name)
		}
		if s := strings.Join(words, " ") + " | " + strings.Join(names, " "); s != tc.want {
			t.Errorf("%d relations, %d entities: %q; want %q", tc.relations, tc.entities, s, tc.want)
		}
		if diff := cmp.Diff(tc.dropped, got.Dropped); diff != "" {
			t.Errorf("%d relations, %d entities: %s", tc.relations, tc.entities, diff)
		}
	}
}

func TestReader_ValuesDoNotCountAsEntities(t *testing.T) {
	t.Parallel()
	var all memory.Findings
	for _, who := range []string{"Ann", "Bob", "Eve"} {
		d := found(.9, who, "cook of "+who)
		d.HeadType, d.TailType = "person", "concept"
		all.Relations = append(all.Relations, d)
	}
	r := episodes.NewReader(episodes.ReaderOptions{MaxEntities: 2, Facts: facts.New(nil, facts.Options{})})
	got := r.Ready(t.Context(), memory.Episode{Origin: memory.OriginUser}, all)
	if len(got.Relations) != 2 || got.Dropped["over_max_entities_per_message"] != 1 {
		t.Errorf("%d facts, dropped %v; want the facts of two people", len(got.Relations), got.Dropped)
	}
}

func TestReader_ReadsTheBeginningOfALongTurn(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ content, want string }{
		{"short", "short"},
		{strings.Repeat("a", 15) + "\nb and more", strings.Repeat("a", 15) + "\n"},
		{strings.Repeat("a", 15) + ". b and more", strings.Repeat("a", 15) + "."},
		{strings.Repeat("a", 16) + " bandmore", strings.Repeat("a", 16) + " "},
		{strings.Repeat("a", 30), strings.Repeat("a", 20)},
		{"a\n" + strings.Repeat("é", 30), "a\n" + strings.Repeat("é", 9)},
		{strings.Repeat("a", 18) + "咖啡", strings.Repeat("a", 18)},
	} {
		rules, names := &fakeRules{found: redis}, &fakeNames{}
		r := episodes.NewReader(episodes.ReaderOptions{MaxBytes: 20, Rules: rules, Names: names})
		e := memory.Episode{Role: memory.RoleUser, Content: tc.content}
		linked := r.Read(t.Context(), e, r.Input(t.Context(), e)).Mentions
		if got := rules.got[0].Text; got != tc.want {
			t.Errorf("%q: read %q, want %q", tc.content, got, tc.want)
		}
		if cut := tc.want != tc.content; (len(linked) == 2) != cut { // names after the beginning are linked, too
			t.Errorf("%q: links %v", tc.content, linked)
		}
	}
}
