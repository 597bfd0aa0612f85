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

// How a sentence is meant is for the model to say: casual English has no "I", no full stops and no hints.
func TestValidate_TakesWhatAModelReads(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		fact says
		want string
	}{
		{"moved to Bern btw", says{"moved to Bern", "I", "lives_in", "Bern", false, ""}, "Ada lives_in Bern"},
		{"met Ann (my boss) and Ben", says{"Ann (my boss)", "I", "reports_to", "Ann", false, ""}, "Ada reports_to Ann"},
		{"its Ben over there at Hooli if you want to ask", says{"its Ben over there", "Ben", "works_at", "Hooli", false, ""},
			"Ben works_at Hooli"},
		{"Ann called. she's at Hooli in real life??",
			says{"she's at Hooli in real life??", "Ann", "works_at", "Hooli", false, ""}, "Ann works_at Hooli"},
		{"so bye Lima i guess", says{"bye Lima", "I", "lives_in", "Lima", true, ""}, "Ada lives_in Lima ended"},
		{"Ann and Ben, theyve a boat", says{"theyve a boat", "Ann", "owns", "boat", false, ""}, "Ann owns boat"},
		{"Ann called. she's my boss now", says{"she's my boss now", "I", "reports_to", "Ann", false, ""},
			"Ada reports_to Ann"},
		{"can you mail Ben at Hooli?", says{"Ben at Hooli", "Ben", "works_at", "Hooli", false, ""}, "Ben works_at Hooli"},
		{"Ich arbeite jetzt bei Hooli", says{"arbeite jetzt bei Hooli", "I", "works_at", "Hooli", false, ""},
			"Ada works_at Hooli"},
		{"mum is in Lima", says{"mum is in Lima", "mum", "lives_in", "Lima", false, ""}, "mum lives_in Lima"},
		{"Ann cant eat nuts", says{"Ann cant eat nuts", "Ann", "allergic_to", "nuts", false, ""}, "Ann allergic_to nuts"},
		{"Atlas got 11,400", says{"Atlas got 11,400", "Atlas", "has_budget", "11,400", false, ""},
			"Atlas has_budget 11,400"},
		{"Atlas ships 24 april", says{"ships 24 april", "Atlas", "scheduled_for", "24 April", false, "2026-04-24"},
			"Atlas scheduled_for 24 april [2026-04-24 00:00:00, ]"},
		{"Atlas ships friday", says{"Atlas ships friday", "Atlas", "scheduled_for", "20 March", false, "2026-03-20"},
			"Atlas scheduled_for 20 March [2026-03-20 00:00:00, ]"},
		{"60 words on a panel, max", says{"60 words on a panel", "panels", "has_limit", "60 words", false, ""},
			"panels has_limit 60 words"},
		{"Ann has the key for the allotment", says{"Ann has the key", "Ann", "has", "allotment key", false, ""},
			"Ann has allotment key"},
		{"Ann has the key for the allotment", says{"Ann has the key", "Ann", "has", "shed key", false, ""},
			"without 1 name_not_said, 1 unknown_end"},
		{"Ann found me a push one, 25 quid", says{"a push one, 25 quid", "push mower", "has_price", "25 quid", false, ""},
			"push mower has_price 25 quid"}, // the kind is the model's
		{"its 380 from june", says{"its 380", "I", "pays", "380 a month", false, ""}, "Ada pays 380 a month"},
		{"its 380 from june", says{"its 380", "I", "pays", "410 a month", false, ""},
			"without 1 name_not_said, 1 unknown_end"},
		{"Ann runs a push one", says{"a push one", "Ann", "uses", "Push Mower", false, ""},
			"without 1 name_not_said, 1 unknown_end"}, // a name
		{"Ann has the choir. choirs mondays btw", says{"choirs mondays", "choir", "scheduled_for", "mondays", false, ""},
			"choir scheduled_for mondays"},
		{"party with Ann, sat 8th to 17th august", says{"8th to 17th august", "party", "scheduled_for", "8 to 17 August",
			false, ""}, "party scheduled_for 8 to 17 August"},
		{"Atlas ships in sept", says{"Atlas ships", "Atlas", "scheduled_for", "September", false, "2026-09"},
			"Atlas scheduled_for September [2026-09-01 00:00:00, ]"},
		{"Atlas ships", says{"Atlas ships", "Atlas", "scheduled_for", "20 March", false, "2026-03-20"},
			"without 1 name_not_said, 1 unknown_end"},
		{"I met Ann. her brother lives in Lima", says{"her brother lives in Lima", "Ann's brother", "lives_in", "Lima",
			false, ""}, "Ann's brother lives_in Lima"},
		{"her brother lives in Lima", says{"her brother lives in Lima", "Ann's brother", "lives_in", "Lima", false, ""},
			"without 1 name_not_said, 1 unknown_end"},

		{"Should I work at Hooli?", says{"Should I work at Hooli", "I", "works_at", "Hooli", false, ""},
			"without 1 not_stated"},
		{"does Ben use Vim? hm", says{"does Ben use Vim?", "Ben", "uses", "Vim", false, ""}, "without 1 not_stated"},
		{"if I work at Hooli I am rich", says{"if I work at Hooli", "I", "works_at", "Hooli", false, ""},
			"without 1 not_stated"},
		{"It rains. Bob uses Vim.", says{"It rains", "Bob", "uses", "Vim", false, ""}, "without 1 quote_elsewhere"},
		{"Vim is nice. Ann left. Bob uses Redis.", says{"Ann left", "Bob", "uses", "Redis", false, ""},
			"without 1 quote_elsewhere"},
		{`Bob said "I moved to Lima" and we all laughed.`, says{`I moved to Lima`, "I", "lives_in", "Lima", false, ""},
			"without 1 quoted_or_code"},
		// What is only material to work on is for the model to say.
		{"the second quote: Brightstep costs 1395", says{"Brightstep costs 1395", "Brightstep", "has_price", "1395", false,
			""}, "Brightstep has_price 1395"},
		{"350 uses Vim", says{"350 uses Vim", "350", "uses", "Vim", false, ""}, "without 1 entity_name"},
	} {
		check(t, one(c.text), c.want, c.fact)
	}
}

