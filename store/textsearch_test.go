package store_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/internal/text"
	"memory-graph/store"
)

func TestSearchText_FindsEveryLanguageByItsOwnWords(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	for _, c := range []struct{ content, query string }{
		{"我早上喜欢喝咖啡", "咖啡"},
		{"昨日は東京タワーに行きました", "東京タワー"},
		{"한국어 문장을 저장했습니다", "문장을"},
		{"ฉันชอบกินข้าวผัดกุ้ง", "ข้าวผัด"},
		{"أحب القهوة في الصباح", "القهوة"},
		{"Die Donaudampfschifffahrtsgesellschaft war teuer", "donaudampfschifffahrtsgesellschaft"},
		{"Über den Wolken", "über wolken"},
		{"we celebrated with 🎉 and cake", "🎉"},
		{"Привет мир", "мир"},
		{"मुझे हिंदी पसंद है", "हिंदी"},
		{"deployments were failing", "failed deployment"},
		{"open src/main.go at 192.168.1.20", "192.168.1.20"},
	} {
		r := record(t, s, turn("s", c.content))
		got := searchIDs(t, s, c.query, memory.Filter{Namespace: "default"})
		if len(got) == 0 || got[0] != r.Episode.ID {
			t.Errorf("%q in %q (t%d): found %v", c.query, c.content, r.Episode.ID, got)
		}
	}
	for _, absent := range []string{"茶", "咖喱", "大阪", "🎂", "zebra"} {
		if got := searchIDs(t, s, absent, memory.Filter{Namespace: "default"}); len(got) > 0 {
			t.Errorf("%q: found %v, want nothing", absent, got)
		}
	}
}

func TestSearchText_FindsSpeakersAndRanksRareWordsFirst(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	said := turn("s", "the launch is on Monday")
	said.Speaker = "Grace Hopper"
	record(t, s, said)
	record(t, s, turn("s", "the launch is late"))
	record(t, s, turn("s", "the launch is late again"))
	if got := searchIDs(t, s, "hopper", memory.Filter{Namespace: "default"}); !cmp.Equal(got, []int64{1}) {
		t.Errorf("by speaker: %v", got)
	}
	hits, err := s.SearchText(context.Background(), text.Parse("launch on monday"), memory.Filter{Namespace: "default"}, 2)
	if err != nil || len(hits) != 2 || hits[0].ID != 1 || hits[0].Score <= hits[1].Score || hits[1].Score < 0 {
		t.Errorf("hits %v, %v", hits, err)
	}
}

func TestSearchText_KeepsToItsFilter(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	add := func(namespace, project, user, session string, role memory.Role, day int) {
		e := turn(session, "shared words here")
		e.Scope = memory.Scope{Namespace: namespace, Project: project, User: user, SessionID: session}
		e.Role, e.OccurredAt = role, time.Date(2026, 3, day, 0, 0, 0, 0, time.UTC)
		record(t, s, e)
	}
	check := func(name string, want []int64, f memory.Filter) {
		t.Helper()
		got := searchIDs(t, s, "shared words", f)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	add("default", "p", "u", "a", memory.RoleUser, 1)      // 1
	add("default", "p", "v", "b", memory.RoleAssistant, 2) // 2
	add("default", "q", "u", "c", memory.RoleTool, 3)      // 3
	add("default", "", "u", "d", memory.RoleSystem, 4)     // 4
	for range 2 {                                          // with one namespace in the file, then with two
		check("all", []int64{1, 2, 3, 4}, memory.Filter{Namespace: "default"})
		check("project", []int64{1, 2}, memory.Filter{Namespace: "default", Project: "p"})
		check("project or none", []int64{1, 2, 4}, memory.Filter{Namespace: "default", Project: "p", Unassigned: true})
		check("nobody's project or none", []int64{4},
			memory.Filter{Namespace: "default", Project: "nobody's", Unassigned: true})
		check("none", []int64{4}, memory.Filter{Namespace: "default", Unassigned: true})
		check("project or none, since", []int64{2, 4},
			memory.Filter{Namespace: "default", Project: "p", Unassigned: true,
				Since: time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)})
		check("user", []int64{1, 3, 4}, memory.Filter{Namespace: "default", User: "u"})
		check("session", []int64{2}, memory.Filter{Namespace: "default", SessionID: "b"})
		check("roles", []int64{2, 3}, memory.Filter{Namespace: "default",
			Roles: []memory.Role{memory.RoleTool, memory.RoleAssistant}})
		check("two at once", []int64{1}, memory.Filter{Namespace: "default", Project: "p", User: "u"})
		check("since", []int64{2, 3, 4}, memory.Filter{Namespace: "default",
			Since: time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)})
		check("until, project", []int64{1}, memory.Filter{Namespace: "default", Project: "p",
			Until: time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)})
		check("a project that is a session", []int64{}, memory.Filter{Namespace: "default", Project: "a"})
		check("another namespace", []int64{}, memory.Filter{Namespace: "nobody's"})
		add("other", "p", "u", "a", memory.RoleUser, 1)
	}
	// The tokens of the scope column are not words of the text.
	if got := searchIDs(t, s, text.ScopeToken('n', "default"), memory.Filter{Namespace: "default"}); len(got) > 0 {
		t.Errorf("a scope token is found as text: %v", got)
	}
}

