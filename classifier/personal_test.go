package classifier_test

import (
	"math"
	"testing"

	"memory-graph/classifier"
	"memory-graph/internal/embedding"
	"memory-graph/internal/embedding/builtin"
)

// None of these messages is among the exemplars.
func TestClassify_KnowsWhatDependsOnTheUser(t *testing.T) {
	t.Parallel()
	for name, emb := range map[string]embedding.Embedder{"builtin": builtin.New(), "none": embedding.None{}} {
		c, err := classifier.New(t.Context(), emb, "")
		if err != nil {
			t.Fatal(err)
		}
		for text, want := range map[string]bool{
			"plan a city break for us in the autumn":   true,
			"what could I have for brunch?":            true,
			"which thriller should I read next":        true,
			"which laptop would suit me":               true,
			"what is the boiling point of ethanol":     false,
			"how many strings does a lute have?":       false,
			"what's the difference between those two?": false,
			"who painted it?":                          false,
		} {
			r, err := c.Classify(t.Context(), classifier.Message{Text: text})
			if err != nil {
				t.Fatal(err)
			}
			if (r.Personal > .5) != want {
				t.Errorf("%s: %q depends on the user with %.2f", name, text, r.Personal)
			}
		}
	}
}

// A request is nearer to what the user told for its kind than to what they told for others, also without common words.
func TestClassify_LooksForTheStandingFactsOfTheKind(t *testing.T) {
	t.Parallel()
	emb := builtin.New()
	c, err := classifier.New(t.Context(), emb, "")
	if err != nil {
		t.Fatal(err)
	}
	for message, tells := range map[string][2]string{ // what helps, and what does not
		"plan us a little holiday":                {"We have lived in Aarhus since 2015", "I drink my coffee black"},
		"what shall I put on the table on Sunday": {"I can't digest milk", "I have a black belt in judo"},
		"get the branch ready and send it up":     {"Never rewrite history that others have pulled", "My niece is four"},
	} {
		r, err := c.Classify(t.Context(), classifier.Message{Text: message})
		if err != nil {
			t.Fatal(err)
		}
		rows, err := emb.Embed(t.Context(), embedding.Document, tells[:])
		if err != nil {
			t.Fatal(err)
		}
		var near [2]float64
		length := 0.
		for i, x := range r.Standing {
			length += float64(x) * float64(x)
			near[0] += float64(x) * float64(rows[0][i])
			near[1] += float64(x) * float64(rows[1][i])
		}
		if near[0] <= near[1] || math.Abs(length-1) > 1e-3 {
			t.Errorf("%q: %.3f to %q, %.3f to %q, length %.3f", message, near[0], tells[0], near[1], tells[1], length)
		}
	}
}
