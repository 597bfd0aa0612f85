package rules

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/extraction"
	"memory-graph/internal/memory"
)

// Tests of this package also call what Extract and Hear call after ready.
func init() { ready() }

func TestData_IsWellFormed(t *testing.T) {
	t.Parallel()
	for what, err := range map[string]error{"words": wordsError, "verbs": verbsError} {
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := tableRead(); err != nil {
		t.Error(err)
	}
	if _, err := guardsRead(); err != nil {
		t.Error(err)
	}
	if _, err := meantRead(); err != nil {
		t.Error(err)
	}
	if _, err := doubtsRead(); err != nil {
		t.Error(err)
	}
	if err := scrubbing().check(); err != nil {
		t.Error(err)
	}
}

func TestData_NamesTheBadLine(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"p:person ~use t:tool":                 "no ' -> '",
		"p:person ~use t:gadget -> p uses t":   `no slot "gadget"`,
		"p:person ~quaff t:tool -> p uses t":   `"quaff" is not in verbs.txt`,
		"p:person ~use t:tool -> p adores t":   `"adores" is not in the registry`,
		"p:person ~use t:tool -> p uses x":     "does not have",
		"p:person t:tool -> p uses t":          "no word or verb",
		"p:person @nobody t:tool -> p uses t":  `no class of words "@nobody"`,
		"p:person ~use t:tool -> p uses":       "is not \"head relation tail\"",
		"p:person ~use|| t:tool -> p uses t":   "empty alternative",
		"p:person ~use t:tool -> p uses t and": "is not \"head relation tail\"",
	} {
		_, err := readTable("templates.txt", "# remark\n"+line+"\n")
		if err == nil || !strings.HasPrefix(err.Error(), "templates.txt:2: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one of line 2 that says %q", line, err, want)
		}
	}
	for line, want := range map[string]string{
		"visit located_in : today":                "is not \"name relations place",
		"visit located_in beside : today":         `no place "beside"`,
		"visit located_in+soon right : today":     `no condition "soon"`,
		"visit located_in right : @nothing":       "no class of words",
		"visit located_in right : x:gadget today": `no slot "gadget"`,
	} {
		_, err := parseGuards("guards.txt", "\n"+line)
		if err == nil || !strings.HasPrefix(err.Error(), "guards.txt:2: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one of line 2 that says %q", line, err, want)
		}
	}
	if _, err := parseMeant("meant.txt", "this head suppose"); err == nil ||
		!strings.HasPrefix(err.Error(), "meant.txt:1: ") {
		t.Errorf("meant.txt: %v", err)
	}
	if err := parseScrubbing("scrub.txt", "[code]\n((").check(); err == nil ||
		!strings.HasPrefix(err.Error(), "scrub.txt:2: ") {
		t.Errorf("scrub.txt: %v", err)
	}
}

// TestExplain_ShowsWhatMatchedAndWhatWasRejected reads a sentence of each outcome.
func TestExplain_ShowsWhatMatchedAndWhatWasRejected(t *testing.T) {
	t.Parallel()
	text := "We use Redis. Bob said we use Kafka. Suppose we use Vim. I live in Graz on weekends. I might use Emacs."
	var got []string
	for _, s := range New().Explain(extraction.Input{Role: memory.RoleUser,
		Text: text, Self: "User", OccurredAt: time.Now()}) {
		step := "nothing"
		if len(s.Steps) > 0 {
			step = s.Steps[0].Fact
			if s.Steps[0].Guard != "" {
				step, _, _ = strings.Cut(s.Steps[0].Guard, ":")
			}
		}
		got = append(got, step)
	}
	want := []string{"User uses Redis.", "supposed, wished, asked or told by others", "it is not meant", "beside another",
		"a plan, a wish or a possibility"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("first steps (-want +got):\n%s", diff)
	}
}
