package retrieval

import (
	"strings"
	"testing"
)

func TestFocusOf_IsWhatTheQuestionAsksFor(t *testing.T) {
	t.Parallel()
	for question, want := range map[string]string{
		"What criteria did I use for the board?":            "criteria",
		"What is the budget of the party?":                  "budget",
		"What was the rationale behind choosing Formspree?": "rational",
		"Which brand is our washing machine?":               "brand",
		"How many square metres does the flat have?":        "squar metr",
		"Can you tell me about my background?":              "background",
		"Who came?":                                         "",
		"":                                                  "",
		"how":                                               "",
	} {
		if got := strings.Join(focusOf(question), " "); got != want {
			t.Errorf("focusOf(%q) = %q, want %q", question, got, want)
		}
	}
}
