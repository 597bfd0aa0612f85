package rules_test

import (
	"testing"
	"time"

	"memory-graph/internal/memory"
)

func TestExtract_TellsOldStoriesFromNews(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		news        bool
		from, until string
	}{
		"I moved to Graz in 2015.":                    {false, "2015-01-01", ""},
		"I joined Nokia in 2019.":                     {false, "2019-01-01", ""},
		"I moved to Graz last month.":                 {true, "2026-02-01", ""},
		"I joined Nokia in 2025.":                     {true, "2025-01-01", ""},
		"I left Nokia at the end of last year.":       {true, "", "2025-12-01"},
		"I left Nokia at the beginning of this year.": {true, "", "2026-01-01"},
		"I left Nokia in 2015.":                       {false, "", "2015-01-01"},
	} {
		found := read(memory.RoleUser, text).Relations
		if len(found) != 1 {
			t.Errorf("%q: %d facts", text, len(found))
			continue
		}
		day := func(at time.Time) string {
			if at.IsZero() {
				return ""
			}
			return at.Format(time.DateOnly)
		}
		if got := found[0]; got.News != want.news || day(got.ValidFrom) != want.from || day(got.ValidUntil) != want.until ||
			got.Ended != (want.until != "") {
			t.Errorf("%q: news %v, from %q, until %q, ended %v; want %+v", text, got.News, day(got.ValidFrom),
				day(got.ValidUntil), got.Ended, want)
		}
	}
}

// What ends others needs a confidence of .65 (docs/facts.md).
func TestExtract_AGuessEndsNothing(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"Petra left Nokia, I guess.", "I think Petra left Nokia.",
		"Looks like Petra left Nokia.", "Petra probably works at Nokia now.", "I believe Petra moved to Graz."} {
		found := read(memory.RoleUser, text).Relations
		if len(found) != 1 || *found[0].Confidence >= .65 || found[0].Method != memory.MethodRuleHedged {
			t.Errorf("%q: %+v", text, found)
		}
	}
}

func TestExtract_LeavesInvisibleSignsOutOfNames(t *testing.T) {
	t.Parallel()
	check(t, memory.RoleUser, []statement{
		{"I work at No\u200bkia.", []string{"User works_at Nokia"}},
		{"Petra\u202e Kos works at Bosch.", []string{"Petra Kos works_at Bosch"}},
		{"I live in \ufeffGraz\u2060.", []string{"User located_in Graz"}},
	})
}
