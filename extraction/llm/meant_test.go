package llm

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/extraction"
	"memory-graph/internal/memory"
)

// says is an answer about one turn: facts, each "quote | head relation tail". The head or tail "I" is the user.
type says struct {
	quote, head, verb, tail string
	ended                   bool
	from                    string
}

// answers returns the model's answer, with the types of the tests' names.
func answers(facts ...says) turnAnswer {
	types := map[string]string{"Ann": "person", "Ben": "person", "Bob": "person", "Dag": "person", "Acme": "organization",
		"Hooli": "organization",
		"Lima":  "location", "Bern": "location", "Vim": "tool", "Emacs": "tool", "Redis": "technology", "Kafka": "technology",
		"Atlas": "project", "Chess": "organization"}
	a := turnAnswer{Turn: 1}
	ids := map[string]int{"I": 0}
	id := func(name string) int {
		if _, ok := ids[name]; !ok {
			ids[name] = len(ids)
			typ := types[name]
			if typ == "" {
				typ = "concept"
			}
			a.Entities = append(a.Entities, entityAnswer{ID: ids[name], Name: name, Type: typ})
		}
		return ids[name]
	}
	for _, f := range facts {
		r := relationAnswer{Quote: f.quote, Head: id(f.head), Tail: id(f.tail), Relation: f.verb, Basis: "stated",
			Confidence: .9, Ended: f.ended}
		if f.from != "" {
			r.ValidFrom = text(f.from)
		}
		a.Relations = append(a.Relations, r)
	}
	return a
}

func check(t *testing.T, turn extraction.Input, want string, facts ...says) memory.Findings {
	t.Helper()
	got := newValidation([]extraction.Input{turn}, 0).validate(answers(facts...), Limits{Entities: 10, Relations: 15})
	if diff := cmp.Diff(want, shown(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", turn.Text, diff)
	}
	return got
}

func TestValidate_AsksWhoIsMeant(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		fact says
		want string
	}{
		{"I play at Hooli, and Bob left Acme.", says{"Bob left Acme", "Bob", "works_at", "Acme", true, ""},
			"Bob works_at Acme ended"},
		{"I left Acme and joined Hooli.", says{"joined Hooli", "I", "works_at", "Hooli", false, ""}, "Ada works_at Hooli"},
		{"Bob left Acme and joined Hooli.", says{"joined Hooli", "Bob", "works_at", "Hooli", false, ""},
			"Bob works_at Hooli"},
		{"Bob, who works at Acme, uses Vim.", says{"who works at Acme", "Bob", "works_at", "Acme", false, ""},
			"Bob works_at Acme"},
		{"Moved to Bern.", says{"Moved to Bern", "I", "located_in", "Bern", false, ""}, "Ada located_in Bern"},
		{"Acme hired me.", says{"Acme hired me", "I", "works_at", "Acme", false, ""}, "Ada works_at Acme"},
		{"My sister Ann lives in Lima.", says{"My sister Ann", "I", "sibling_of", "Ann", false, ""}, "Ada sibling_of Ann"},
		{"Ann manages me.", says{"Ann manages me", "I", "reports_to", "Ann", false, ""}, "Ada reports_to Ann"},
		{"We moved from Redis to Kafka.", says{"from Redis to Kafka", "Redis", "replaced_by", "Kafka", false, ""},
			"Redis replaced_by Kafka"},
		{"Ann and Ben used Vim.", says{"Ann and Ben used Vim", "Ann", "uses", "Vim", false, ""}, "Ann uses Vim"},
		{"Atlas is new. It depends on Kafka.", says{"depends on Kafka", "Atlas", "depends_on", "Kafka", false, ""},
			"Atlas depends_on Kafka"},
		{"Ada here: Ada uses Vim.", says{"Ada uses Vim", "I", "uses", "Vim", false, ""}, "Ada uses Vim"},

		{"Yesterday evening Dag plays Chess very well with her friends.",
			says{"Dag plays Chess", "I", "works_at", "Chess", false, ""}, "without 1 user_not_meant"},
		{"Bob left Acme and everybody was sad about it.", says{"left Acme", "I", "works_at", "Acme", true, ""},
			"without 1 user_not_meant"},
		{"Bob told me that Ann works at Hooli these days.", says{"works at Hooli", "I", "works_at", "Hooli", false, ""},
			"without 1 user_not_meant"},
		{"Bob told me that Ann works at Hooli these days.",
			says{"Bob told me that Ann works at Hooli", "I", "works_at", "Hooli", false, ""}, "without 1 user_not_meant"},
		{"My brother uses Vim.", says{"My brother uses Vim", "I", "uses", "Vim", false, ""}, "without 1 user_not_meant"},
		{`Bob said "I moved to Lima" and we all laughed.`, says{`I moved to Lima`, "I", "located_in", "Lima", false, ""},
			"without 1 quoted_or_code"},
		{`Bob said "I moved to Lima" and we all laughed.`,
			says{`Bob said "I moved to Lima" and we`, "I", "located_in", "Lima", false, ""}, "without 1 quote_elsewhere"},
		{"Please look at this page about Hooli and its products.",
			says{"this page about Hooli", "I", "works_at", "Hooli", false, ""}, "without 1 user_not_meant"},
		{"Please look at this page about Hooli and its products.",
			says{"this page about Hooli", "I", "located_in", "Hooli", false, ""}, "without 1 types"},
		{"Ann leads Atlas and Ben uses Vim.", says{"Ann leads Atlas and Ben uses Vim", "Ann", "uses", "Vim", false, ""},
			"without 1 quote_elsewhere"},
		{"Vim is nice. Bob uses Redis.", says{"Bob uses Redis", "Bob", "uses", "Vim", false, ""},
			"without 1 quote_elsewhere"},
	} {
		check(t, one(c.text), c.want, c.fact)
	}
	assistant := one("You use Redis, and I would use Kafka.")
	assistant.Role = memory.RoleAssistant
	check(t, assistant, "Ada uses Redis; without 1 user_not_meant", says{"You use Redis", "I", "uses", "Redis", false, ""},
		says{"I would use Kafka", "I", "uses", "Kafka", false, ""})
}

