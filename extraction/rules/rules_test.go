package rules_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/extraction"
	"memory-graph/extraction/rules"
	"memory-graph/internal/memory"
)

var extractor = rules.New()

// said is when the turns of the tests are said: a Tuesday.
var said = time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)

func read(role memory.Role, text string) memory.Findings {
	return extractor.Extract(extraction.Input{Role: role, Text: text, Self: "User", OccurredAt: said})
}

// facts gives what a turn states as "head relation tail", ended ones with "not" before.
func facts(role memory.Role, text string) []string {
	out := []string{}
	for _, r := range read(role, text).Relations {
		s := r.Head + " " + r.Relation + " " + r.Tail
		if r.Ended {
			s = "not " + s
		}
		out = append(out, s)
	}
	return out
}

type statement struct {
	text string
	want []string
}

func check(t *testing.T, role memory.Role, list []statement) {
	t.Helper()
	for _, c := range list {
		if diff := cmp.Diff(c.want, facts(role, c.text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, diff)
		}
	}
}

func TestExtract_TakesWhatIsStated(t *testing.T) {
	t.Parallel()
	check(t, memory.RoleUser, []statement{
		{"I work for Ericsson as a tester.", []string{"User works_at Ericsson"}},
		{"My employer is Ericsson.", []string{"User works_at Ericsson"}},
		{"Petra, who works at Bosch, lives in Graz.", []string{"Petra works_at Bosch", "Petra located_in Graz"}},
		{"I'm a nurse at Charité.", []string{"User works_at Charité"}},
		{"The crawler runs on Nomad.", []string{"crawler uses Nomad"}},
		{"For mail we use Postfix, Dovecot and Rspamd.", []string{"User uses Postfix", "User uses Dovecot",
			"User uses Rspamd"}},
		{"lumen-api requires Valkey and the token-service.", []string{"lumen-api depends_on Valkey",
			"lumen-api depends_on token-service"}},
		{"Ove maintains the import pipeline.", []string{"Ove maintains import pipeline"}},
		{"The maintainer of the import pipeline is Ove.", []string{"Ove works_on import pipeline"}},
		{"LUM-12 went to Ove.", []string{"LUM-12 assigned_to Ove"}},
		{"The tokenizer is a module of the search engine.", []string{"tokenizer part_of search engine"}},
		{"Ove wrote the first draft of Skylark.", []string{"Skylark created_by Ove"}},
		{"The outage happened because of a full disk.", []string{"outage caused_by full disk"}},
		{"The root cause of the crash was a stale cache.", []string{"crash caused_by stale cache"}},
		{"I prefer tea over coffee.", []string{"User prefers tea"}},
		{"I can't stand YAML.", []string{"User dislikes YAML"}},
		{"My boss is called Ingmar.", []string{"User reports_to Ingmar"}},
		{"Call me Kit.", []string{"User same_as Kit"}},
	})
}

func TestExtract_TellsWhatWasDecided(t *testing.T) {
	t.Parallel()
	check(t, memory.RoleUser, []statement{
		{"We decided to use Temporal instead of Airflow for the billing workflow.",
			[]string{"billing workflow decided_to_use Temporal"}},
		{"The team chose NATS over Kafka.", []string{"team decided_to_use NATS"}},
		{"Let's go with Caddy.", []string{"User decided_to_use Caddy"}},
		{"Caddy it is.", []string{"User decided_to_use Caddy"}},
		{"Decision (2026-03-01): use Caddy, not Nginx.", []string{"User decided_to_use Caddy"}},
		{"We have not decided to use Caddy.", []string{}},
	})
}

