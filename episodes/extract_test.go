package episodes_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"memory-graph/episodes"
	"memory-graph/extraction"
	"memory-graph/extraction/stated"
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

func TestReader_TheBeginningIsWholeText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		content, most := rapid.String().Draw(t, "content"), rapid.IntRange(1, 40).Draw(t, "most")
		rules := &fakeRules{}
		r := episodes.NewReader(episodes.ReaderOptions{MaxBytes: most, Rules: rules})
		got := r.Input(context.Background(), memory.Episode{Content: content}).Text
		if !strings.HasPrefix(content, got) || len(got) > most || utf8.ValidString(content) && !utf8.ValidString(got) {
			t.Fatalf("%q of %q at %d", got, content, most)
		}
	})
}

func TestRecord_TellsWhatTheRulesFoundBesideWhatWasSupplied(t *testing.T) {
	t.Parallel()
	write := func(id int64, status memory.RelationStatus, conflicts ...memory.FactConflict) memory.RelationWrite {
		return memory.RelationWrite{Relationship: memory.Relationship{ID: id}, Status: status, Conflicts: conflicts}
	}
	s := &fakeStore{answer: store.Recorded{
		Entities:  []memory.EntityWrite{{Entity: memory.Entity{ID: 1}, Created: true}},
		Relations: []memory.RelationWrite{write(1, memory.RelationCreated), write(2, memory.RelationCreated)},
		Found: store.Written{
			Entities: []memory.EntityWrite{{Entity: memory.Entity{ID: 1}}, {Entity: memory.Entity{ID: 2}, Created: true}},
			Relations: []memory.RelationWrite{write(1, memory.RelationReinforced),
				write(3, memory.RelationCreated, memory.FactConflict{ID: 9})},
			Refused: []memory.ItemError{{Item: "x", Message: "the extractor's fault"}},
		},
	}}
	r := episodes.New(s, episodes.Options{MaxContentBytes: 1000,
		Reader: episodes.NewReader(episodes.ReaderOptions{Rules: &fakeRules{}})})
	res, err := r.Record(t.Context(), store.NewEpisode{Episode: memory.Episode{Content: "We use Redis."}})
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, w := range res.Relations {
		ids = append(ids, fmt.Sprint(w.Relationship.ID, " ", w.Status, " ", len(w.Conflicts)))
	}
	if diff := cmp.Diff([]string{"1 created 0", "2 created 0", "3 created 1"}, ids); diff != "" {
		t.Error(diff)
	}
	if len(res.Entities) != 2 || !res.Entities[0].Created || len(res.Errors) != 0 {
		t.Errorf("%+v, %+v", res.Entities, res.Errors)
	}
}

func TestRecord_ADuplicateIsNotReadAgain(t *testing.T) {
	t.Parallel()
	for status, want := range map[string]string{"done": "done", "pending": "queued", "failed": "queued",
		"skipped": "skipped", "quarantined": "skipped"} {
		s := &fakeStore{answer: store.Recorded{Duplicate: true, Episode: memory.Episode{Status: status}}}
		r := episodes.New(s, episodes.Options{MaxContentBytes: 1000,
			Reader: episodes.NewReader(episodes.ReaderOptions{Worth: always})})
		res, err := r.Record(t.Context(), store.NewEpisode{Episode: memory.Episode{Content: "We use Redis."}})
		if err != nil || res.Status != "duplicate" || res.Extraction != want {
			t.Errorf("%s: %+v, %v", status, res, err)
		}
	}
}

func TestRecord_ATurnIsReadAsOfWhenItWasSaid(t *testing.T) {
	t.Parallel()
	now, said := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC), time.Date(2024, 3, 18, 9, 0, 0, 0, time.UTC)
	for given, want := range map[time.Time]time.Time{{}: now, said: said} {
		rules := &fakeRules{}
		r := episodes.New(&fakeStore{}, episodes.Options{MaxContentBytes: 1000, Now: func() time.Time { return now },
			Reader: episodes.NewReader(episodes.ReaderOptions{Rules: rules})})
		if _, err := r.Record(t.Context(), store.NewEpisode{Episode: memory.Episode{Content: "We use Redis since last week.",
			OccurredAt: given}}); err != nil {
			t.Fatal(err)
		}
		if got := rules.got[0].OccurredAt; !got.Equal(want) {
			t.Errorf("given %v: %v, want %v", given, got, want)
		}
	}
}

