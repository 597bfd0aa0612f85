package rules_test

import (
	"testing"
	"time"

	"memory-graph/internal/memory"
)

func none(t *testing.T, role memory.Role, list ...string) {
	t.Helper()
	for _, text := range list {
		if got := facts(role, text); len(got) > 0 {
			t.Errorf("%q states %q", text, got)
		}
	}
}

func TestExtract_TakesNothingOfWhatIsNotMeant(t *testing.T) {
	t.Parallel()
	none(t, memory.RoleUser,
		"I almost joined Nokia.", "We nearly switched from Jest to Vitest.", // it did not happen
		"Suppose Petra works at Bosch.", "Assume we use Redis.", "Say Petra works at Bosch.", "Let's say I live in Graz.", "Imagine that I live in Graz.", "Picture this: I live in Graz.",
		// played
		"You are Ove. I work at Bosch.", "Act as my landlord. I live in Graz.", "Role play: I live in Graz.", "In the game I live in Graz.", "My avatar lives in Graz.",
		"Petra lives in Graz, doesn't she?", "We use Redis, don't we?", // tags
		"I live in Graz, in theory.", "By 2031 I live in Graz, hopefully.", "I adore Jenkins, said nobody ever.", "Yeah right, I love Jenkins.", "I love Jenkins /s", "crawler uses Bun... not!", "I love Jenkins. Not.",
		// taken back
		"The crawler uses Gulp. Wait, no, Grunt.", "The crawler uses Gulp, I mean Grunt.", "I live in Graz. Sorry, Linz.", "I work at Nokia - scratch that, Bosch.",
		"- [ ] crawler uses Vite", "TODO: crawler uses Vite",
		"My least favourite language is Java.",
		"Those are Jan my husband, Piet who is 11 and Ida.", // a list, no apposition
	)
	check(t, memory.RoleUser, []statement{
		{"You are right. I live in Graz.", []string{"User located_in Graz"}},
		{"You are a star! I live in Graz.", []string{"User located_in Graz"}},
		{"- [x] lumen-api uses Vite", []string{"lumen-api uses Vite"}},
		{"Sorry, I was away. I live in Graz.", []string{"User located_in Graz"}},
		{"Say what you want: I live in Graz.", []string{}},
		{"The crash caused by DNS is over.", []string{"crash caused_by DNS"}},
		// what describes a noun is no adverb
		{"I hate really long answers.", []string{"User dislikes long answers"}},
		{"I prefer daily summaries.", []string{"User prefers daily summaries"}},
		{"I use only Postgres daily.", []string{"User uses Postgres"}},
	})
}

func TestExtract_TakesNothingOfWhomItIsDenied(t *testing.T) {
	t.Parallel()
	none(t, memory.RoleUser, "Neither Petra nor Ove lives in Graz.", "Petra and not Ove works at Bosch.",
		"Neither the crawler nor lumen-api uses Redis.", "Nor do I use Redis.", "Petra, but not Ove, lives in Graz.",
		"I use neither Redis nor Kafka.")
	check(t, memory.RoleUser, []statement{
		{"It's not fast, but we use Redis.", []string{"User uses Redis"}},
		{"Petra works at Bosch, not Ove.", []string{"Petra works_at Bosch"}},
	})
}

func TestExtract_EndsNothingThatEndedInPartOrForAWhile(t *testing.T) {
	t.Parallel()
	none(t, memory.RoleUser,
		"I left the Skylark meeting early.", "I left Nokia at 5pm.", "I left Slack open.", "I left Graz this morning for a conference.", "I left Graz for the weekend.",
		"We replaced Redis 6 with Redis 7.", "I switched off Slack.", "I quit Slack and restarted it.",
		"We no longer use Redis in the test environment.", "I stopped using Redis for sessions, but still use it for caching.", "I don't use Vim anymore, except on servers.", "I no longer use Vim at work.",
		"I moved to Graz for a week, then returned home.", "I moved to Graz for the summer.", "I switched from Go to Rust for one script.", "I moved from Graz to Linz and back.",
	)
	check(t, memory.RoleUser, []statement{
		{"We dropped Heroku for Render.", []string{"User uses Render", "not User uses Heroku"}},
		{"We no longer use Heroku since May.", []string{"not User uses Heroku"}},
		{"We no longer use Heroku for good reasons.", []string{"not User uses Heroku"}},
		{"I moved to Graz for a job.", []string{"User located_in Graz"}},
	})
}

