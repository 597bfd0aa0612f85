package mentions_test

import (
	"testing"

	"memory-graph/extraction/mentions"
	"memory-graph/internal/memory"
)

func TestQualifierOf_TakesWhatSaysWhoIsMeant(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]memory.Qualifier{
		"Tom from support lives in York.":           {Text: "support", Relation: "member_of"},
		"tom from the data team owns it":            {Text: "data", Relation: "member_of"},
		"Tom from Support called":                   {Text: "Support", Relation: "member_of"},
		"I met Tom from Acme Labs, a nice guy":      {Text: "Acme Labs", Relation: "works_at"},
		"Tom (support) lives in York":               {Text: "support"},
		"and Tom the plumber lives in Hull":         {Text: "plumber", Relation: "works_as"},
		"Tom from yesterday is Tom":                 {},
		"Tom lives in York":                         {},
		"I moved Tom from sales to support":         {},
		"that kept Tom from leaving":                {},
		"a text for Tom from my mother":             {},
		"I gave Tom the keys":                       {},
		"I told Tom the service is down":            {},
		"Tom (not Ann) lives in York":               {},
		"Tom (allegedly) lives in York":             {},
		"Tom (34) lives in York":                    {},
		"Atom from support":                         {},
		"Tom from sales met Tom from support":       {},
		"Tom from sales. Later, Tom from Sales too": {Text: "Sales", Relation: "member_of"},
	} {
		if got := mentions.QualifierOf(text, "", "Tom"); got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
}

func TestQualifierOf_PrefersTheWordsOfTheFact(t *testing.T) {
	t.Parallel()
	const text = "Tom from sales lives in Leeds. Tom from support lives in York."
	if got := mentions.QualifierOf(text, "Tom from support lives in York", "Tom"); got.Text != "support" {
		t.Errorf("%+v", got)
	}
}

func FuzzQualifiers(f *testing.F) {
	f.Add("Tom from support lives in York. TOM (sales)", "Tom")
	f.Add("İ from the İ team", "i̇")
	f.Fuzz(func(t *testing.T, text, name string) {
		for _, q := range mentions.Qualifiers(text, name) {
			if q.Start < 0 || q.Stop > len(text) || q.Start >= q.Stop || q.Text == "" {
				t.Errorf("%+v in %q", q, text)
			}
		}
	})
}