func TestValidate_KnowsTheNamesOfTheGraph(t *testing.T) {
	t.Parallel()
	turn := one("P does kafka, not the other one")
	turn.Names = []extraction.Name{{Name: "Priyanka", Type: "person", Aliases: []string{"pri"}},
		{Name: "Kafka", Type: "technology"}}
	turn.Held = []extraction.Held{{Head: "Priyanka", Relation: "uses", Tail: "Redis 7"}}
	check(t, turn, "Priyanka uses Kafka; Priyanka uses Redis 7 ended",
		says{"P does kafka", "Priyanka", "uses", "Kafka", false, ""},
		says{"not the other one", "Pri", "uses", "Redis 7", true, ""})
	check(t, turn, "without 1 name_not_said, 1 unknown_end",
		says{"P does kafka", "Petra", "uses", "Kafka", false, ""})
}

// The turn has a short form of a known name, and the day as an ordinal.
func TestValidate_AShortFormOfAKnownNameIsStated(t *testing.T) {
	t.Parallel()
	turn := one("hosp moved my x ray. tues 2nd june now")
	turn.Names = []extraction.Name{{Name: "hip x ray", Type: "event"}}
	turn.Held = []extraction.Held{{Head: "hip x ray", Relation: "scheduled_for", Tail: "19 May"}}
	got := check(t, turn, "hip x ray scheduled_for 19 May ended; hip x ray scheduled_for 2 June",
		says{"moved my x ray. tues 2nd june now", "hip x ray", "scheduled_for", "19 May", true, ""},
		says{"moved my x ray. tues 2nd june now", "hip x ray", "scheduled_for", "2 June", false, ""})
	for _, r := range got.Relations {
		if r.Method != memory.MethodModelStated {
			t.Errorf("%s %s is %s", r.Head, r.Tail, r.Method)
		}
	}
}

func TestValidate_ANewNameOfAPersonIsAnAlias(t *testing.T) {
	t.Parallel()
	turn := one("mum called. she's Ann btw")
	is := says{"she's Ann", "mum", "same_as", "Ann", false, ""}
	a := answers(is)
	a.Entities[0].Type = "person"
	for _, c := range []struct {
		names []extraction.Name
		role  memory.Role
		want  string // the entity with the alias
	}{
		{[]extraction.Name{{Name: "mum", Type: "person"}}, memory.RoleUser, "mum"},
		{[]extraction.Name{{Name: "Ann", Type: "person"}}, memory.RoleUser, "Ann"},
		{[]extraction.Name{{Name: "mum", Type: "person"}, {Name: "Ann", Type: "person"}}, memory.RoleUser, ""},
		{nil, memory.RoleUser, ""},
		{[]extraction.Name{{Name: "mum", Type: "person"}}, memory.RoleAssistant, ""},
	} {
		turn.Names, turn.Role = c.names, c.role
		got := newValidation([]extraction.Input{turn}, 0).validate(a, Limits{Entities: 10, Relations: 15})
		entity := ""
		for _, e := range got.Entities {
			entity = e.Name
		}
		if entity != c.want || (len(got.Relations) == 0) != (c.want != "") {
			t.Errorf("%v: %q, %s", c.names, entity, shown(got))
		}
	}
}

func TestValidate_TakesOneDirectionFromTheSameWords(t *testing.T) {
	t.Parallel()
	reports := "Ann reports to Ben"
	check(t, one("Ann reports to Ben."), "Ann reports_to Ben; without 1 reversed",
		says{reports, "Ann", "reports_to", "Ben", false, ""}, says{reports, "Ben", "reports_to", "Ann", false, ""})
	check(t, one("Ann met Ben."), "Ann knows Ben; without 1 reversed",
		says{"Ann met Ben", "Ann", "knows", "Ben", false, ""}, says{"Ann met Ben", "Ben", "knows", "Ann", false, ""})
	check(t, one("Ann, a friend, works with Ben."), "Ann friend_of Ben; Ann works_with Ben",
		says{"Ann, a friend, works with Ben", "Ann", "friend_of", "Ben", false, ""},
		says{"Ann, a friend, works with Ben", "Ann", "works_with", "Ben", false, ""})
}

func TestValidate_BelievesATimeWhereTheTurnNamesOne(t *testing.T) {
	t.Parallel()
	const without = "Ada uses Redis; without 1 time_not_said"
	at := func(day string) string { return "Ada uses Redis [" + day + " 00:00:00, ]" }
	for _, c := range []struct{ text, from, want string }{
		{"I use Redis since 2019.", "2019", at("2019-01-01")},
		{"I use Redis since last spring", "2025-03", at("2025-03-01")},
		{"started in may, I use Redis", "2025-05", at("2025-05-01")},
		{"the 27th not the 1st. I use Redis", "2026-03-27", at("2026-03-27")},
		{"I use Redis and we like it.", "2026-03-18", at("2026-03-18")}, // the day of the turn
		{"I use Redis and we like it.", "1999", without},
		{"I use Redis and we like it.", "2031-05-06", without}, // an example's
	} {
		check(t, one(c.text), c.want, says{"I use Redis", "I", "uses", "Redis", false, c.from})
	}
}