func TestExtract_EndsWhatHasEnded(t *testing.T) {
	t.Parallel()
	check(t, memory.RoleUser, []statement{
		{"I switched from the Hue bridge to Zigbee2MQTT.", []string{"User uses Zigbee2MQTT", "not User uses Hue bridge"}},
		{"We replaced Jest with Vitest in the web client.", []string{"web client uses Vitest", "not web client uses Jest",
			"Jest replaced_by Vitest"}},
		{"Loki replaced Splunk.", []string{"Splunk replaced_by Loki"}},
		{"Mara left Nokia and joined Zalando.", []string{"not Mara works_at Nokia", "Mara works_at Zalando"}},
		{"I moved from Ghent to Antwerp.", []string{"User located_in Antwerp", "not User located_in Ghent"}},
		{"We no longer use Heroku.", []string{"not User uses Heroku"}},
		{"I don't use Heroku anymore.", []string{"not User uses Heroku"}},
		{"I used to work at Nokia.", []string{"not User works_at Nokia"}},
		{"We stopped using Heroku.", []string{"not User uses Heroku"}},
		{"We ditched Heroku for Render.", []string{"User uses Render", "not User uses Heroku"}},
		{"We got rid of Heroku.", []string{"not User uses Heroku"}},
		{"Lena isn't assigned to LUM-9 any more.", []string{"not LUM-9 assigned_to Lena"}},
		{"I joined Nokia in 2019 and left Nokia in March 2021.", []string{"not User works_at Nokia"}},
	})
}

func TestExtract_StatesNothingBehindAGuard(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"Do we use Redis?", "do we use Redis", "I wonder whether Bob uses Redis.", // questions
		"If we used Redis it would be faster.", "We use Redis if the cache is cold.", // conditions
		// plans
		"We might switch from Redis to Valkey.", "I will switch to Valkey.", "I want to leave Nokia and join Zalando.",
		"We're moving to Berlin next month.", "Meera is leaving Nokia.", "should get Frigate a cable one day", //
		// negations
		"We do not use Redis.", "I never lived in Rome.", "Nobody here uses Redis.", "Neither of us works at Nokia.",
		"Use Redis.", "Bob, use Redis.", "Switch from Jest to Vitest.", // orders
		"Bob said we use Redis.", "Apparently Bob works at Nokia.", "Bob thinks the API depends on Redis.", // hearsay
		"We use Redis or Valkey.",                              // not said which
		"His laptop runs Fedora.", "Bob's laptop runs Fedora.", // another's
		"For example, Alice works at Acme.", "In my novel, Alice works at Acme.", // made up
		"Translate this: I live in Rome.", "> I live in Rome.", "```\nI live in Rome.\n```", "He wrote \"I live in Rome and I love it\".",
		"I live in Rome. Just kidding.",
		"Ich wohne in Rom und das ist nicht schlecht, aber we use Redis.",
	} {
		if got := facts(memory.RoleUser, text); len(got) > 0 {
			t.Errorf("%q states %q", text, got)
		}
	}
}

func TestExtract_KnowsWhomAPronounMeansOnlyWhereOneIsThere(t *testing.T) {
	t.Parallel()
	check(t, memory.RoleUser, []statement{
		{"Mara joined the club. She works at Nokia.", []string{"Mara works_at Nokia"}},
		{"Mara met Petra. She works at Nokia.", []string{}},
		{"Skylark is a planner. It uses Twilio.", []string{"Skylark uses Twilio"}},
		{"It uses Twilio.", []string{}},
	})
}

func TestExtract_ReadsAnAssistantInTheThirdPerson(t *testing.T) {
	t.Parallel()
	check(t, memory.RoleAssistant, []statement{
		{"I use Redis for that.", []string{}},
		{"You use Redis.", []string{}},
		{"User no longer uses Postman; they use Bruno.", []string{"not User uses Postman", "User uses Bruno"}},
		{"The user's manager is Tobias.", []string{"User reports_to Tobias"}},
	})
	if got := *read(memory.RoleAssistant, "User uses Bruno.").Relations[0].Confidence; got >= .8 {
		t.Errorf("an assistant's word counts %v, as much as the user's", got)
	}
}

func TestExtract_HedgesWhatTheSpeakerIsNotSureOf(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]memory.Method{
		"I use Bruno.": memory.MethodRule, "I think we use Bruno.": memory.MethodRuleHedged, "We probably use Bruno.": memory.MethodRuleHedged,
	} {
		found := read(memory.RoleUser, text).Relations
		if len(found) != 1 || found[0].Method != want {
			t.Errorf("%q: %+v, want one by %s", text, found, want)
		}
	}
}