func TestExtract_DoesNotTakeASecondPlaceForTheOne(t *testing.T) {
	t.Parallel()
	none(t, memory.RoleUser, "I also work at Bosch.", "I work at Bosch on the side.", "I live in Graz on weekends.",
		"I work at Bosch on Fridays.", "I live in Graz half of the year.", "Max works on Sundays.")
}

func TestExtract_EndsWhatIsDeniedOfTheUserNow(t *testing.T) {
	t.Parallel()
	check(t, memory.RoleUser, []statement{
		{"I don't live in Graz.", []string{"not User located_in Graz"}},
		{"I do not work for Nokia.", []string{"not User works_at Nokia"}},
		{"I work at Nokia no more.", []string{}},
		{"The crawler doesn't use Gulp now.", []string{"not crawler uses Gulp"}},
		{"Actually lumen-api doesn't use Gulp.", []string{"not lumen-api uses Gulp"}},
		{"lumen-api doesn't use Gulp.", []string{}},
		{"I don't work at Nokia yet.", []string{}},
		{"I don't work at weekends.", []string{}},
		{"Petra doesn't live in Graz.", []string{}},
	})
}

func TestExtract_TakesNobodyForAToolAndNothingForAProject(t *testing.T) {
	t.Parallel()
	none(t, memory.RoleUser, "We replaced Ove with Petra on the Skylark project.", "I run Skylark.",
		"Nora adopted a beagle called Biscuit.", "My parents live in Graz.",
		"My friends use Jenkins.", "- depends_on [[fsnotify]]")
	check(t, memory.RoleUser, []statement{
		{"I work at Marks & Spencer.", []string{"User works_at Marks & Spencer"}},
		{"Ines works at Stripe.", []string{"Ines works_at Stripe"}},
		{"The orders API depends on Kafka.", []string{"orders API depends_on Kafka"}},
		{"Ann owns the billing API.", []string{"Ann owns billing API"}},
		{"The API uses Redis.", []string{"API uses Redis"}},
		{"I work at A.P. Møller – Mærsk.", []string{"User works_at A.P. Møller – Mærsk"}},
		{"We use Redis & Kafka.", []string{"User uses Redis", "User uses Kafka"}},
	})
}

func TestExtract_DatesWhatIsSaidOfATimeOrStatesNothing(t *testing.T) {
	t.Parallel()
	none(t, memory.RoleUser, "I joined Nokia on 03/04/2025.", "I joined Nokia on 2025-02-30.", "I joined Nokia in 1820.",
		"I joined Nokia in 3020.", "I moved to Graz as a child.", "I moved to Graz in the nineties.",
		"I joined Nokia when I was twenty.", "I left Nokia ages ago.", "I joined Nokia a while back.")
	for text, want := range map[string]string{
		"I joined Nokia in the summer of 2023.": "2023-06-01", "I joined Nokia on 31/12/2024.": "2024-12-31", "I joined Nokia in early 2022.": "2022-01-01", "I joined Nokia in Q3 2023.": "2023-07-01", "I live in Graz.": "",
	} {
		found := read(memory.RoleUser, text).Relations
		if len(found) != 1 {
			t.Errorf("%q: %d facts", text, len(found))
			continue
		}
		got := ""
		if !found[0].ValidFrom.IsZero() {
			got = found[0].ValidFrom.Format(time.DateOnly)
		}
		if got != want {
			t.Errorf("%q: from %q, want %q", text, got, want)
		}
	}
}

func TestExtract_SaysWhatIsNews(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"I moved to Graz.": true, "I now live in Graz.": true, "I joined Nokia.": true, "I started at Nokia.": true, "We switched to Vitest.": true, "I left Nokia.": true, "I no longer use Vim.": true,
		"We now use Vitest.": true, "I live in Graz.": false, "I work at Nokia.": false, "We use Redis.": false, "I used to work at Nokia.": false, "We've been using Redis since 2020.": false,
	} {
		for _, r := range read(memory.RoleUser, text).Relations {
			if r.News != want {
				t.Errorf("%q: news is %v, want %v", text, r.News, want)
			}
		}
		if len(read(memory.RoleUser, text).Relations) == 0 {
			t.Errorf("%q states nothing", text)
		}
	}
}
