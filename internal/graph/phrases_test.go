package graph_test

import (
	"slices"
	"strings"
	"testing"

	"memory-graph/internal/graph"
)

// The words of every known relation begin with a verb.
func TestPhrase_OfEveryKnownRelationIsAVerb(t *testing.T) {
	t.Parallel()
	past := []string{"decided", "switched", "created", "founded", "required", "mentioned", "supported", "superseded",
		"used", "owned", "led", "blocked", "fixed"}
	for _, name := range graph.Known() {
		first, _, _ := strings.Cut(graph.Phrase(name, ""), " ")
		if !strings.HasSuffix(first, "s") && !slices.Contains(past, first) {
			t.Errorf("%s: %q", name, graph.Phrase(name, ""))
		}
	}
}

func TestPhrase_SaysARelationInWords(t *testing.T) {
	t.Parallel()
	for relation, want := range map[string]string{"works_at": "works at", "member_of": "is a member of",
		"aunt_of": "is an aunt of", "uncle_of": "is an uncle of", "has_deadline": "has the deadline", "uses": "uses",
		"decided_to_use": "decided to use",
		"reviewed_by":    "is reviewed by", "moved_to": "moved to", "has_color": "has the color",
		"capital_of": "is capital of",
		"is_a":       "is an", "": ""} {
		if got := graph.Phrase(relation, "editor"); got != want {
			t.Errorf("%s: %q, want %q", relation, got, want)
		}
	}
}