func TestValidate_AsksHowItIsMeant(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		fact says
		want string
	}{
		{"I do not work at Hooli, whatever Bob says.", says{"work at Hooli", "I", "works_at", "Hooli", false, ""},
			"without 1 not_stated"},
		{"Should I take the offer and work at Hooli next year?", says{"work at Hooli", "I", "works_at", "Hooli", false, ""},
			"without 1 not_stated"},
		{"I want to work at Hooli.", says{"work at Hooli", "I", "works_at", "Hooli", false, ""}, "without 1 not_stated"},
		{"If I work at Hooli, I am rich.", says{"I work at Hooli", "I", "works_at", "Hooli", false, ""},
			"without 1 not_stated"},
		{"Bob says I work at Hooli.", says{"I work at Hooli", "I", "works_at", "Hooli", false, ""}, "without 1 not_stated"},
		{"Use Redis with Kafka.", says{"Use Redis with Kafka", "Redis", "integrates_with", "Kafka", false, ""},
			"without 1 not_stated"},
		{"Translate this: I live in Lima", says{"I live in Lima", "I", "located_in", "Lima", false, ""},
			"without 1 quoted_or_code"},
		{"I no longer use Vim.", says{"use Vim", "I", "uses", "Vim", true, ""}, "Ada uses Vim ended"},
		{"I no longer use Vim.", says{"use Vim", "I", "uses", "Vim", false, ""}, "without 1 holds_no_longer"},
		{"We don't use Vim any more.", says{"use Vim", "I", "uses", "Vim", true, ""}, "Ada uses Vim ended"},
		{"I don't use Vim.", says{"use Vim", "I", "uses", "Vim", true, ""}, "without 1 not_stated"},
		{"I don't like Vim.", says{"I don't like Vim", "I", "dislikes", "Vim", false, ""}, "Ada dislikes Vim"},
		{"Bob left last year. I use Vim.", says{"I use Vim", "I", "uses", "Vim", true, ""}, "without 1 end_not_said"},
	} {
		check(t, one(c.text), c.want, c.fact)
	}
	for text, want := range map[string]memory.Method{
		"Ann works at Hooli.":               memory.MethodModelStated,
		"I think Ann works at Hooli.":       memory.MethodModelImplied,
		"Bob told me Ann works at Hooli.":   memory.MethodModelImplied,
		"Ann probably works at Hooli.":      memory.MethodModelImplied,
		"Ann arbeitet jetzt bei Hooli, ja.": memory.MethodModelImplied,
	} {
		quote := "works at Hooli"
		if text[0:5] == "Ann a" {
			quote = "arbeitet jetzt bei Hooli"
		}
		if got := check(t, one(text), "Ann works_at Hooli",
			says{quote, "Ann", "works_at", "Hooli", false, ""}); got.Relations[0].Method != want {
			t.Errorf("%s: %s, want %s", text, got.Relations[0].Method, want)
		}
	}
}

