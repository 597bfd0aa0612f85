package referred_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/extraction"
	"memory-graph/extraction/referred"
	"memory-graph/internal/memory"
)

// fact parses "Larder uses Sentry".
func fact(s string) extraction.Held {
	w := strings.Fields(s)
	return extraction.Held{Head: w[0], HeadType: "project", Relation: w[1], Tail: w[2]}
}

// input is a user's turn in a graph with these facts.
func input(text string, held ...string) extraction.Input {
	in := extraction.Input{Role: memory.RoleUser, Text: text, Self: "User"}
	in.Facts = func(name string, as memory.Direction) (out []extraction.Held) {
		for _, h := range held {
			f := fact(h)
			if end := map[memory.Direction]string{memory.In: f.Tail, memory.Out: f.Head}[as]; strings.EqualFold(end, name) {
				out = append(out, f)
			}
		}
		return out
	}
	in.Roles = func(role string) (out []extraction.Held) {
		for _, h := range held {
			if f := fact(h); strings.Contains("_"+f.Relation+"_", "_"+role+"_") {
				out = append(out, f)
			}
		}
		return out
	}
	return in
}

func shown(list []memory.RelationDraft) []string {
	out := []string{}
	for _, d := range list {
		s := d.Head + " " + d.Relation + " " + d.Tail
		if d.Ended {
			s = "not " + s
		}
		if d.News {
			s += ", news"
		}
		out = append(out, s)
	}
	return out
}

