package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"memory-graph/extraction/rules"
	"memory-graph/internal/memory"
)

// heard gives what is said of the name in brackets.
func heard(role memory.Role, marked, relation string) string {
	before, rest, _ := strings.Cut(marked, "[")
	name, after, _ := strings.Cut(rest, "]")
	text := before + name + after
	at := rules.Span{Start: len(before), Stop: len(before) + len(name)}
	c, ok := rules.Hear(text, role, []rules.Span{at}).Clause(at, relation)
	if !ok {
		return "nothing"
	}
	manner := []string{"stated", "unsure", "reported", "denied", "wished", "supposed", "asked", "ordered"}[c.Manner]
	who := "others"
	if c.Self {
		who = "self"
	}
	return fmt.Sprintf("%s %s", who, manner)
}

func TestClause_SaysOfWhomAndHow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, relation, want string }{
		// the user
		{"I work at [Hooli].", "works_at", "self stated"},
		{"We've been using [Redis] since May.", "uses", "self stated"},
		{"I left Acme and joined [Hooli].", "works_at", "self stated"},
		{"Since I moved to Lima, I work at [Hooli].", "works_at", "self stated"},
		{"Bob and I use [Vim].", "uses", "self stated"},
		{"Moved to [Bern] last week.", "located_in", "self stated"},
		{"No longer at Acme, working for [Hooli].", "works_at", "self stated"},
		{"My editor is [Vim].", "uses", "self stated"},
		{"My favourite language is still [Go].", "prefers", "self stated"},
		{"my sister [Ines] lives in Lisbon", "sibling_of", "self stated"},
		{"My manager is [Ann].", "reports_to", "self stated"},
		{"Our team uses [Redis].", "uses", "self stated"},
		{"[Ann] is my manager.", "reports_to", "self stated"},
		{"[Acme] hired me in May.", "works_at", "self stated"},
		{"[Vim] is what I use.", "uses", "self stated"},
		{"After leaving [Acme] I took a break.", "works_at", "self stated"},
		{"We have a cluster, and we run [Kafka] on it.", "uses", "self stated"},
		{"He said hi, and I work at [Hooli].", "works_at", "self stated"},
		{"I told you that I work at [Hooli].", "works_at", "self stated"},
		{"I use Vim, not [Emacs].", "uses", "self denied"},
		{"I use [Vim], not Emacs.", "uses", "self stated"},
		{"I do not like [Java].", "dislikes", "self stated"},
		{"I no longer use [Vim].", "uses", "self stated"},
		{"We don't use [Vim] anymore.", "uses", "self stated"},
		{"When I lived in [Rome] I was young.", "located_in", "self stated"},
		{"I recommend [Redis].", "recommends", "self stated"},
		{"I would rather use [tabs].", "prefers", "self stated"},
		{"We'll go with [Terraform].", "decided_to_use", "self stated"},
		{"I'm building an app called [Quire] with Flutter.", "works_on", "self stated"},
		{"Let's go with [SQLite] for now.", "decided_to_use", "self stated"},
		{"Let's go with [SQLite] for now.", "uses", "self unsure"},
		// the user, and no statement
		{"I do not work at [Hooli], whatever Bob says.", "works_at", "self denied"},
		{"Should I take the offer and work at [Hooli] next year?", "works_at", "self asked"},
		{"Do I still work at [Hooli]?", "works_at", "self asked"},
		{"I want to work at [Hooli].", "works_at", "self wished"},
		{"I would love to work at [Hooli].", "works_at", "self wished"},
		{"I might join [Hooli].", "works_at", "self wished"},
		{"I'm going to join [Hooli].", "works_at", "self wished"},
		{"If I work at [Hooli], I earn more.", "works_at", "self supposed"},
		{"When I move to [Lima] we celebrate.", "located_in", "self supposed"},
		{"Bob said I work at [Hooli].", "works_at", "self reported"},
		{"They claim that we use [Redis].", "uses", "self reported"},
		{"I think we use [Kafka].", "uses", "self unsure"},
		{"I never worked at [Hooli].", "works_at", "self denied"},
		{"I heard about [Hooli].", "works_at", "self reported"},
		{"I work without [Docker].", "uses", "self denied"},
		{"I am not sure we use [Redis].", "uses", "self supposed"},
		// others
		{"Yesterday evening Dag plays [Chess] very well with her friends.", "works_at", "others stated"},
		{"Bob left [Acme] and everybody was sad about it.", "works_at", "others stated"},
		{"Bob told me that Ann works at [Hooli] these days.", "works_at", "others reported"},
		{"I think Bob uses [Vim].", "uses", "others unsure"},
		{"My friend Bob uses [Vim].", "uses", "others stated"},
		{"My brother uses [Vim].", "uses", "others stated"},
		{"My brother is at [Hooli].", "works_at", "others stated"},
		{"My wife's company uses [Redis].", "uses", "others stated"},
		{"I know a guy who works at [Hooli].", "works_at", "others stated"},
		{"I remember the neighbour worked at [Hooli].", "works_at", "others stated"},
		{"Bob uses [Vim] with me.", "uses", "others stated"},
		{"I know he works at [Hooli].", "works_at", "others stated"},
		{"[Hooli] is where my brother works.", "works_at", "others stated"},
		{"Everyone on the team uses [Vim].", "uses", "others stated"},
		{"I know that everyone uses [Vim].", "uses", "others stated"},
		{"Please look at this page about [Hooli] and its products.", "works_at", "others ordered"},
		{"Use [Redis] for the cache.", "uses", "others ordered"},
		{"Bob uses [Vim], he said.", "uses", "others reported"},
		{"You use [Vim].", "uses", "others stated"},
		{`Bob said "I moved to [Lima]" and we all laughed.`, "located_in", "nothing"},
		{"> I moved to [Lima]", "located_in", "nothing"},
	} {
		if got := heard(memory.RoleUser, c.text, c.relation); got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
	for _, c := range []struct{ text, relation, want string }{
		{"You use [Redis], I noted.", "uses", "self stated"},
		{"I looked at [Redis].", "uses", "others stated"},
		{"Your editor is [Vim].", "uses", "self stated"},
		{"You should use [Redis].", "uses", "self wished"},
		{"If you use [Redis], set a limit.", "uses", "self supposed"},
	} {
		if got := heard(memory.RoleAssistant, c.text, c.relation); got != c.want {
			t.Errorf("assistant: %s: %s, want %s", c.text, got, c.want)
		}
	}
}

