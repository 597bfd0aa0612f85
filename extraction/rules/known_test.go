package rules_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/extraction"
	"memory-graph/extraction/mentions"
	"memory-graph/internal/memory"
)

// What somebody likes in small letters is no person, and "she" is not that.
func TestExtract_TakesNoFoodForAPerson(t *testing.T) {
	t.Parallel()
	known := mentions.NewDictionary()
	known.Add("tea", "coffee", "rosemary", "Nora")
	for _, c := range []struct {
		text string
		want []string
	}{
		{"I dislike tea.", []string{"User dislikes tea ()"}},
		{"I can't stand rosemary and ella.", []string{"User dislikes rosemary ()", "User dislikes ella ()"}},
		{"I dislike maki. She lives in Graz.", []string{"User dislikes maki ()"}},
		{"I prefer tea. She lives in Graz.", []string{"User prefers tea ()"}},
		{"My coffee is cold. She lives in Graz.", nil},
		{"I adore Nora. She lives in Graz.", []string{"Nora located_in Graz (location)"}},
		{"I dislike Ella.", []string{"User dislikes Ella (person)"}},
	} {
		var got []string
		found := extractor.Extract(extraction.Input{Role: memory.RoleUser, Text: c.text, Self: "User", OccurredAt: said,
			Known: known})
		for _, r := range found.Relations {
			got = append(got, r.Head+" "+r.Relation+" "+r.Tail+" ("+r.TailType+")")
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, diff)
		}
		for _, m := range found.Mentions {
			if m.Type == "person" && m.Name == strings.ToLower(m.Name) {
				t.Errorf("%q mentions the person %q", c.text, m.Name)
			}
		}
	}
}

// Where the graph has a billing service, "billing" is that: else what it uses now would end nothing.
func TestExtract_MeansTheServiceThatIsKnownByWhatItDoes(t *testing.T) {
	t.Parallel()
	heads := func(text string, known *mentions.Dictionary) (out []string) {
		for _, r := range extractor.Extract(extraction.Input{Role: memory.RoleUser, Text: text, Self: "User",
			OccurredAt: said, Known: known}).Relations {
			out = append(out, r.Head)
		}
		return out
	}
	known := mentions.NewDictionary()
	known.Add("billing service")
	both := mentions.NewDictionary()
	both.Add("billing service", "billing")
	for _, c := range []struct {
		text  string
		known *mentions.Dictionary
		want  []string
	}{
		{"no, billing uses CockroachDB, not Postgres", nil, []string{"billing", "billing"}},
		{"no, billing uses CockroachDB, not Postgres", known, []string{"billing service", "billing service"}},
		{"no, billing uses CockroachDB, not Postgres", both, []string{"billing", "billing"}},
		{"The billing service depends on Redis. Billing uses CockroachDB.", nil, []string{"billing service",
			"Billing service"}},
	} {
		if diff := cmp.Diff(c.want, heads(c.text, c.known)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, diff)
		}
	}
}
