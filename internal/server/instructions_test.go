package server_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"memory-graph/internal/server"
	"memory-graph/tools"
)

// instructionsBudget is the maximum size of the instructions in characters. Every session pays for them, and Claude
// Code cuts them at 2,048.
const instructionsBudget = 2000

// introduced returns the instructions that a server sends at initialize.
func introduced(t *testing.T, o server.Options) string {
	t.Helper()
	var out bytes.Buffer
	if err := server.ServeStdio(t.Context(), &fakeMemory{}, o, strings.NewReader(hello), &out); err != nil {
		t.Fatal(err)
	}
	var res struct{ Instructions string }
	if err := json.Unmarshal(parse(t, out.String())[0].Result, &res); err != nil {
		t.Fatal(err)
	}
	return res.Instructions
}

func TestInstructions_NameEveryToolAndEveryArgumentThatIsNotListed(t *testing.T) {
	t.Parallel()
	for _, readOnly := range []bool{false, true} {
		o := options()
		o.Tools.ReadOnly = readOnly
		text := introduced(t, o)
		if n := utf8.RuneCountInString(text); n > instructionsBudget {
			t.Errorf("read-only %v: %d characters, more than %d", readOnly, n, instructionsBudget)
		}
		list, err := tools.All(nil, o.Tools)
		if err != nil {
			t.Fatal(err)
		}
		named := func(word string) bool { return regexp.MustCompile(`\b` + word + `\b`).MatchString(text) }
		for _, tool := range list {
			if name := tool.Definition.Name; tool.ReadOnly && !named(name) {
				t.Errorf("read-only %v: %s is not named", readOnly, name)
			}
			for _, a := range tool.Unlisted {
				if !named(a) {
					t.Errorf("read-only %v: argument %s of %s is neither listed nor named", readOnly, a, tool.Definition.Name)
				}
			}
		}
		hidden, err := tools.Hidden(nil, o.Tools)
		if err != nil {
			t.Fatal(err)
		}
		for _, tool := range hidden {
			if named(tool.Definition.Name) {
				t.Errorf("read-only instructions name %s", tool.Definition.Name)
			}
		}
	}
}

// A host that cuts the instructions keeps what matters most: ask first, then store with relations.
func TestInstructions_BeginWithWhatMattersMost(t *testing.T) {
	t.Parallel()
	text := introduced(t, options())
	last := 0
	for _, word := range []string{"retrieve", "match", "store_episode", "relations", `"ended":true`, "supersede",
		"Arguments not listed"} {
		at := strings.Index(text, word)
		if at < last {
			t.Errorf("%q is at %d, before %d", word, at, last)
		}
		last = max(last, at)
	}
	if at := strings.Index(text, "relations"); at > 900 {
		t.Errorf("relations are first named at character %d", at)
	}
}
