package communities_test

import (
	"testing"

	"memory-graph/internal/communities"
)

func TestSummary_IsOneOrTwoSentences(t *testing.T) {
	t.Parallel()
	for want, facts := range map[string][]string{
		"Ann works at Contoso and leads Larder. Larder runs on Postgres.": {
			"Ann works_at Contoso", "Ann leads Larder", "Larder runs_on Postgres"},
		"The user uses Go and Rust, and lives in Porto. Porto is located in Portugal.": {
			"User uses Go", "User uses Rust", "User lives_in Porto", "Porto located_in Portugal"},
		"Ann is a member of Acme Inc.": {"Ann member_of Acme Inc."},
		"Ann knows the user, is married to Bo and works at Acme. Cy works at Acme.": {
			"Ann knows User", "Ann married_to Bo", "Cy works_at Acme", "Ann works_at Acme", "Ann uses Go"},
		"Hub likes A, B and C. D, E, F, G, H and 3 more belong to this too.": {"Hub likes A", "Hub likes B", "Hub likes C",
			"Hub likes D", "Hub likes E", "Hub likes F", "Hub likes G", "Hub likes H", "Hub likes I"},
		"Tux likes A, B and C. Emacs belongs to this too.": {"Tux likes A", "Tux likes B", "Tux likes C", "Tux likes Emacs"},
	} {
		size := 12
		if len(facts) < 6 {
			size = 5
		}
		if got := communities.Summary(size, facts...); got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}
