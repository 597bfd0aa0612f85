package retrieval

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"memory-graph/internal/memory"
	"memory-graph/internal/text"
)

func canonicals(question, self string) []string {
	var out []string
	for _, n := range askedNames(strings.Fields(question), self) {
		out = append(out, n.canonical)
	}
	return out
}

func TestAskedNames_AreTheRunsThatMayBeNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		question  string
		has, lack []string
	}{
		{"Where does Ann Lee work?", []string{"ann lee", "ann", "work"}, []string{"where", "does"}},
		{"What is Ann's view of “Rust”?", []string{"ann", "ann's", "rust", "ann's view of “rust"}, []string{"of", "is"}},
		{"Is C++, C# or .NET older than node.js?", []string{"c++", "c#", ".net", "node.js"}, []string{"or"}},
		{"Where does Will live in May?", []string{"will", "may"}, []string{"in"}},
		{"Will it rain?", []string{"rain"}, []string{"will", "it"}},
		{"what do I use", []string{"user", "use"}, []string{"i"}},
		{"咖啡在哪里", []string{"咖啡", "咖啡在哪里"}, nil},
		{"who knows @ann about #42 (issue)?", []string{"@ann", "#42", "issue", "(issue)"}, nil},
		{"one two three four five six seven", []string{"two three four five six seven"},
			[]string{"one two three four five six seven"}},
	} {
		got := canonicals(c.question, "user")
		for _, want := range c.has {
			if !slices.Contains(got, want) {
				t.Errorf("%q lacks %q: %q", c.question, want, got)
			}
		}
		for _, no := range c.lack {
			if slices.Contains(got, no) {
				t.Errorf("%q has %q", c.question, no)
			}
		}
	}
}

func TestNamedSeeds_TakeTheLongestName(t *testing.T) {
	t.Parallel()
	entities := []memory.Entity{
		{ID: 1, Canonical: "new york"}, {ID: 2, Canonical: "new york times"}, {ID: 3, Canonical: "york"},
		{ID: 4, Canonical: "ann lee", Aliases: []string{"ann"}}, {ID: 5, Canonical: "ann", Aliases: []string{}},
	}
	of := func(question string) (ids []int64) {
		asked := askedNames(strings.Fields(question), "")
		for _, s := range namedSeeds(asked, entities) {
			ids = append(ids, s.id)
		}
		return ids
	}
	for question, want := range map[string][]int64{
		"Does Ann read the New York Times?":   {4, 5, 2}, // both Anns
		"the New York Times of New York":      {2, 1},
		"Is Ann Lee in York?":                 {4, 3},
		"nobody is here":                      nil,
		"new york, the times and york's time": {1, 3},
	} {
		if got := of(question); !slices.Equal(got, want) {
			t.Errorf("%q begins at %v, want %v", question, got, want)
		}
	}
}

func TestSearchWords_AreStemsWhereTheWordBeginsLikeThem(t *testing.T) {
	t.Parallel()
	got := searchWords(text.Tokens("Which databases were happily used by the rustaceans, or by us?"))
	for _, want := range []string{"databas", "happily", "us", "rustacean"} {
		if want == "us" {
			continue // a stop word
		}
		if !slices.ContainsFunc(got, func(w string) bool { return strings.HasPrefix(want, w) || w == want }) {
			t.Errorf("%q is not among %q", want, got)
		}
	}
	if got := searchWords(text.Tokens("is it so?")); len(got) != 0 {
		t.Errorf("stop words are searched: %q", got)
	}
	long := strings.Repeat("alpha beta gamma delta epsilon zeta eta theta iota kappa ", 9)
	if got := searchWords(text.Tokens(long)); len(got) != maxSearchWords {
		t.Errorf("%d words", len(got))
	}
}

func FuzzAskedNames(f *testing.F) {
	for _, s := range []string{"Where does Ann's C++ run?", "咖啡 x", "\xff\x00", "'s", strings.Repeat("word ", 500), "I",
		"“”"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, question string) {
		names := askedNames(strings.Fields(question), "user")
		if len(names) > maxAskedNames {
			t.Fatalf("%d names", len(names))
		}
		for _, n := range names {
			if n.canonical == "" || n.canonical != memory.Canonical(n.canonical) || n.from < 0 || n.to <= n.from ||
				n.to-n.from > maxNameWords || n.to > maxAskedWords {
				t.Errorf("%q gives %+v", question, n)
			}
		}
		searchWords(text.Tokens(question))
	})
}

func TestCachedRates_AreReadOnceInAWhile(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	reads := 0
	source := func(_ context.Context, namespace string) (map[string]float64, error) {
		reads++
		return map[string]float64{namespace: float64(reads)}, nil
	}
	cached, forget := CachedRates(source, time.Minute, func() time.Time { return now })
	ask := func(want int) {
		t.Helper()
		rates, err := cached(t.Context(), "n")
		if err != nil || rates["n"] != float64(want) {
			t.Errorf("rates %v, %v; want those of reading %d", rates, err, want)
		}
	}
	ask(1)
	ask(1)
	now = now.Add(time.Minute)
	ask(2)
	forget("n")
	ask(3)
	now = now.Add(-time.Hour) // a clock that was set back
	ask(4)
}
