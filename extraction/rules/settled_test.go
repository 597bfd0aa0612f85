package rules_test

import (
	"testing"
	"time"

	"memory-graph/internal/memory"
)

func TestExtract_TakesNothingOfDataWithoutAFence(t *testing.T) {
	t.Parallel()
	none(t, memory.RoleUser,
		"name: Ana\nemployer: Acme\ncity: Rome\nnote: I live in Rome", "id: 7\nauthor: ana\ntext: We use Redis.", // records
		"name,employer\nAna,Acme\nI live in Rome,yes", "who,where\nI live in Rome,now\nI live in Bath,then", // rows
		"diff --git a/x b/x\n- I live in Oslo.\n+ I live in Rome.\n", "@@ -1,2 +1,2 @@\n-I use Vim.\n+I use Emacs.\n", "- I live in Oslo.\n+ I live in Rome.", // changes of files
		"~~I live in Rome~~", "See https://example.com/?x=I live in Rome", "https://a.example/s?q=we use Redis",
		"Chapter 1. I moved to Rome. It was raining.", "Scene 3. I work at Bosch.", "Quiz: who am I? I moved to Rome, I joined Nokia.", "Write a cover letter. I moved to Rome and joined Nokia.",
	)
	check(t, memory.RoleUser, []statement{
		{"- I live in Graz.\n- I use Vim.", []string{"User located_in Graz", "User uses Vim"}},
		{"I live in Graz, finally,\nand I use Vim.", []string{"User located_in Graz", "User uses Vim"}},
		{"~~I live in Rome~~ I live in Bath.", []string{"User located_in Bath"}},
		{"See https://example.com/a and we use Redis.", []string{"User uses Redis"}},
		{"Write a letter to my landlord. I live in Graz.", []string{"User located_in Graz"}},
	})
}

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
		if got := found[0]; got.News != want.news || day(got.ValidFrom) != want.from || day(got.ValidUntil) != want.until || got.Ended != (want.until != "") {
			t.Errorf("%q: news %v, from %q, until %q, ended %v; want %+v", text, got.News, day(got.ValidFrom), day(got.ValidUntil), got.Ended, want)
		}
	}
}

// What ends others needs a confidence of .65 (docs/facts.md).
func TestExtract_AGuessEndsNothing(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"Petra left Nokia, I guess.", "I think Petra left Nokia.", "Looks like Petra left Nokia.", "Petra probably works at Nokia now.", "I believe Petra moved to Graz."} {
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
