package llm

import (
	"cmp"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"memory-graph/extraction"
	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// one returns a turn of a user called Ada.
func one(text string) extraction.Input {
	return extraction.Input{Role: memory.RoleUser, Self: "Ada", Text: text,
		OccurredAt: time.Date(2026, 3, 18, 0, 0, 0, 0, time.UTC)}
}

// fact returns an answer with one relation between the first two entities, or between the user and the first.
func fact(quote, verb string, names ...string) turnAnswer {
	a := turnAnswer{Turn: 1}
	for i, n := range names {
		typ := map[string]string{"Bob": "person", "Ann": "person", "Ben": "person", "Dag": "person", "Ada": "person",
			"Grace Hopper": "person",
			"Acme":         "organization", "Contoso": "organization", "Hooli": "organization", "Bern": "location",
			"Lima": "location"}[n]
		a.Entities = append(a.Entities, entityAnswer{ID: i + 1, Name: n, Type: cmp.Or(typ, "concept")})
	}
	r := relationAnswer{Quote: quote, Relation: verb, Tail: 1, Basis: "stated", Confidence: .9,
		EdgeClass: text("semantic")}
	if len(names) > 1 {
		r.Head, r.Tail = 1, 2
	}
	a.Relations = []relationAnswer{r}
	return a
}

// shown returns the accepted facts, one per line, and the reasons for dropped parts.
func shown(f memory.Findings) string {
	var b strings.Builder
	for _, r := range f.Relations {
		fmt.Fprintf(&b, "%s %s %s", r.Head, r.Relation, r.Tail)
		if r.Ended {
			b.WriteString(" ended")
		}
		if !r.ValidFrom.IsZero() || !r.ValidUntil.IsZero() {
			fmt.Fprintf(&b, " [%s, %s]", memory.Seconds(r.ValidFrom), memory.Seconds(r.ValidUntil))
		}
		b.WriteString("; ")
	}
	var why []string
	for k, n := range f.Dropped {
		why = append(why, fmt.Sprintf("%d %s", n, k))
	}
	slices.Sort(why)
	if len(why) > 0 {
		b.WriteString("without " + strings.Join(why, ", "))
	}
	return strings.TrimSuffix(b.String(), "; ")
}

func TestValidate_DropsWhatIsNotSaid(t *testing.T) {
	t.Parallel()
	edit := func(a turnAnswer, change func(*relationAnswer)) turnAnswer {
		change(&a.Relations[0])
		return a
	}
	redis := func(change func(*relationAnswer)) turnAnswer {
		return edit(fact("We use Redis", "uses", "Redis"), change)
	}
	since := func(from, until string) turnAnswer {
		return redis(func(r *relationAnswer) { r.ValidFrom, r.ValidUntil = text(from), text(until) })
	}
	assistant := func(s string) extraction.Input { t := one(s); t.Role = memory.RoleAssistant; return t }
	after := func(t extraction.Input, before ...string) extraction.Input {
		for _, s := range before {
			t.Before = append(t.Before, extraction.Line{Role: memory.RoleUser, Text: s})
		}
		return t
	}
	for _, c := range []struct {
		name   string
		turn   extraction.Input
		answer turnAnswer
		want   string
	}{
		{"as said", one("We use Redis."), fact("We use Redis", "uses", "Redis"), "Ada uses Redis"},
		{"the turn's spelling", one("We use REDIS."), fact("we use redis", "uses", "redis"), "Ada uses REDIS"},
		{"a verb in any case", one("We use Redis."), fact("We use Redis", "runs On", "Redis"), "Ada runs_on Redis"},
		{"a name in a name", one("We use RedisInsight."), fact("We use RedisInsight", "uses", "Redis"),
			"without 1 name_not_said, 1 unknown_end"},
		{"a name of two words over lines", one("We use the Blue\n  Whale."),
			fact("We use the Blue Whale", "uses", "the Blue Whale"), "Ada uses Blue\n  Whale"},
		{"a name in its genitive", one("Bob's Redis is down, we use Redis."), fact("Bob's Redis", "owns", "Bob", "Redis"),
			"Bob owns Redis"},
		{"a script without blanks", one("我们用Redis做缓存"), fact("我们用Redis", "uses", "Redis"), "Ada uses Redis"},
		{"a name that is quoted", one("We use `Redis`."), fact("We use `Redis`", "uses", "`Redis`"), "Ada uses Redis"},
		{"from the other end", one("Contoso employs Bob."), fact("Contoso employs Bob", "employs", "Contoso", "Bob"),
			"Bob works_at Contoso"},
		{"where somebody lives", one("I live in Bern."), fact("I live in Bern", "lives_in", "Bern"), "Ada lives_in Bern"},
		{"nothing to quote", one("We use Redis."), fact("", "uses", "Redis"), "without 1 quote_not_said"},
		{"another quote", one("We use Redis."), fact("They use Redis", "uses", "Redis"), "without 1 quote_not_said"},
		{"a quote of half words", one("We reuse Redis."), fact("use Redis", "uses", "Redis"), "without 1 quote_not_said"},
		{"a quote of something else", one("It rains. We use Redis."), fact("It rains", "uses", "Redis"),
			"without 1 quote_elsewhere"},
		{"what others wrote", one("Bob writes:\n> We use Redis.\nHm."), fact("We use Redis", "uses", "Redis"),
			"without 1 quoted_or_code"},
		{"what stands in code", one("```\nwe use Redis\n"), fact("We use Redis", "uses", "Redis"),
			"without 1 quoted_or_code"},
		{"what others wrote and the user too", one("> We use Redis.\nYes, we use Redis."),
			fact("We use Redis", "uses", "Redis"), "Ada uses Redis"},
		{"a number as a name", one("We use 42."), fact("We use 42", "uses", "42"), "without 1 entity_name"},
		{"a sentence as a name", one("We use " + strings.Repeat("so much ", 20)),
			fact("We use", "uses", strings.Repeat("so much ", 20)), "without 1 entity_name, 1 unknown_end"},
		{"a pronoun as a name", one("We use it for Redis."), fact("We use it", "uses", "it"),
			"without 1 entity_name, 1 unknown_end"},
		{"no name", one("We use Redis."), fact("We use Redis", "uses", " "), "without 1 entity_name, 1 unknown_end"},
		{"an example of the prompt", one("We use Redis."), fact("We use Redis", "uses", "Zintrax"),
			"without 1 example_name, 1 unknown_end"},
		{"a name that the prompt has too", one("We use Zintrax."), fact("We use Zintrax", "uses", "Zintrax"),
			"Ada uses Zintrax"},
		{"the user by another word", one("We use Redis."), fact("We use Redis", "uses", "we", "Redis"), "Ada uses Redis"},
		{"the user by name", one("Ada here. I use Redis."), fact("I use Redis", "uses", "ada", "Redis"), "Ada uses Redis"},
		{"both ends the user", one("I am Ada, I use me."), fact("I am Ada", "same_as", "Ada"), "without 1 self_edge"},
		{"both ends one", one("Redis is redis."), fact("Redis is redis", "same_as", "Redis", "redis"), "without 1 self_edge"},
		{"no verb", one("We use Redis."), fact("We use Redis", "…", "Redis"), "without 1 relation_name"},
		{"a sentence as a verb", one("We use Redis."), fact("We use Redis", "uses when it is very late", "Redis"),
			"without 1 relation_name"},
		{"a verb of the memory's own", one("We use Redis."), fact("We use Redis", "supersedes", "Redis"),
			"without 1 relation_name"},
		{"no basis", one("We use Redis."), redis(func(r *relationAnswer) { r.Basis = "guessed" }), "without 1 basis"},
		{"more than sure", one("We use Redis."), redis(func(r *relationAnswer) { r.Confidence = 1.01 }),
			"without 1 confidence"},
		{"less than nothing", one("We use Redis."), redis(func(r *relationAnswer) { r.Confidence = -.1 }),
			"without 1 confidence"},
		{"an id that is not there", one("We use Redis."), redis(func(r *relationAnswer) { r.Tail = 7 }),
			"without 1 unknown_end"},

		{"since a month", one("We use Redis since March 2024."), since("2024-03", ""),
			"Ada uses Redis [2024-03-01 00:00:00, ]"},
		{"from year to year", one("We use Redis, 2020 to 2022."), since("2020", "2022"),
			"Ada uses Redis [2020-01-01 00:00:00, 2022-01-01 00:00:00]"},
		{"no time", one("We use Redis since 2024."), since("spring", ""), "Ada uses Redis; without 1 time"},
		{"an end before the beginning", one("We use Redis since 2024."), since("2024", "2023-05-01"),
			"Ada uses Redis; without 1 time"},
		{"a time that nobody says", one("We use Redis and we like it."), since("2021-09-01", ""),
			"Ada uses Redis; without 1 time_not_said"},
		{"the word null", one("We use Redis since 2024."), since("null", " "), "Ada uses Redis"},

		{"an end", one("We no longer use Redis."),
			edit(fact("We no longer use Redis", "uses", "Redis"),
				func(r *relationAnswer) { r.Ended = true }), "Ada uses Redis ended"},
		{"an end in the past", one("Bob worked on Redis."),
			edit(fact("Bob worked on Redis", "works_on", "Bob", "Redis"),
				func(r *relationAnswer) { r.Ended = true }), "Bob works_on Redis ended"},

		{"by a pronoun", after(one("She uses Redis."), "Grace Hopper joined us."),
			fact("She uses Redis", "uses", "Grace Hopper", "Redis"), "Grace Hopper uses Redis"},
		{"by no word at all", after(one("uses Redis now."), "Grace Hopper joined us."),
			fact("uses Redis now", "uses", "Grace Hopper", "Redis"), "Grace Hopper uses Redis"},
		{"a name that nobody knows", after(one("She uses Redis."), "Ann joined us."),
			fact("She uses Redis", "uses", "Grace Hopper", "Redis"), "without 1 name_not_said, 1 unknown_end"},
		{"quoted from before", after(one("She left."), "Grace uses Redis."),
			fact("Grace uses Redis", "uses", "Grace", "Redis"), "without 1 quote_not_said"},

		{"the assistant of the user", assistant("You use Redis, I noted."), fact("You use Redis", "uses", "Redis"),
			"Ada uses Redis"},
		{"the assistant of itself", assistant("I looked at Redis."), fact("I looked at Redis", "looked_at", "Redis"),
			"without 1 not_of_the_user"},
		{"the assistant as a name", assistant("I use Redis."), fact("I use Redis", "uses", "I", "Redis"),
			"without 1 entity_name, 1 unknown_end"},
		{"the assistant of others", assistant("Bob uses Redis."), fact("Bob uses Redis", "uses", "Bob", "Redis"),
			"Bob uses Redis"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := newValidation([]extraction.Input{c.turn}, 0).validate(c.answer, Limits{Entities: 10, Relations: 15})
			if diff := gocmp.Diff(c.want, shown(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestValidate_KeepsToTheLimitsAndToIDs(t *testing.T) {
	t.Parallel()
	var text []string
	var a turnAnswer
	for i := range 30 {
		a.Entities = append(a.Entities, entityAnswer{ID: i + 1, Name: fmt.Sprintf("Thing%d", i), Type: "Tool"})
	}
	for i := range 20 { // each sentence of two other things, all of the first ten
		head, tail := i%10, (i+1+i/10)%10
		quote := fmt.Sprintf("Thing%d uses Thing%d", head, tail)
		text = append(text, quote+".")
		a.Relations = append(a.Relations, relationAnswer{Quote: quote, Head: head + 1, Tail: tail + 1, Relation: "uses",
			Basis: "stated", Confidence: 1})
	}
	for i := 10; i < 30; i++ {
		text = append(text, fmt.Sprintf("We have Thing%d.", i))
	}
	a.Entities = append(a.Entities,
		entityAnswer{ID: 1, Name: "Thing0"}, entityAnswer{ID: 0, Name: "Thing1"}, entityAnswer{ID: -4, Name: "Thing1"},
		entityAnswer{ID: 77, Name: "thing1", Type: "tool"}) // the same entity with another id
	a.Relations = append(a.Relations, relationAnswer{Quote: "Thing0 uses Thing1", Head: 1, Tail: 77, Relation: "uses",
		Basis: "stated"})
	got := newValidation([]extraction.Input{one(strings.Join(text, " "))}, 0).validate(a,
		Limits{Entities: 10, Relations: 15})
	if len(got.Relations) != 15 || len(got.Mentions) != 10 || got.Relations[0].TailType != "tool" {
		t.Errorf("%d relations, %d mentions", len(got.Relations), len(got.Mentions))
	}
	if diff := gocmp.Diff(map[string]int{DroppedEntities: 20, DroppedID: 3, DroppedMore: 5, DroppedTwice: 1},
		got.Dropped); diff != "" {
		t.Errorf("dropped (-want +got):\n%s", diff)
	}
}

func TestValidate_KeepsWhatThereIsOneOfOverTheLimits(t *testing.T) {
	t.Parallel()
	text := ""
	var facts []says
	for i := range 12 {
		text += fmt.Sprintf("I use Thing%d. ", i)
		facts = append(facts, says{fmt.Sprintf("I use Thing%d", i), "I", "uses", fmt.Sprintf("Thing%d", i), false, ""})
	}
	facts = append(facts, says{"I work at Acme", "I", "works_at", "Acme", false, ""},
		says{"I live in Lima", "I", "located_in", "Lima", false, ""})
	got := newValidation([]extraction.Input{one(text + "I work at Acme. I live in Lima.")}, 0).validate(answers(facts...),
		Limits{Entities: 3, Relations: 3})
	if diff := gocmp.Diff("Ada works_at Acme; Ada located_in Lima; Ada uses Thing0; "+
		"without 2 relation_limit, 9 entity_limit, 9 unknown_end", shown(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestValidate_UnderstandsReferencesToTurnsOfTheSameQuestion(t *testing.T) {
	t.Parallel()
	turns := []extraction.Input{one("Grace Hopper joined us."), one("She uses Redis.")}
	got := newValidation(turns, 1).validate(fact("She uses Redis", "uses", "Grace Hopper", "Redis"),
		Limits{Entities: 10, Relations: 15})
	if shown(got) != "Grace Hopper uses Redis" || len(got.Mentions) != 1 {
		t.Errorf("%s, mentions %v; want the fact, and a mention of Redis alone", shown(got), got.Mentions)
	}
}

func TestValidate_TakesAFactAsEndedWhereItIsSaidBothWays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ from, until, want string }{
		{"", "", "Ada uses Redis ended; without 1 ended_too"},
		{"2020", "2024", "Ada uses Redis ended [, 2024-01-01 00:00:00]; without 1 ended_too"},
		{"2025", "2024", "Ada uses Redis [2025-01-01 00:00:00, ]; Ada uses Redis ended [, 2024-01-01 00:00:00]"}, // and again
	} {
		a := fact("from Redis", "uses", "Redis")
		a.Relations = append(a.Relations, a.Relations[0])
		a.Relations[0].ValidFrom, a.Relations[1].ValidUntil, a.Relations[1].Ended = text(c.from), text(c.until), true
		got := newValidation([]extraction.Input{
			one("We had Redis since 2020; in 2024 we moved from Redis to Valkey, in 2025 back.")}, 0).validate(
			a, Limits{Entities: 10, Relations: 15})
		if diff := gocmp.Diff(c.want, shown(got)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

func TestValidate_TakesAClassOnlyForAVerbThatIsNotKnown(t *testing.T) {
	t.Parallel()
	turn := one("We adore Redis.")
	for verb, want := range map[string]string{"uses": "", "adores": "semantic"} {
		got := newValidation([]extraction.Input{turn}, 0).validate(fact("We adore Redis", verb, "Redis"),
			Limits{Entities: 10, Relations: 15})
		if got.Relations[0].EdgeClass != want {
			t.Errorf("%s has the class %q, want %q", verb, got.Relations[0].EdgeClass, want)
		}
	}
}

// Models imitate the examples in the prompt, so the examples must pass the same checks as an answer.
func TestPrompt_ItsExamplesAreGoodAnswers(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("../../prompts/extract_system.md")
	if err != nil {
		t.Fatal(err)
	}
	f := mustForm(t)
	found := regexp.MustCompile(
		`(?m)^(?:A line before: (.*) )?A turn of the user on (\S+): (.*)\n(\{.*)$`).FindAllStringSubmatch(string(b), -1)
	if len(found) != 2 {
		t.Fatalf("%d examples, want 2", len(found))
	}
	for _, m := range found {
		var a answer
		if err := f.read(m[4], &a); err != nil {
			t.Fatal(err)
		}
		turn := one(m[3])
		if turn.OccurredAt, err = time.Parse(time.DateOnly, m[2]); err != nil {
			t.Fatal(err)
		}
		turn.Before = []extraction.Line{{Role: memory.RoleUser, Text: m[1]}}
		got := newValidation([]extraction.Input{turn}, 0).validate(a.Turns[0], Limits{Entities: 10, Relations: 15})
		if len(got.Dropped) > 0 || len(got.Relations) == 0 {
			t.Errorf("%s: %s", m[3], shown(got))
		}
		for _, e := range a.Turns[0].Entities {
			if e.Type != memory.DefaultType && !examples[memory.Canonical(e.Name)] {
				t.Errorf("%q is not among the names that are known to leak", e.Name)
			}
		}
	}
}

func TestForm_HasTheTypesAndClassesOfTheMemory(t *testing.T) {
	t.Parallel()
	s := mustForm(t).schema
	turn, _ := s.Properties.Get("turns")
	enum := func(list, property string) (words []string) {
		of, _ := turn.Items.Properties.Get(list)
		p, _ := of.Items.Properties.Get(property)
		if len(p.AnyOf) > 0 { // nullable
			p = p.AnyOf[0]
		}
		for _, w := range p.Enum {
			words = append(words, fmt.Sprint(w))
		}
		return words
	}
	if diff := gocmp.Diff(memory.EntityTypes, enum("entities", "type")); diff != "" {
		t.Errorf("types (-want +got):\n%s", diff)
	}
	if diff := gocmp.Diff(memory.EdgeClasses, enum("relations", "edge_class")); diff != "" {
		t.Errorf("classes (-want +got):\n%s", diff)
	}
}

func TestOffered_SaysEachThingOnce(t *testing.T) {
	t.Parallel()
	for _, r := range offered {
		known := graph.Lookup(r.name)
		if !registered[r.name] || reserved[r.name] || isOffered[known.Inverse] {
			t.Errorf("%s is not known, the memory's own, or offered from both ends", r.name)
		}
	}
	if len(isOffered) != len(offered) {
		t.Error("a relation is offered twice")
	}
}
