package llm

import (
	"cmp"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"memory-graph/extraction"
	"memory-graph/internal/memory"
)

// graphOf returns a graph with these facts, as Input.Facts reads it.
func graphOf(facts ...extraction.Held) func(string, memory.Direction) []extraction.Held {
	return func(name string, as memory.Direction) (out []extraction.Held) {
		for _, f := range facts {
			if as == memory.Out && same(f.Head, name) || as == memory.In && same(f.Tail, name) {
				out = append(out, f)
			}
		}
		return out
	}
}

// A turn that changes a value seldom says the old one.
func TestValidate_AnEndMayQuoteOnlyTheNewValue(t *testing.T) {
	t.Parallel()
	limit := extraction.Held{Head: "gate", Relation: "has_limit", Tail: "40 kg"}
	const say = "the belt is fine. we lowered the limit to 25 kg"
	was := says{"we lowered the limit to 25 kg", "gate", "has_limit", "40 kg", true, ""}
	is := says{"we lowered the limit to 25 kg", "gate", "has_limit", "25 kg", false, ""}
	const both = "gate has_limit 40 kg ended; gate has_limit 25 kg"
	for _, c := range []struct {
		name, text string
		change     func(*extraction.Input)
		want       string
		facts      []says
	}{
		{"the prompt has the fact", say, func(in *extraction.Input) { in.Held = []extraction.Held{limit} }, both,
			[]says{was, is}},
		{"only the graph has it", say, func(in *extraction.Input) {
			in.Names, in.Facts = []extraction.Name{{Name: "gate"}}, graphOf(limit)
		}, both, []says{was, is}},
		{"both values are said", "gate: it took 40 kg. " + say, nil, both, []says{was, is}},
		{"nothing new and nothing named", say, func(in *extraction.Input) { in.Held = []extraction.Held{limit} },
			"without 1 quote_not_said", []says{{"down to 25 kg", "gate", "has_limit", "40 kg", true, ""}}},
		{"a name of the graph in a new fact", say, func(in *extraction.Input) { in.Facts = graphOf(limit) },
			"without 1 name_not_said", []says{{"the belt is fine", "belt", "has_limit", "40 kg", false, ""}}},
		{"the end of what the graph has not", say, func(in *extraction.Input) {
			in.Names, in.Facts = []extraction.Name{{Name: "gate"}}, graphOf(limit)
		}, "gate has_limit 25 kg; without 1 name_not_said",
			[]says{{"we lowered the limit to 25 kg", "gate", "has_size", "40 kg", true, ""}, is}},
		{"an invented name", say, func(in *extraction.Input) {
			in.Names, in.Facts = []extraction.Name{{Name: "gate"}}, graphOf(limit)
		}, "gate has_limit 25 kg; without 1 name_not_said, 1 unknown_end",
			[]says{{"we lowered the limit to 25 kg", "gate", "has_limit", "60 kg", true, ""}, is}},
	} {
		t.Run(c.name, func(t *testing.T) {
			turn := one(c.text)
			if c.change != nil {
				c.change(&turn)
			}
			check(t, turn, c.want, c.facts...)
		})
	}
}

// Neither end and no new value is in the turn or in the lines before, so the end is a guess, which ends nothing stated.
func TestValidate_AnEndWithoutAnyNameIsAGuess(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		before, text string
		want         memory.Method
	}{
		{"", "lowered again", memory.MethodModelImplied},
		{"the gate is stuck", "lowered again", memory.MethodModelStated},
		{"", "nice gates. lowered again", memory.MethodModelStated}, // another form of the word
	} {
		turn := one(c.text)
		turn.Before = []extraction.Line{{Role: memory.RoleUser, Text: c.before}}
		turn.Held = []extraction.Held{{Head: "gate", Relation: "has_limit", Tail: "40 kg"}}
		got := check(t, turn, "gate has_limit 40 kg ended", says{"lowered again", "gate", "has_limit", "40 kg", true, ""})
		if len(got.Relations) == 1 && got.Relations[0].Method != c.want {
			t.Errorf("after %q, %q: %s, want %s", c.before, c.text, got.Relations[0].Method, c.want)
		}
	}
}

func TestValidate_AnEndBeforeTheBeginningIsTheBeginning(t *testing.T) {
	t.Parallel()
	day := func(d int) time.Time { return time.Date(2026, 3, d, 0, 0, 0, 0, time.UTC) }
	for _, c := range []struct {
		name  string
		verb  string
		held  extraction.Held
		from  string
		until string // the end that is stored
	}{
		{"announced", "uses", extraction.Held{From: day(20)}, "", "2026-03-20"},
		{"a plan that came early", "scheduled_for", extraction.Held{From: day(17)}, "", "2026-03-17"},
		{"nobody said when it began", "uses", extraction.Held{From: day(17), Assumed: true}, "", "2026-03-17"},
		{"an earlier period", "uses", extraction.Held{From: day(17)}, "", "2026-03-16"},
		{"an earlier period with its beginning", "uses", extraction.Held{From: day(20)}, "2026-03-02", "2026-03-16"},
		{"after the beginning", "uses", extraction.Held{From: day(2), Assumed: true}, "", "2026-03-16"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.held.Head, c.held.Relation, c.held.Tail = "Atlas", c.verb, "Kafka"
			turn := one("Atlas and Kafka: two days early")
			turn.Held = []extraction.Held{c.held}
			a := answers(says{"two days early", "Atlas", c.verb, "Kafka", true, c.from})
			a.Relations[0].ValidUntil = text("2026-03-16")
			got := newValidation([]extraction.Input{turn}, 0).validate(a, Limits{Entities: 10, Relations: 15})
			if len(got.Relations) != 1 {
				t.Fatal(shown(got))
			}
			if diff := gocmp.Diff(c.until, got.Relations[0].ValidUntil.Format(time.DateOnly)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestValidate_ADeadlineHoldsBeforeItsDay(t *testing.T) {
	t.Parallel()
	check(t, one("tax due 24 april"), "tax has_deadline 24 april",
		says{"tax due 24 april", "tax", "has_deadline", "24 april", false, "2026-04-24"})
	check(t, one("tax day 24 april"), "tax scheduled_for 24 april [2026-04-24 00:00:00, ]",
		says{"tax day 24 april", "tax", "scheduled_for", "24 april", false, "2026-04-24"})
}

func TestHeld_HasTheStatedTimes(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for want, f := range map[string]extraction.Held{
		"":                                   {},
		" (since 2026-03-01)":                {From: day},
		" (since 2026-03, until 2026)":       {From: day, FromUnit: memory.Month, Until: day, UntilUnit: memory.Year},
		" (until 2026-03-01)":                {From: day, Assumed: true, Until: day},
		" (on 2026-03-01, until 2026-03-01)": {From: day, Until: day, Relation: "scheduled_for"},
	} {
		f.Head, f.Tail, f.Relation = "Ann", "Vim", cmp.Or(f.Relation, "uses")
		if got, line := held([]extraction.Held{f}), `- "Ann" `+f.Relation+` "Vim"`+want; !slices.Equal(got, []string{line}) {
			t.Errorf("%q, want %q", got, line)
		}
	}
}

func TestValidate_AShoutedNameIsTheKnownOne(t *testing.T) {
	t.Parallel()
	turn := one("KAFKA AND AWS ARE UP")
	turn.Names = []extraction.Name{{Name: "kafka"}, {Name: "aws"}}
	check(t, turn, "kafka runs_on AWS", says{"KAFKA AND AWS", "Kafka", "runs_on", "aws", false, ""})
}