func TestRecord_WhatTheUserSaysIsTrustedLikeTheUserWhoeverPutsItIntoForm(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		role       memory.Role
		text       string
		head, tail string
		want       memory.Origin
	}{
		"both names": {memory.RoleUser, "Ann is with Acme now.", "ann", "Acme", memory.OriginUser},
		"a name with a hyphen": {memory.RoleUser, "the api-gateway needs Consul", "api-gateway", "consul",
			memory.OriginUser},
		"I am the user":                 {memory.RoleUser, "I’m with Acme now", "User", "Acme", memory.OriginUser},
		"nobody speaks of the user":     {memory.RoleUser, "Acme hired people", "User", "Acme", ""},
		"the tail is not said":          {memory.RoleUser, "Ann has a new job", "Ann", "Acme", ""},
		"a part of a word is no name":   {memory.RoleUser, "Annabel is with Acmetron", "Ann", "Acme", ""},
		"a quotation is not the user's": {memory.RoleUser, "see below\n> Ann is with Acme", "Ann", "Acme", ""},
		"an id is no word":              {memory.RoleUser, "Ann is with Acme", "e1", "Acme", ""},
		"an assistant's turn":           {memory.RoleAssistant, "Ann is with Acme", "Ann", "Acme", ""},
		"a tool's turn":                 {memory.RoleTool, "Ann is with Acme", "Ann", "Acme", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fake := &fakeStore{}
			r := episodes.New(fake, episodes.Options{MaxContentBytes: 1000, TrustRoles: true,
				Reader: episodes.NewReader(episodes.ReaderOptions{Hear: stated.Facts})})
			if _, err := r.Record(context.Background(),
				store.NewEpisode{Episode: memory.Episode{Scope: memory.Scope{Namespace: "n"}, Role: tc.role, Content: tc.text},
					Caller:    memory.Caller{Actor: "tool"},
					Relations: []memory.RelationDraft{{Head: tc.head, Relation: "works_at", Tail: tc.tail}}}); err != nil {
				t.Fatal(err)
			}
			got := fake.got[0].Relations[0]
			origin := memory.OriginAgent
			if tc.role == memory.RoleTool {
				origin = memory.OriginTool
			}
			if got.SaidBy != tc.want || got.Origin != origin {
				t.Errorf("said by %q, origin %q; want %q and %s", got.SaidBy, got.Origin, tc.want, origin)
			}
		})
	}
}

func TestRecord_SaysWhatTheCapsLeaveOutAndKeepsWhatThereIsOneOf(t *testing.T) {
	t.Parallel()
	var all memory.Findings
	for i := range 12 {
		all.Relations = append(all.Relations, found(.9, "User", fmt.Sprintf("tool%d", i)))
	}
	job := found(.6, "User", "Acme")
	job.Relation = "works_at"
	all.Relations = append(all.Relations, job)
	for _, tc := range []struct {
		relations, entities int
		kept                int
		reasons             []string
	}{
		{0, 13, 13, []string{}}, // the user does not count against the limit
		{0, 10, 10, []string{"extraction: 3 facts or descriptions over max_entities_per_message left out"}},
		{12, 0, 12, []string{"extraction: 1 fact over max_edges_per_message left out"}},
		{3, 0, 3, []string{"extraction: 10 facts over max_edges_per_message left out"}},
	} {
		s := &fakeStore{}
		r := episodes.New(s, episodes.Options{MaxContentBytes: 1000, TrustRoles: true,
			Reader: episodes.NewReader(episodes.ReaderOptions{
				Rules: &fakeRules{found: all}, MaxRelations: tc.relations, MaxEntities: tc.entities})})
		res, err := r.Record(t.Context(), store.NewEpisode{
			Episode: memory.Episode{Content: "I use a lot, and work at Acme."}})
		if err != nil {
			t.Fatal(err)
		}
		kept := s.got[0].Found.Relations
		if len(kept) != tc.kept || kept[len(kept)-1].Tail != "Acme" {
			t.Errorf("%d relations, %d entities: %d are kept, the last is %v", tc.relations, tc.entities, len(kept),
				kept[len(kept)-1])
		}
		if diff := cmp.Diff(tc.reasons, res.Reasons); diff != "" {
			t.Errorf("%d relations, %d entities: %s", tc.relations, tc.entities, diff)
		}
	}
}

func TestRecord_BelievesTheCallerAboutWhatIsNoPlace(t *testing.T) {
	t.Parallel()
	moved := memory.Findings{Relations: []memory.RelationDraft{
		{Head: "Ann", Relation: "located_in", Tail: "Initech", TailType: "location", Confidence: share(.8),
			Method: memory.MethodRule},
		{Head: "Ann", Relation: "located_in", Tail: "Kiel", TailType: "location", Confidence: share(.8),
			Method: memory.MethodRule}}}
	s := &fakeStore{}
	r := episodes.New(s, episodes.Options{MaxContentBytes: 1000,
		Reader: episodes.NewReader(episodes.ReaderOptions{Rules: &fakeRules{found: moved}})})
	if _, err := r.Record(t.Context(), store.NewEpisode{
		Episode: memory.Episode{Content: "Ann moved to Initech, and to Kiel."},
		Relations: []memory.RelationDraft{
			{Head: "Ann", Relation: "works_at", Tail: "initech"}, {Head: "Ann", Relation: "lives_in",
				Tail: "Kiel"}}}); err != nil {
		t.Fatal(err)
	}
	var tails []string
	for _, d := range s.got[0].Found.Relations {
		tails = append(tails, d.Tail)
	}
	if diff := cmp.Diff([]string{"Kiel"}, tails); diff != "" {
		t.Error(diff)
	}
}