func TestValidate_TakesOneThingOfTwoFromTheSameWords(t *testing.T) {
	t.Parallel()
	reports := "Ann reports to Ben"
	check(t, one("Ann reports to Ben."), "Ann reports_to Ben; without 1 reversed, 1 types",
		says{reports, "Ann", "reports_to", "Ben", false, ""}, says{reports, "Ben", "reports_to", "Ann", false,
			""}, says{reports, "Ann", "born_in", "Ben", false, ""})
	check(t, one("Ann reports to Ben."), "without 1 reversed", says{reports, "Ben", "reports_to", "Ann", false, ""})
	check(t, one("Ann reports to Ben."), "Ann reports_to Ben; without 1 same_words",
		says{reports, "Ann", "reports_to", "Ben", false, ""}, says{"reports to Ben", "Ann", "works_with", "Ben", false, ""})
	check(t, one("Ann met Ben."), "Ann knows Ben; without 1 same_words",
		says{"Ann met Ben", "Ann", "knows", "Ben", false, ""}, says{"Ann met Ben", "Ben", "knows", "Ann", false, ""})
	check(t, one("We replaced Redis with Kafka, I use Vim."), "Redis replaced_by Kafka; Redis dislikes_after Kafka",
		says{"replaced Redis with Kafka", "Redis", "replaced_by", "Kafka", false, ""}, says{"replaced Redis with Kafka",
			"Redis", "dislikes_after", "Kafka", false, ""})
	check(t, one("Bob founded Atlas. Bob leads Atlas."), "Atlas founded_by Bob; Bob leads Atlas",
		says{"Bob founded Atlas", "Atlas", "founded_by", "Bob", false, ""}, says{"Bob leads Atlas", "Bob", "leads", "Atlas",
			false, ""})
}

func TestValidate_ChecksTypes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		fact says
		want string
	}{
		{"I work at Lima.", says{"I work at Lima", "I", "works_at", "Lima", false, ""}, "without 1 types"},
		{"I know Redis.", says{"I know Redis", "I", "knows", "Redis", false, ""}, "without 1 types"},
		{"Vim leads Atlas.", says{"Vim leads Atlas", "Vim", "leads", "Atlas", false, ""}, "without 1 types"},
		{"Atlas is written in Lima.", says{"Atlas is written in Lima", "Atlas", "written_in", "Lima", false, ""},
			"without 1 types"},
	} {
		check(t, one(c.text), c.want, c.fact)
	}
	a := answers(says{"I work at Lima", "I", "works_at", "Lima", false, ""})
	a.Entities[0].Type = "company" // not in the list, so its type is unknown
	if got := newValidation([]extraction.Input{one("I work at Lima.")}, 0).validate(a,
		Limits{Entities: 10, Relations: 15}); shown(got) != "Ada works_at Lima" {
		t.Error(shown(got))
	}
}

func TestValidate_BelievesATimeThatIsSaidThere(t *testing.T) {
	t.Parallel()
	const without = "Ada uses Redis; without 1 time_not_said"
	at := func(day string) string { return "Ada uses Redis [" + day + " 00:00:00, ]" }
	for _, c := range []struct{ text, from, want string }{
		{"I use Redis since 2019.", "2019", at("2019-01-01")},
		{"I use Redis since 2019.", "2019-01-01", at("2019-01-01")},
		{"I use Redis since 2019.", "2019-06", without},
		{"I use Redis since March.", "2026-03", at("2026-03-01")},
		{"I use Redis since March.", "2025-03", without},
		{"I use Redis since last week.", "2026-03-10", at("2026-03-10")},
		{"I use Redis since last week.", "2026-02-01", without},
		{"I use Redis for five years now.", "2021", at("2021-01-01")},
		{"I use Redis for five years now.", "2017", without},
		{"I use Redis for 3 months.", "2025-12", at("2025-12-01")},
		{"I use Redis since three years ago.", "2023", at("2023-01-01")},
		{"I use Redis since yesterday.", "2026-03-17", at("2026-03-17")},
		{"I use Redis and we like it.", "1999", without},
		{"I was born in 1999. I use Redis.", "1999", without},
		{"In 2021 we began. Since then I use Redis.", "2021", at("2021-01-01")},
		{"Seit 2019 nutze ich Redis.", "2019", at("2019-01-01")},
		{"Seit langem nutze ich Redis.", "2019", without},
	} {
		quote := "I use Redis"
		if c.text[0:4] == "Seit" {
			quote = "nutze ich Redis"
		}
		check(t, one(c.text), c.want, says{quote, "I", "uses", "Redis", false, c.from})
	}
}

func TestValidate_InOtherLanguagesKeepsToNames(t *testing.T) {
	t.Parallel()
	check(t, one("Ich arbeite jetzt bei Hooli."), "Ada works_at Hooli",
		says{"arbeite jetzt bei Hooli", "I", "works_at", "Hooli", false, ""})
	check(t, one("Bob arbeitet jetzt bei Hooli und ist froh."), "without 1 self_edge, 1 user_not_meant",
		says{"arbeitet jetzt bei Hooli", "I", "works_at", "Hooli", false, ""},
		says{"Bob", "Bob", "knows", "Bob", false, ""})
}
