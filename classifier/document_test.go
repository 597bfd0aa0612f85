package classifier_test

import (
	"testing"

	"memory-graph/classifier"
	"memory-graph/internal/embedding"
	"memory-graph/internal/embedding/builtin"
)

// documented are the example messages of the plugin document (docs/sources.md, plugin-classes). None is an exemplar.
var documented = map[classifier.Class][]string{
	classifier.Conversational:   {"ok", "thanks", "got it", "sounds good", "perfect"},
	classifier.Correction:       {"actually that's wrong", "hold on, you got that backwards", "let me clarify"},
	classifier.TaskContinuation: {"continue with that", "next step", "also can you", "building on that"},
	classifier.NewTopic:         {"different subject", "let's switch topics", "separate thing"},
}

func TestClassify_TellsTheDocumentedExamplesBareAndInContext(t *testing.T) {
	t.Parallel()
	c, err := classifier.New(t.Context(), builtin.New(), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, previous := range [][]string{nil, agentTurns,
		{"what should I cook for six people on friday", "A lasagne would work: it can be made the day before."},
		{"I moved the meeting to Tuesday", "Noted, the meeting is on Tuesday. Shall I tell the others?"}} {
		for want, texts := range documented {
			for _, text := range texts {
				r, err := c.Classify(t.Context(), classifier.Message{Text: text, Previous: previous})
				if err != nil {
					t.Fatal(err)
				}
				if r.Class != want || r.Policy().Retrieve == (want == classifier.Conversational) {
					t.Errorf("%q after %q is %s (%.2f), want %s", text, previous, r.Class, r.Probabilities, want)
				}
			}
		}
	}
}

func TestExemplars_HaveNoneOfTheDocumentedExamples(t *testing.T) {
	t.Parallel()
	list, err := classifier.Exemplars()
	if err != nil {
		t.Fatal(err)
	}
	for _, texts := range documented {
		for _, text := range texts {
			for _, e := range list {
				if e.Text == text && len(e.Previous) == 0 {
					t.Errorf("%q is an exemplar", text)
				}
			}
		}
	}
}

// Corrections that start like small talk are still looked up: taking one for small talk loses all recall.
func TestClassify_TakesNoPoliteCorrectionForSmallTalk(t *testing.T) {
	t.Parallel()
	for name, emb := range map[string]embedding.Embedder{"builtin": builtin.New(), "none": embedding.None{}} {
		c, err := classifier.New(t.Context(), emb, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"oh sorry, I meant the green one", "thanks, though it's the 4th", "hmm that isn't it",
			"ah no, you flipped them", "great, but it's Mia and not Maya", "ok wait, that's last year's", "nah, other one"} {
			r, err := c.Classify(t.Context(), classifier.Message{Text: text, Previous: agentTurns})
			if err != nil {
				t.Fatal(err)
			}
			if r.Class == classifier.Conversational {
				t.Errorf("%s: %q is small talk (%.2f)", name, text, r.Probabilities)
			}
		}
	}
}
