package rules_test

import (
	"strings"
	"testing"

	"memory-graph/extraction/rules"
)

// heard gives what is said of the name in brackets.
func heard(marked, relation string) string {
	before, rest, _ := strings.Cut(marked, "[")
	name, after, _ := strings.Cut(rest, "]")
	text := before + name + after
	at := rules.Span{Start: len(before), Stop: len(before) + len(name)}
	c, ok := rules.Hear(text, []rules.Span{at}).Clause(at, relation)
	if !ok {
		return "nothing"
	}
	who := "others"
	if c.Self {
		who = "self"
	}
	if c.Denied {
		return who + " denied"
	}
	return who + " stated"
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
		{"My editor is [Vim].", "uses", "self stated"},
		{"My favourite language is still [Go].", "prefers", "self stated"},
		{"my sister [Ines] lives in Lisbon", "sibling_of", "self stated"},
		{"My manager is [Ann].", "reports_to", "self stated"},
		{"Our team uses [Redis].", "uses", "self stated"},
		{"[Ann] is my manager.", "reports_to", "self stated"},
		{"[Acme] hired me in May.", "works_at", "self stated"},
		{"[Vim] is what I use.", "uses", "self stated"},
		{"We have a cluster, and we run [Kafka] on it.", "uses", "self stated"},
		{"I told you that I work at [Hooli].", "works_at", "self stated"},
		{"I use Vim, not [Emacs].", "uses", "self denied"},
		{"I use [Vim], not Emacs.", "uses", "self stated"},
		{"I do not like [Java].", "dislikes", "self stated"},
		{"I no longer use [Vim].", "uses", "self stated"},
		{"We don't use [Vim] anymore.", "uses", "self stated"},
		{"I recommend [Redis].", "recommends", "self stated"},
		{"We'll go with [Terraform].", "decided_to_use", "self stated"},
		{"I'm building an app called [Quire] with Flutter.", "works_on", "self stated"},
		{"Let's go with [SQLite] for now.", "decided_to_use", "self stated"},
		{"Let's go with [SQLite] for now.", "uses", "nothing"},
		// what is stated too, but not understood, so that it has less trust
		{"After leaving [Acme] I took a break.", "works_at", "nothing"},
		{"He said hi, and I work at [Hooli].", "works_at", "nothing"},
		{"I would rather use [tabs].", "prefers", "nothing"},
		// the user, and no statement
		{"I do not work at [Hooli].", "works_at", "self denied"},
		{"Should I take the offer and work at [Hooli] next year?", "works_at", "nothing"},
		{"Do I still work at [Hooli]?", "works_at", "nothing"},
		{"I want to work at [Hooli].", "works_at", "nothing"},
		{"I would love to work at [Hooli].", "works_at", "nothing"},
		{"I might join [Hooli].", "works_at", "nothing"},
		{"I'm going to join [Hooli].", "works_at", "nothing"},
		{"If I work at [Hooli], I earn more.", "works_at", "nothing"},
		{"When I move to [Lima] we celebrate.", "located_in", "nothing"},
		{"Bob said I work at [Hooli].", "works_at", "nothing"},
		{"They claim that we use [Redis].", "uses", "nothing"},
		{"I think we use [Kafka].", "uses", "nothing"},
		{"I never worked at [Hooli].", "works_at", "self denied"},
		{"I work without [Docker].", "uses", "self denied"},
		{"I am not sure we use [Redis].", "uses", "nothing"},
		// others
		{"Yesterday evening Dag plays [Chess] very well with her friends.", "works_at", "others stated"},
		{"Bob left [Acme] and everybody was sad about it.", "works_at", "others stated"},
		{"Bob told me that Ann works at [Hooli] these days.", "works_at", "nothing"},
		{"I think Bob uses [Vim].", "uses", "nothing"},
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
		{"Please look at this page about [Hooli] and its products.", "works_at", "nothing"},
		{"Use [Redis] for the cache.", "uses", "nothing"},
		{"Bob uses [Vim], he said.", "uses", "nothing"},
		{"You use [Vim].", "uses", "others stated"},
		{`Bob said "I moved to [Lima]" and we all laughed.`, "located_in", "nothing"},
		{"> I moved to [Lima]", "located_in", "nothing"},
	} {
		if got := heard(c.text, c.relation); got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}

func FuzzClause(f *testing.F) {
	f.Add("Ann said that I don't work at Hooli, my brother's “friend” does. Should we?", 5, 9, "works_at")
	f.Add("> a\n\tI use Vim; und ich nicht", 12, 15, "")
	f.Fuzz(func(t *testing.T, text string, start, stop int, relation string) {
		at := rules.Span{Start: start, Stop: stop}
		s := rules.Hear(text, []rules.Span{at, {Start: 0, Stop: len(text)}})
		c, ok := s.Clause(at, relation)
		if !ok {
			return
		}
		if c.Start < 0 || c.Start > c.Stop || c.Stop > len(text) || c.Stop < stop || c.Sentence[0] > c.Start {
			t.Errorf("%q: %+v", text, c)
		}
	})
}