func TestClause_KnowsTheEndOfItsOwnVerb(t *testing.T) {
	t.Parallel()
	for marked, want := range map[string]rules.Side{
		"Ann reports_to: Ann reports to [Ben].":               rules.TailSide,
		"reports_to: [Ann] reports to Ben.":                   rules.AnySide,
		"created_by: Bob created [Atlas].":                    rules.HeadSide,
		"created_by: Atlas was created by [Bob]":              rules.TailSide,
		"uses: Vim is used by [Bob].":                         rules.HeadSide,
		"decided_to_use: We decided to use gRPC for [Atlas].": rules.AnySide,
		"decided_to_use: We decided to use [gRPC] for Atlas.": rules.TailSide,
		"assigned_to: OPS-77 is assigned to [Bob].":           rules.AnySide,
		"assigned_to: Ann assigned [OPS-77] to Bob.":          rules.AnySide,
		"joined: I joined [Acme].":                            rules.TailSide,
		"replaced_by: We replaced Redis with [Kafka].":        rules.AnySide,
		"works_at: Bob left [Acme].":                          rules.AnySide,
	} {
		head, marked, _ := strings.Cut(marked, ": ")
		relation := head[strings.LastIndex(head, " ")+1:]
		before, rest, _ := strings.Cut(marked, "[")
		name, after, _ := strings.Cut(rest, "]")
		at := rules.Span{Start: len(before), Stop: len(before) + len(name)}
		if c, _ := rules.Hear(before+name+after, memory.RoleUser, []rules.Span{at}).Clause(at, relation); c.Side != want {
			t.Errorf("%s of %s: %d, want %d", marked, relation, c.Side, want)
		}
	}
}

func FuzzClause(f *testing.F) {
	f.Add("Ann said that I don't work at Hooli, my brother's “friend” does. Should we?", 5, 9, "works_at")
	f.Add("> a\n\tI use Vim; und ich nicht", 12, 15, "")
	f.Fuzz(func(t *testing.T, text string, start, stop int, relation string) {
		at := rules.Span{Start: start, Stop: stop}
		s := rules.Hear(text, memory.RoleUser, []rules.Span{at, {Start: 0, Stop: len(text)}})
		c, ok := s.Clause(at, relation)
		if !ok {
			return
		}
		if c.Start < 0 || c.Start > c.Stop || c.Stop > len(text) || c.Stop < stop || c.Sentence[0] > c.Start {
			t.Errorf("%q: %+v", text, c)
		}
	})
}
