package rules_test

import (
	"testing"

	"memory-graph/extraction"
	"memory-graph/extraction/mentions"
	"memory-graph/memory"
)

// What was found as small words is a name to the graph from then on. It must stay of one type, or the graph has it twice and
// ends the wrong one.
func TestExtract_GivesWhatIsKnownByNowTheTypeOfItsFirstTime(t *testing.T) {
	t.Parallel()
	types := func(text string, known *mentions.Dictionary) map[string]string {
		out := map[string]string{}
		for _, r := range extractor.Extract(extraction.Turn{Role: memory.RoleUser, Text: text, Self: "User", OccurredAt: said, Known: known}).Relations {
			out[r.Tail] = r.TailType
		}
		return out
	}
	for _, c := range []struct{ first, later, name string }{
		{"Against the mites I use formic acid.", "I switched from formic acid to thymol.", "formic acid"},
		{"I use thymol.", "I switched from thymol to formic acid.", "thymol"},
		{"I take candesartan now.", "I switched from candesartan to ramipril.", "candesartan"},
	} {
		known := mentions.NewDictionary()
		known.Add(c.name)
		first, later := types(c.first, nil)[c.name], types(c.later, known)[c.name]
		if first == "" || first != later {
			t.Errorf("%q is of %q at first and of %q later", c.name, first, later)
		}
	}
}
