package rules

import (
	"fmt"
	"strings"
	"testing"

	"memory-graph/extraction"
	"memory-graph/internal/memory"
)

// TestExtract_WorksInProportionToTheText counts the tokens that clauses look at, on texts that are made to be slow.
func TestExtract_WorksInProportionToTheText(t *testing.T) {
	t.Parallel()
	r := New()
	for _, piece := range []string{
		"and Bob uses Vim ", "I use ", "A, B, C, ", "Bob's ", "is a ", "use use ", "from to ", "\"", "`", "[[x]] ", "- uses [[X]]\n", "X is a tool. ", "if I use Vim, ", "a-b-", "#1 ", "e.g. ",
		"text: ", "write it: ", "of the ", "since 2020 ", "called ", "Bob, ", "not ", "who uses ", "“", "{", "\n\n", "é",
		"I use Vim since May. ",
	} {
		work := func(n int) int {
			d := &reader{rules: r, turn: extraction.Input{Role: memory.RoleUser, Text: strings.Repeat(piece, n/len(piece)),
				Self: "User"}, seen: map[string]int{}, types: map[string]string{}, inner: map[string]bool{}}
			d.read()
			d.mention()
			return d.steps
		}
		small, large := work(2<<10), work(16<<10)
		if limit := 12*small + 16<<10; large > limit {
			t.Errorf("%q: %d steps for 16 KiB, %d for 2 KiB", piece, large, small)
		}
	}
}

func TestScrub_KeepsOffsetsAndTakesOutWhatNobodySays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, gone string }{
		{"before\n```go\nx := 1\n```\nafter", "x := 1"},
		{"before\n> quoted\nafter", "quoted"},
		{"2026-03-01T10:00:00Z INFO started\nafter", "INFO"},
		{"{\"a\": 1}\nafter", "\"a\""},
		{"$ git push origin main\nafter", "push"},
		{"she said \"I really use Vim a lot\" and left", "use Vim"},
		{"run `rm -rf /` now", "rm"},
		{"Translate this: I live in Rome", "Rome"},
		{"thanks!\n\nOn Mon, Bob Lind wrote:\nI live in Rome", "Rome"},
		{"Traceback (most recent call last):\n  File \"x.py\", line 3\nafter", "x.py"},
	} {
		got := scrub(c.text, "")
		if len(got) != len(c.text) || strings.Contains(got, c.gone) {
			t.Errorf("scrub(%q) = %q, %q is to go and %d bytes to stay", c.text, got, c.gone, len(c.text))
		}
	}
	for _, text := range []string{"My tool is \"Skylark\".", "I use `zsh` daily.", "so, done: I moved to Antwerp",
		"Correction: I live in Rome.", "  indented prose goes on here"} {
		if got := scrub(text, ""); got != text {
			t.Errorf("scrub(%q) = %q", text, got)
		}
	}
}

func TestGazetteer_ListsAreInOrderAndWhole(t *testing.T) {
	t.Parallel()
	for _, list := range []string{"cities", "places", "names"} {
		last, n := "", 0
		for line := range listLines(list) {
			if line <= last {
				t.Errorf("%s: %q stands behind %q", list, line, last)
			}
			last = line
			n++
		}
		if n < 500 {
			t.Errorf("%s has %d lines", list, n)
		}
	}
	g := loadGazetteer()
	for name, want := range map[string]string{"Postgres": "tool", "Rust": "language", "rust": "", "Graz": "location",
		"Petra": "person", "Siemens": "organization", "Skylark": ""} {
		if got := g.of(name).typ(); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

func TestVerbForms_AreToldApart(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{"uses": "use", "switched": "switch", "wrote": "write", "built": "build",
		"running": "run", "relies": "rely", "left": "leave", "founded": "found"} {
		if got := verbForms[word].lemma; got != want {
			t.Errorf("%s is of %q, want %q", word, got, want)
		}
	}
	if fmt.Sprint(verbForms["quit"].forms) == "0" {
		t.Error("quit has no form")
	}
}