func TestExtract_PutsFactsInTheirTime(t *testing.T) {
	t.Parallel()
	day := func(s string) time.Time {
		if s == "" {
			return time.Time{}
		}
		d, err := time.Parse(time.DateOnly, s)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	for _, c := range []struct {
		text        string
		n           int // which of its facts
		from, until string
	}{
		{"I've been using Obsidian since 2020.", 0, "2020-01-01", ""},
		{"I quit Nokia in January and joined Zalando in March.", 0, "", "2026-01-01"},
		{"I quit Nokia in January and joined Zalando in March.", 1, "2026-03-01", ""},
		{"In February we switched from Jest to Vitest.", 1, "", "2026-02-01"},
		{"I moved to Antwerp last weekend.", 0, "2026-03-07", ""},
		{"I worked at Nokia until 2019.", 0, "", "2019-01-01"},
		{"I live in Leeds and I want to see Portugal in October.", 0, "", ""},
	} {
		r := read(memory.RoleUser, c.text).Relations
		if len(r) <= c.n || !r[c.n].ValidFrom.Equal(day(c.from)) || !r[c.n].ValidUntil.Equal(day(c.until)) {
			t.Errorf("%q, fact %d: %+v, want from %q until %q", c.text, c.n, r, c.from, c.until)
		}
	}
	if got := facts(memory.RoleUser, "From next month I work at Zalando."); len(got) > 0 {
		t.Errorf("what begins next month is stated: %q", got)
	}
}

func TestExtract_ReadsTargetLines(t *testing.T) {
	t.Parallel()
	check(t, memory.RoleAssistant, []statement{
		{"# Skylark\n\n- uses [[Postgres]]\n- depends on: [[Redis]], [[Valkey|the cache]]\n- no longer uses [[Mongo]]",
			[]string{"Skylark uses Postgres", "Skylark depends_on Redis", "Skylark depends_on Valkey",
				"not Skylark uses Mongo"}},
		{"# Skylark\n\n## Relations\n- uses [[Postgres]]\n\n### More\n- depends_on [[Redis]]", []string{
			"Skylark uses Postgres", "Skylark depends_on Redis"}},
		{"## Relations\n- implements [[Core Spec]]\n- uses [[Postgres]]", []string{}},
		{"# Skylark\n- uses [[Postgres]]\n# Lantern\n## Links\n- uses [[Redis]]", []string{"Skylark uses Postgres",
			"Lantern uses Redis"}},
		{"Notes on Skylark:\n- maintained_by [[Ove Lind]]", []string{"Skylark maintained_by Ove Lind"}},
		{"- prefers [[tea]]", []string{"User prefers tea"}},
		{"Todo list for today:\n- depends on [[Kubernetes]]", []string{}},
		{"billing service:\n- depends on [[Redis]]", []string{"billing service depends_on Redis"}},
		{"- [[Postgres]]\n- see also", []string{}},
	})
}

func TestExtract_GivesNamesOfEveryRoleButTheSystem(t *testing.T) {
	t.Parallel()
	if found := read(memory.RoleSystem, "I work at Nokia."); len(found.Mentions)+len(found.Relations) > 0 {
		t.Errorf("a system turn gives %+v", found)
	}
	found := read(memory.RoleUser, "Does Django support that? Ask Petra in Graz.")
	types := map[string]string{}
	for _, m := range found.Mentions {
		types[m.Name] = m.Type
	}
	want := map[string]string{"Django": "tool", "Petra": "person", "Graz": "location"}
	if diff := cmp.Diff(want, types); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}

// TestExtract_TakesNothingFromTheNegatives reads messages that state no fact, written without sight of the rules.
func TestExtract_TakesNothingFromTheNegatives(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "extraction", "negatives.txt"))
	if err != nil {
		t.Fatal(err)
	}
	role, n := memory.RoleUser, 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(line, "@ "):
			role = memory.Role(line[2:])
		case line == "" || line[0] == '#':
		default:
			n++
			if got := facts(role, strings.ReplaceAll(line, `\n`, "\n")); len(got) > 0 {
				t.Errorf("%q states %q", line, got)
			}
		}
	}
	if n < 100 {
		t.Errorf("%d messages were read, want at least 100", n)
	}
}

func ExampleRules_Extract() {
	found := rules.New().Extract(extraction.Input{Role: memory.RoleUser, Text: "I moved from Vim to Helix.", Self: "User"})
	for _, r := range found.Relations {
		fmt.Println(r.Fact)
	}
	// Output:
	// User uses Helix.
	// User no longer uses Vim.
}