func TestResolve_RefersToTheOneFactThatFits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text  string
		held  []string
		found string // what the rules found
		want  []string
	}{
		{"sentry is gone, we switched to GlitchTip", []string{"Larder uses Sentry"}, "User uses GlitchTip",
			[]string{"Larder uses GlitchTip, news", "not Larder uses Sentry, news"}},
		{"We finally got rid of Jenkins.", []string{"Larder uses Jenkins"}, "", []string{"not Larder uses Jenkins, news"}},
		{"btw the jenkins is gone now", []string{"Larder uses Jenkins"}, "", []string{"not Larder uses Jenkins, news"}},
		{"sentry is gone", []string{"Larder uses Sentry", "Pantry uses Sentry"}, "", []string{}},
		{"sentry is gone", []string{"Larder runs_on Sentry", "Larder deployed_to Sentry"}, "",
			[]string{"not Larder uses Sentry, news"}},
		{"sentry is gone", []string{"Larder runs_on Sentry", "Pantry uses Sentry"}, "", []string{}},
		{"sentry is gone", []string{"Ann works_at Sentry"}, "", []string{}},
		// what the rules read of the speaker
		{"We got rid of Sentry.", []string{"Larder uses Sentry"}, "not User uses Sentry",
			[]string{"not Larder uses Sentry, news"}},
		{"We don't use Sentry anymore.", []string{"Larder runs_on Sentry"}, "not User uses Sentry",
			[]string{"not Larder runs_on Sentry, news"}},
		{"We no longer use Sentry, we use GlitchTip now.", []string{"Larder uses Sentry"},
			"not User uses Sentry,User uses GlitchTip",
			[]string{"not Larder uses Sentry, news", "Larder uses GlitchTip, news"}},
		{"We got rid of Sentry.", []string{"Larder uses Sentry", "Pantry uses Sentry"}, "not User uses Sentry",
			[]string{"not User uses Sentry"}},
		{"We got rid of Sentry.", []string{"Larder uses Sentry", "User uses Sentry"}, "not User uses Sentry",
			[]string{"not User uses Sentry"}},
		{"We got rid of Sentry.", []string{"User uses Sentry"}, "not User uses Sentry", []string{"not User uses Sentry"}},
		{"We got rid of Sentry.", nil, "not User uses Sentry", []string{"not User uses Sentry"}},
		{"I no longer use Sentry.", []string{"Larder uses Sentry"}, "not User uses Sentry",
			[]string{"not User uses Sentry"}},
		{"is sentry gone?", []string{"Larder uses Sentry"}, "", []string{}},
		{"sentry is not gone", []string{"Larder uses Sentry"}, "", []string{}},
		{"once sentry is gone, we can sleep", []string{"Larder uses Sentry"}, "", []string{}},
		{"I think sentry is gone", []string{"Larder uses Sentry"}, "", []string{}},
		{"is the bot rude in this log?\n\n```\nUser: Sentry is gone. I stopped using Sentry.\n```",
			[]string{"Larder uses Sentry"}, "", []string{}},
		{"He wrote \"Sentry is gone\" again.", []string{"Larder uses Sentry"}, "", []string{}},
		{"the milk is gone", []string{"Larder uses Sentry"}, "", []string{}},
		{"the contact is now Petra", []string{"Bert contact_of Acme"}, "",
			[]string{"not Bert contact_of Acme, news", "Petra contact_of Acme, news"}},
		{"Petra Muster is our new contact", []string{"Acme primary_contact Bert"}, "",
			[]string{"not Acme primary_contact Bert, news", "Acme primary_contact Petra Muster, news"}},
		{"the contact is Petra", []string{"Bert contact_of Acme"}, "", []string{}},
		{"the contact is now Petra", []string{"Bert contact_of Acme", "Carl contact_of Globex"}, "", []string{}},
		{"is the contact now Petra?", []string{"Bert contact_of Acme"}, "", []string{}},
		{"the contact is now offline", []string{"Bert contact_of Acme"}, "", []string{}},
		{"Larder runs on Postgres now", nil, "Larder uses Postgres", []string{"Larder uses Postgres, news"}},
		{"Larder runs on Postgres", nil, "Larder uses Postgres", []string{"Larder uses Postgres"}},
		{"Larder runs on Postgres, and I am going home now", nil, "Larder uses Postgres", []string{"Larder uses Postgres"}},
		{"We moved to GitLab CI", nil, "User uses GitLab", []string{"User uses GitLab, news"}},
		{"Ann works at Acme now", nil, "Ann works_at Acme", []string{"Ann works_at Acme"}},

		{"Ruth is my manager now", []string{"User reports_to Omar"}, "User reports_to Ruth",
			[]string{"User reports_to Ruth", "not User reports_to Omar, news"}},
		{"I got a new boss, Ruth", []string{"User reports_to Omar"}, "",
			[]string{"not User reports_to Omar, news", "User reports_to Ruth, news"}},
		{"My manager is Ruth now, not Omar", []string{"User reports_to Omar"},
			"User reports_to Ruth,not User reports_to Omar",
			[]string{"User reports_to Ruth", "not User reports_to Omar"}},
		{"Ruth is my manager", []string{"User reports_to Omar"}, "", []string{}},
		{"Ruth is also my manager now", []string{"User reports_to Omar"}, "", []string{}},
		{"if it works out, Ruth is my manager now", []string{"User reports_to Omar"}, "", []string{}},
		{"Ruth is my manager now", []string{"User reports_to Omar", "User reports_to Ida"}, "", []string{}},
		{"Ruth is my manager now", []string{"Ann reports_to Omar"}, "", []string{}},
		{"so now Ruth is my manager", []string{"User reports_to Omar"}, "User reports_to Ruth",
			[]string{"User reports_to Ruth", "not User reports_to Omar, news"}},
		{"Ida maintains Larder now", []string{"Bob maintains Larder"}, "Ida maintains Larder",
			[]string{"Ida maintains Larder", "not Bob maintains Larder, news"}},
		{"Ida also maintains Larder now", []string{"Bob maintains Larder"}, "Ida maintains Larder",
			[]string{"Ida maintains Larder"}},
		{"Ida maintains Larder", []string{"Bob maintains Larder"}, "Ida maintains Larder",
			[]string{"Ida maintains Larder"}},
		{"we're back on Gulp", nil, "User uses Gulp", []string{"User uses Gulp, news"}},
		{"she is my boss now", []string{"User reports_to Omar"}, "", []string{}},

		{"Sorry, I meant walnuts, not almonds", []string{"User allergic_to almonds"}, "",
			[]string{"not User allergic_to almonds, news", "User allergic_to walnuts, news"}},
		{"oops, not almonds, it was walnuts.", []string{"User allergic_to almonds"}, "",
			[]string{"not User allergic_to almonds, news", "User allergic_to walnuts, news"}},
		{"sorry, not almonds but walnuts", []string{"User allergic_to almonds", "Ann allergic_to almonds"}, "", []string{}},
		{"it was walnuts, not almonds", []string{"User allergic_to almonds"}, "", []string{}}, // not said just before
		{"I meant walnuts, not almonds?", []string{"User allergic_to almonds"}, "", []string{}},
		{"We bought walnuts, not almonds", []string{"User allergic_to almonds"}, "", []string{}},
		{"no, not almonds, it was raining", []string{"User allergic_to almonds"}, "", []string{}},
		{"no, not Redis, it was the network", []string{"Larder uses Redis"}, "", []string{}},

		{"Ida isn't my sister", []string{"User sibling_of Ida"}, "", []string{"not User sibling_of Ida, news"}},
		{"Ida is no longer my boss.", []string{"User reports_to Ida"}, "", []string{"not User reports_to Ida, news"}},
		{"Isn't Ida my sister?", []string{"User sibling_of Ida"}, "", []string{}},
		{"Ida isn't my sister's friend", []string{"User sibling_of Ida"}, "", []string{}},
		{"Kim and I got divorced", []string{"User married_to Kim"}, "", []string{"not User married_to Kim, news"}},
		{"I love Jira now!", []string{"User dislikes Jira"}, "", []string{"not User dislikes Jira, news"}},
		{"Actually I really like Jira again", []string{"User dislikes Jira"}, "", []string{"not User dislikes Jira, news"}},
		{"I love Jira", []string{"User dislikes Jira"}, "", []string{}},
		{"I don't love Jira now", []string{"User dislikes Jira"}, "", []string{}},
		{"I might like Jira now", []string{"User dislikes Jira"}, "", []string{}},
		{"I like Jira now", []string{"User uses Jira", "Ann dislikes Jira"}, "", []string{}},
		{"We got divorced last year.", []string{"User married_to Kim"}, "", []string{"not User married_to Kim, news"}},
		{"My parents got divorced", []string{"User married_to Kim"}, "", []string{}},
		{"If we got divorced I would move", []string{"User married_to Kim"}, "", []string{}},
	} {
		var found memory.Findings
		for _, one := range strings.FieldsFunc(c.found, func(r rune) bool { return r == ',' }) {
			one, ended := strings.CutPrefix(one, "not ")
			f := fact(one)
			found.Relations = append(found.Relations, memory.RelationDraft{Head: f.Head, Relation: f.Relation, Tail: f.Tail,
				Ended: ended, Quote: strings.TrimSuffix(c.text, ".")})
		}
		got := referred.Resolve(input(c.text, c.held...), found)
		if diff := cmp.Diff(c.want, shown(got.Relations)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, diff)
		}
	}
}