func TestSearchText_TiesAreInOrderOfIDsAndKCuts(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	for i := range 6 {
		record(t, s, turn(itoa(int64(i)), "the very same words"))
	}
	hits, err := s.SearchText(context.Background(), text.Parse("same words"), memory.Filter{Namespace: "default"}, 4)
	if err != nil {
		t.Fatal(err)
	}
	for i, h := range hits {
		if h.ID != int64(i+1) {
			t.Errorf("hit %d is t%d", i, h.ID)
		}
	}
	if len(hits) != 4 {
		t.Errorf("%d hits, want 4", len(hits))
	}
}

func TestSearchText_NothingToAskFindsNothing(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	record(t, s, turn("s", "words"))
	for _, q := range []string{"", "   ", `"`, `***`, "\x00", "NOT", "()"} {
		if _, err := s.SearchText(context.Background(), text.Parse(q), memory.Filter{Namespace: "default"}, 10); err != nil {
			t.Errorf("%q: %v", q, err)
		}
	}
}

// Whatever is stored and asked, there is no error and no result of a foreign namespace, and a text is found by its own
// words.
func FuzzSearchText(f *testing.F) {
	s := openNew(f)
	for _, seed := range []string{`"a" OR b NOT (c*)`, "content : x ^y NEAR(z, 3)", "{a b} : c",
		"' ; DROP TABLE mg_episodes --", "%_%", "日本語 ไทย 🎉", "\xff\xfe", "AND OR NOT", "a\x00b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, content string) {
		ctx := context.Background()
		r, err := s.RecordEpisode(ctx, turn("s", content))
		if err != nil {
			t.Fatal(err)
		}
		q := text.Parse(content)
		f := memory.Filter{Namespace: "default"}
		if len(q.Terms) > 0 && len(content) < 200 {
			hits, err := s.SearchText(ctx, q, f, math.MaxInt32)
			if err != nil {
				t.Fatal(err)
			}
			found := false
			for _, h := range hits {
				found = found || h.ID == r.Episode.ID
			}
			if !found {
				t.Errorf("%q (t%d) is not found by its own words %v", content, r.Episode.ID, q)
			}
		}
		// Words that our tokeniser never returns must not break the query either.
		raw := text.Query{Terms: []text.Term{{Words: strings.Fields(content)}, {Words: []string{content}}}}
		if _, err := s.SearchText(ctx, raw, memory.Filter{Namespace: "other"}, 5); err != nil {
			t.Errorf("raw words %q: %v (%v)", content, err, memory.AsError(err).Err)
		}
	})
}

func TestStatements_AreBounded(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	for i := range 50 {
		record(t, s, turn("s", "words and more "+itoa(int64(i))))
	}
	f := memory.Filter{Namespace: "default"}
	for name, c := range map[string]struct {
		most int
		call func(context.Context) error
	}{
		"search": {2, func(ctx context.Context) error {
			_, err := s.SearchText(ctx, text.Parse("words more"), f, 50)
			return err
		}},
		"newest": {1, func(ctx context.Context) error { _, err := s.NewestEpisodes(ctx, f, 0, 50); return err }},
		"episodes": {1, func(ctx context.Context) error {
			_,
				err := s.Episodes(ctx, "default", []int64{1, 2, 3})
			return err
		}},
		"state":  {1, func(ctx context.Context) error { _, err := s.State(ctx, "default"); return err }},
		"record": {6, func(ctx context.Context) error { _, err := s.RecordEpisode(ctx, turn("s", "new")); return err }},
	} {
		ctx, n := store.CountStatements(context.Background())
		if err := c.call(ctx); err != nil {
			t.Fatal(err)
		}
		if n.Load() == 0 || n.Load() > c.most {
			t.Errorf("%s ran %d statements, want 1 to %d", name, n.Load(), c.most)
		}
	}
}
