package rules_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/extraction"
	"memory-graph/extraction/mentions"
	"memory-graph/internal/memory"
)

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