func TestResolve_ReadsOnlyTheUsersTurns(t *testing.T) {
	t.Parallel()
	in := input("sentry is gone", "Larder uses Sentry")
	for _, role := range []memory.Role{memory.RoleAssistant, memory.RoleTool} {
		in.Role = role
		if got := referred.Resolve(in, memory.Findings{}); len(got.Relations) > 0 {
			t.Errorf("a turn of the %s states %v", role, shown(got.Relations))
		}
	}
}

func TestResolve_KeepsThePrecisionOfTheText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, from string
		want       memory.Unit
	}{
		{"Ann has worked at Acme since 2019.", "2019-01-01", memory.Year},
		{"Ann has worked at Acme since May 2019.", "2019-05-01", memory.Month},
		{"Ann has worked at Acme since 1 May 2019.", "2019-05-01", ""},
	} {
		in := input(c.text)
		in.OccurredAt = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
		from, err := memory.ParseTime("from", c.from)
		if err != nil {
			t.Fatal(err)
		}
		got := referred.Resolve(in, memory.Findings{Relations: []memory.RelationDraft{{Head: "Ann", Relation: "works_at",
			Tail: "Acme", ValidFrom: from}}})
		if got.Relations[0].FromUnit != c.want {
			t.Errorf("%q is precise to %q, want %q", c.text, got.Relations[0].FromUnit, c.want)
		}
	}
}

func FuzzResolve(f *testing.F) {
	for _, s := range []string{"sentry is gone, we switched to GlitchTip", "the contact is now Petra",
		"is it gone?!\n\nnow", "'s", "é is gone — and \xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		in := input(text, "Larder uses Sentry", "Bert contact_of Acme")
		for _, d := range referred.Resolve(in, memory.Findings{}).Relations {
			if d.Head == "" || d.Tail == "" || d.Relation == "" {
				t.Errorf("%q states %+v", text, d)
			}
		}
	})
}

func TestResolve_ReadsHowLongSomethingHasHeld(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"I have worked at Acme for three years":      "2023 year",
		"I've worked at Acme for about six months.":  "2025-12 month",
		"I've worked at Acme for a couple of years":  "2024 year",
		"I worked at Acme for three years":           " ",
		"I have worked at Acme for three years once": " ",
	} {
		in := input(text)
		in.OccurredAt = time.Date(2026, 6, 10, 9, 0, 0, 0, time.UTC)
		d := referred.Resolve(in, memory.Findings{Relations: []memory.RelationDraft{{Head: "User", HeadType: "person",
			Relation: "works_at", Tail: "Acme", Quote: "worked at Acme"}}}).Relations[0]
		got := " "
		if !d.ValidFrom.IsZero() {
			got = d.ValidFrom.Format("2006-01")[:map[memory.Unit]int{memory.Year: 4, memory.Month: 7}[d.FromUnit]] + " " +
				string(d.FromUnit)
		}
		if got != want || d.News != (want != " ") {
			t.Errorf("%q: since %q, news %v; want %q", text, got, d.News, want)
		}
	}
}

// A turn that only refers to what a project uses is no evidence of that fact.
func TestResolve_TheEndOfWhatWeUsedNamesNoHead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"We got rid of Sentry.": true, "Larder: we got rid of Sentry.": false} {
		got := referred.Resolve(input(text, "Larder uses Sentry"), memory.Findings{Relations: []memory.RelationDraft{
			{Head: "User", Relation: "uses", Tail: "Sentry", Ended: true, Quote: "we got rid of Sentry"}}})
		if d := got.Relations[0]; d.Head != "Larder" || d.Unnamed != want {
			t.Errorf("%q: %+v", text, d)
		}
	}
}
